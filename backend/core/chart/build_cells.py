"""The cells of a ChartModel, from trials, layout and comparisons, and the counts of their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from backend.core.chart.cells.comparisons import as_comparisons, compare_all
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.layout import Layout
from backend.core.chart.cells.run_cells import Cells
from backend.core.chart.cells.summaries import cpu_shares, process_shares, summarise
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.interim.result_basis import ResultBasis
from backend.core.chart.model.cell_models import ChartCell, Comparison, Published
from backend.core.chart.model.chart_model import VerdictCounts
from backend.core.chart.study.published import published_for
from backend.core.definition.studies.model import PublishedStudy
from backend.core.plan.labels import level_label

Comparisons = Mapping[str, Mapping[str, Comparison]]
WITHOUT_FIGURES = ("failed", "contradicted", "not_proven", "invalid", "contaminated", "excluded", "cancelled")


def chart_cells(
    data: ChartInput,
    layout: Layout,
    trials: Cells,
    basis: ResultBasis,
    study: PublishedStudy | None,
) -> tuple[ChartCell, ...]:
    """Every cell of the plan with its figures and comparisons, in the plan's order."""
    metrics, margin = data.experiment.metrics, data.experiment.margin
    published = published_for(study, trials, metrics[0]) if study else {}
    comparisons = {
        metric: as_comparisons(basis.replay.ratios[metric], trials, metric, margin)
        if basis.replay
        else compare_all(trials, metric, margin, basis.analyses)
        for metric in metrics
    }
    decided = basis.replay.decided if basis.replay else {}
    return tuple(
        _cell(own, data, layout, comparisons, published.get(id_), decided.get(id_))
        for id_, own in trials.items()
    )


def _cell(
    trials: CellTrials,
    data: ChartInput,
    layout: Layout,
    comparisons: Comparisons,
    published: Published | None,
    decided_at: int | None,
) -> ChartCell:
    cell = trials.cell
    color = layout.color(cell)
    return ChartCell(
        id=cell.id,
        label=cell.label,
        path_title=level_label("path", cell.levels["path"]),
        levels=dict(cell.levels),
        row=layout.row(cell),
        row_group=layout.row_group(cell),
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
        decided_at=decided_at,
        rounds=tuple(row.round for row in trials.done),
        left_out=trials.left_out,
        unsteady=trials.unsteady,
        invalid=tuple(row.round for row in trials.invalid),
        contaminated=tuple(row.round for row in trials.contaminated),
        excluded=tuple(row.round for row in trials.excluded),
        retakes=sum(row.retakes for row in trials.done),
        notices=trials.notices,
        warnings=tuple(notice.text for notice in trials.notices),
    )


def count_verdicts(cells: Sequence[ChartCell], metric: str) -> VerdictCounts:
    """How the first metric's comparisons came out, and how many cells have no figures or cannot run."""
    kinds: Counter[str] = Counter()
    for cell in cells:
        if cell.state == "infeasible":
            kinds["infeasible"] += 1
        elif cell.state in WITHOUT_FIGURES and not cell.is_duplicate:
            kinds["failed"] += 1
        if metric in cell.comparisons and not cell.is_duplicate:
            kinds[cell.comparisons[metric].verdict] += 1
    return VerdictCounts(
        better=kinds["better"],
        worse=kinds["worse"],
        equivalent=kinds["equivalent"] + kinds["different_within_margin"],
        undecided=kinds["no_difference_shown"] + kinds["not_enough_rounds"] + kinds["undefined"],
        failed=kinds["failed"],
        infeasible=kinds["infeasible"],
    )
