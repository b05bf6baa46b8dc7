/** The glyph, word and tone of each state and verdict: none is shown by colour alone. */
import type { ChartCell, ChartModel, Disagreement, EnvironmentDifference, Signal } from "@/api/generated";
import type { AaOutcome, CellState, Comparable, EvidenceVerdict, ThresholdOutcome, RunState, TrialState, VerdictKind } from "@/api/types";
import { hasFigures } from "@/api/states";

export interface StateLabel {
  glyph: string;
  word: string;
  tone: "good" | "bad" | "warn" | "info" | "quiet";
}

export const CELL_STATES: Record<CellState, StateLabel> = {
  measured: { glyph: "●", word: "measured", tone: "info" },
  partial: { glyph: "◐", word: "partly measured", tone: "warn" },
  waiting: { glyph: "◌", word: "waiting", tone: "quiet" },
  failed: { glyph: "✕", word: "failed", tone: "bad" },
  contradicted: { glyph: "≠", word: "path contradicted", tone: "bad" },
  not_proven: { glyph: "?", word: "path not proven", tone: "warn" },
  invalid: { glyph: "⚠", word: "figures not valid", tone: "bad" },
  contaminated: { glyph: "≋", word: "disturbed by the host", tone: "warn" },
  excluded: { glyph: "∅", word: "excluded by hand", tone: "warn" },
  infeasible: { glyph: "⊘", word: "cannot run here", tone: "quiet" },
  cancelled: { glyph: "◼", word: "cancelled", tone: "quiet" },
};

/** A cell of an imported run for which no log was given. */
const NOT_IMPORTED: StateLabel = { glyph: "⊘", word: "not imported", tone: "quiet" };

export function cellState(state: CellState, origin: ChartModel["origin"]): StateLabel {
  return state === "infeasible" && origin === "imported" ? NOT_IMPORTED : CELL_STATES[state];
}

/** The label in place of a missing number: the cell's state, or that the tool does not report the metric. */
export function withoutFigure(cell: Pick<ChartCell, "state" | "levels">, origin: ChartModel["origin"]): StateLabel {
  if (!hasFigures(cell)) return cellState(cell.state, origin);
  return { glyph: "–", word: `not reported by ${String(cell.levels["tool"] ?? "its tool")}`, tone: "quiet" };
}

/** In place of a verdict: the cell is the baseline, or has no comparison yet. */
export const BASELINE: StateLabel = { glyph: "=", word: "baseline", tone: "info" };
export const NOT_COMPARED: StateLabel = { glyph: "…", word: "not compared yet", tone: "quiet" };
export const UNDECIDED: StateLabel = { glyph: "~", word: "undecided", tone: "quiet" };

export const VERDICTS: Record<VerdictKind, StateLabel> = {
  better: { glyph: "▲", word: "better", tone: "good" },
  worse: { glyph: "▼", word: "worse", tone: "bad" },
  different_within_margin: { glyph: "△", word: "different, within the margin", tone: "info" },
  equivalent: { glyph: "≈", word: "equivalent", tone: "info" },
  no_difference_shown: { glyph: "~", word: "no difference shown", tone: "quiet" },
  not_enough_rounds: { glyph: "…", word: "not enough rounds", tone: "warn" },
  undefined: { glyph: "?", word: "not defined", tone: "quiet" },
};

export const RUN_STATES: Record<RunState, StateLabel> = {
  queued: { glyph: "◌", word: "queued", tone: "quiet" },
  running: { glyph: "▶", word: "running", tone: "info" },
  done: { glyph: "✓", word: "done", tone: "good" },
  cancelled: { glyph: "◼", word: "cancelled", tone: "quiet" },
  incomplete: { glyph: "!", word: "incomplete", tone: "warn" },
};

export const TRIAL_STATES: Record<TrialState, StateLabel> = {
  queued: { glyph: "◌", word: "queued", tone: "quiet" },
  running: { glyph: "▶", word: "running", tone: "info" },
  done: { glyph: "✓", word: "done", tone: "good" },
  failed: { glyph: "✕", word: "failed", tone: "bad" },
  cancelled: { glyph: "◼", word: "cancelled", tone: "quiet" },
  spared: { glyph: "⤳", word: "skipped", tone: "quiet" },
};

export const EVIDENCE: Record<EvidenceVerdict, StateLabel> = {
  proven: { glyph: "✓", word: "proven", tone: "good" },
  not_proven: { glyph: "?", word: "not proven", tone: "warn" },
  contradicted: { glyph: "✕", word: "contradicted", tone: "bad" },
};

export const SIGNALS: Record<Signal["state"], StateLabel> = {
  agrees: { glyph: "✓", word: "agrees", tone: "good" },
  disagrees: { glyph: "✕", word: "disagrees", tone: "bad" },
  unknown: { glyph: "?", word: "unknown", tone: "warn" },
};

const CLAIMS: Record<"reproduced" | "contradicted" | "undecided", StateLabel> = {
  reproduced: { glyph: "✓", word: "reproduced", tone: "good" },
  contradicted: { glyph: "✕", word: "contradicted", tone: "bad" },
  undecided: { glyph: "?", word: "undecided", tone: "warn" },
};

type Claim = NonNullable<ChartModel["study"]>["claims"][number];

/** The label of a claim; "reproduced in part" where only direction or size is reproduced. */
export function claimState({ outcome, direction, size }: Claim): StateLabel {
  const inPart = outcome === "contradicted" && (direction === "reproduced" || size === "reproduced");
  return inPart ? { glyph: "≠", word: "reproduced in part", tone: "warn" } : CLAIMS[outcome];
}

const CLAIM_PARTS = {
  direction: {
    reproduced: "Direction reproduced: the figures lie on the side that the study reports",
    not_reproduced: "Direction not reproduced: the figures do not lie on the side that the study reports",
    undecided: "Direction undecided: this run does not show on which side the figures lie",
    unsaid: "Direction: not reported by the study",
  },
  size: {
    reproduced: "Size reproduced: as large as the study reports, within its tolerance",
    not_reproduced: "Size not reproduced: larger or smaller than the study reports, beyond its tolerance",
    undecided: "Size undecided: this run does not show whether it is as large as the study reports",
    unsaid: "Size: not reported by the study",
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
    return { ...CLAIM_PART_STATES[outcome], word: CLAIM_PARTS[part][outcome] };
  });
}

export const THRESHOLD_OUTCOMES: Record<ThresholdOutcome, StateLabel> = {
  pass: { glyph: "✓", word: "pass", tone: "good" },
  fail: { glyph: "✕", word: "fail", tone: "bad" },
  not_enough_evidence: { glyph: "?", word: "not enough evidence", tone: "warn" },
};

/** The outcome of comparing a baseline with its A/A duplicate. */
export const AA_OUTCOMES: Record<AaOutcome, StateLabel> = {
  suspect: { glyph: "!", word: "suspect", tone: "bad" },
  cannot_tell: { glyph: "?", word: "cannot tell", tone: "warn" },
  nothing_shown: { glyph: "~", word: "nothing shown", tone: "quiet" },
  within_margin: { glyph: "≈", word: "within the margin", tone: "good" },
};

export const COMPARABLES: Record<Comparable, StateLabel> = {
  comparable: { glyph: "✓", word: "comparable", tone: "good" },
  partly: { glyph: "◐", word: "comparable in part", tone: "warn" },
  not: { glyph: "✕", word: "not comparable", tone: "bad" },
};

/** In place of a run's state: the run was deleted. */
export const DELETED: StateLabel = { glyph: "∅", word: "deleted", tone: "quiet" };

/** Whether hosts disagree about a ratio. */
export const DISAGREEMENTS: Record<Disagreement["outcome"], StateLabel> = {
  disagree: { glyph: "≠", word: "hosts disagree", tone: "warn" },
  none_shown: { glyph: "~", word: "no disagreement shown", tone: "quiet" },
  cannot_tell: { glyph: "?", word: "cannot tell", tone: "quiet" },
};

/** The relevance of a difference between two environments. */
export const RELEVANCE: Record<EnvironmentDifference["relevance"], StateLabel> = {
  blocking: { glyph: "!", word: "blocking", tone: "bad" },
  relevant: { glyph: "△", word: "relevant", tone: "warn" },
  minor: { glyph: "·", word: "minor", tone: "quiet" },
};

/** A run that was imported from earlier logs. */
export const IMPORTED: StateLabel = { glyph: "⇣", word: "imported, without evidence", tone: "warn" };

export const HOST_STATES: Record<"online" | "offline" | "revoked", StateLabel> = {
  online: { glyph: "●", word: "online", tone: "good" },
  offline: { glyph: "○", word: "offline", tone: "warn" },
  revoked: { glyph: "○", word: "left or revoked", tone: "warn" },
};

/** The state of a host's worker. */
export function hostState(host: { online: boolean; access?: "server" | "joined" | "revoked" }): StateLabel {
  return HOST_STATES[host.access === "revoked" ? "revoked" : host.online ? "online" : "offline"];
}

/** The release of a host's worker against the server's. */
export const RELEASES: Record<"same" | "behind" | "ahead" | "other", StateLabel> = {
  same: { glyph: "✓", word: "as the server", tone: "good" },
  behind: { glyph: "△", word: "behind the server’s", tone: "warn" },
  ahead: { glyph: "△", word: "ahead of the server’s", tone: "warn" },
  other: { glyph: "?", word: "not the server’s", tone: "warn" },
};

/** Whether a host can run something. */
export const HOST_SUPPORT: Record<"yes" | "partly" | "no", StateLabel> = {
  yes: { glyph: "✓", word: "can run here", tone: "good" },
  partly: { glyph: "◐", word: "can run here in part", tone: "warn" },
  no: { glyph: "⊘", word: "cannot run here", tone: "quiet" },
};

/** Whether runs may use a host's network. */
export const HOST_NETWORK: Record<"open" | "closed", StateLabel> = {
  open: { glyph: "○", word: "open to runs of every team", tone: "warn" },
  closed: { glyph: "⊘", word: "closed to runs", tone: "good" },
};

/** Whether a baseline drifted over the run. */
export const DRIFTS: Record<"shown" | "none", StateLabel> = {
  shown: { glyph: "!", word: "moved", tone: "warn" },
  none: { glyph: "✓", word: "none shown", tone: "good" },
};

/** A condition of a host's worker. */
export const CONDITIONS: Record<"current" | "over", StateLabel> = {
  current: { glyph: "!", word: "now", tone: "bad" },
  over: { glyph: "✓", word: "over", tone: "quiet" },
};

export const NOISY_HOST: StateLabel = { glyph: "≋", word: "host stayed noisy", tone: "bad" };
/** A run whose servers were never restarted. */
export const ONE_START: StateLabel = { glyph: "!", word: "one server start for all rounds", tone: "warn" };
