import type access from "./en/access";
import type account from "./en/account";
import type administration from "./en/administration";
import type charts from "./en/charts";
import type common from "./en/common";
import type compare from "./en/compare";
import type device from "./en/device";
import type experiments from "./en/experiments";
import type groups from "./en/groups";
import type help from "./en/help";
import type history from "./en/history";
import type home from "./en/home";
import type hosts from "./en/hosts";
import type imports from "./en/imports";
import type library from "./en/library";
import type palette from "./en/palette";
import type problems from "./en/problems";
import type report from "./en/report";
import type result from "./en/result";
import type runs from "./en/runs";
import type schedules from "./en/schedules";
import type shares from "./en/shares";
import type states from "./en/states";
import type team from "./en/team";
import type trials from "./en/trials";
import type warnings from "./en/warnings";

/** The English messages of each namespace. A namespace is loaded with the first module that uses it. */
export interface Catalogs {
  access: typeof access;
  account: typeof account;
  administration: typeof administration;
  charts: typeof charts;
  common: typeof common;
  compare: typeof compare;
  device: typeof device;
  experiments: typeof experiments;
  groups: typeof groups;
  help: typeof help;
  history: typeof history;
  home: typeof home;
  hosts: typeof hosts;
  imports: typeof imports;
  library: typeof library;
  palette: typeof palette;
  problems: typeof problems;
  report: typeof report;
  result: typeof result;
  runs: typeof runs;
  schedules: typeof schedules;
  shares: typeof shares;
  states: typeof states;
  team: typeof team;
  trials: typeof trials;
  warnings: typeof warnings;
}

export type Namespace = keyof Catalogs;
