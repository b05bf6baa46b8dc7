"""A queued run to work on: two cells, two rounds, host bench-1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import text

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.submitted import validate_document
from backend.core.plan.claimed import ClaimedTrial
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import experiments, hosts, runs, trials
from backend.store.session import session_scope

DOCUMENT = {
    "name": "two-cells",
    "title": "Two cells",
    "factors": {"path": ["same_container", "published_loopback"]},
    "baseline": {"path": "same_container"},
    "rounds": 2,
}
CELLS = [{"id": "c1", "label": "same container"}, {"id": "c2", "label": "published loopback"}]


@dataclass
class QueuedRun:
    """The repositories, each call in a scope of its own, as worker and API use them."""

    settings: Settings
    host_id: str
    run_id: str
    experiment_id: str

    def claim(self, worker: str = "w1") -> ClaimedTrial | None:
        with session_scope(self.settings) as session:
            return trials.claim(session, self.host_id, worker)

    def must_claim(self, worker: str = "w1") -> ClaimedTrial:
        claimed = self.claim(worker)
        assert claimed is not None
        return claimed

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        with session_scope(self.settings) as session:
            return function(session, *arguments)

    def run(self) -> dict[str, Any]:
        return asdict(self.call(runs.view, self.run_id))

    def sql(self, statement: str, **values: Any) -> list[Any]:
        with session_scope(self.settings) as session:
            found = session.execute(text(statement), values)
            return [tuple(row) for row in found] if found.returns_rows else []

    def expire_leases(self) -> None:
        self.sql("UPDATE trial SET lease_until = clock_timestamp() - interval '1 s' WHERE state = 'running'")

    def another_run(self) -> str:
        return self.call(create_run, self.experiment_id, self.host_id)


def create_run(session: Any, experiment_id: str, host_id: str) -> str:
    plan = {
        "cells": CELLS,
        "estimate": {"trials": 4, "seconds": 48.0, "window_seconds": 40.0, "deployments": 1},
        "varied": ["path"],
        "warnings": [],
    }
    rows = [
        {"cell_id": cell, "round": round_, "position": position, "seq": (round_ - 1) * 2 + position,
         "levels": {"path": path, "userland_proxy": True, "tool": "pgbench", "service": "postgres"}}
        for round_ in (1, 2)
        for position, cell, path in ((1, "c1", "same_container"), (2, "c2", "published_loopback"))
    ]  # fmt: skip
    return runs.create(session, experiment_id, host_id, plan, rows).id


def queue_run(settings: Settings) -> QueuedRun:
    """A queued run of four trials on bench-1."""
    experiment = validate_document(DOCUMENT)
    with session_scope(settings) as session:
        host_id = hosts.announce(session, "bench-1", {}, {"kernel": "6.1"})
        stored, _ = experiments.add(session, DEFAULT_TEAM, canonical(experiment), digest(experiment))
        run_id = create_run(session, stored.id, host_id)
    return QueuedRun(settings, host_id, run_id, stored.id)
