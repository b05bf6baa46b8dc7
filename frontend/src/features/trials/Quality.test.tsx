import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Exclusion, QualityCard } from "./Quality";

afterEach(cleanup);

const READINGS = { seconds: 3, other_cores: 0.42, steal: 0.078, pressure: null, frequency_change: null, throttles: 1 };

describe("host noise of a trial", () => {
  it("is a reason for exclusion, as are violated bounds", () => {
    render(<Exclusion quality={{ invalid: ["cpu_us_per_txn is −50.8"], contaminated: ["steal: 7.8 % of the CPU"] }} />);
    expect(screen.getByText(/violate physical bounds/).parentElement!.textContent).toContain("cpu_us_per_txn is −50.8");
    expect(screen.getByText(/host noise exceeded/).parentElement!.textContent).toContain("steal: 7.8 % of the CPU");
  });

  it("is not shown where there is none", () => {
    const { container } = render(<><Exclusion quality={{}} /><QualityCard quality={{}} /></>);
    expect(container.textContent).toBe("");
  });

  it("is shown with measurements, wait, readings, and the reasons of discarded measurements", () => {
    render(<QualityCard quality={{ takes: 3, waited_seconds: 20, readings: READINGS, discarded: [{ reasons: ["steal: 9 %"], readings: READINGS, waited_seconds: 10 }, { reasons: ["other processes: 1.2 cores"], readings: READINGS, waited_seconds: 10 }] }} />);
    for (const text of ["3, the last one recorded", "20 s", "0.42 cores", "7.8 %", "1 event"]) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByText(/pressure/)).toBeNull();
    expect(within(screen.getByRole("list", { name: "Discarded measurements" })).getAllByRole("listitem").map((item) => item.textContent)).toEqual(["steal: 9 %", "other processes: 1.2 cores"]);
  });
});
