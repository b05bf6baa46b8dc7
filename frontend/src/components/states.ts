/** How each state and verdict is told: a glyph, a word and a tone, never colour alone. */
import type { AaOutcome, CellState, ChartModel, GateOutcome, VerdictKind } from "@/api/chart";
import type { Comparable, EnvironmentDifference } from "@/api/cross";
import type { EvidenceVerdict, RunState, Signal, TrialState } from "@/api/types";

export type Tone = "good" | "bad" | "warn" | "info" | "quiet";

export interface Told {
  glyph: string;
  word: string;
  tone: Tone;
}

export const CELL_STATES: Record<CellState, Told> = {
  measured: { glyph: "●", word: "measured", tone: "info" },
  partial: { glyph: "◐", word: "partly measured", tone: "warn" },
  waiting: { glyph: "◌", word: "waiting", tone: "quiet" },
  failed: { glyph: "✕", word: "failed", tone: "bad" },
  contradicted: { glyph: "≠", word: "path contradicted", tone: "bad" },
  not_proven: { glyph: "?", word: "path not proven", tone: "warn" },
  invalid: { glyph: "⚠", word: "figures not valid", tone: "bad" },
  contaminated: { glyph: "≋", word: "disturbed by the host", tone: "warn" },
  infeasible: { glyph: "⊘", word: "cannot run here", tone: "quiet" },
  cancelled: { glyph: "◼", word: "cancelled", tone: "quiet" },
};

/** Of an imported run a cell is without figures because no log was given for it: that says nothing about a host. */
const NOT_IMPORTED: Told = { glyph: "⊘", word: "not imported", tone: "quiet" };

export function cellState(state: CellState, origin: ChartModel["origin"]): Told {
  return state === "infeasible" && origin === "imported" ? NOT_IMPORTED : CELL_STATES[state];
}

export const VERDICTS: Record<VerdictKind, Told> = {
  better: { glyph: "▲", word: "better", tone: "good" },
  worse: { glyph: "▼", word: "worse", tone: "bad" },
  different_within_margin: { glyph: "△", word: "different, within the margin", tone: "info" },
  equivalent: { glyph: "≈", word: "equivalent", tone: "info" },
  no_difference_shown: { glyph: "~", word: "no difference shown", tone: "quiet" },
  not_enough_rounds: { glyph: "…", word: "not enough rounds", tone: "warn" },
  undefined: { glyph: "?", word: "not defined", tone: "quiet" },
};

export const RUN_STATES: Record<RunState, Told> = {
  queued: { glyph: "◌", word: "queued", tone: "quiet" },
  running: { glyph: "▶", word: "running", tone: "info" },
  done: { glyph: "✓", word: "done", tone: "good" },
  cancelled: { glyph: "◼", word: "cancelled", tone: "quiet" },
  incomplete: { glyph: "!", word: "incomplete", tone: "warn" },
};

export const TRIAL_STATES: Record<TrialState, Told> = {
  queued: { glyph: "◌", word: "queued", tone: "quiet" },
  running: { glyph: "▶", word: "running", tone: "info" },
  done: { glyph: "✓", word: "done", tone: "good" },
  failed: { glyph: "✕", word: "failed", tone: "bad" },
  cancelled: { glyph: "◼", word: "cancelled", tone: "quiet" },
  spared: { glyph: "⤳", word: "spared", tone: "quiet" },
};

export const EVIDENCE: Record<EvidenceVerdict, Told> = {
  proven: { glyph: "✓", word: "proven", tone: "good" },
  not_proven: { glyph: "?", word: "not proven", tone: "warn" },
  contradicted: { glyph: "✕", word: "contradicted", tone: "bad" },
};

export const SIGNALS: Record<Signal["state"], Told> = {
  agrees: { glyph: "✓", word: "agrees", tone: "good" },
  disagrees: { glyph: "✕", word: "disagrees", tone: "bad" },
  unknown: { glyph: "?", word: "unknown", tone: "warn" },
};

export const CLAIMS: Record<"reproduced" | "contradicted" | "undecided", Told> = {
  reproduced: { glyph: "✓", word: "reproduced", tone: "good" },
  contradicted: { glyph: "✕", word: "contradicted", tone: "bad" },
  undecided: { glyph: "?", word: "undecided", tone: "warn" },
};

type Claim = NonNullable<ChartModel["study"]>["claims"][number];

/** A claim as a whole; of which only direction or size is reproduced, it says so. */
export function claimTold({ outcome, direction, size }: Claim): Told {
  const inPart = outcome === "contradicted" && (direction === "reproduced" || size === "reproduced");
  return inPart ? { glyph: "≠", word: "reproduced in part", tone: "warn" } : CLAIMS[outcome];
}

const CLAIM_PARTS = {
  direction: {
    reproduced: "Direction reproduced: the figures lie on the side that the study says",
    not_reproduced: "Direction not reproduced: the figures do not lie on the side that the study says",
    undecided: "Direction undecided: this run cannot tell whether the figures lie on the side that the study says",
    unsaid: "Direction: the study says nothing of it",
  },
  size: {
    reproduced: "Size reproduced: as large as the study says, within its tolerance",
    not_reproduced: "Size not reproduced: larger or smaller than the study says, beyond its tolerance",
    undecided: "Size undecided: this run cannot tell whether it is as large as the study says",
    unsaid: "Size: the study says nothing of it",
  },
} as const;

const CLAIM_PART_STATES = {
  reproduced: CLAIMS.reproduced,
  not_reproduced: CLAIMS.contradicted,
  undecided: CLAIMS.undecided,
  unsaid: { glyph: "–", word: "", tone: "quiet" },
} as const;

/** A claim's direction and its size, each in a line; none where neither was tested. */
export function claimParts({ direction, size }: Claim): Told[] {
  if (!direction && !size) return [];
  return (["direction", "size"] as const).map((part) => {
    const outcome = { direction, size }[part] ?? "unsaid";
    return { ...CLAIM_PART_STATES[outcome], word: CLAIM_PARTS[part][outcome] };
  });
}

export const GATES: Record<GateOutcome, Told> = {
  pass: { glyph: "✓", word: "pass", tone: "good" },
  fail: { glyph: "✕", word: "fail", tone: "bad" },
  not_enough_evidence: { glyph: "?", word: "not enough evidence", tone: "warn" },
};

/** What a baseline and its A/A duplicate say about a run. */
export const AA_OUTCOMES: Record<AaOutcome, Told> = {
  suspect: { glyph: "!", word: "suspect", tone: "bad" },
  cannot_tell: { glyph: "?", word: "cannot tell", tone: "warn" },
  nothing_shown: { glyph: "~", word: "nothing shown", tone: "quiet" },
  within_margin: { glyph: "≈", word: "within the margin", tone: "good" },
};

export const COMPARABLES: Record<Comparable, Told> = {
  comparable: { glyph: "✓", word: "comparable", tone: "good" },
  partly: { glyph: "◐", word: "comparable in part", tone: "warn" },
  not: { glyph: "✕", word: "not comparable", tone: "bad" },
};

/** How much a difference between two environments weighs. */
export const WEIGHTS: Record<EnvironmentDifference["weight"], Told> = {
  decides: { glyph: "!", word: "decides", tone: "bad" },
  matters: { glyph: "△", word: "matters", tone: "warn" },
  noted: { glyph: "·", word: "noted", tone: "quiet" },
};

/** A run that was read from old logs. */
export const IMPORTED: Told = { glyph: "⇣", word: "imported, without evidence", tone: "warn" };

export const HOST_STATES: Record<"online" | "offline", Told> = {
  online: { glyph: "●", word: "online", tone: "good" },
  offline: { glyph: "○", word: "offline", tone: "warn" },
};

/** Whether a host can run something. */
export const CAN: Record<"yes" | "partly" | "no", Told> = {
  yes: { glyph: "✓", word: "can run here", tone: "good" },
  partly: { glyph: "◐", word: "can run here in part", tone: "warn" },
  no: { glyph: "⊘", word: "cannot run here", tone: "quiet" },
};
