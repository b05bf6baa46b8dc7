"""ChartInput to ChartModel: the only place where a result is put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from backend.core.chart.cells.best import best_groups
from backend.core.chart.cells.comparisons import as_comparisons, compare_all
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.layout import Layout, lay_out
from backend.core.chart.cells.servers import server_notes, servers_of
from backend.core.chart.cells.summaries import cpu_shares, process_shares, summarise
from backend.core.chart.cells.trials import CellTrials, by_cell, rounds_complete
from backend.core.chart.interim.interim_analysis import InterimReplay, replay_interim_analyses
from backend.core.chart.interim.stopping import analyses_to_correct_for, cancelled_note, trials_of_result
from backend.core.chart.model.axes import build_axis
from backend.core.chart.model.cell_models import ChartCell, Comparison, Published
from backend.core.chart.model.chart_model import ChartModel, VerdictCounts
from backend.core.chart.model.quality_models import Claim, DuplicateCheck, InterimAnalyses, RunQuality, Study
from backend.core.chart.model.rounding import DIGITS, rounded
from backend.core.chart.model.size_limits import limit_size
from backend.core.chart.quality.aa_check import aa_checks, qualification, qualified
from backend.core.chart.quality.drifts import drift_checks
from backend.core.chart.quality.environment_changes import environment_changes, found_at_start
from backend.core.chart.quality.run_quality import run_quality, with_noise
from backend.core.chart.quality.threshold_intervals import threshold_intervals
from backend.core.chart.quality.thresholds import judge_thresholds
from backend.core.chart.study.claims import NO_CELL, judge_claims
from backend.core.chart.study.published import departures, published_for
from backend.core.chart.sweeps.knee import build_knees
from backend.core.chart.sweeps.ladder import build_ladders
from backend.core.chart.text.sentences import headline, interim_sentence, mismatches, notice_text, run_notices
from backend.core.definition.studies import study as find_study
from backend.core.definition.studies.model import PublishedStudy
from backend.core.errors import NotFound
from backend.core.plan.labels import level_label
from backend.core.plan.states import RUN_ENDED

Comparisons = Mapping[str, Mapping[str, Comparison]]
WITHOUT_FIGURES = ("failed", "contradicted", "not_proven", "invalid", "contaminated", "cancelled")


def build_chart(data: ChartInput, *, complete: bool = False) -> ChartModel:
    """The result of a run as far as it has come; every number finite, missing is None.

    The result of a very large run leaves out what `ChartModel.reduced` names, unless it is wanted `complete`.
    """
    model = _exact(data) if complete else limit_size(_exact(data))
    return rounded(model, model.reduced.digits if model.reduced else DIGITS)


def chart_cell(data: ChartInput, cell_id: str) -> ChartCell:
    """One cell of a run's result with all of its values, however large the run. Raises NotFound."""
    found = next((cell for cell in _exact(data).cells if cell.id == cell_id), None)
    if found is None:
        raise NotFound(f"run {data.run_id} has no cell {cell_id!r}; its plan lists them")
    return rounded(found)


def _exact(data: ChartInput) -> ChartModel:
    experiment, plan, trials = data.experiment, data.plan, by_cell(data)
    metrics, first = experiment.metrics, experiment.metrics[0]
    study = find_study(experiment.study) if experiment.study else None
    replay = replay_interim_analyses(data, trials) if plan.interim_rounds else None
    interim = _interim_analyses(replay)
    last = replay.taken[-1] if replay and replay.taken else None
    analyses = analyses_to_correct_for(data, len(replay.taken) if replay else 0)
    of_result = trials_of_result(data, trials, last)
    cancelled = cancelled_note(data, trials, last)
    layout = lay_out(plan.cells, plan.varied)
    cells = _cells(data, layout, trials, replay, analyses, study)
    checks = tuple(aa_checks(trials, metrics, experiment.margin))
    drifts = tuple(drift_checks(trials, metrics))
    ended, quality = data.state in RUN_ENDED, run_quality(trials)
    servers = servers_of(data, trials)
    notes = (
        *([cancelled] if cancelled else []),
        *filter(None, [quality.sentence]),
        *server_notes(servers, cells),
        *environment_changes(trials),
        *found_at_start(data.environment),
        *mismatches(trials),
        *plan.warnings,
        *_study_notes(study, trials),
    )
    notices = tuple(dict.fromkeys(run_notices(trials, metrics, checks, drifts, notes)))
    labels = {cell.id: cell.label for cell in cells}
    return ChartModel(
        run_id=data.run_id,
        origin=data.origin,
        experiment_id=data.experiment_id,
        name=experiment.name,
        title=experiment.title,
        state=data.state,
        seed=data.seed,
        rounds_planned=max(plan.interim_rounds, default=experiment.rounds),
        rounds_complete=rounds_complete(trials.values()),
        margin=experiment.margin,
        row_factor=layout.row_factor,
        series_factor=layout.series_factor,
        legend=layout.legend(),
        headline=_headline(cells, first, ended, checks, quality, cancelled),
        trust=qualification(checks),
        counts=count_verdicts(cells, first),
        axes=tuple(build_axis(metric, cells) for metric in metrics),
        cores=data.cores,
        cells=cells,
        duplicates=checks,
        drifts=drifts,
        best=best_groups(of_result, first, analyses),
        ladders=build_ladders(of_result, data.hops, first, analyses),
        knees=build_knees(of_result, experiment.latency_limit_ms, analyses),
        gate=judge_thresholds(
            experiment.thresholds,
            cells,
            lambda bounds: threshold_intervals(bounds, of_result, analyses),
            checks,
        ),
        interim_analyses=interim,
        looks=interim,
        study=_study(study, judge_claims(study, of_result, checks, analyses)) if study else None,
        notices=notices,
        warnings=tuple(notice_text(notice, labels) for notice in notices),
        environment=dict(data.environment),
        quality=quality,
        reduced=None,
        servers=servers,
    )


def _cells(
    data: ChartInput,
    layout: Layout,
    trials: Mapping[str, CellTrials],
    replay: InterimReplay | None,
    analyses: int,
    study: PublishedStudy | None,
) -> tuple[ChartCell, ...]:
    metrics, margin = data.experiment.metrics, data.experiment.margin
    published = published_for(study, trials, metrics[0]) if study else {}
    comparisons = {
        metric: as_comparisons(replay.ratios[metric], trials, metric, margin)
        if replay
        else compare_all(trials, metric, margin, analyses)
        for metric in metrics
    }
    decided = replay.decided if replay else {}
    return tuple(
        _cell(own, data, layout, comparisons, published.get(id_), decided.get(id_))
        for id_, own in trials.items()
    )


def _headline(
    cells: Sequence[ChartCell],
    metric: str,
    ended: bool,
    checks: Sequence[DuplicateCheck],
    quality: RunQuality,
    cancelled: str | None,
) -> str:
    """The headline with its qualifications: noise, A/A checks, a cancelled run."""
    text = with_noise(qualified(headline(cells, metric, ended), cells, metric, ended, checks), quality)
    return f"{text} {cancelled}" if cancelled else text


def _interim_analyses(replay: InterimReplay | None) -> InterimAnalyses | None:
    if replay is None:
        return None
    sentence = interim_sentence(replay.planned, replay.taken)
    return InterimAnalyses(planned=replay.planned, taken=replay.taken, sentence=sentence)


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
        retakes=sum(row.retakes for row in trials.done),
        notices=trials.notices,
        warnings=tuple(notice.text for notice in trials.notices),
    )


def count_verdicts(cells: Sequence[ChartCell], metric: str) -> VerdictCounts:
    """How the first metric's comparisons came out; a cell without figures counts once, as failed."""
    kinds: Counter[str] = Counter()
    for cell in cells:
        if cell.state == "infeasible":
            kinds["infeasible"] += 1
        elif cell.state in WITHOUT_FIGURES and not cell.is_duplicate:
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


def _study(study: PublishedStudy, claims: Sequence[Claim]) -> Study:
    """The study with its claims, those that this run has the cells for first."""
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
