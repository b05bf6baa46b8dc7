import { afterEach, expect, it } from "vitest";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";
import { recordName } from "./recordName";

afterEach(() => chooseLanguage("en", ready));

const NAMES = [
  ["purpose", "warm_up", "warm up", "预热"],
  ["outcome", "engine_lost", "engine lost", "Docker 守护进程失联"],
  ["counter", "sampler_cpu_ns", "sampler cpu (ns)", "采样器 CPU（ns）"],
  ["outcome", "of_a_newer_release", "of a newer release", "of a newer release"],
] as const;

it.each(NAMES)("names the %s %s in both languages", async (kind, name, english, chinese) => {
  expect(recordName(kind, name)).toBe(english);
  await chooseLanguage("zh", ready);
  expect(recordName(kind, name)).toBe(chinese);
});
