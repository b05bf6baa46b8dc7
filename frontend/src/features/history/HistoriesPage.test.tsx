import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HistoryList } from "@/api/generated";
import { SHOWN, summary } from "@/testing/histories";
import { showAt } from "@/testing/render";
import { refusal, serve } from "@/testing/server";
import { HistoriesPage } from "./HistoriesPage";

const CHANGED = summary(1, { changes: 2, unseen: 2, largest: SHOWN });

function show(answer: Partial<HistoryList> | Response) {
  let seen = false;
  const requests = serve(({ path, method }) => {
    if (method === "POST") {
      seen = true;
      return new Response(null, { status: 204 });
    }
    if (!path.endsWith("/histories") || answer instanceof Response) return answer;
    return { data: [], seen_at: null, ...answer, unseen: seen ? 0 : (answer.unseen ?? 0) };
  });
  showAt("/histories", { "/histories": <HistoriesPage /> });
  return requests;
}

const rows = async () => within(await screen.findByRole("region", { name: "History" })).getAllByRole("row").slice(1);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("HistoriesPage", () => {
  it("loads, and says how a history begins while there is none", async () => {
    show({});
    expect(screen.getByRole("status", { name: "Loading the histories" })).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "No history yet" })).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.queryByRole("button", { name: "Mark all as seen" })).toBeNull();
  });

  it("names the new change of a history, and of the others how many runs are missing or that none is shown", async () => {
    show({ data: [CHANGED, summary(2, { runs: 8, runs_missing: 2 }), summary(3)], unseen: 2 });
    const [changed, short, quiet] = await rows();
    expect(changed!.textContent).toMatch(/^Nightly 1bench-112Nov 10, 2026.*▼worse ● NewPublished port: transactions per second, relative to its baseline, 30 % lower, since between Nov 5, 2026 and Nov 7, 2026$/);
    expect(within(changed!).getByRole("link").getAttribute("href")).toBe("/experiments/exp_1/history?host=bench-1");
    expect(short!.textContent).toContain("2 more runs until a change can be shown");
    expect(quiet!.textContent).toMatch(/No change is shown$/);
  });

  it("names a change from zero in its unit, and a very large one as a multiple", async () => {
    const difference = { value: 4.1, interval: { low: 3.9, high: 4.3 }, unit: "1/txn" };
    const zero = { ...SHOWN, ratio: null, difference };
    show({ data: [summary(1, { largest: zero }), summary(2, { largest: { ...SHOWN, basis: "values", ratio: 955.4 } })] });
    const [first, second] = await rows();
    expect(first!.textContent).toContain("transactions per second +4.10 1/txn (+3.90 to +4.30), since between");
    expect(second!.textContent).toContain("transactions per second 960× as high, since between");
    expect(second!.textContent).not.toContain("%");
  });

  it("marks all changes as seen", async () => {
    const requests = show({ data: [CHANGED], unseen: 2 });
    expect(await screen.findByText("2 new changes")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Mark all as seen" }));
    await vi.waitFor(() => expect(screen.queryByText("2 new changes")).toBeNull());
    expect(requests.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual(["/api/v1/histories:markSeen"]);
  });

  it("says that older histories are not listed where it holds as many as the server lists", async () => {
    const many = Array.from({ length: 200 }, (_, number) => summary(number));
    show({ data: many });
    expect(await screen.findByText(/^These are the 200 histories with the newest runs\. Older ones are not listed/)).toBeTruthy();
    cleanup();
    show({ data: many.slice(1) });
    await screen.findByText("Nightly 198");
    expect(screen.queryByText(/Older ones are not listed/)).toBeNull();
  });

  it("offers to try again where the list cannot be read", async () => {
    const requests = show(refusal(503, { code: "unavailable", title: "The database does not answer" }));
    fireEvent.click(within(await screen.findByRole("alert")).getByRole("button", { name: "Try again" }));
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(screen.queryByRole("heading", { name: "No history yet" })).toBeNull();
  });
});
