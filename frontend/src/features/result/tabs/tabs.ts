/** The tabs of a result, and the tab of each section of the page before. Pure. */
import type { ChartModel, ResultPanels } from "@/api/generated";
import { hasCost } from "@/charts/hopCostLayout";
import { pivotCells, variedFactors } from "@/charts/pivot/pivotChoice";

const TABS = ["overview", "sweep", "latency", "hops", "trials", "statistics", "environment"] as const;
export type TabId = (typeof TABS)[number];

/** The query parameter that names the open tab: a share link's fragment is its token. */
export const TAB = "tab";

/** The element of a tab's content. */
export function panelId(tab: TabId): string {
  return `result-tab-${tab}`;
}

/** Fragments of links to the sections of the page before, with the tabs that have them now, the first that exists. */
const SECTIONS: Readonly<Record<string, readonly TabId[]>> = {
  "#result-verdict": ["overview"],
  "#result-findings": ["statistics"],
  "#result-cells": ["overview"],
  "#result-table": ["trials"],
  "#result-panels": ["sweep", "latency", "overview"],
  "#result-series": ["trials"],
  "#result-hops": ["hops", "overview"],
  "#result-pivot": ["trials"],
  "#result-checks": ["statistics"],
  "#result-environment": ["environment"],
};
/** Parameters of what is on another tab than the first. */
const OF_TRIALS = /^(pivot_.*|series|order|metric)$/;
/** Tools without a latency. */
const WITHOUT_LATENCY: readonly unknown[] = ["iperf3"];

/** Returns the numeric factor over which a result is a sweep, the number of clients where that is one; null where there is none. */
export function sweptFactor(model: Pick<ChartModel, "cells">): string | null {
  const cells = pivotCells(model);
  const isNumeric = (name: string) => cells.every(({ levels }) => levels[name] === undefined || typeof levels[name] === "number");
  const swept = variedFactors(model).filter(({ name }) => isNumeric(name)).map(({ name }) => name);
  return swept.find((name) => name === "clients") ?? swept[0] ?? null;
}

interface Available {
  /** Whether panels can be requested. */
  canRequest: boolean;
  /** Those of a share link. */
  panels: ResultPanels | null;
}

/** Returns the tabs that have content, in order. */
export function tabsOf(model: ChartModel, { canRequest, panels }: Available): TabId[] {
  const hasAxes = model.axes.length > 0;
  const mayHaveLatency = canRequest && model.cells.some(({ levels }) => !WITHOUT_LATENCY.includes(levels["tool"]));
  const hasSweep = panels ? panels.sweeps.length > 0 : canRequest && sweptFactor(model) !== null;
  const has: Record<TabId, boolean> = {
    overview: true,
    sweep: model.knees.length > 0 || (hasAxes && hasSweep),
    latency: hasAxes && (panels ? panels.latencies.length > 0 : mayHaveLatency),
    hops: model.ladders.some(hasCost),
    trials: true,
    statistics: true,
    environment: true,
  };
  return TABS.filter((tab) => has[tab]);
}

/** Returns the tab of an earlier link's fragment; null where it names none. */
export function tabOfSection(tabs: readonly TabId[], fragment: string): TabId | null {
  return SECTIONS[fragment]?.find((tab) => tabs.includes(tab)) ?? null;
}

/** Returns the open tab: the one that the address names, else the one that has what the address chooses, else the first. */
export function tabAt(tabs: readonly TabId[], query: URLSearchParams): TabId {
  const named = tabs.find((tab) => tab === query.get(TAB));
  if (named) return named;
  return !query.has(TAB) && tabs.includes("trials") && [...query.keys()].some((name) => OF_TRIALS.test(name)) ? "trials" : "overview";
}
