"""Reading trials."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from backend.api.trials.schemas import Attempt, Trial, TrialDetail, TrialList
from backend.core.export.pictures.trial_kinds import TrialFacts
from backend.settings import Settings
from backend.store.repositories import result_rows, trial_rows
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
    imported = record is not None and record.get("origin") == "imported"
    return TrialDetail.model_validate(
        {
            **row,
            "record": None if imported else _with_costs(record, row["metrics"]),
            **asdict(context),
            "imported": record if imported else None,
            "history": tuple(Attempt.model_validate(attempt) for attempt in history),
        }
    )


def _with_costs(record: dict[str, Any] | None, metrics: dict[str, float] | None) -> dict[str, Any] | None:
    """The record with the metrics as they count; those of an invalid trial stay as they were recorded."""
    return record if record is None or metrics is None else {**record, "metrics": metrics}


def facts(settings: Settings, trial_id: str) -> TrialFacts:
    """One trial as its pictures take it. Raises NotFound."""
    trial = get(settings, trial_id)
    shown = trial.record or trial.imported
    return TrialFacts(trial.run_title, trial.cell_label, trial.round, trial.id, shown)
