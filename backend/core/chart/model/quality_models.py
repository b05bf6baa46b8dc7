"""Parts of the ChartModel about a whole run: A/A checks, drift, best cells, thresholds, claims, noise."""

from __future__ import annotations

from typing import Literal

from backend.core.chart.model.model_base import Difference, Interval, Part
from backend.core.messages.message import MessageParts, Sentence, WithMessages

AaOutcome = Literal["cannot_tell", "nothing_shown", "within_margin", "suspect"]


class DuplicateCheck(Part, WithMessages):
    """The A/A duplicate: the same cell twice, so a difference can only come from the measurement.

    `interval` and `p` are those of this duplicate alone, at its own 5 %. `outcome`: "suspect" where it
    differs, "within_margin" where equivalence is shown, "cannot_tell" where rounds or spread could
    have hidden a difference as large as the margin, else "nothing_shown". `suspect` repeats the first.
    Where a value is zero there is a `difference` in place of a ratio, also alone at its own 5 %.
    """

    cell_id: str
    metric: str
    ratio: float | None
    interval: Interval | None
    p: float | None
    outcome: AaOutcome = "cannot_tell"
    suspect: bool
    sentence: Sentence
    message: MessageParts | None = None
    difference: Difference | None = None


class DriftCheck(Part, WithMessages):
    """Whether a baseline moved over the run: relative change from first to last round, and Kendall's p."""

    cell_id: str
    metric: str
    n: int
    change: float
    p: float
    significant: bool
    sentence: Sentence
    message: MessageParts | None = None


class BestGroup(Part, WithMessages):
    """Of the cells that share a baseline, those among which the best lies with 95 % confidence.

    `leader_id` has the best median. A cell is out where its verdict, or that of another one against it, shows
    that it is worse than a cell of the group; between cells that the run does not compare where the paired
    two-sided p against the leader is at most 5 % ÷ the number of the others in all groups ÷ the number of
    interim analyses (Bonferroni). Where a value is zero, differences are tested in place of ratios.
    """

    metric: str
    baseline_id: str
    leader_id: str
    tied: tuple[str, ...]
    out: tuple[str, ...]
    sentence: Sentence
    message: MessageParts | None = None


ThresholdOutcome = Literal["pass", "fail", "not_enough_evidence"]


class ThresholdCell(Part, WithMessages):
    """One cell against one threshold, decided by the interval, not by the point estimate.

    Where a ratio does not exist because a value is zero, `difference` is the cell minus bound × baseline, and
    is tested against 0; `value` and `interval` are then null.
    """

    cell_id: str
    outcome: ThresholdOutcome
    value: float | None
    interval: Interval | None
    sentence: Sentence
    message: MessageParts | None = None
    difference: Difference | None = None


class ThresholdRule(Part, WithMessages):
    """One threshold of the definition, as written; fails where one cell fails.

    `sentence` counts the cells, and says which are left out because they cannot run, and what the A/A check
    says against the run. Where that is suspect nothing passes.
    """

    threshold: str
    metric: str
    outcome: ThresholdOutcome
    sentence: Sentence
    message: MessageParts | None = None
    cells: tuple[ThresholdCell, ...]


class ThresholdReport(Part):
    """All thresholds together: fails where one fails, passes where all pass."""

    outcome: ThresholdOutcome
    rules: tuple[ThresholdRule, ...]


class InterimAnalyses(Part, WithMessages):
    """The rounds after which interim analyses are planned, fixed before the start, and those that were taken.

    p-values and intervals of comparisons and costs per hop are corrected for all of them (Bonferroni); a
    median's own interval and a knee's are not.
    """

    planned: tuple[int, ...]
    taken: tuple[int, ...]
    sentence: Sentence
    message: MessageParts | None = None


ClaimOutcome = Literal["reproduced", "not_reproduced", "undecided"]


class Claim(Part, WithMessages):
    """One claim of the published study against this run's intervals: direction and size separately.

    Each of the two is null where the study claims nothing about it, or it could not be tested. `outcome` is
    of both: "reproduced" where each is, "contradicted" where one is not reproduced.
    """

    text: str
    outcome: Literal["reproduced", "contradicted", "undecided"]
    direction: ClaimOutcome | None = None
    size: ClaimOutcome | None = None
    detail: Sentence
    detail_message: MessageParts | None = None


class Study(Part):
    """The published study that the run repeats, with its attribution."""

    name: str
    title: str
    author: str
    year: int
    citation: str
    environment: str
    claims: tuple[Claim, ...]


class ReasonCount(Part):
    """A kind of disturbance, and in how many trials or takes it was found."""

    kind: str
    count: int


class RunQuality(Part, WithMessages):
    """How quiet the host was: counts over all recorded trials of a run.

    `retaken` trials were taken more than once, `retakes` are the takes that were discarded; the host was
    watched for `waited_seconds` before trials. `contaminated` trials stayed so in their last take, by kind in
    `contaminated_by`; they, the `invalid` ones and those `excluded` by hand are in no statistic. `noisy`: so
    many that the headline says so. `sentence` is null where there is nothing to report.
    """

    trials: int
    retaken: int
    retakes: int
    retaken_by: tuple[ReasonCount, ...]
    waited_seconds: float
    contaminated: int
    contaminated_by: tuple[ReasonCount, ...]
    invalid: int
    excluded: int = 0
    noisy: bool
    sentence: Sentence | None
    message: MessageParts | None = None


class ExcludedTrial(Part):
    """A recorded trial that somebody excluded after the run, and why; it is in no statistic."""

    cell_id: str
    round: int
    reason: str
