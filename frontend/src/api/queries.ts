/** The page's queries: cache key and request of each. */
import { queryOptions } from "@tanstack/react-query";
import { bodyOf, type ExperimentDraft } from "./draft";
import { ApiError } from "./errors";
import {
  compareRuns,
  getAccount,
  getEquivalence,
  getExperiment,
  getHistory,
  getHome,
  getHost,
  getMatrix,
  getResult,
  getRun,
  getRunGroup,
  getRunGroupResult,
  getSecondFactor,
  getSchedule,
  getSession,
  getTeam,
  getTrial,
  getTrialRaw,
  listEnrolments,
  listExperiments,
  listExtensions,
  listFactors,
  listHistories,
  listHosts,
  listIdentities,
  listPresets,
  listSchedules,
  listSessions,
  listShares,
  listSignInMethods,
  listStars,
  listTokens,
  listTrials,
  openShare,
  openShareSeries,
  previewExtension,
  previewPlan,
  previewSchedule,
  readCellCommands,
  readCellProfile,
  readCellSeries,
  readResultCell,
  readResultPanels,
  searchLibrary,
  compareColumns,
  type CompareColumnsData,
  type CompareRunsData,
  type ExtensionStart,
  type PlanPreview,
  type PresetList,
} from "./generated";
import { readApiDescription } from "./apiDescription";
import { readExperimentSchema } from "./experimentSchema";
import { localized } from "@/messages/labels";
import { remembered } from "./session";
import { knownIfEqual } from "./knownIfEqual";
import { LONG_LIMIT } from "./transport";

/** The common prefix of the keys of all lists of runs. */
export const RUNS = ["runs"] as const;
export const GROUPS = ["groups"] as const;

/** The common prefix of the keys of all lists of links. */
export const SHARES = ["shares"] as const;

/** The common prefix of the keys of all histories. */
export const HISTORIES = ["histories"] as const;
export const SCHEDULES = ["schedules"] as const;

/** Answers about what a definition may hold: their titles and descriptions are the server's. */
function withTitles<T>(answer: T): T {
  return localized(answer, ["title", "summary", "about", "question", "environment"]);
}

const presetsOf = ({ data }: PresetList) => withTitles(data);
const studiesOf = ({ studies = [] }: PresetList) => withTitles(studies);

/** The presets and the published studies are one answer. */
function presetList<T>(select: (answer: PresetList) => T) {
  const queryFn = () => listPresets();
  return queryOptions({ queryKey: ["presets"], queryFn, staleTime: Infinity, select });
}

export const queries = {
  /** Who is signed in: 401 if nobody is. */
  session: () => queryOptions({ queryKey: ["session"], queryFn: async () => remembered(await getSession()), staleTime: 60_000 }),
  /** How browsers sign in to this server. */
  signInMethods: () => queryOptions({ queryKey: ["sign-in"], queryFn: () => listSignInMethods(), staleTime: Infinity, retry: false }),
  /** The caller's own account. */
  account: () => queryOptions({ queryKey: ["account"], queryFn: () => getAccount() }),
  /** The browsers in which the account is signed in. */
  browsers: () => queryOptions({ queryKey: ["browsers"], queryFn: async () => (await listSessions()).data }),
  /** The account's second factor, and which of its teams require one. */
  secondFactor: () => queryOptions({ queryKey: ["second-factor"], queryFn: () => getSecondFactor() }),
  /** The identities of the provider that sign in to the account. */
  identities: () => queryOptions({ queryKey: ["identities"], queryFn: async () => (await listIdentities()).data }),
  /** The settings of the team. */
  team: () => queryOptions({ queryKey: ["team"], queryFn: () => getTeam() }),
  /** The account's API tokens in its team; for an administrator all of the team. */
  tokens: () => queryOptions({ queryKey: ["tokens"], queryFn: async () => (await listTokens()).data }),
  /** What runs and waits, the latest answers, those of a host's questions, and what changed since the last visit. */
  home: (host: string | null) =>
    queryOptions({ queryKey: [...RUNS, "home", host], queryFn: () => getHome(host === null ? {} : { query: { host } }), select: localized }),
  presets: () => presetList(presetsOf),
  studies: () => presetList(studiesOf),
  factors: () => queryOptions({ queryKey: ["factors"], queryFn: () => listFactors(), staleTime: Infinity, select: withTitles }),
  /** The histories of the team, with the changes that the account has not seen. */
  histories: () => queryOptions({ queryKey: [...HISTORIES, "list"], queryFn: () => listHistories(), select: localized }),
  /** One experiment over time on a host; null: that with the newest run. */
  history: (experimentId: string, host: string | null) =>
    queryOptions({ queryKey: [...HISTORIES, experimentId, host], queryFn: () => getHistory({ path: { experiment_id: experimentId }, query: host === null ? {} : { host } }), retry: false, select: localized }),
  /** The OpenAPI document of this server. */
  apiDescription: () => queryOptions({ queryKey: ["api-description"], queryFn: readApiDescription, staleTime: Infinity, retry: false }),
  /** The JSON Schema of a definition. */
  experimentSchema: () => queryOptions({ queryKey: ["experiment-schema"], queryFn: readExperimentSchema, staleTime: Infinity, retry: false }),
  /** The schedules of the team, or of one experiment. */
  schedules: (experimentId: string | null) =>
    queryOptions({ queryKey: [...SCHEDULES, "list", experimentId], queryFn: async () => (await listSchedules({ query: experimentId === null ? {} : { experiment_id: experimentId } })).data }),
  schedule: (id: string) => queryOptions({ queryKey: [...SCHEDULES, id], queryFn: () => getSchedule({ path: { schedule_id: id } }) }),
  /** The next times of a cron expression. */
  scheduleTimes: (cron: string, zone: string) => queryOptions({ queryKey: ["schedule-times", cron, zone], queryFn: () => previewSchedule({ body: { cron, time_zone: zone } }), retry: false, staleTime: 60_000 }),
  /** The newest experiments of the team. */
  newestExperiments: () => queryOptions({ queryKey: ["experiments", "newest"], queryFn: async () => (await listExperiments({ query: { limit: 100 } })).data }),
  hosts: () => queryOptions({ queryKey: ["hosts"], queryFn: async () => (await listHosts()).data, select: localized }),
  /** The newest enrolments of hosts, without their secrets. */
  enrolments: () => queryOptions({ queryKey: ["enrolments"], queryFn: async () => (await listEnrolments()).data }),
  /** One host with its queue, its running trial and its noise. */
  host: (name: string) => queryOptions({ queryKey: ["host", name], queryFn: () => getHost({ path: { host: name } }), select: localized }),
  /** The comparison of lab daemons and host daemon; null while no finished run has measured both. */
  equivalence: (host: string) =>
    queryOptions({
      queryKey: ["equivalence", host],
      queryFn: () =>
        getEquivalence({ path: { host } }).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        }),
      select: localized,
    }),
  experiment: (id: string) => queryOptions({ queryKey: ["experiment", id], queryFn: () => getExperiment({ path: { experiment_id: id } }) }),
  /** The newest runs that a search of the library finds. */
  foundRuns: (q: string, limit: number) => queryOptions({ queryKey: [...RUNS, "found", q, limit], queryFn: ({ signal }) => searchLibrary({ query: { q, limit }, signal }) }),
  /** What the account starred in the team. */
  stars: () => queryOptions({ queryKey: ["stars"], queryFn: () => listStars(), staleTime: 30_000 }),
  run: (id: string) => queryOptions({ queryKey: ["run", id], queryFn: () => getRun({ path: { run_id: id } }), select: localized }),
  /** One experiment on several hosts: the state of each of its runs. */
  group: (id: string) => queryOptions({ queryKey: ["group", id], queryFn: () => getRunGroup({ path: { group_id: id } }), select: localized }),
  /** The result of all hosts in one metric; `progress` changes with the runs. */
  groupResult: (id: string, metric: string | null, progress: string) =>
    queryOptions({ queryKey: ["group-result", id, metric, progress], queryFn: () => getRunGroupResult({ path: { group_id: id }, query: metric === null ? {} : { metric }, ...LONG_LIMIT }), select: localized }),
  result: (runId: string) => queryOptions({ queryKey: ["result", runId], queryFn: () => getResult({ path: { run_id: runId }, ...LONG_LIMIT }), structuralSharing: knownIfEqual, select: localized }),
  /** The panels of a result, as far as `progress`. */
  resultPanels: (runId: string, progress: string | number) =>
    queryOptions({ queryKey: ["result-panels", runId, progress], queryFn: () => readResultPanels({ path: { run_id: runId }, ...LONG_LIMIT }), select: localized }),
  /** The trials of a cell over time; `progress` changes with its trials. */
  cellSeries: (runId: string, cellId: string, progress: string) =>
    queryOptions({ queryKey: ["cell-series", runId, cellId, progress], queryFn: () => readCellSeries({ path: { run_id: runId, cell_id: cellId }, ...LONG_LIMIT }), select: localized }),
  /** The CPU profile of a cell. */
  cellProfile: (runId: string, cellId: string) => queryOptions({ queryKey: ["cell-profile", runId, cellId], queryFn: () => readCellProfile({ path: { run_id: runId, cell_id: cellId } }), select: localized }),
  /** The same behind a share link. */
  shareSeries: (token: string, cellId: string, progress: string) =>
    queryOptions({ queryKey: ["cell-series", token, cellId, progress], queryFn: () => openShareSeries({ body: { token, cell_id: cellId }, ...LONG_LIMIT }), select: localized, retry: false }),
  /** One cell of a result with all figures: the result of a very large run omits some. */
  resultCell: (runId: string, cellId: string, state: string | undefined) =>
    queryOptions({ queryKey: ["result", runId, cellId, state], queryFn: () => readResultCell({ path: { run_id: runId, cell_id: cellId }, ...LONG_LIMIT }), select: localized }),
  /** Every trial by cell and round; inside a measured window it may be older than the last event. Its store is patched by events: see `matrixStore`. */
  matrix: (runId: string) => queryOptions({ queryKey: ["matrix", runId], queryFn: () => getMatrix({ path: { run_id: runId } }), structuralSharing: false, select: localized }),
  /** What more rounds of chosen cells would run. Starts nothing. */
  extension: (runId: string, body: ExtensionStart) => queryOptions({ queryKey: ["extension", runId, body], queryFn: ({ signal }) => previewExtension({ path: { run_id: runId }, body, signal }), retry: false, select: localized }),
  /** The runs that add rounds to a run. */
  extensions: (runId: string) => queryOptions({ queryKey: [...RUNS, "extensions", runId], queryFn: async () => (await listExtensions({ path: { run_id: runId } })).data }),
  trials: (runId: string) => queryOptions({ queryKey: ["trials", runId], queryFn: async () => (await listTrials({ path: { run_id: runId } })).data, select: localized }),
  cellTrials: (runId: string, cellId: string) =>
    queryOptions({ queryKey: ["trials", runId, cellId], queryFn: async () => (await listTrials({ path: { run_id: runId }, query: { cell: cellId } })).data, select: localized }),
  trial: (id: string) => queryOptions({ queryKey: ["trial", id], queryFn: () => getTrial({ path: { trial_id: id } }), select: localized }),
  /** Every command's argv, exit code, stdout and stderr as text. */
  trialRaw: (id: string) => queryOptions({ queryKey: ["raw", id], queryFn: () => getTrialRaw({ path: { trial_id: id }, parseAs: "text" }), staleTime: Infinity }),
  /** The commands that repeat one cell without Plimsoll, as a POSIX shell script. */
  commands: (runId: string, cellId: string) =>
    queryOptions({ queryKey: ["commands", runId, cellId], queryFn: () => readCellCommands({ path: { run_id: runId, cell_id: cellId }, parseAs: "text" }), staleTime: Infinity }),
  /** The share links of a run, newest first, without their tokens. */
  shares: (runId: string) => queryOptions({ queryKey: [...SHARES, runId], queryFn: async () => (await listShares({ path: { run_id: runId } })).data }),
  /** The result behind a share token: 404 unknown, 410 revoked or expired. Only the first reading is counted as an opening. */
  share: (token: string) =>
    queryOptions({
      queryKey: ["share", token],
      queryFn: ({ client, queryKey }) => openShare({ body: { token, again: client.getQueryData(queryKey) !== undefined }, ...LONG_LIMIT }),
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      select: localized,
    }),
  /** The comparison of two runs, or of one cell of each; its `comparable` may be a refusal. */
  comparison: (query: CompareRunsData["query"]) => queryOptions({ queryKey: ["comparison", query], queryFn: () => compareRuns({ query, ...LONG_LIMIT }), retry: false, select: localized }),
  /** The comparison of several runs or cells with a reference column, in one metric. */
  comparisonMatrix: (query: CompareColumnsData["query"]) => queryOptions({ queryKey: ["comparison", "matrix", query], queryFn: () => compareColumns({ query, ...LONG_LIMIT }), retry: false, select: localized }),
  /** The plan of a draft, for the capabilities of one host and its client host, and within a time budget, where these are given. Starts nothing. */
  plan: (draft: ExperimentDraft, host: string | undefined, clientHost?: string, budgetMinutes?: number) =>
    queryOptions<PlanPreview>({
      queryKey: ["plan", host ?? null, clientHost ?? null, budgetMinutes ?? null, draft],
      queryFn: ({ signal }) => previewPlan({ body: bodyOf(draft), query: { ...(host && { host }), ...(host && clientHost && { client_host: clientHost }), ...(budgetMinutes !== undefined && { budget_minutes: budgetMinutes }) }, signal }),
      staleTime: 30_000,
      retry: false,
      select: localized,
    }),
};
