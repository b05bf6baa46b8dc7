"""The comparisons B with A of one metric between the cells of two runs, or of two cells of one run.

They are ratios B ÷ A, or differences B − A where a value is zero; on the basis "ratios" these are differences
of the cells' differences to their own baselines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from backend.core.chart.cells.corrected_estimate import CorrectedEstimate
from backend.core.chart.cells.replicates import means_by_start, rounds_per_start
from backend.core.chart.cells.settings import why_apart
from backend.core.chart.compare_runs.compared_cells import ComparedCell, ComparedCells
from backend.core.chart.compare_runs.matching import A_AND_B, Match, Names
from backend.core.chart.compare_runs.own_ratios import OwnRatios
from backend.core.chart.compare_runs.run_centres import Values, differences_to_baseline, values_of
from backend.core.chart.compare_runs.run_comparison_model import Basis
from backend.core.chart.compare_runs.run_history import (
    Compared,
    RunToRunSpread,
    run_to_run_spread,
    spread_of_difference,
)
from backend.core.definition.metrics import Metric
from backend.core.messages.message import message
from backend.core.plan.power import ALPHA, smallest_p
from backend.core.statistics import paired, unpaired
from backend.core.statistics.between_runs import widened, widened_difference
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.difference_estimate import DifferenceEstimate
from backend.core.statistics.family import family_differences, family_intervals
from backend.core.statistics.paired import Undefined
from backend.core.statistics.unpaired import require_ratio, smallest_p_unpaired, unpaired_ratio
from backend.core.statistics.unpaired_difference import unpaired_difference

OVER_BASELINE: Final = "each value over its own run's baseline in the same round; "
MINUS_BASELINE: Final = "each value minus its own run's baseline in the same round; "
_MOST_ROUNDS: Final = 60


@dataclass(frozen=True)
class TableInput:
    """What one table compares: a metric of the cells of two runs, on a basis.

    `paired`: two cells of one run, compared by round. `analyses_a` and `analyses_b` are the interim analyses
    of the runs, 1 for a run with a fixed number of rounds. `history_a` and `history_b` are the runs with
    further ones of the cells on the two hosts, from which the spread between runs is estimated; `history_b`
    is None where both runs are of one host. `own_a` and `own_b` are each side's ratios to its own baselines.
    `names` are those of the sides in sentences.
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
    own_a: OwnRatios
    own_b: OwnRatios
    names: Names = A_AND_B

    @property
    def analyses(self) -> int:
        """The number of interim analyses that p is corrected for: samples of two runs are tested once."""
        return self.analyses_a if self.paired else 1

    def subject_of(self, found: Estimate | None) -> str:
        """What a verdict's sentence says is faster or slower."""
        name = self.names[1]
        if self.basis == "values":
            return name
        id_ = "minusOwnBaseline" if isinstance(found, DifferenceEstimate) else "overOwnBaseline"
        return message(id_, name=name)

    @property
    def method(self) -> str:
        """The method by which the rows are compared."""
        return (OVER_BASELINE if self.basis == "ratios" else "") + (
            paired.METHOD if self.paired else unpaired.METHOD
        )

    def method_of(self, found: CorrectedEstimate | None) -> str:
        """The method of one comparison: that of differences where there is no ratio."""
        if found is None or found.estimate is None or not isinstance(found.estimate, DifferenceEstimate):
            return self.method
        return (MINUS_BASELINE if self.basis == "ratios" else "") + found.estimate.method

    def spread(self) -> RunToRunSpread | None:
        """The spread between runs of the hosts; None for two cells of one run."""
        if self.paired:
            return None
        return run_to_run_spread(self.history_a, self.history_b, self.metric.name, self.basis)


def ratios_of(
    table: TableInput, matches: Sequence[Match], spread: RunToRunSpread | None
) -> list[CorrectedEstimate | None]:
    """The comparison of each match, all as one family; None where only one run has the cell.

    Intervals and adjusted p take in the `spread` between runs. Where it is not known, `p_adjusted` is None.
    """
    samples = [sample_of(table, match) for match in matches]
    family = sum(isinstance(sample, ValuePair) for sample in samples)
    return [ratio_of(table, sample, family, spread) for sample in samples]


class ValuePair(NamedTuple):
    """The independent values of the two cells of a match; `compared` are the ids of the cells.

    `by_difference`: a value is zero, so that there is no ratio.
    """

    a: Values
    b: Values
    compared: tuple[str, str]
    by_difference: bool = False


Sample = ValuePair | Undefined | None
"""The values of a match, the reason why they cannot be compared, or None for a cell that only one run has."""


def sample_of(table: TableInput, match: Match) -> Sample:
    """The values by which a match is compared."""
    if match.a is None or match.b is None:
        return None
    apart = {kind for kind, _ in set(match.a.other_settings) ^ set(match.b.other_settings)}
    if (reason := why_apart(sorted(apart))) is not None:
        return Undefined(reason)
    ids = match.a.cell.id, match.b.cell.id
    try:
        pair = _independent(table, match.a, match.b, values_of)
        _require_ratio(table, *pair)
    except Undefined as why:
        return _differing(table, match.a, match.b) or why
    return ValuePair(*pair, ids)


def _differing(table: TableInput, a: ComparedCell, b: ComparedCell) -> ValuePair | None:
    """The values to be compared by their difference; None where they cannot be either."""
    own = values_of if table.basis == "values" else differences_to_baseline
    try:
        pair = _independent(table, a, b, own)
        found = ValuePair(*pair, (a.cell.id, b.cell.id), by_difference=True)
        _estimate(table, found, 1)
    except Undefined:
        return None
    return found


def ratio_of(
    table: TableInput, sample: Sample, family: int, spread: RunToRunSpread | None
) -> CorrectedEstimate | None:
    """The comparison of one sample, as a member of a family of this many (Bonferroni)."""
    if not isinstance(sample, ValuePair):
        return None if sample is None else CorrectedEstimate(None, str(sample))
    return _corrected(table, sample, _estimate(table, sample, family), family, spread)


def _corrected(
    table: TableInput, sample: ValuePair, found: Estimate, family: int, spread: RunToRunSpread | None
) -> CorrectedEstimate:
    if found.interval is None:
        return CorrectedEstimate(found, None, found.p_adjusted, _rounds_needed(table, family))
    if spread is not None:
        found = _with_spread(table, sample, found, spread)
    return CorrectedEstimate(found, None, found.p_adjusted)


def _with_spread(table: TableInput, sample: ValuePair, found: Estimate, spread: RunToRunSpread) -> Estimate:
    """The comparison with the spread between runs; that of a difference is the spread of this cell alone."""
    if isinstance(found, DifferenceEstimate):
        known = spread_of_difference(
            table.history_a, table.history_b, sample.compared, table.metric.name, table.basis
        )
        return replace(found, p_adjusted=None) if known is None else widened_difference(found, *known)
    if spread.difference is None:
        return replace(found, p_adjusted=None)
    return widened(found, *spread.difference)


def _estimate(table: TableInput, sample: ValuePair, family: int) -> Estimate:
    """The ratio b ÷ a or difference b − a of values by round, as one of a family; raises Undefined."""
    a, b, *_ = sample
    if not table.paired:
        compare = unpaired_difference if sample.by_difference else unpaired_ratio
        return compare(list(a.values()), list(b.values()), family)
    tests = table.analyses * family
    if sample.by_difference:
        (found,) = family_differences([a], [b], tests)
        if isinstance(found, Undefined):
            raise found
        return replace(found, family=family)
    return _paired_ratio(a, b, tests, family)


def _paired_ratio(a: Values, b: Values, tests: int, family: int) -> Estimate:
    """The ratio with an adjusted p that counts ties as its interval does."""
    (found,) = family_intervals([a], [b], tests)
    if isinstance(found, Undefined):
        raise found
    return replace(found, family=family)


def _require_ratio(table: TableInput, a: Values, b: Values) -> None:
    """Raise Undefined where there is no ratio, whatever the family."""
    if table.paired:
        _paired_ratio(a, b, 1, 1)
    else:
        require_ratio(list(a.values()), list(b.values()))


def _rounds_needed(table: TableInput, comparisons: int) -> int:
    """The rounds of each run with which a family of this many could have a significant member."""
    least = smallest_p if table.paired else smallest_p_unpaired
    family = comparisons * table.analyses
    return next((n for n in range(1, _MOST_ROUNDS) if family * least(n) <= ALPHA), _MOST_ROUNDS)


def _independent(
    table: TableInput, a: ComparedCell, b: ComparedCell, own: Callable[..., Values]
) -> tuple[Values, Values]:
    """The values of both cells; of two cells of one run, rounds of the same two starts are one value."""
    name, basis = table.metric.name, table.basis
    pair = (
        own(name, basis, a, table.a, table.names[0]),
        own(name, basis, b, table.b, table.names[1]),
    )
    if not table.paired:
        return pair
    compared = [(b, a)]
    if table.basis == "ratios" and a.cell.baseline_id != b.cell.baseline_id:
        compared = [(one, table.a[one.cell.baseline_id or one.cell.id]) for one in (a, b)]
    return means_by_start(*pair, max(rounds_per_start(*cells) for cells in compared))
