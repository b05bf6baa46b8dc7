import { afterEach, expect, it, vi } from "vitest";
import { serve } from "@/testing/server";
import { listPresets } from "./generated";

const PRESETS = `${window.location.origin}/api/v1/presets`;

afterEach(() => {
  window.requestedEarly = undefined;
  vi.unstubAllGlobals();
});

it("takes an answer that was requested before this code was loaded, once", async () => {
  const requests = serve(() => ({ data: ["requested"] }));
  window.requestedEarly = { [PRESETS]: Promise.resolve(Response.json({ data: ["early"] })) };
  expect(await listPresets()).toEqual({ data: ["early"] });
  expect(requests).toEqual([]);
  expect(await listPresets()).toEqual({ data: ["requested"] });
  expect(requests.map(({ path }) => path)).toEqual(["/api/v1/presets"]);
});

it("requests again what could not be requested", async () => {
  serve(() => ({ data: ["requested"] }));
  window.requestedEarly = { [PRESETS]: Promise.reject(new TypeError("no network")) };
  expect(await listPresets()).toEqual({ data: ["requested"] });
});

it("refuses an early answer that is a refusal", async () => {
  window.requestedEarly = { [PRESETS]: Promise.resolve(Response.json({ title: "No" }, { status: 403 })) };
  await expect(listPresets()).rejects.toMatchObject({ status: 403 });
});
