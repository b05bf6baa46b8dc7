"""Stores imported logs as a finished run, in one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from pydantic_core import PydanticSerializationError
from sqlalchemy import Text, bindparam, cast, func, insert
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from backend.core.sample.imported import ReadLog
from backend.core.sample.record import ImportedRecord
from backend.store.ids import new_id
from backend.store.models import Result, Run, Trial
from backend.store.repositories import run_entries, runs, usage
from backend.store.repositories.run_view import RunView
from backend.store.repositories.trial_sql import storable

NUL: Final = "\\u0000"
"""How JSON writes U+0000, which PostgreSQL does not store."""


def add(
    session: Session,
    experiment_id: str,
    host_id: str,
    plan: dict[str, Any],
    environment: dict[str, Any],
    logs: Sequence[ReadLog],
    author_id: str | None = None,
) -> RunView:
    """Store a finished run with one trial and one result per log.

    The trials are in the order of rounds, and within a round in the order of the logs.
    """
    run_id = new_id("run")
    now = func.clock_timestamp()
    session.execute(
        insert(Run).values(
            id=run_id,
            team_id=runs.team_of(session, experiment_id),
            experiment_id=experiment_id,
            host_id=host_id,
            origin="imported",
            state="done",
            plan=plan,
            environment=storable(environment),
            finished_at=now,
        )
    )
    positions: dict[int, int] = {}
    trials, results = [], []
    for seq, log in enumerate(sorted(logs, key=lambda log: log.log.round), start=1):
        key = {"run_id": run_id, "cell_id": log.cell.id, "round": log.log.round}
        trial_id = new_id("trl")
        positions[log.log.round] = positions.get(log.log.round, 0) + 1
        order = {"position": positions[log.log.round], "seq": seq}
        levels = dict(log.cell.levels)
        trials.append({"id": trial_id, "host_id": host_id, "levels": levels, **key, **order})
        results.append({"trial_id": trial_id, **key, **_result(log, trial_id)})
    session.execute(insert(Trial).values(state="done", finished_at=now), trials)
    document = cast(bindparam("document", type_=Text), JSONB)
    table = Result.metadata.tables[Result.__tablename__]
    session.execute(insert(table).values(payload=document), results)
    run_entries.add(session, run_id, author_id)
    view = runs.append_run_event(session, run_id)
    usage.set_stored_bytes(session, run_id)
    return view


def _result(log: ReadLog, trial_id: str) -> dict[str, Any]:
    record = log.record(trial_id)
    text = document_of(record)
    return {
        "fence": 0,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "metrics": record.metrics,
        "evidence_verdict": None,
        "document": text,
    }


def document_of(record: ImportedRecord) -> str:
    """The record as JSON text that PostgreSQL stores: as `storable` makes it."""
    try:
        text = record.model_dump_json()
    except PydanticSerializationError:  # a lone surrogate
        text = NUL
    if NUL not in text:
        return text
    return json.dumps(storable(record.model_dump(mode="json")), allow_nan=False)
