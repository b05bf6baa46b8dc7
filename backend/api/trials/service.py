"""Reads trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.api.runs.results import forget
from backend.api.trials.schemas import ExclusionHistory, Trial, TrialDetail, TrialList
from backend.core.export.pictures.trial_kinds import TrialFacts
from backend.settings import Settings
from backend.store.repositories import exclusions, result_rows, trial_rows
from backend.store.session import session_scope


def of_run(settings: Settings, run_id: str, cell_id: str | None) -> TrialList:
    """The trials of a run, or those of one cell. Raises NotFound."""
    with session_scope(settings) as session:
        result_rows.state(session, run_id)
        rows = trial_rows.of_run(session, run_id, cell_id)
    return TrialList(data=tuple(Trial.model_validate(row) for row in rows))


def get(settings: Settings, trial_id: str) -> TrialDetail:
    """One trial with its record and its attempts. Raises NotFound."""
    with session_scope(settings) as session:
        row = trial_rows.get(session, trial_id)
        record = trial_rows.record(session, trial_id)
        history = trial_rows.history(session, trial_id)
        context = trial_rows.context(session, trial_id)
        excluded = exclusions.history(session, trial_id)
    imported = record is not None and record.get("origin") == "imported"
    return TrialDetail.model_validate(
        {
            **vars(row),
            "record": None if imported else _with_costs(record, row.metrics),
            **vars(context),
            "imported": record if imported else None,
            "history": history,
            "exclusions": excluded,
        }
    )


def exclude(settings: Settings, trial_id: str, reason: str, by: str) -> ExclusionHistory:
    """Exclude a recorded trial from the statistics. Raises NotFound and Conflict."""
    with session_scope(settings) as session:
        run_id = exclusions.exclude(session, trial_id, reason, by)
        entries = exclusions.history(session, trial_id)
    forget(settings, run_id)
    return ExclusionHistory.model_validate({"trial_id": trial_id, "excluded": reason, "history": entries})


def include(settings: Settings, trial_id: str, by: str) -> None:
    """Include an excluded trial again. Raises NotFound."""
    with session_scope(settings) as session:
        run_id = exclusions.include(session, trial_id, by)
    forget(settings, run_id)


def _with_costs(record: dict[str, Any] | None, metrics: Mapping[str, float] | None) -> dict[str, Any] | None:
    """The record with today's metrics; those of an invalid trial stay as recorded."""
    return record if record is None or metrics is None else {**record, "metrics": metrics}


def facts(settings: Settings, trial_id: str) -> TrialFacts:
    """The input of a trial's pictures. Raises NotFound."""
    trial = get(settings, trial_id)
    shown = trial.record or trial.imported
    return TrialFacts(trial.run_title, trial.cell_label, trial.round, trial.id, shown)
