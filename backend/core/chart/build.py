"""ChartInput to ChartModel: the only place where a result is put together."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.chart.build_cells import chart_cells, count_verdicts
from backend.core.chart.cells.best import best_groups
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.layout import lay_out
from backend.core.chart.cells.run_cells import by_cell, rounds_complete
from backend.core.chart.cells.servers import server_notes, servers_of
from backend.core.chart.interim.interim_analysis import InterimReplay
from backend.core.chart.interim.result_basis import ResultBasis, result_basis
from backend.core.chart.model.axes import build_axis
from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel, RunNotice
from backend.core.chart.model.quality_models import (
    DuplicateCheck,
    InterimAnalyses,
    RunQuality,
    ThresholdReport,
)
from backend.core.chart.model.rounding import rounded
from backend.core.chart.model.size_limits import limit_size
from backend.core.chart.quality.aa_check import aa_checks, qualification, qualified
from backend.core.chart.quality.drifts import drift_checks
from backend.core.chart.quality.environment_changes import environment_changes, found_at_start
from backend.core.chart.quality.run_quality import (
    excluded_trials,
    exclusions_sentence,
    make_up_note,
    run_quality,
    with_noise,
)
from backend.core.chart.quality.threshold_intervals import (
    TestedFigure,
    ThresholdIntervals,
    threshold_intervals,
)
from backend.core.chart.quality.thresholds import judge_thresholds
from backend.core.chart.study.study import departure_notes, study_of
from backend.core.chart.sweeps.knee import build_knees
from backend.core.chart.sweeps.ladder import build_ladders
from backend.core.chart.text.answer import answer
from backend.core.chart.text.sentences import headline, interim_sentence, mismatches, notice_text, run_notices
from backend.core.definition.studies import study as find_study
from backend.core.errors import NotFound
from backend.core.messages.message import joined
from backend.core.plan.extension import extension_note
from backend.core.plan.states import RUN_ENDED
from backend.core.statistics.amounts import DIGITS


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
    basis, layout = result_basis(data, trials), lay_out(plan.cells, plan.varied)
    cells = chart_cells(data, layout, trials, basis, study)
    checks = tuple(aa_checks(trials, metrics, experiment.margin))
    drifts = tuple(drift_checks(trials, metrics))
    quality, servers = run_quality(trials), servers_of(data, trials)
    extended = None if plan.extension is None else extension_note(plan.extension)
    notes = (
        *filter(None, (basis.cancelled, extended, quality.sentence, exclusions_sentence(quality))),
        *make_up_note(data),
        *server_notes(servers, cells),
        *environment_changes(trials),
        *found_at_start(data.environment),
        *mismatches(trials),
        *plan.warnings,
        *departure_notes(study, trials),
    )
    found = run_notices(trials, metrics, checks, drifts, notes)
    notices = tuple({(notice.sentence, notice.cell_id): notice for notice in found}.values())
    interim = _interim_analyses(basis.replay)
    by_id = {cell.id: cell.comparisons for cell in cells}
    of_first = {id_: own[first] for id_, own in by_id.items() if first in own}
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
        answer=answer(experiment, plan.varied, cells, data.state in RUN_ENDED),
        headline=_headline(data, cells, checks, quality, (basis.cancelled, extended)),
        trust=qualification(checks),
        counts=count_verdicts(cells, first),
        axes=tuple(build_axis(metric, cells) for metric in metrics),
        cores=data.cores,
        cells=cells,
        duplicates=checks,
        drifts=drifts,
        best=best_groups(basis.trials, first, of_first, basis.analyses),
        ladders=build_ladders(basis.trials, data.hops, first, by_id, basis.analyses),
        knees=build_knees(basis.trials, experiment.latency_limit_ms, basis.analyses),
        gate=_thresholds(data, cells, checks, basis),
        interim_analyses=interim,
        looks=interim,
        study=study_of(study, basis.trials, checks, basis.analyses) if study else None,
        notices=notices,
        warnings=_texts(notices, cells),
        environment=dict(data.environment),
        quality=quality,
        excluded_trials=excluded_trials(trials),
        reduced=None,
        servers=servers,
    )


def _thresholds(
    data: ChartInput, cells: Sequence[ChartCell], checks: Sequence[DuplicateCheck], basis: ResultBasis
) -> ThresholdReport | None:
    def intervals(figures: Sequence[TestedFigure]) -> ThresholdIntervals:
        return threshold_intervals(figures, basis.trials, basis.analyses)

    return judge_thresholds(data.experiment.thresholds, cells, intervals, checks)


def _texts(notices: Sequence[RunNotice], cells: Sequence[ChartCell]) -> tuple[str, ...]:
    labels = {cell.id: cell.label for cell in cells}
    return tuple(notice_text(notice, labels) for notice in notices)


def _headline(
    data: ChartInput,
    cells: Sequence[ChartCell],
    checks: Sequence[DuplicateCheck],
    quality: RunQuality,
    notes: Sequence[str | None],
) -> str:
    """The headline with its qualifications: noise, A/A checks, excluded trials, a cancelled or extended
    run."""
    metric, ended = data.experiment.metrics[0], data.state in RUN_ENDED
    text = with_noise(qualified(headline(cells, metric, ended), cells, metric, ended, checks), quality)
    return joined((text, exclusions_sentence(quality), *notes))


def _interim_analyses(replay: InterimReplay | None) -> InterimAnalyses | None:
    if replay is None:
        return None
    sentence = interim_sentence(replay.planned, replay.taken)
    return InterimAnalyses(planned=replay.planned, taken=replay.taken, sentence=sentence)
