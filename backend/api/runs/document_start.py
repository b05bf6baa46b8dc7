"""Starts runs of submitted documents: the experiment is stored and its run queued in one request."""

from __future__ import annotations

from sqlalchemy.orm import Session

from backend.api.access.actor import Actor
from backend.api.idempotency import answer_once, fingerprint
from backend.api.quotas import service as quotas
from backend.api.request import Document
from backend.api.runs.schemas import Run, RunStart
from backend.api.runs.service import Started, queue_start
from backend.core.definition.canonical import canonical, digest
from backend.settings import Settings
from backend.store.repositories import experiments
from backend.store.session import transaction


def start(
    settings: Settings, caller: Actor, document: Document, start_: RunStart, key: str | None
) -> Started:
    """Store a team's document unless it is stored, and queue a run of it, in one transaction.

    Raises Malformed, and as `service.start` does; then neither the experiment nor a run is stored.
    """
    experiment = document.read()
    identity = digest(experiment)

    def work(session: Session) -> Started:
        queued: list[Run] = []

        def create_run() -> Run:
            stored, is_new = experiments.add(session, caller.team, canonical(experiment), identity)
            if is_new:
                quotas.reserve(session, settings, caller.team)
            queued.append(Run.model_validate(queue_start(session, settings, caller, stored.id, start_)))
            return queued[0]

        answer = answer_once(session, caller.team, key, fingerprint(f"runs {identity}", start_), create_run)
        return Started(answer, queued[0] if queued else None)

    return transaction(settings, work)
