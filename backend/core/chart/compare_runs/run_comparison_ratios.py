"""The ratios B ÷ A of one metric between the cells of two runs, or of two cells of one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from backend.core.chart.cells.corrected_ratio import CorrectedRatio
from backend.core.chart.cells.replicates import means_by_start, rounds_per_start
from backend.core.chart.cells.settings import why_apart
from backend.core.chart.compare_runs.compared_cells import ComparedCell, ComparedCells
from backend.core.chart.compare_runs.matching import A_AND_B, Match, Names
from backend.core.chart.compare_runs.run_centres import Values, values_of
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.chart.compare_runs.run_history import Compared, RunToRunSpread, run_to_run_spread
from backend.core.definition.metrics import Metric
from backend.core.messages.message import message
from backend.core.plan.power import ALPHA, smallest_p
from backend.core.statistics import paired, unpaired
from backend.core.statistics.between_runs import widened
from backend.core.statistics.paired import RatioEstimate, Undefined, paired_ratio
from backend.core.statistics.unpaired import require_ratio, smallest_p_unpaired, unpaired_ratio

OVER_BASELINE: Final = "each value over its own run's baseline in the same round; "
_MOST_ROUNDS: Final = 60


@dataclass(frozen=True)
class TableInput:
    """What one table compares: a metric of the cells of two runs, on a basis.

    `paired`: two cells of one run, compared by round. `analyses_a` and `analyses_b` are the interim analyses
    of the runs, 1 for a run with a fixed number of rounds. `history_a` and `history_b` are the runs with
    further ones of the cells on the two hosts, from which the spread between runs is estimated; `history_b`
    is None where both runs are of one host. `names` are those of the sides in sentences.
    """

    metric: Metric
    basis: Basis
    a: ComparedCells
    b: ComparedCells
    paired: bool
    margin: float
    analyses_a: int
    analyses_b: int
    history_a: Compared
    history_b: Compared | None
    names: Names = A_AND_B

    @property
    def analyses(self) -> int:
        """The number of interim analyses that p is corrected for: samples of two runs are tested once."""
        return self.analyses_a if self.paired else 1

    @property
    def subject(self) -> str:
        """What a verdict's sentence says is faster or slower."""
        name = self.names[1]
        return message("overOwnBaseline", name=name) if self.basis == "ratios" else name

    @property
    def method(self) -> str:
        """The method by which the rows are compared."""
        return (OVER_BASELINE if self.basis == "ratios" else "") + (
            paired.METHOD if self.paired else unpaired.METHOD
        )

    def spread(self) -> RunToRunSpread | None:
        """The spread between runs of the hosts; None for two cells of one run."""
        if self.paired:
            return None
        return run_to_run_spread(self.history_a, self.history_b, self.metric.name, self.basis)


def ratios_of(
    table: TableInput, matches: Sequence[Match], spread: RunToRunSpread | None
) -> list[CorrectedRatio | None]:
    """The ratio of each match, all as one family; None where only one run has the cell.

    Intervals and adjusted p take in the `spread` between runs. Where it is not known, `p_adjusted` is None.
    """
    samples = [sample_of(table, match) for match in matches]
    family = sum(isinstance(sample, tuple) for sample in samples)
    return [ratio_of(table, sample, family, spread) for sample in samples]


Sample = tuple[Values, Values] | Undefined | None
"""The independent values of the two cells of a match, the reason why they have no ratio, or None for a cell
that only one run has."""


def sample_of(table: TableInput, match: Match) -> Sample:
    """The values from which the ratio of a match is estimated."""
    if match.a is None or match.b is None:
        return None
    apart = {kind for kind, _ in set(match.a.other_settings) ^ set(match.b.other_settings)}
    if (reason := why_apart(sorted(apart))) is not None:
        return Undefined(reason)
    try:
        pair = _independent(table, match.a, match.b)
        _require_ratio(table, *pair)
    except Undefined as why:
        return why
    return pair


def ratio_of(
    table: TableInput, sample: Sample, family: int, spread: RunToRunSpread | None
) -> CorrectedRatio | None:
    """The ratio of one sample, as a member of a family of this many ratios (Bonferroni)."""
    if not isinstance(sample, tuple):
        return None if sample is None else CorrectedRatio(None, str(sample))
    return _corrected(table, _estimate(table, *sample, family), family, spread)


def _corrected(
    table: TableInput, found: RatioEstimate, family: int, spread: RunToRunSpread | None
) -> CorrectedRatio:
    if found.interval is None:
        return CorrectedRatio(found, None, found.p_adjusted, _rounds_needed(table, family))
    if spread is not None:
        found = (
            replace(found, p_adjusted=None)
            if spread.difference is None
            else widened(found, *spread.difference)
        )
    return CorrectedRatio(found, None, found.p_adjusted)


def _estimate(table: TableInput, a: Values, b: Values, family: int) -> RatioEstimate:
    """The ratio b ÷ a of values by round, as one of a family; raises Undefined."""
    if table.paired:
        rounds = sorted(a.keys() & b.keys())
        tests = table.analyses * family
        found = paired_ratio([a[r] for r in rounds], [b[r] for r in rounds], tests)
        return replace(found, p_adjusted=min(1.0, tests * found.p), family=family)
    return unpaired_ratio(list(a.values()), list(b.values()), family)


def _require_ratio(table: TableInput, a: Values, b: Values) -> None:
    """Raise Undefined where `_estimate` does, whatever the family."""
    if table.paired:
        _estimate(table, a, b, 1)
    else:
        require_ratio(list(a.values()), list(b.values()))


def _rounds_needed(table: TableInput, comparisons: int) -> int:
    """The rounds of each run with which a family of this many could have a significant member."""
    least = smallest_p if table.paired else smallest_p_unpaired
    family = comparisons * table.analyses
    return next((n for n in range(1, _MOST_ROUNDS) if family * least(n) <= ALPHA), _MOST_ROUNDS)


def _independent(table: TableInput, a: ComparedCell, b: ComparedCell) -> tuple[Values, Values]:
    """The values of both cells; of two cells of one run, rounds of the same two starts are one value."""
    name, basis = table.metric.name, table.basis
    pair = (
        values_of(name, basis, a, table.a, table.names[0]),
        values_of(name, basis, b, table.b, table.names[1]),
    )
    if not table.paired:
        return pair
    compared = [(b, a)]
    if table.basis == "ratios" and a.cell.baseline_id != b.cell.baseline_id:
        compared = [(one, table.a[one.cell.baseline_id or one.cell.id]) for one in (a, b)]
    return means_by_start(*pair, max(rounds_per_start(*cells) for cells in compared))
