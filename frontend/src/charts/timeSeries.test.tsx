import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { CpuSeries } from "./TimeSeries";

afterEach(cleanup);

describe("CpuSeries", () => {
  it("moves through samples by arrow keys, from second to second up and down, and shows the moment", () => {
    const points = [0.5, 1, 1.5, 2].map((t) => ({ t, cores: { client: t, server: 1 } }));
    const { container } = render(<CpuSeries points={points} seconds={2} />, { wrapper: MemoryRouter });
    const marks = screen.getByRole("listbox", { name: "CPU by role: marks, by arrow keys" });
    const active = () => document.getElementById(marks.getAttribute("aria-activedescendant") ?? "")?.textContent;
    expect(container.querySelector(".recharts-reference-line")).toBeNull();
    fireEvent.focus(marks);
    expect(active()).toBe("0.50 s, in cores: client 0.50, server 1.00");
    expect(container.querySelector(".recharts-reference-line")).not.toBeNull();
    fireEvent.keyDown(marks, { key: "ArrowDown" });
    expect(active()).toBe("1.00 s, in cores: client 1.00, server 1.00");
    fireEvent.keyDown(marks, { key: "End" });
    expect(active()).toMatch(/^2\.00 s/);
  });
});
