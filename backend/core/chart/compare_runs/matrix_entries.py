"""The ratios of a matrix: all columns against the reference, as one family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from backend.core.chart.cells.corrected_estimate import CorrectedEstimate, correct_family
from backend.core.chart.compare_runs.compared_cells import ComparedCell
from backend.core.chart.compare_runs.matching import Match
from backend.core.chart.compare_runs.matrix_columns import Column, ColumnPair
from backend.core.chart.compare_runs.matrix_model import MatrixEntry
from backend.core.chart.compare_runs.own_ratios import OwnRatios, own_ratios
from backend.core.chart.compare_runs.run_comparison import one_run
from backend.core.chart.compare_runs.run_comparison_model import Basis, RunComparisonCell
from backend.core.chart.compare_runs.run_comparison_ratios import (
    Sample,
    TableInput,
    ValuePair,
    ratio_of,
    sample_of,
)
from backend.core.chart.compare_runs.run_comparison_rows import side_of, verdict_of, yields
from backend.core.chart.compare_runs.run_history import Compared, RunToRunSpread
from backend.core.definition.metrics import METRICS, Metric
from backend.core.messages.message import message
from backend.core.statistics.family import family_estimates

TOGETHER: Final = "one family of {family} ratios: simultaneous intervals by sign flips of rounds (max-T)"
APART: Final = "one family of {family} ratios: Bonferroni's correction"
RatioKey = tuple[str, int]
"""The letter of a column and the place of a match in it."""


@dataclass(frozen=True)
class ColumnTable:
    """A column that may be compared, with the table of its ratios to the reference."""

    pair: ColumnPair
    table: TableInput

    @cached_property
    def spread(self) -> RunToRunSpread | None:
        """The spread between the two runs; None for cells of one run."""
        return self.table.spread()

    @cached_property
    def samples(self) -> list[Sample]:
        """The independent values of each match, in the order of the matches."""
        return [
            sample_of(self.table, match)
            if yields(match.sides, self.table.metric) and not self._is_baseline(match)
            else None
            for match in self.pair.matches
        ]

    def _is_baseline(self, match: Match) -> bool:
        return self.table.basis == "ratios" and match.is_baseline


def table_of(pair: ColumnPair, reference: Column, letter: str, basis: Basis, metric: str) -> ColumnTable:
    """The table of a column's ratios to the reference."""
    ours, theirs = reference.run, pair.column.run
    of_a, of_b = (
        Compared(run.cells, tuple(one.centres for one in pair.column.others if one.host == run.host))
        for run in (ours, theirs)
    )
    table = TableInput(
        metric=METRICS[metric],
        basis=basis,
        a=ours.cells,
        b=theirs.cells,
        paired=one_run(ours, theirs),
        margin=ours.figures.margin,
        analyses_a=ours.figures.analyses,
        analyses_b=theirs.figures.analyses,
        history_a=of_a,
        history_b=None if ours.host == theirs.host else of_b,
        own_a={},
        own_b=own_ratios(theirs.figures, metric),
        names=(letter, pair.letter),
    )
    return ColumnTable(pair, table)


def ratios_of_family(
    tables: Sequence[ColumnTable],
) -> tuple[dict[RatioKey, CorrectedEstimate], int, tuple[str, ...]]:
    """Every ratio to the reference, the size of their family, and the methods.

    Cells of one run are tested together, as in the run's own result; columns of different runs have no rounds
    in common, and each ratio is tested at 5 % ÷ family.
    """
    samples = {(one.pair.letter, place): sample for one in tables for place, sample in enumerate(one.samples)}
    family = sum(isinstance(sample, ValuePair) for sample in samples.values())
    methods = dict.fromkeys(one.table.method for one in tables)
    if tables and all(one.table.paired for one in tables):
        found = _together(samples, tables[0].table.analyses)
        return found, family, (*methods, TOGETHER.format(family=family))
    by_letter = {one.pair.letter: one for one in tables}
    estimated = {
        key: ratio_of(by_letter[key[0]].table, sample, family, by_letter[key[0]].spread)
        for key, sample in samples.items()
    }
    found = {key: ratio for key, ratio in estimated.items() if ratio is not None}
    return found, family, (*methods, APART.format(family=family))


def _together(samples: Mapping[RatioKey, Sample], analyses: int) -> dict[RatioKey, CorrectedEstimate]:
    """The ratios of cells of one run, as one family over its rounds."""
    known = [(key, sample) for key, sample in samples.items() if isinstance(sample, ValuePair)]
    estimates = family_estimates([pair.a for _, pair in known], [pair.b for _, pair in known], analyses)
    corrected = correct_family({str(i): one for i, one in enumerate(estimates)}, analyses)
    found = {key: corrected[str(i)] for i, (key, _) in enumerate(known)}
    without = {
        key: CorrectedEstimate(None, str(sample))
        for key, sample in samples.items()
        if sample is not None and not isinstance(sample, ValuePair)
    }
    return found | without


def own_entry(cell: ComparedCell, metric: Metric, ratios: OwnRatios) -> MatrixEntry:
    """The entry of a cell by itself, without a ratio to the reference; `ratios` are those of its run."""
    return _entry(side_of(cell, metric, ratios), None, None)


def compared_entry(
    cell: ComparedCell, one: ColumnTable, reference_has: bool, ratio: CorrectedEstimate | None
) -> MatrixEntry:
    """The entry of a cell with its ratio to the reference."""
    own = side_of(cell, one.table.metric, one.table.own_b)
    sentence = None if reference_has else message("columnWithoutCell", name=one.table.names[0])
    return _entry(own, ratio, one.table, sentence)


def _entry(
    own: RunComparisonCell,
    ratio: CorrectedEstimate | None,
    table: TableInput | None,
    sentence: str | None = None,
) -> MatrixEntry:
    judged = None if ratio is None or table is None else verdict_of(table, ratio)
    fields = (ratio or CorrectedEstimate(None)).fields("" if table is None else table.metric.unit)
    return MatrixEntry(
        cell_id=own.cell_id,
        n=own.n,
        median=own.median,
        median_interval=own.interval,
        own_ratio=own.ratio,
        own_ratio_interval=own.ratio_interval,
        own_difference=own.difference,
        compared_n=fields["n"],
        ratio=fields["ratio"],
        interval=fields["interval"],
        p_adjusted=fields["p_adjusted"],
        interval_unadjusted=fields["interval_unadjusted"],
        difference=fields["difference"],
        judged=fields["p_adjusted"] is not None,
        verdict=None if judged is None else judged.kind,
        sentence=sentence if judged is None else judged.sentence,
    )
