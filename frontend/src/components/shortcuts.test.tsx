import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useEscapeUp, useListed, useRegistered, useShortcutKeys } from "./shortcuts";

const next = vi.fn();

function Page() {
  useShortcutKeys(true);
  useEscapeUp("Up to the cell");
  useListed([{ keys: "j", label: "Next run", run: next }]);
  const listed = useRegistered();
  return (
    <>
      <nav data-breadcrumb>
        <a href="#run">run</a>
        <a href="#cell">cell</a>
      </nav>
      <p>text</p>
      <button type="button">a button</button>
      <input aria-label="a field" />
      <ul>{listed.map(({ keys, label }) => <li key={keys}>{label}</li>)}</ul>
    </>
  );
}

afterEach(() => {
  cleanup();
  window.location.hash = "";
  next.mockClear();
});

describe("useEscapeUp", () => {
  it("opens the page above by Escape, also from a button", () => {
    render(<Page />);
    const up = vi.fn((event: Event) => event.preventDefault());
    screen.getByText("cell").addEventListener("click", up);
    fireEvent.keyDown(screen.getByText("text"), { key: "Escape" });
    fireEvent.keyDown(screen.getByRole("button"), { key: "Escape" });
    expect(up).toHaveBeenCalledTimes(2);
  });

  it("leaves Escape to fields and to what is open over the page", () => {
    render(<Page />);
    const up = vi.fn((event: Event) => event.preventDefault());
    screen.getByText("cell").addEventListener("click", up);
    fireEvent.keyDown(screen.getByLabelText("a field"), { key: "Escape" });
    const menu = document.body.appendChild(document.createElement("div"));
    menu.setAttribute("role", "menu");
    const close = () => menu.remove();
    document.body.addEventListener("keydown", close, { once: true });
    fireEvent.keyDown(screen.getByText("text"), { key: "Escape" });
    expect(menu.isConnected).toBe(false);
    expect(up).not.toHaveBeenCalled();
  });
});

describe("useListed", () => {
  it("lists the shortcuts that a component handles itself, while it is shown", () => {
    const { unmount } = render(<Page />);
    expect(screen.getByText("Next run")).toBeTruthy();
    fireEvent.keyDown(screen.getByText("text"), { key: "j" });
    expect(next).toHaveBeenCalledTimes(1);
    unmount();
    render(<Bare />);
    expect(screen.queryByText("Next run")).toBeNull();
  });
});

function Bare() {
  return <ul>{useRegistered().map(({ keys, label }) => <li key={keys}>{label}</li>)}</ul>;
}
