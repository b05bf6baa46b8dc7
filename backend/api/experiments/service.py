"""Stores and reads experiments."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.orm import Session

from backend.api.experiments.schemas import ExperimentList, ExperimentResource
from backend.api.idempotency import Answer, answer_once, fingerprint
from backend.api.paging import read_page
from backend.api.plans.service import plan_anywhere
from backend.api.quotas import service as quotas
from backend.api.request import Document
from backend.api.schema import PageQuery
from backend.core.definition.canonical import canonical, digest
from backend.core.definition.stored import from_store
from backend.core.definition.submitted import refusal
from backend.core.errors import NotFound
from backend.settings import Settings
from backend.store.repositories import deletion, experiments
from backend.store.repositories.experiments import StoredExperiment
from backend.store.session import session_scope, transaction


@dataclass(frozen=True)
class Created:
    """The response, and whether the same document was already stored."""

    answer: Answer
    existed: bool


def create(settings: Settings, team_id: str, document: Document, key: str | None = None) -> Created:
    """Store a team's document that can be planned, once per key.

    Raises Malformed, QuotaExceeded, and Invalid for the document or a key that was used for another request.
    """
    experiment = document.read()
    plan_anywhere(experiment)
    identity = digest(experiment)

    def work(session: Session) -> Created:
        added: list[bool] = []

        def create_resource() -> ExperimentResource:
            stored, is_new = experiments.add(session, team_id, canonical(experiment), identity)
            added.append(is_new)
            if is_new:
                quotas.reserve(session, settings, team_id)
            return _resource(stored)

        answer = answer_once(session, team_id, key, fingerprint("experiments", identity), create_resource)
        return Created(answer, existed=added != [True])

    return transaction(settings, work)


def get(settings: Settings, experiment_id: str) -> ExperimentResource:
    """One experiment. Raises NotFound."""
    with session_scope(settings) as session:
        return _resource(experiments.get(session, experiment_id))


def delete(settings: Settings, experiment_id: str) -> list[str]:
    """Delete an experiment and its runs, one transaction for each; returns the runs.

    Raises NotFound, and Conflict if a run has not ended; repeatable after an interruption.
    """
    with session_scope(settings) as session:
        run_ids = deletion.runs_of_experiment(session, experiment_id)
    for run_id in run_ids:
        with suppress(NotFound), session_scope(settings) as session:  # another request deleted it
            deletion.delete_run(session, run_id)
    with session_scope(settings) as session:
        deletion.delete_experiment(session, experiment_id)
    return run_ids


def page(settings: Settings, team_id: str, paging: PageQuery) -> ExperimentList:
    """One page of a team's experiments, newest first."""
    rows, next_cursor = read_page(settings, team_id, paging, experiments.page)
    return ExperimentList(data=tuple(map(_resource, rows)), next_cursor=next_cursor)


def _resource(row: StoredExperiment) -> ExperimentResource:
    return ExperimentResource(
        id=row.id,
        name=row.name,
        title=row.title,
        definition=from_store(row.definition),
        refused_now=refusal(row.definition),
        created_at=row.created_at,
        note=row.note,
        tags=tuple(row.tags),
        imported=row.imported,
    )
