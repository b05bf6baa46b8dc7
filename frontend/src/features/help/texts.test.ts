import { describe, expect, it } from "vitest";
import { VERDICTS } from "@/components/states";
import { VERDICTS_TOLD } from "./texts";

describe("help", () => {
  it("tells every verdict that a comparison may have", () => {
    expect(VERDICTS_TOLD.map(([verdict]) => verdict).sort()).toEqual(Object.keys(VERDICTS).sort());
  });
});
