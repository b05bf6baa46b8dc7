import { describe, expect, it } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { VOCABULARY } from "@/testing/vocabulary";
import { formatLoad, loadId, loadOf, loadsOf, withLoad } from "./loads";

const SCRIPT = { ...VOCABULARY.factors[6]!, name: "script", label: "script", default: "select_only", choices: ["select_only", "tpcb_like"] };
const WITH_SCRIPTS = { ...VOCABULARY, factors: [...VOCABULARY.factors, SCRIPT] };
const DOCUMENT: ExperimentDraft = { name: "n", title: "T", rounds: 10, factors: { path: ["same_container"], userland_proxy: [true, false] }, baseline: { userland_proxy: false }, metrics: ["tps"] };

describe("loads", () => {
  it("are tool, script and service in one", () => {
    expect(loadsOf(WITH_SCRIPTS).map(formatLoad)).toEqual([
      "pgbench select-only → PostgreSQL", "pgbench TPC-B-like → PostgreSQL",
      "wrk → pong (Go)", "wrk → Flask (Python)", "ab → pong (Go)", "ab → Flask (Python)", "iperf3 → iperf3",
    ]);
    expect(new Set(loadsOf(WITH_SCRIPTS).map(loadId)).size).toBe(7);
  });

  it("of a document is none where it has several", () => {
    expect(loadOf(DOCUMENT, WITH_SCRIPTS)).toEqual({ tool: "pgbench", service: "postgres", script: "select_only" });
    expect(loadOf({ ...DOCUMENT, factors: { tool: ["wrk", "ab"], service: ["pong"] } }, WITH_SCRIPTS)).toBeNull();
  });

  it.each(loadsOf(WITH_SCRIPTS))("is set with its metrics, and keeps the question: $tool $service $script", (load) => {
    const next = withLoad(DOCUMENT, WITH_SCRIPTS, load);
    expect(loadOf(next, WITH_SCRIPTS)).toEqual(load);
    expect(next.baseline).toEqual({ userland_proxy: false });
    expect(next.metrics).toHaveLength(1);
  });
});
