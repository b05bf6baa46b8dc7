"""The runs of a group to a HostsResult: the only place where the result of several hosts is put together."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.across_hosts.disagreement import counts, disagreements
from backend.core.chart.across_hosts.host_figures import figures_of_cell, ratios_of_hosts
from backend.core.chart.across_hosts.host_notices import (
    RUN_TO_RUN,
    confounded_sentences,
    environment_sentence,
    host_differences,
    member_notices,
    one_host_sentence,
)
from backend.core.chart.across_hosts.host_runs import HostRun, plan_cells
from backend.core.chart.across_hosts.hosts_model import (
    Disagreement,
    HostMember,
    HostsDifference,
    HostsResult,
    HostsRow,
    HostsTable,
    InfeasibleCell,
)
from backend.core.chart.model.axes import decimals
from backend.core.chart.model.model_base import Interval
from backend.core.chart.model.rounding import rounded
from backend.core.definition.experiment import Experiment
from backend.core.definition.metrics import METRICS, Metric
from backend.core.errors import Invalid
from backend.core.plan.model import Cell
from backend.core.statistics.between_hosts import METHOD as BETWEEN_HOSTS
from backend.core.statistics.paired import METHOD as PAIRED


@dataclass(frozen=True)
class HostGroup:
    """A group of runs of one experiment, in the order in which the hosts were named."""

    group_id: str
    experiment_id: str
    experiment: Experiment
    runs: tuple[HostRun, ...]


METHOD_OF_RATIOS: Final = (
    f"{PAIRED}; simultaneous over all cells and hosts: max-T per host, Bonferroni over hosts"
)


@dataclass(frozen=True)
class _Shown:
    """A median's interval, for the number of decimals."""

    interval: Interval | None


def build_hosts_result(group: HostGroup, metric: str | None = None) -> HostsResult:
    """The result of a group in one metric, the experiment's first by default. Raises Invalid for a metric."""
    experiment, runs = group.experiment, group.runs
    chosen = _metric(experiment, metric)
    cells = [cell for cell in plan_cells(runs) if chosen.applies(cell.levels)]
    judged = disagreements(runs, cells, chosen.name, experiment.margin)
    table = _table(group, cells, chosen, judged)
    differences = host_differences(runs)
    ended = all(run.ended for run in runs)
    return rounded(
        HostsResult(
            group_id=group.group_id,
            experiment_id=group.experiment_id,
            name=experiment.name,
            title=experiment.title,
            ended=ended,
            margin=experiment.margin,
            headline=counts(judged, ended),
            notices=tuple(_notices(runs, differences)),
            members=tuple(_member(place, run) for place, run in enumerate(runs)),
            differences=differences,
            metrics=experiment.metrics,
            table=table,
            method=(
                METHOD_OF_RATIOS,
                BETWEEN_HOSTS,
            ),
        )
    )


def _metric(experiment: Experiment, name: str | None) -> Metric:
    wanted = name or experiment.metrics[0]
    if wanted not in experiment.metrics:
        near = (
            difflib.get_close_matches(wanted[:60], experiment.metrics, n=3, cutoff=0.4) or experiment.metrics
        )
        detail = f"the experiment has no such metric; it has {', '.join(near)}"
        raise Invalid.at("/metric", "unknown_metric", detail)
    return METRICS[wanted]


def _notices(runs: Sequence[HostRun], differences: Sequence[HostsDifference]) -> Iterator[str]:
    """What is confounded with a host comes before everything else."""
    yield from filter(None, (environment_sentence(differences),))
    yield from confounded_sentences(runs)
    yield from filter(None, (one_host_sentence(runs),))
    yield from member_notices(runs)
    yield RUN_TO_RUN


def _table(
    group: HostGroup, cells: Sequence[Cell], metric: Metric, judged: Mapping[str, Disagreement]
) -> HostsTable:
    margin, runs = group.experiment.margin, group.runs
    ratios = ratios_of_hosts(runs, cells, metric.name)
    rows = tuple(
        HostsRow(
            cell_id=cell.id,
            label=cell.label,
            levels=dict(cell.levels),
            is_baseline=cell.is_baseline,
            figures=tuple(figures_of_cell(runs, cell, metric, ratios, margin)),
            disagreement=judged.get(cell.id),
        )
        for cell in cells
    )
    figures = [figure for row in rows for figure in row.figures]
    top = max((figure.median for figure in figures if figure.median is not None), default=0.0)
    return HostsTable(
        metric=metric.name,
        label=metric.label,
        unit=metric.unit,
        better=metric.better,
        decimals=decimals([_Shown(figure.median_interval) for figure in figures], top),
        headline=counts(judged),
        family=max((figure.family for figure in figures), default=0),
        rows=rows,
    )


def _member(place: int, run: HostRun) -> HostMember:
    figures = run.figures
    cells = () if figures is None else figures.cells.values()
    return HostMember(
        host=run.host,
        run_id=run.run_id,
        state=run.state,
        started_at=run.started_at,
        seed=None if figures is None else figures.seed,
        rounds=0 if figures is None else figures.rounds,
        color=place,
        shape=place,
        trust=None if figures is None else figures.trust,
        infeasible=tuple(
            InfeasibleCell(label=one.cell.label, reason=one.cell.infeasible)
            for one in cells
            if one.cell.infeasible is not None and not one.cell.is_duplicate
        ),
    )
