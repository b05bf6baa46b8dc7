import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ImportStart } from "@/api/generated";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { VOCABULARY } from "@/testing/vocabulary";
import { ImportPage } from "./ImportPage";

const REFUSED = {
  title: "Not allowed", detail: "See the fields.", code: "invalid",
  errors: [
    { pointer: "/logs/1/stdout", code: "unreadable", detail: "no summary of pgbench in it" },
    { pointer: "/experiment/metrics/0", code: "unknown_metric", detail: "there is no metric tpz" },
    { pointer: "/logs", code: "empty", detail: "too few" },
  ],
};
let answer: [number, unknown] = [201, { id: "run_1" }];
let sent: ImportStart | null = null;

beforeEach(() => {
  answer = [201, { id: "run_1" }];
  serve(({ path, body }) => {
    if (path.endsWith("/factors")) return VOCABULARY;
    if (!path.endsWith("/imports")) return { data: [] };
    sent = body as ImportStart;
    return Response.json(answer[1], { status: answer[0] });
  });
  showAt("/import", { "/import": <ImportPage />, "/runs/:id": <p>the run’s page</p> });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function add(...names: string[]) {
  const files = names.map((name) => Object.assign(new File(["tps = 1"], name), { text: () => Promise.resolve(`output of ${name}`) }));
  fireEvent.change(screen.getByLabelText("Log files"), { target: { files } });
  await screen.findByText(names.at(-1)!);
}

const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Import/ });

describe("ImportPage", () => {
  it("sends definition, host, environment and logs with their cells and counted rounds, then opens the run", async () => {
    expect(button().disabled).toBe(true);
    await add("same_container_1.log", "same_container_2.log", "published_loopback.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "old-host" } });
    fireEvent.change(screen.getByLabelText("Environment (optional)"), { target: { value: "kernel: 5.4" } });
    fireEvent.click(button());
    await screen.findByText("the run’s page");
    expect(sent).toMatchObject({ host: "old-host", environment: { kernel: "5.4" }, experiment: { name: "imported" } });
    expect(sent!.logs).toEqual([
      { levels: { path: "same_container" }, round: 1, stdout: "output of same_container_1.log" },
      { levels: { path: "same_container" }, round: 2, stdout: "output of same_container_2.log" },
      { levels: { path: "published_loopback" }, round: 1, stdout: "output of published_loopback.log" },
    ]);
  });

  it("requires the levels that a file's name does not contain, and accepts a typed round", async () => {
    await add("mystery.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "h" } });
    expect(button().disabled).toBe(true);
    expect(screen.getByText(/Missing: path\./)).toBeTruthy();
    fireEvent.change(screen.getByLabelText("path of mystery.log"), { target: { value: "1" } });
    fireEvent.change(screen.getByLabelText("Round of mystery.log"), { target: { value: "7" } });
    fireEvent.click(button());
    await waitFor(() => expect(sent?.logs).toEqual([{ levels: { path: "published_loopback" }, round: 7, stdout: "output of mystery.log" }]));
  });

  it("shows errors at their log, in the editor, or above", async () => {
    answer = [422, REFUSED];
    await add("same_container_1.log", "same_container_2.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "h" } });
    fireEvent.click(button());
    const refused = await screen.findByText(/no summary of pgbench in it/);
    expect(refused.closest("tr")!.textContent).toContain("same_container_2.log");
    expect(screen.getByText("/metrics/0")).toBeTruthy();
    expect(screen.getByText(/too few/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Remove same_container_2.log" }));
    expect(screen.queryByText("same_container_2.log")).toBeNull();
    expect(screen.queryByText(/no summary of pgbench in it/)).toBeNull();
  });

  it("takes copies of a log once they are allowed", async () => {
    await add("same_container_1.log", "same_container_2.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "old-host" } });
    expect(screen.queryByRole("checkbox", { name: /of the same run/ })).toBeNull();
    answer = [422, { ...REFUSED, errors: [{ pointer: "/logs/1/stdout", code: "identical_log", detail: "it is the log at /logs/0" }] }];
    fireEvent.click(button());
    fireEvent.click(await screen.findByRole("checkbox", { name: "Import logs that are of the same run" }));
    answer = [201, { id: "run_1" }];
    fireEvent.click(button());
    await screen.findByText("the run’s page");
    expect(sent).toMatchObject({ allow_identical: true });
  });

  it("keeps an error at its log when an earlier log is removed, and removes it after a change", async () => {
    answer = [422, { ...REFUSED, errors: REFUSED.errors.slice(0, 1) }];
    await add("same_container_1.log", "same_container_2.log", "same_container_3.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "h" } });
    fireEvent.click(button());
    await screen.findByText(/no summary of pgbench in it/);
    fireEvent.click(screen.getByRole("button", { name: "Remove same_container_1.log" }));
    expect(screen.getByText(/no summary of pgbench in it/).closest("tr")!.textContent).toContain("same_container_2.log");
    fireEvent.change(screen.getByLabelText("Round of same_container_2.log"), { target: { value: "9" } });
    expect(screen.queryByText(/no summary of pgbench in it/)).toBeNull();
    expect(screen.queryByText("Not imported:")).toBeNull();
  });

  it("keeps edits while files are read, and lists unreadable files", async () => {
    await add("same_container_1.log");
    let finish: (text: string) => void = () => undefined;
    const slow = Object.assign(new File([], "same_container_2.log"), { text: () => new Promise<string>((resolve) => (finish = resolve)) });
    const bad = Object.assign(new File([], "gone.log"), { text: () => Promise.reject(new Error("gone")) });
    fireEvent.change(screen.getByLabelText("Log files"), { target: { files: [slow, bad] } });
    fireEvent.change(screen.getByLabelText("Round of same_container_1.log"), { target: { value: "4" } });
    finish("output");
    await screen.findByText("same_container_2.log");
    expect(screen.getByLabelText<HTMLInputElement>("Round of same_container_1.log").value).toBe("4");
    expect(screen.getByText(/gone\.log\. Add it again/)).toBeTruthy();
  });

  it("lists the lines of the environment that are no facts", () => {
    fireEvent.change(screen.getByLabelText("Environment (optional)"), { target: { value: "kernel: 6.1\nDebian 12" } });
    expect(screen.getByText(/Ignored, because a fact is a name, a colon and a value: “Debian 12”\./)).toBeTruthy();
  });

  it("omits a factor that does not apply to a log", async () => {
    const editor = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Definition as YAML" });
    fireEvent.change(editor, { target: { value: editor.value.replace("tool: [pgbench]", "tool: [pgbench, wrk]\n  protocol: [simple, prepared]").replace("service: [postgres]", "service: [postgres, pong]") } });
    await add("same_container-wrk.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "h" } });
    expect((await screen.findByLabelText<HTMLSelectElement>("protocol of same_container-wrk.log")).value).toBe("none");
    fireEvent.click(button());
    await waitFor(() => expect(sent?.logs[0]?.levels).toEqual({ path: "same_container", tool: "wrk", service: "pong" }));
  });

  it("imports nothing while the definition cannot be parsed", async () => {
    await add("same_container_1.log");
    fireEvent.change(screen.getByLabelText("Host"), { target: { value: "h" } });
    expect(button().disabled).toBe(false);
    fireEvent.change(screen.getByRole("textbox", { name: "Definition as YAML" }), { target: { value: "factors: [" } });
    expect(button().disabled).toBe(true);
  });
});
