"""Storing and finding experiments."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from backend.api.experiments.schemas import ExperimentList, ExperimentResource
from backend.api.idempotency import Answer, answer_once, fingerprint
from backend.api.paging import bad_cursor, decode_cursor, encode_cursor
from backend.api.plans.service import plan_on
from backend.api.request import Document
from backend.api.schema import PageQuery
from backend.core.definition.canonical import canonical, digest
from backend.core.definition.stored import from_store
from backend.core.definition.submitted import refusal
from backend.core.errors import NotFound
from backend.settings import Settings
from backend.store.repositories import experiments
from backend.store.repositories.experiments import StoredExperiment
from backend.store.session import session_scope, transaction


@dataclass(frozen=True)
class Created:
    """The answer, and whether the same document was there before."""

    answer: Answer
    existed: bool


def create(settings: Settings, document: Document, key: str | None = None) -> Created:
    """Store a document whose plan is possible somewhere, once for each key.

    Raises Malformed, and Invalid for the document or where the key was used for another request.
    """
    experiment = document.read()
    plan_on(experiment, {})
    identity = digest(experiment)

    def work(session: Session) -> Created:
        made: list[bool] = []

        def make() -> ExperimentResource:
            stored, created = experiments.add(session, canonical(experiment), identity)
            made.append(created)
            return _resource(stored)

        answer = answer_once(session, key, fingerprint("experiments", identity), make)
        return Created(answer, existed=made != [True])

    return transaction(settings, work)


def get(settings: Settings, experiment_id: str) -> ExperimentResource:
    """One experiment. Raises NotFound."""
    with session_scope(settings) as session:
        return _resource(experiments.get(session, experiment_id))


def page(settings: Settings, paging: PageQuery) -> ExperimentList:
    """One page of experiments, newest first."""
    after = decode_cursor(paging.cursor)
    with session_scope(settings) as session:
        try:
            rows = experiments.page(session, paging.limit + 1, after)
        except NotFound as error:
            raise bad_cursor() from error
    shown = rows[: paging.limit]
    more = len(rows) > paging.limit
    return ExperimentList(
        data=tuple(_resource(row) for row in shown), next_cursor=encode_cursor(shown[-1].id) if more else None
    )


def _resource(row: StoredExperiment) -> ExperimentResource:
    return ExperimentResource(
        id=row.id,
        name=row.name,
        title=row.title,
        definition=from_store(row.definition),
        refused_now=refusal(row.definition),
        created_at=row.created_at,
    )
