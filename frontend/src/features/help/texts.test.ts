import { describe, expect, it } from "vitest";
import { VERDICTS } from "@/components/stateLabels";
import { VERDICT_TEXTS } from "./texts";

describe("help", () => {
  it("explains every verdict", () => {
    expect(VERDICT_TEXTS.map(([verdict]) => verdict).sort()).toEqual(Object.keys(VERDICTS).sort());
  });
});
