import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, DOCUMENT } from "@/testing/plans";
import { typeInto } from "@/testing/popups";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";

let sent: SentRequest[];

beforeEach(async () => {
  sent = serve(answer);
  showAt("/new", { "/new": <Builder initial={DOCUMENT} factors={VOCABULARY} /> });
  await screen.findByText("10 trials");
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const search = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const options = async () => within(await screen.findByRole("listbox")).getAllByRole("option");

describe("the search for paths", () => {
  it("offers paths that are not chosen, by any word, with the way drawn and what forbids it", async () => {
    typeInto(search("Add a path"), "vlan");
    const [option, ...others] = await options();
    expect(others).toEqual([]);
    expect(option!.textContent).toMatch(/^macvlanloopback.*no macvlan in the kernel/);
  });

  it("adds a path by the keyboard, empties its box, and goes on", async () => {
    const box = search("Add a path");
    typeInto(box, "nginx");
    await options();
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { path: ["same_container", "published_loopback", "nginx_stream"] } }));
    expect(search("Add a path").value).toBe("");
    expect(screen.getByText("nginx_stream was added.")).toBeTruthy();
    expect(sent.at(-1)?.body).toMatchObject({ baseline: { path: "same_container" } });
  });

  it("keeps the focus in the list when a path is removed", async () => {
    fireEvent.click(screen.getByRole("button", { name: "Remove same_container" }));
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Remove published_loopback"));
    fireEvent.click(screen.getByRole("button", { name: "Remove published_loopback" }));
    await waitFor(() => expect(document.activeElement).toBe(search("Add a path")));
    expect(screen.getByText(/No path is chosen/)).toBeTruthy();
  });
});

describe("the search for further factors", () => {
  it("opens a factor as a row with the focus, whose levels vary, and closes it", async () => {
    const box = search("+ vary more");
    typeInto(box, "fsync");
    await options();
    fireEvent.keyDown(box, { key: "Enter" });
    const group = await screen.findByRole("group", { name: "fsync" });
    await waitFor(() => expect(group.contains(document.activeElement)).toBe(true));
    fireEvent.click(within(group).getByRole("button", { name: "off" }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { fsync: [true, false] } }));
    fireEvent.click(screen.getByRole("button", { name: "Do not vary: fsync" }));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { fsync: [true] } }));
    expect(within(screen.getByText("More settings").closest("details")!).getByLabelText("fsync", { selector: "[role=group]" })).toBeTruthy();
  });
});
