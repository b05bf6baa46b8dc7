import { expect, it } from "vitest";
import { timeAxis } from "./historyLayout";

const HOUR = 3_600_000;
const START = new Date(2026, 10, 24, 9, 30).getTime();

it("labels runs of one day with times of day, and names the zone", () => {
  const axis = timeAxis([START, START + 2 * HOUR]);
  expect([axis.tick(START), axis.tick(START + 2 * HOUR)]).toEqual(["09:30", "11:30"]);
  expect(axis.day).toBe("Nov 24");
  expect(axis.zone).not.toBe("");
});

it("labels runs of two days with the day and the time", () => {
  expect(timeAxis([START, START + 24 * HOUR]).tick(START + 24 * HOUR)).toMatch(/Nov 25.*09:30/);
});

it("labels longer histories with days", () => {
  const axis = timeAxis([START, START + 72 * HOUR]);
  expect(axis.tick(START + 72 * HOUR)).toBe("Nov 27");
  expect(axis.zone).toBe("");
});
