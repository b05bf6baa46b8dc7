import { readFileSync } from "node:fs";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ExperimentDraft } from "@/api/draft";
import { QUALITY, qualityOf, formatQuality, withQuality } from "./quality";
import { NoiseLimits } from "./NoiseLimits";

afterEach(cleanup);

const DOCUMENT: ExperimentDraft = { name: "n", title: "T", factors: {}, rounds: 10, baseline: { path: "same_container" } };
const written = vi.fn<(document: ExperimentDraft) => void>();

function Form({ initial = DOCUMENT, pointer }: { initial?: ExperimentDraft; pointer?: string }) {
  const [document, setDocument] = useState(initial);
  return <NoiseLimits document={document} onChange={(next) => { written(next); setDocument(next); }} errors={pointer ? [{ pointer, code: "range", detail: "0 to 600" }] : []} />;
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe("the limits on host noise", () => {
  it("have the server's defaults", () => {
    const api = JSON.parse(readFileSync("../docs/openapi.json", "utf8")) as { components: { schemas: { Quality: { properties: Record<string, { default: number }> } } } };
    expect(Object.fromEntries(Object.entries(api.components.schemas.Quality.properties).map(([name, each]) => [name, each.default]))).toEqual(QUALITY);
  });

  it("are written only where they differ from the defaults", () => {
    const changed = withQuality(DOCUMENT, { retakes: 0 });
    expect(changed.quality).toEqual({ ...QUALITY, retakes: 0 });
    expect(withQuality(changed, { retakes: 2 })).toEqual(DOCUMENT);
    expect(qualityOf({ ...DOCUMENT, quality: { max_steal: null } }).max_steal).toBeNull();
  });

  it("are edited as fields; an empty limit is no limit", () => {
    render(<Form />);
    type("Other processes (cores)", "");
    type("Steal (share of the CPU)", "0.1");
    type("Wait for a quiet host (s)", "30");
    expect(written.mock.lastCall![0].quality).toEqual({ wait_for_quiet_s: 30, max_other_cores: null, max_steal: 0.1, retakes: 2 });
  });

  it("are unfolded where one is refused, with the error at its field", () => {
    render(<Form pointer="/quality/wait_for_quiet_s" />);
    expect(screen.getByLabelText("Wait for a quiet host (s)").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText(/0 to 600/).closest("details")!.open).toBe(true);
  });

  it("are summarised", () => {
    expect(formatQuality(QUALITY)).toBe("other processes up to 0.15 cores, steal up to 5 %; waits up to 10 s; repeated up to 2 times");
    expect(formatQuality({ ...QUALITY, max_other_cores: null, max_steal: null })).toBe("no limit");
  });
});
