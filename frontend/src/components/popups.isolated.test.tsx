import { CSPProvider } from "@base-ui/react/csp-provider";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { press, typeInto } from "@/testing/popups";
import { Autocomplete } from "./Autocomplete";
import { Combobox, MultiCombobox, type Option } from "./Combobox";
import { Dialog } from "./Dialog";
import { Menu, MenuCheck, MenuChoice, MenuGroup, MenuItem, MenuLink } from "./Menu";
import { Popover } from "./Popover";
import { Tooltip } from "./Tooltip";

const PATHS: Option[] = [
  { value: "same_container", label: "Same container" },
  { value: "published_loopback", label: "Published port" },
];

const show = (children: React.ReactNode) =>
  render(
    <CSPProvider disableStyleElements>
      <MemoryRouter>{children}</MemoryRouter>
    </CSPProvider>,
  );

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
});
afterEach(() => {
  cleanup();
  expect(document.querySelectorAll("style")).toHaveLength(0);
});

describe("Menu", () => {
  const menu = (onSelect = vi.fn()) => (
    <Menu button="Actions">
      <MenuItem onSelect={onSelect}>Cancel the run</MenuItem>
      <MenuGroup label="Lead to">
        <MenuLink to="/compare" current>
          Compare
        </MenuLink>
        <MenuLink href="/api/v1/export.csv" download>
          CSV
        </MenuLink>
      </MenuGroup>
    </Menu>
  );

  it("opens, has items and named groups of links, and does what is selected once", async () => {
    const selected = vi.fn();
    show(menu(selected));
    const button = screen.getByRole("button", { name: "Actions" });
    expect(button.getAttribute("aria-haspopup")).toBe("menu");
    press(button);
    const popup = await screen.findByRole("menu");
    const group = within(popup).getByRole("group", { name: "Lead to" });
    expect(within(group).getByRole("menuitem", { name: "Compare" }).getAttribute("aria-current")).toBe("page");
    expect(within(group).getByRole("menuitem", { name: "CSV" }).getAttribute("href")).toBe("/api/v1/export.csv");
    fireEvent.click(within(popup).getByRole("menuitem", { name: "Cancel the run" }));
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    expect(selected).toHaveBeenCalledTimes(1);
  });

  it("closes by Escape and gives the focus back", async () => {
    show(menu());
    const button = screen.getByRole("button", { name: "Actions" });
    button.focus();
    press(button);
    fireEvent.keyDown(await screen.findByRole("menu"), { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    expect(document.activeElement).toBe(button);
  });

  it("shows which choice and which switch is on", async () => {
    const choose = vi.fn();
    const toggle = vi.fn();
    show(
      <Menu button="⋯" label="Settings">
        <MenuChoice label="Theme" options={[{ value: "light", label: "Light" }, { value: "dark", label: "Dark" }]} value="dark" onChange={choose} />
        <MenuCheck checked onChange={toggle}>Shortcuts</MenuCheck>
      </Menu>,
    );
    press(screen.getByRole("button", { name: "Settings" }));
    expect((await screen.findByRole("menuitemradio", { name: /Dark/ })).getAttribute("aria-checked")).toBe("true");
    fireEvent.click(screen.getByRole("menuitemcheckbox", { name: /Shortcuts/ }));
    expect(toggle.mock.calls[0]?.[0]).toBe(false);
    fireEvent.click(screen.getByRole("menuitemradio", { name: /Light/ }));
    expect(choose).toHaveBeenCalledWith("light");
  });
});

describe("Combobox", () => {
  function One({ onSearch }: { onSearch?: (text: string) => void }) {
    const [value, setValue] = useState<Option | null>(null);
    return (
      <>
        <Combobox label="Path" options={PATHS} value={value} onChange={setValue} {...(onSearch && { onSearch })} />
        <output>{value?.value ?? "none"}</output>
      </>
    );
  }
  const type = (text: string) => {
    const box = screen.getByRole("combobox", { name: "Path" });
    typeInto(box, text);
    return box;
  };

  it("filters its options by what is typed; Enter takes the first, and Clear takes it back", async () => {
    show(<One />);
    const box = type("publ");
    await waitFor(() => expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["Published port"]));
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(screen.getByRole("status", { hidden: true }).textContent).toBe("published_loopback"));
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(screen.getByRole("status", { hidden: true }).textContent).toBe("none");
  });

  it("says that nothing matches", async () => {
    show(<One />);
    type("zzz");
    expect(await screen.findByText("No match")).toBeTruthy();
  });

  it("asks for options with what is typed, not with the label of the chosen one", async () => {
    const search = vi.fn();
    show(<One onSearch={search} />);
    const box = type("anything");
    expect(search.mock.calls).toEqual([["anything"]]);
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect((box as HTMLInputElement).value).toBe("Same container"));
    expect(search).toHaveBeenCalledTimes(1);
  });

  it("states that options are loaded, or why they could not be", async () => {
    show(<Combobox label="Path" options={[]} value={null} onChange={vi.fn()} onSearch={vi.fn()} failure="The server does not answer." />);
    type("a");
    expect(await screen.findByText("The server does not answer.")).toBeTruthy();
    expect(screen.queryByText("No match")).toBeNull();
  });
});

describe("MultiCombobox", () => {
  function Many() {
    const [value, setValue] = useState<Option[]>([PATHS[0]!]);
    return (
      <>
        <MultiCombobox label="Paths" options={PATHS} value={value} onChange={setValue} errors={[]} />
        <output data-testid="value">{value.map((option) => option.value).join(" ")}</output>
      </>
    );
  }

  it("adds options and removes them by their chips", async () => {
    show(<Many />);
    const box = screen.getByRole("combobox", { name: "Paths" });
    typeInto(box, "publ");
    fireEvent.click(await screen.findByRole("option", { name: "Published port" }));
    await waitFor(() => expect(screen.getByTestId("value").textContent).toBe("same_container published_loopback"));
    fireEvent.click(screen.getByRole("button", { name: "Remove Same container", hidden: true }));
    await waitFor(() => expect(screen.getByTestId("value").textContent).toBe("published_loopback"));
  });
});

describe("Autocomplete", () => {
  it("takes any text and offers what fits", async () => {
    const changed = vi.fn();
    function Tag() {
      const [value, setValue] = useState("");
      return <Autocomplete label="Tag" value={value} onChange={(to) => { setValue(to); changed(to); }} suggestions={["docker-28", "kernel"]} />;
    }
    show(<Tag />);
    const box = screen.getByRole("combobox", { name: "Tag" });
    typeInto(box, "dock");
    fireEvent.click(await screen.findByRole("option", { name: "docker-28" }));
    expect(changed.mock.calls.flat()).toEqual(["dock", "docker-28"]);
    typeInto(box, "something else");
    expect((box as HTMLInputElement).value).toBe("something else");
  });
});

describe("Tooltip and Popover", () => {
  it("names a button, or describes it for screen readers at any time", () => {
    show(
      <>
        <Tooltip text="Star" as="name"><button type="button">☆</button></Tooltip>
        <Tooltip text="Stars are yours alone."><button type="button">Why</button></Tooltip>
      </>,
    );
    expect(screen.getByRole("button", { name: "Star" }).textContent).toBe("☆");
    const id = screen.getByRole("button", { name: "Why" }).getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(id)?.textContent).toBe("Stars are yours alone.");
  });

  it("opens a panel with a title and closes it", async () => {
    show(<Popover button="How to read this" title="Intervals"><p>95 % of …</p></Popover>);
    press(screen.getByRole("button", { name: "How to read this" }));
    expect((await screen.findByRole("dialog", { name: "Intervals" })).textContent).toContain("95 %");
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("inside a modal dialog", () => {
  it("puts popups into the dialog, because all else is inert", async () => {
    show(<Dialog title="Tags" open onClose={vi.fn()} actions={null}><Menu button="More"><MenuItem onSelect={vi.fn()}>Remove</MenuItem></Menu></Dialog>);
    press(screen.getByRole("button", { name: "More" }));
    expect((await screen.findByRole("menu")).closest("dialog")).toBe(screen.getByRole("dialog", { name: "Tags" }));
  });
});
