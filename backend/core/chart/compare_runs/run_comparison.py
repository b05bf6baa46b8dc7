"""Two runs, or two cells, side by side: values against values, or ratios against ratios.

Two runs are never in the same rounds, so their values are two samples (Mann-Whitney, Moses). Two cells of
one run are paired by round. With the basis "ratios", each value is first divided by that of its own run's
baseline in the same round, so that effects of a round that all its cells share cancel.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backend.core.chart.compare_runs.comparable import Judgement, Side, judge_comparable
from backend.core.chart.compare_runs.compared_cells import ComparedCell, ComparedCells, RunFigures
from backend.core.chart.compare_runs.differences import environment_differences, origin_differences
from backend.core.chart.compare_runs.matching import (
    A_AND_B,
    PER_OPERATION,
    Match,
    Names,
    baseline_difference,
    match_cells,
    match_pair,
    operations_differ,
    pair_differences,
    setting_differences,
)
from backend.core.chart.compare_runs.own_ratios import own_ratios
from backend.core.chart.compare_runs.run_comparison_model import (
    Basis,
    EnvironmentDifference,
    RunComparison,
    RunComparisonTable,
    RunSide,
)
from backend.core.chart.compare_runs.run_comparison_ratios import TableInput
from backend.core.chart.compare_runs.run_comparison_rows import build_table
from backend.core.chart.compare_runs.run_history import Compared, OtherRun
from backend.core.chart.model.rounding import rounded
from backend.core.definition.metrics import METRICS
from backend.core.errors import Invalid, NotFound
from backend.core.messages.message import Message, joined, message
from backend.core.plan.states import RUN_ENDED


@dataclass(frozen=True)
class ComparedRun:
    """One of the compared runs: its figures, its host, and the time of its start (RFC 3339)."""

    figures: RunFigures
    host: str
    started_at: str | None

    @property
    def cells(self) -> ComparedCells:
        """Every cell with its values."""
        return self.figures.cells


@dataclass(frozen=True)
class RunComparisonQuery:
    """The query for a comparison: the basis (None: values on one host, else ratios), cells and metric.

    `override` shows figures of runs that are not comparable, with a warning.
    """

    basis: Basis | None = None
    override: bool = False
    a_cell: str | None = None
    b_cell: str | None = None
    metric: str | None = None


def compare_runs(
    a: ComparedRun,
    b: ComparedRun,
    query: RunComparisonQuery = RunComparisonQuery(),
    others: Sequence[OtherRun] = (),
) -> RunComparison:
    """`b` against `a`. Raises NotFound for a cell, Invalid for a metric or a run against itself.

    `others` are further runs of the same experiments on the two hosts: the spread among them
    widens every interval between `a` and `b`; without them no difference is called significant.
    """
    chosen = _chosen(a, b, query)
    matches = match_cells(a.cells, b.cells) if chosen is None else (chosen,)
    basis = query.basis or ("values" if a.host == b.host else "ratios")
    wanted, differing_operations = with_equal_operations(_wanted(a, b, query, matches), chosen, basis)
    metrics = [metric for metric in wanted if in_both(metric, matches)]
    differences = tuple(differences_of(a, b, chosen, basis))
    sides = Side("A", a.cells), Side("B", b.cells)
    judged = judge_comparable(
        *sides, basis, matches, chosen is not None, metrics, differing_operations, differences
    )
    refused = judged.comparable == "not" and not query.override
    tables = () if refused else _tables(a, b, basis, metrics or wanted, matches, others)
    model = RunComparison(
        a=_side(a),
        b=_side(b),
        basis=basis,
        margin=a.figures.margin,
        comparable=judged.comparable,
        reasons=judged.reasons,
        overridden=judged.comparable == "not" and query.override,
        overridable=judged.overridable,
        refused=refused,
        differences=differences,
        tables=tables,
        warnings=(
            *_warnings(a, b, basis, judged, query.override),
            *dict.fromkeys(t.run_spread.sentence for t in tables if t.run_spread and not t.run_spread.runs),
            *(() if refused else _without_table(wanted, metrics, chosen is not None, differing_operations)),
        ),
    )
    return rounded(model)


def _chosen(a: ComparedRun, b: ComparedRun, query: RunComparisonQuery) -> Match | None:
    """The two named cells, None for all cells."""
    if query.a_cell is None and query.b_cell is None:
        if one_run(a, b):
            detail = "a and b are one run: name two of its cells by a_cell and b_cell"
            raise Invalid.at("/b", "one_run", detail)
        return None
    if query.a_cell is None or query.b_cell is None:
        missing = "a_cell" if query.a_cell is None else "b_cell"
        raise Invalid.at(f"/{missing}", "missing", "name both a_cell and b_cell, or neither")
    if one_run(a, b) and query.a_cell == query.b_cell:
        raise Invalid.at("/b_cell", "one_cell", "a cell cannot be compared with itself; name another one")
    return match_pair(_cell(a, query.a_cell, "a"), _cell(b, query.b_cell, "b"))


def _cell(run: ComparedRun, id_: str, name: str) -> ComparedCell:
    if id_ not in run.cells:
        raise NotFound(f"the run {name} has no such cell; its cells are c1, c2 … as its plan numbers them")
    return run.cells[id_]


def one_run(a: ComparedRun, b: ComparedRun) -> bool:
    """Whether both are the same run."""
    return a.figures.run_id == b.figures.run_id


def _wanted(a: ComparedRun, b: ComparedRun, query: RunComparisonQuery, matches: Sequence[Match]) -> list[str]:
    """The metrics that both experiments show, or the one of the query."""
    both = [m for m in a.figures.metrics if m in b.figures.metrics]
    if query.metric is not None:
        both = [checked_metric(query.metric)]
    levels = [side.cell.levels for match in matches for side in match.sides]
    return [m for m in both if any(METRICS[m].applies(own) for own in levels)]


def checked_metric(name: str) -> str:
    """The name of a metric of a query. Raises Invalid."""
    if name not in METRICS:
        near = difflib.get_close_matches(name[:60], METRICS, n=3, cutoff=0.4) or METRICS
        raise Invalid.at("/metric", "unknown_metric", f"there is no such metric; there is {', '.join(near)}")
    return name


def with_equal_operations(
    wanted: list[str], chosen: Match | None, basis: Basis, names: Names = A_AND_B
) -> tuple[list[str], str | None]:
    """The metrics whose operations are equal in two chosen cells, and why others are left out."""
    differing_operations = (
        operations_differ(chosen, names) if chosen is not None and basis == "values" else None
    )
    kept = [metric for metric in wanted if differing_operations is None or metric not in PER_OPERATION]
    return kept, differing_operations if len(kept) < len(wanted) else None


def in_both(metric: str, matches: Sequence[Match]) -> bool:
    """Whether both sides have a value of it."""
    ours = (match.a for match in matches if match.a is not None)
    theirs = (match.b for match in matches if match.b is not None)
    return any(s.values(metric) for s in ours) and any(s.values(metric) for s in theirs)


def differences_of(
    a: ComparedRun, b: ComparedRun, chosen: Match | None, basis: Basis, names: Names = A_AND_B
) -> Iterator[EnvironmentDifference]:
    """Differences of the environments first, then those of the runs' settings."""
    if not one_run(a, b):
        yield from environment_differences(_with_host(a), _with_host(b), names)
        yield from origin_differences(a.figures, b.figures, names)
    if chosen is not None:
        yield from pair_differences(chosen)
        if basis == "ratios" and (found := baseline_difference(chosen, a.cells, b.cells)) is not None:
            yield found
    else:
        yield from setting_differences(a.cells, b.cells)


def _with_host(run: ComparedRun) -> RunFigures:
    """The figures with the host's name in the environment, if the run has an environment."""
    if not run.figures.environment:
        return run.figures
    return replace(run.figures, environment={**run.figures.environment, "host": run.host})


def _tables(
    a: ComparedRun,
    b: ComparedRun,
    basis: Basis,
    metrics: Sequence[str],
    matches: Sequence[Match],
    others: Sequence[OtherRun],
) -> tuple[RunComparisonTable, ...]:
    of_a, of_b = (
        Compared(run.cells, tuple(one.centres for one in others if one.host == run.host)) for run in (a, b)
    )
    return tuple(
        build_table(
            TableInput(
                metric=METRICS[metric],
                basis=basis,
                a=a.cells,
                b=b.cells,
                paired=one_run(a, b),
                margin=a.figures.margin,
                analyses_a=a.figures.analyses,
                analyses_b=b.figures.analyses,
                history_a=of_a,
                history_b=None if a.host == b.host else of_b,
                own_a=own_ratios(a.figures, metric),
                own_b=own_ratios(b.figures, metric),
            ),
            matches,
        )
        for metric in metrics
    )


def _side(run: ComparedRun) -> RunSide:
    figures = run.figures
    return RunSide(
        run_id=figures.run_id,
        name=figures.name,
        title=figures.title,
        host=run.host,
        started_at=run.started_at,
        origin=figures.origin,
        rounds=figures.rounds,
    )


def _warnings(
    a: ComparedRun, b: ComparedRun, basis: Basis, judged: Judgement, override: bool
) -> Iterator[str]:
    """Warnings about the tables; that of an override comes first."""
    if judged.comparable == "not":
        if not override:
            return
        yield message("runsOverridden", reasons=joined(judged.reasons))
    sides = (("A", a),) if one_run(a, b) else (("A", a), ("B", b))
    for name, run in sides:
        if run.figures.state not in RUN_ENDED:
            yield message("runsUnfinished", name=name)
        if run.figures.trust is not None:
            yield message("runsTrust", name=name, trust=run.figures.trust)
        if run.figures.analyses > 1 and len(sides) > 1:
            yield message("runsInterim", name=name, analyses=run.figures.analyses)
    if len(sides) > 1 and basis == "values":
        yield message("runsOtherRounds")
    if basis == "ratios":
        yield message("runsOwnBaselines")


def _without_table(
    wanted: Sequence[str], metrics: Sequence[str], chosen: bool, differing_operations: str | None
) -> Iterator[str]:
    """The metrics without a table, and why."""
    if differing_operations is not None:
        yield message("runsOperationsNoTable", **_figures(differing_operations))
    for metric in wanted:
        if metrics and metric not in metrics:
            yield message("runsNoValueCells" if chosen else "runsNoValueRuns", metric=METRICS[metric].title)


def _figures(differing_operations: str) -> dict[str, str]:
    """The figures of the message of `operations_differ`."""
    figures = differing_operations.figures if isinstance(differing_operations, Message) else {}
    return {name: str(figure) for name, figure in figures.items()}
