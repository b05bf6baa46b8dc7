/** The glyph, word and tone of each state and verdict: none is shown by colour alone. */
import type { ChartCell, ChartModel, Disagreement, EnvironmentDifference, Signal } from "@/api/generated";
import type { AaOutcome, CellState, Comparable, EvidenceVerdict, ThresholdOutcome, RunState, TrialState, VerdictKind } from "@/api/types";
import { hasFigures } from "@/api/states";
import { type Translate, messages } from "@/messages";

const t = messages("states");

export interface StateLabel {
  glyph: string;
  /** In the page's language at the time of reading. */
  readonly word: string;
  tone: "good" | "bad" | "warn" | "info" | "quiet";
}

/** Returns a label whose word is the message of a key, in the language at the time of reading. */
export function label(glyph: string, key: Parameters<Translate<"states">>[0], tone: StateLabel["tone"]): StateLabel {
  return {
    glyph,
    get word() {
      return t(key);
    },
    tone,
  };
}

export const CELL_STATES: Record<CellState, StateLabel> = {
  measured: label("●", "cellMeasured", "info"),
  partial: label("◐", "cellPartial", "warn"),
  waiting: label("◌", "cellWaiting", "quiet"),
  failed: label("✕", "cellFailed", "bad"),
  contradicted: label("≠", "cellContradicted", "bad"),
  not_proven: label("?", "cellNotProven", "warn"),
  invalid: label("⚠", "cellInvalid", "bad"),
  contaminated: label("≋", "cellContaminated", "warn"),
  excluded: label("∅", "cellExcluded", "warn"),
  infeasible: label("⊘", "cellInfeasible", "quiet"),
  cancelled: label("◼", "cellCancelled", "quiet"),
};

/** A cell of an imported run for which no log was given. */
const NOT_IMPORTED: StateLabel = label("⊘", "notImported", "quiet");

export function cellState(state: CellState, origin: ChartModel["origin"]): StateLabel {
  return state === "infeasible" && origin === "imported" ? NOT_IMPORTED : CELL_STATES[state];
}

/** The label in place of a missing number: the cell's state, or that the tool does not report the metric. */
export function withoutFigure(cell: Pick<ChartCell, "state" | "levels">, origin: ChartModel["origin"]): StateLabel {
  if (!hasFigures(cell)) return cellState(cell.state, origin);
  const { tool } = cell.levels;
  return { glyph: "–", word: tool === undefined ? t("notReportedByTool") : t("notReportedBy", { tool: String(tool) }), tone: "quiet" };
}

/** In place of a verdict: the cell is the baseline, or has no comparison yet. */
export const BASELINE: StateLabel = label("=", "baseline", "info");
export const NOT_COMPARED: StateLabel = label("…", "notCompared", "quiet");

export type Outcome = "worse" | "better" | "equal" | "no_answer";

/** The four words for how a comparison, or a run as a whole, came out. */
export const OUTCOMES: Record<Outcome, StateLabel> = {
  worse: label("▼", "verdictWorse", "bad"),
  better: label("▲", "verdictBetter", "good"),
  equal: label("≈", "verdictEqual", "info"),
  no_answer: label("~", "verdictNoAnswer", "quiet"),
};

/** The number of comparisons without an answer. */
export const UNDECIDED = OUTCOMES.no_answer;

export const VERDICTS: Record<VerdictKind, StateLabel> = {
  better: OUTCOMES.better,
  worse: OUTCOMES.worse,
  different_within_margin: OUTCOMES.equal,
  equivalent: OUTCOMES.equal,
  no_difference_shown: OUTCOMES.no_answer,
  not_enough_rounds: OUTCOMES.no_answer,
  undefined: OUTCOMES.no_answer,
};

export const RUN_STATES: Record<RunState, StateLabel> = {
  queued: label("◌", "runQueued", "quiet"),
  running: label("▶", "runRunning", "info"),
  done: label("✓", "runDone", "good"),
  cancelled: label("◼", "runCancelled", "quiet"),
  incomplete: label("!", "runIncomplete", "warn"),
};

export const TRIAL_STATES: Record<TrialState, StateLabel> = {
  queued: label("◌", "trialQueued", "quiet"),
  running: label("▶", "trialRunning", "info"),
  done: label("✓", "trialDone", "good"),
  failed: label("✕", "trialFailed", "bad"),
  cancelled: label("◼", "trialCancelled", "quiet"),
  spared: label("⤳", "trialSkipped", "quiet"),
};

export const EVIDENCE: Record<EvidenceVerdict, StateLabel> = {
  proven: label("✓", "evidenceProven", "good"),
  not_proven: label("?", "evidenceNotProven", "warn"),
  contradicted: label("✕", "evidenceContradicted", "bad"),
};

export const SIGNALS: Record<Signal["state"], StateLabel> = {
  agrees: label("✓", "signalAgrees", "good"),
  disagrees: label("✕", "signalDisagrees", "bad"),
  unknown: label("?", "signalUnknown", "warn"),
};

const CLAIMS: Record<"reproduced" | "contradicted" | "undecided", StateLabel> = {
  reproduced: label("✓", "claimReproduced", "good"),
  contradicted: label("✕", "claimContradicted", "bad"),
  undecided: label("?", "claimUndecided", "warn"),
};

type Claim = NonNullable<ChartModel["study"]>["claims"][number];

/** The label of a claim; "reproduced in part" where only direction or size is reproduced. */
export function claimState({ outcome, direction, size }: Claim): StateLabel {
  const inPart = outcome === "contradicted" && (direction === "reproduced" || size === "reproduced");
  return inPart ? label("≠", "claimReproducedInPart", "warn") : CLAIMS[outcome];
}

const CLAIM_PARTS = {
  direction: {
    reproduced: "claimDirectionReproduced",
    not_reproduced: "claimDirectionNotReproduced",
    undecided: "claimDirectionUndecided",
    unsaid: "claimDirectionUnsaid",
  },
  size: {
    reproduced: "claimSizeReproduced",
    not_reproduced: "claimSizeNotReproduced",
    undecided: "claimSizeUndecided",
    unsaid: "claimSizeUnsaid",
  },
} as const;

const CLAIM_PART_STATES = {
  reproduced: CLAIMS.reproduced,
  not_reproduced: CLAIMS.contradicted,
  undecided: CLAIMS.undecided,
  unsaid: { glyph: "–", word: "", tone: "quiet" },
} as const;

/** The labels of a claim's direction and size; none where neither was tested. */
export function claimParts({ direction, size }: Claim): StateLabel[] {
  if (!direction && !size) return [];
  return (["direction", "size"] as const).map((part) => {
    const outcome = { direction, size }[part] ?? "unsaid";
    return { ...CLAIM_PART_STATES[outcome], word: t(CLAIM_PARTS[part][outcome]) };
  });
}

export const THRESHOLD_OUTCOMES: Record<ThresholdOutcome, StateLabel> = {
  pass: label("✓", "thresholdPass", "good"),
  fail: label("✕", "thresholdFail", "bad"),
  not_enough_evidence: label("?", "thresholdNotEnoughEvidence", "warn"),
};

/** The outcome of comparing a baseline with its A/A duplicate. */
export const AA_OUTCOMES: Record<AaOutcome, StateLabel> = {
  suspect: label("!", "aaSuspect", "bad"),
  cannot_tell: label("?", "aaCannotTell", "warn"),
  nothing_shown: label("~", "aaNothingShown", "quiet"),
  within_margin: label("≈", "aaWithinMargin", "good"),
};

export const COMPARABLES: Record<Comparable, StateLabel> = {
  comparable: label("✓", "comparableComparable", "good"),
  partly: label("◐", "comparablePartly", "warn"),
  not: label("✕", "comparableNot", "bad"),
};

/** In place of a run's state: the run was deleted. */
export const DELETED: StateLabel = label("∅", "deleted", "quiet");

/** Whether hosts disagree about a ratio. */
export const DISAGREEMENTS: Record<Disagreement["outcome"], StateLabel> = {
  disagree: label("≠", "disagreementDisagree", "warn"),
  none_shown: label("~", "disagreementNoneShown", "quiet"),
  cannot_tell: label("?", "disagreementCannotTell", "quiet"),
};

/** The relevance of a difference between two environments. */
export const RELEVANCE: Record<EnvironmentDifference["relevance"], StateLabel> = {
  blocking: label("!", "relevanceBlocking", "bad"),
  relevant: label("△", "relevanceRelevant", "warn"),
  minor: label("·", "relevanceMinor", "quiet"),
};

/** A run that was imported from earlier logs. */
export const IMPORTED: StateLabel = label("⇣", "imported", "warn");

export const HOST_STATES: Record<"online" | "offline" | "revoked", StateLabel> = {
  online: label("●", "hostOnline", "good"),
  offline: label("○", "hostOffline", "warn"),
  revoked: label("○", "hostRevoked", "warn"),
};

/** The state of a host's worker. */
export function hostState(host: { online: boolean; access?: "server" | "joined" | "revoked" }): StateLabel {
  return HOST_STATES[host.access === "revoked" ? "revoked" : host.online ? "online" : "offline"];
}

/** The release of a host's worker against the server's. */
export const RELEASES: Record<"same" | "behind" | "ahead" | "other", StateLabel> = {
  same: label("✓", "releaseSame", "good"),
  behind: label("△", "releaseBehind", "warn"),
  ahead: label("△", "releaseAhead", "warn"),
  other: label("?", "releaseOther", "warn"),
};

/** Whether a host can run something. */
export const HOST_SUPPORT: Record<"yes" | "partly" | "no", StateLabel> = {
  yes: label("✓", "supportYes", "good"),
  partly: label("◐", "supportPartly", "warn"),
  no: label("⊘", "supportNo", "quiet"),
};

/** Whether runs may use a host's network. */
export const HOST_NETWORK: Record<"open" | "closed", StateLabel> = {
  open: label("○", "hostNetworkOpen", "warn"),
  closed: label("⊘", "hostNetworkClosed", "good"),
};

/** Whether a baseline drifted over the run. */
export const DRIFTS: Record<"shown" | "none" | "unclear", StateLabel> = {
  shown: label("!", "driftShown", "warn"),
  none: label("✓", "driftNone", "good"),
  unclear: label("~", "undecided", "quiet"),
};

/** A condition of a host's worker. */
export const CONDITIONS: Record<"current" | "over", StateLabel> = {
  current: label("!", "conditionCurrent", "bad"),
  over: label("✓", "conditionOver", "quiet"),
};

export const NOISY_HOST: StateLabel = label("≋", "noisyHost", "bad");
/** A run whose servers were never restarted. */
export const ONE_START: StateLabel = label("!", "oneStart", "warn");
