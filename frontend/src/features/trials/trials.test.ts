import { describe, expect, it } from "vitest";
import { shellLine } from "./shell";

describe("shellLine", () => {
  it("quotes only where a shell would interpret characters", () => {
    expect(shellLine(["pgbench", "-h", "127.0.0.1", "a b", "it's", "$(x)", ""])).toBe(`pgbench -h 127.0.0.1 'a b' 'it'\\''s' '$(x)' ''`);
  });
});
