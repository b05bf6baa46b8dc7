import { describe, expect, it } from "vitest";
import { OUTCOMES } from "@/components/stateLabels";
import { verdictTexts } from "./texts";

describe("help", () => {
  it("explains every verdict", () => {
    expect(verdictTexts().map(([verdict]) => verdict).sort()).toEqual(Object.keys(OUTCOMES).sort());
  });
});
