"""ChartInput to ChartModel: the only place where a result is put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from backend.core.chart.axes import build_axis
from backend.core.chart.claims import NO_CELL, judge
from backend.core.chart.comparisons import compare_all
from backend.core.chart.inputs import ChartInput
from backend.core.chart.layout import Layout, lay_out
from backend.core.chart.model import (
    ChartCell,
    ChartModel,
    Comparison,
    DuplicateCheck,
    Published,
    Study,
    VerdictCounts,
)
from backend.core.chart.published import departures, published_for
from backend.core.chart.sentences import duplicate_check, headline, mismatches, warnings
from backend.core.chart.summaries import cpu_shares, process_shares, summarise
from backend.core.chart.trials import TERMINAL, CellTrials, by_cell, rounds_complete
from backend.core.definition.studies import study as find_study
from backend.core.definition.studies.model import PublishedStudy

Comparisons = Mapping[str, Mapping[str, Comparison]]


def build_chart(data: ChartInput) -> ChartModel:
    """The result of a run as far as it has come; every number finite, missing is None."""
    experiment, plan = data.experiment, data.plan
    trials = by_cell(data)
    first = experiment.metrics[0]
    layout = lay_out(plan.cells, plan.varied)
    study = find_study(experiment.study) if experiment.study else None
    published = published_for(study, trials, first) if study else {}
    comparisons = {m: compare_all(trials, m, experiment.margin) for m in experiment.metrics}
    cells = tuple(_cell(c, data, layout, comparisons, published.get(c.cell.id)) for c in trials.values())
    checks = tuple(_checks(cells, experiment.metrics))
    notes = (*mismatches(trials), *plan.warnings, *_study_notes(study, trials))
    return ChartModel(
        run_id=data.run_id,
        experiment_id=data.experiment_id,
        name=experiment.name,
        title=experiment.title,
        state=data.state,
        seed=experiment.seed,
        rounds_planned=experiment.rounds,
        rounds_complete=rounds_complete(trials.values()),
        margin=experiment.margin,
        row_factor=layout.row_factor,
        series_factor=layout.series_factor,
        legend=layout.legend(),
        headline=headline(cells, first, data.state in TERMINAL),
        counts=count_verdicts(cells, first),
        axes=tuple(build_axis(metric, cells) for metric in experiment.metrics),
        cores=data.cores,
        cells=cells,
        duplicates=checks,
        study=_study(study, trials) if study else None,
        warnings=tuple(dict.fromkeys(warnings(trials, first, checks, notes))),
        environment=dict(data.environment),
    )


def _cell(
    trials: CellTrials,
    data: ChartInput,
    layout: Layout,
    comparisons: Comparisons,
    published: Published | None,
) -> ChartCell:
    cell = trials.cell
    color = layout.color(cell)
    return ChartCell(
        id=cell.id,
        label=cell.label,
        levels=dict(cell.levels),
        row=layout.row(cell),
        series=layout.series(cell),
        color=color,
        shape=color,
        state=trials.state,
        reason=trials.reason,
        is_baseline=cell.is_baseline,
        is_duplicate=cell.is_duplicate,
        trials_done=len(trials.done),
        trials_failed=len(trials.failed),
        trials_planned=trials.planned,
        hops=tuple(data.hops.get(cell.id, ())),
        summaries={metric: summarise(trials, metric) for metric in comparisons},
        comparisons={metric: found[cell.id] for metric, found in comparisons.items() if cell.id in found},
        cpu=cpu_shares(trials),
        processes=process_shares(trials),
        evidence=trials.evidence,
        published=published,
        warnings=trials.warnings,
    )


def _checks(cells: Sequence[ChartCell], metrics: Sequence[str]) -> Iterator[DuplicateCheck]:
    """The A/A duplicates by the first metric that their tool yields."""
    labels = {cell.id: cell.label for cell in cells}
    for cell in cells:
        metric = next((m for m in metrics if m in cell.comparisons), None)
        if cell.is_duplicate and metric is not None:
            yield duplicate_check(cell, metric, labels[cell.comparisons[metric].baseline_id])


def count_verdicts(cells: Sequence[ChartCell], metric: str) -> VerdictCounts:
    """How the first metric's comparisons came out; a cell without figures counts once, as failed."""
    kinds: Counter[str] = Counter()
    for cell in cells:
        if cell.state == "infeasible":
            kinds["infeasible"] += 1
        elif cell.state in ("failed", "contradicted", "not_proven", "cancelled") and not cell.is_duplicate:
            kinds["failed"] += 1
        elif metric in cell.comparisons and not cell.is_duplicate:
            kinds[cell.comparisons[metric].verdict] += 1
    return VerdictCounts(
        better=kinds["better"],
        worse=kinds["worse"],
        equivalent=kinds["equivalent"] + kinds["different_within_margin"],
        undecided=kinds["no_difference_shown"] + kinds["not_enough_rounds"] + kinds["undefined"],
        failed=kinds["failed"],
        infeasible=kinds["infeasible"],
    )


def _study(study: PublishedStudy, trials: Mapping[str, CellTrials]) -> Study:
    """The study with its claims, those that this run has the cells for first."""
    claims = [judge(study, claim, trials) for claim in study.claims]
    return Study(
        name=study.name,
        title=study.title,
        author=study.author,
        year=study.year,
        citation=study.citation,
        environment=study.environment,
        claims=tuple(sorted(claims, key=lambda claim: claim.detail.startswith(NO_CELL))),
    )


def _study_notes(study: PublishedStudy | None, trials: Mapping[str, CellTrials]) -> Iterator[str]:
    missing = departures(study, trials) if study else ()
    if missing:
        yield f"The published figures were taken with {', '.join(missing)}; this run has other settings."
