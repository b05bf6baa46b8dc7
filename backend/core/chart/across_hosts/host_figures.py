"""Every cell on every host: its values, and its ratio to the host's own baseline, all ratios one family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from backend.core.chart.across_hosts.host_runs import HostRun, Values
from backend.core.chart.across_hosts.hosts_model import HostFigure
from backend.core.chart.cells.corrected_estimate import CorrectedEstimate
from backend.core.chart.cells.replicates import served_by
from backend.core.chart.cells.summaries import interval_of
from backend.core.chart.model.model_base import ServedBy
from backend.core.definition.metrics import Metric
from backend.core.messages.message import message
from backend.core.plan.model import Cell
from backend.core.plan.power import rounds_needed
from backend.core.statistics.compared_pair import Estimate
from backend.core.statistics.family import Group, estimates_of_groups
from backend.core.statistics.median import median_interval
from backend.core.statistics.ratio_estimate import Undefined

Ratios = dict[tuple[str, str], CorrectedEstimate]
"""By host and cell id."""


def ratios_of_hosts(runs: Sequence[HostRun], cells: Iterable[Cell], metric: str) -> Ratios:
    """The ratios of these cells to each host's own baselines, as one family over all hosts."""
    found: Ratios = {}
    compared = [cell.id for cell in cells if cell.baseline_id is not None]
    groups: list[Group] = []
    places: list[list[tuple[str, str]]] = []
    for run in (run for run in runs if run.figures is not None):
        own: list[tuple[str, str]] = []
        pairs: list[tuple[Values, Values]] = []
        for id_ in compared:
            try:
                pairs.append(run.paired(id_, metric))
                own.append((run.host, id_))
            except Undefined as reason:
                found[run.host, id_] = CorrectedEstimate(None, str(reason))
        assert run.figures is not None
        analyses = run.figures.corrected_for
        groups.append(Group([base for base, _ in pairs], [cell for _, cell in pairs], analyses))
        places.append(own)
    estimated = estimates_of_groups(groups)
    tests = sum(
        group.analyses * sum(not isinstance(one, Undefined) for one in own)
        for group, own in zip(groups, estimated, strict=True)
    )
    needed = rounds_needed(tests) if tests else None
    for keys, estimates in zip(places, estimated, strict=True):
        found |= {key: _corrected(one, needed) for key, one in zip(keys, estimates, strict=True)}
    return found


def _corrected(found: Estimate | Undefined, needed: int | None) -> CorrectedEstimate:
    if isinstance(found, Undefined):
        return CorrectedEstimate(None, str(found))
    return CorrectedEstimate(found, None, None, needed if found.interval is None else None)


def figures_of_cell(
    runs: Sequence[HostRun], cell: Cell, metric: Metric, ratios: Ratios, margin: float
) -> Iterator[HostFigure]:
    """One cell on each host, in the order of the runs."""
    for run in runs:
        yield _figure(run, cell, metric, ratios.get((run.host, cell.id)), margin)


def _figure(
    run: HostRun, cell: Cell, metric: Metric, ratio: CorrectedEstimate | None, margin: float
) -> HostFigure:
    values = list(run.values(cell.id, metric.name).values())
    centre = median_interval(values) if values else None
    fields = (ratio or CorrectedEstimate(None)).fields(metric.unit)
    subject = message("hostLabel", cell=cell.label, host=run.host)
    judged = None if ratio is None else ratio.verdict(metric, subject, margin)
    none_yielded = run.not_judged_metric(cell.id, metric.name) or message(
        "noTrialYieldedMetric", metric=metric.name
    )
    missing = run.missing(cell.id)
    return HostFigure(
        host=run.host,
        n=len(values),
        median=None if centre is None else centre.median,
        median_interval=None if centre is None else interval_of(centre.low, centre.high),
        replicates=fields["n"],
        ratio=fields["ratio"],
        interval=fields["interval"],
        p=fields["p"],
        p_adjusted=fields["p_adjusted"],
        difference=fields["difference"],
        family=fields["family"],
        verdict=None if judged is None else judged.kind,
        sentence="" if judged is None else judged.sentence,
        server=_served(run, cell),
        missing=missing if missing is not None or values else none_yielded,
    )


def _served(run: HostRun, cell: Cell) -> ServedBy | None:
    own, base = run.cell(cell.id), run.cell(cell.baseline_id or cell.id)
    if own is None or base is None or cell.baseline_id is None:
        return None
    return served_by(own, base)
