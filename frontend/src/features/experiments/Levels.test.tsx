import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, DOCUMENT } from "@/testing/plans";
import { openYaml } from "@/testing/folds";
import { showAt } from "@/testing/render";
import { serve, type SentRequest } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { Builder } from "./Builder";

let sent: SentRequest[];

beforeEach(() => {
  sent = serve(answer);
  showAt("/new", { "/new": <Builder initial={DOCUMENT} factors={VOCABULARY} />, "/runs/:id": <p>the run’s page</p> });
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function planned(): Promise<void> {
  await screen.findByText("10 trials");
}

/** The chip of a level in the row of a factor. */
function chip(factor: string, level: string): HTMLElement {
  const group = screen.getByRole("group", { name: factor });
  return within(group).getByRole("button", { name: level });
}

/** Types levels into the box of a factor. */
function add(factor: string, text: string): void {
  const box = screen.getByLabelText(`Add levels: ${factor}`);
  fireEvent.change(box, { target: { value: text } });
  fireEvent.keyDown(box, { key: "Enter" });
}

describe("the levels of a factor", () => {
  it("parses free text, empty text as not set", async () => {
    await planned();
    const field = screen.getByLabelText("server's cpuset");
    field.focus();
    fireEvent.change(field, { target: { value: "0,2-3 -" } });
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { server_cpuset: ["0,2-3", ""] } }));
    expect(screen.getByText(/^server's cpuset 0,2-3, not set/)).toBeTruthy();
    expect(document.activeElement).toBe(field);
    field.blur();
    expect(await screen.findByRole("group", { name: "server's cpuset" })).toBeTruthy();
  });

  it("takes levels as chips, and several or a sweep at once", async () => {
    await planned();
    fireEvent.click(chip("clients", "32"));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: [5, 32] } }));
    add("clients", "2, 16");
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: [2, 5, 16, 32] } }));
    add("clients", "1..64*2");
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: { from: 1, to: 64, times: 2 } } }));
    fireEvent.click(chip("clients", "1..64*2 · 7 levels"));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: [5] } }));
  });

  it("keeps the typed text of a setting", async () => {
    await planned();
    screen.getByLabelText("server's cpuset").focus();
    fireEvent.change(screen.getByLabelText("server's cpuset"), { target: { value: "0-1  2" } });
    expect(screen.getByLabelText<HTMLInputElement>("server's cpuset").value).toBe("0-1  2");
  });

  it("keeps rules and baseline while levels change", async () => {
    await planned();
    const editor = openYaml();
    const text = editor.value.replace("clients: [5]", "clients: [1, 8, 64]").replace("baseline:", "baseline:\n  clients: 64");
    fireEvent.change(editor, { target: { value: `${text}exclude:\n  - {path: [same_container], clients: [64]}\n` } });
    fireEvent.click(chip("clients", "32"));
    await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ factors: { clients: [1, 8, 32, 64] } }));
    expect(sent.at(-1)?.body).toMatchObject({ baseline: { clients: 64 }, exclude: [{ path: ["same_container"], clients: [64] }] });
  });

  it("shows values of YAML that are no levels", async () => {
    await planned();
    const editor = openYaml();
    fireEvent.change(editor, { target: { value: editor.value.replace("clients: [5]", 'clients: {from: "1", to: 8, step: 1}').replace("path: [same_container, published_loopback]", "path: [same_container, {a: 1}]") } });
    expect(screen.getByRole("button", { name: 'Remove {"a":1}' })).toBeTruthy();
  });
});
