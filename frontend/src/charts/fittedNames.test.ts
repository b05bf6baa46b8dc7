import { describe, expect, it } from "vitest";
import { charactersOf } from "./textWidth";
import { fittedNames } from "./fittedNames";

const PATH = "Published port on 127.0.0.1, userland-proxy on";

describe("fittedNames", () => {
  it("leaves names that fit, and cuts the end of long ones that differ before it", () => {
    expect(fittedNames(["short", "Container address"], 200)).toEqual(["short", "Container address"]);
    expect(fittedNames([PATH, "Container address, userland-proxy on"], 120)).toEqual(["Published port on…", "Container address,…"]);
  });

  it("never makes two names of a sweep equal", () => {
    for (const names of [
      [1, 16, 64, 256].map((clients) => `${PATH}, ${clients} clients`),
      [`${PATH}, 16 clients`, `${PATH.replace("on", "off")}, 16 clients`, "Published port on 127.0.0.1, userland-proxy off, 16 clients"],
      ["x".repeat(60), `${"x".repeat(30)}y${"x".repeat(29)}`],
      ["发布端口在 127.0.0.1 上，userland-proxy 开启，1 个客户端", "发布端口在 127.0.0.1 上，userland-proxy 开启，16 个客户端"],
    ])
      for (const width of [70, 120, 160, 240]) {
        const found = fittedNames(names, width);
        expect(new Set(found).size, `${width}: ${found.join(" | ")}`).toBe(new Set(names).size);
        expect(Math.max(...found.map(charactersOf))).toBeLessThanOrEqual(Math.floor(width / 6.3));
      }
  });
});
