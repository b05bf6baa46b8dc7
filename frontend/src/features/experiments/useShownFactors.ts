import { useState } from "react";
import type { ExperimentDraft } from "@/api/draft";
import type { Factor, Factors } from "@/api/types";
import { LOAD_FACTORS } from "./loads";
import { offered } from "./nesting";
import { variedFactors } from "./question";

/** The factors that "Vary" and "More settings" show. Each is shown once; paths, load and times have places of their own. */
export interface ShownFactors {
  varied: readonly Factor[];
  /** Those that can be varied, too. */
  more: readonly Factor[];
  /** The settings among these: those that have no place of their own. */
  settings: readonly Factor[];
  open: (name: string) => void;
  close: (name: string) => void;
  /** Names the setting that has the focus: it is not moved while somebody types into it. */
  hold: (name: string | null) => void;
}

/** The factors that are always offered as varied. */
export const PINNED: readonly string[] = ["userland_proxy", "clients"];
/** The times of a trial, which are shown with the load. */
export const TIMES: readonly string[] = ["duration_s", "warm_up_s"];

/** Holds which factors are shown as varied: those that are, and those that somebody opened. */
export function useShownFactors(document: ExperimentDraft, vocabulary: Factors): ShownFactors {
  const varied = variedFactors(document, vocabulary).map(({ name }) => name);
  const [opened, setOpened] = useState<readonly string[]>([...PINNED, ...varied]);
  const [held, hold] = useState<string | null>(null);
  const missing = varied.filter((name) => !opened.includes(name) && name !== held);
  // A row stays when its factor is reduced to one level.
  if (missing.length > 0) setOpened([...opened, ...missing]);
  const all = offered(document, vocabulary).filter(({ name }) => name !== "path");
  const shown = all.filter(({ name }) => opened.includes(name));
  const pinned = PINNED.flatMap((name) => shown.filter((factor) => factor.name === name));
  const more = all.filter(({ name }) => !opened.includes(name));
  const hasPlace: readonly string[] = [...LOAD_FACTORS, ...TIMES];
  return {
    varied: [...pinned, ...shown.filter(({ name }) => !PINNED.includes(name))],
    more,
    settings: more.filter(({ name }) => !hasPlace.includes(name)),
    open: (name) => setOpened((before) => [...before.filter((each) => each !== name), name]),
    close: (name) => setOpened((before) => before.filter((each) => each !== name)),
    hold,
  };
}
