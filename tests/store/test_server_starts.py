"""Server starts in the store: what a claim tells the worker, and what plans of the next run read."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from backend.core.plan.restarts import ServedCell
from backend.store.repositories import runs, server_starts, trials
from tests.records import trial_record
from tests.store.queued_run import QueuedRun

LOAD = ("pgbench", "postgres")
LEVELS = {"path": "same_container", "userland_proxy": True, "tool": LOAD[0], "service": LOAD[1]}
CELLS = ("c1", "c1-aa")


def start(session: Session, queued: QueuedRun, restart_every: int | None, rounds: int = 3) -> str:
    """A queued run of a baseline and its A/A duplicate; None: as it was stored before there were restarts."""
    plan: dict[str, Any] = {
        "cells": [{"id": cell, "label": cell} for cell in CELLS],
        "estimate": {"trials": 2 * rounds, "seconds": 1.0, "window_seconds": 1.0, "deployments": 1},
        "varied": [],
        "warnings": [],
    } | ({} if restart_every is None else {"restart_every": restart_every, "restart_reason": "because"})
    rows = [
        {"cell_id": cell, "round": round_, "position": position, "seq": 2 * round_ - 2 + position,
         "levels": LEVELS}
        for round_ in range(1, rounds + 1)
        for position, cell in enumerate(CELLS, start=1)
    ]  # fmt: skip
    run_id = runs.create(session, queued.experiment_id, queued.host_id, plan, rows).id
    return run_id


def begin(queued: QueuedRun, restart_every: int | None) -> str:
    queued.call(runs.cancel, queued.run_id)
    run_id: str = queued.call(start, queued, restart_every)
    return run_id


def finish(queued: QueuedRun, servers: dict[str, str]) -> list[tuple[int, int]]:
    """Carry out what waits, on these servers by cell; the block and replica of each claim."""
    found = []
    while (claimed := queued.claim()) is not None:
        found.append((claimed.block, claimed.replica))
        payload = trial_record(claimed) | {"server": f"{servers[claimed.cell_id]}/{claimed.block}"}
        queued.call(trials.record, claimed.trial_id, claimed.fence, payload, claimed.trial_id, None)
    return found


def test_a_claim_names_the_start_and_the_replica_of_its_server(queued: QueuedRun) -> None:
    run_id = begin(queued, restart_every=2)
    assert queued.call(trials.open_cells, run_id) == [ServedCell(LEVELS, 0), ServedCell(LEVELS, 1)]
    assert finish(queued, {"c1": "a", "c1-aa": "b"}) == [(0, 0), (0, 1), (0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_run_that_was_queued_before_there_were_restarts_goes_on_as_it_was(queued: QueuedRun) -> None:
    run_id = begin(queued, restart_every=None)
    assert queued.call(trials.open_cells, run_id) == [ServedCell(LEVELS, 0), ServedCell(LEVELS, 0)]
    assert set(finish(queued, {"c1": "a", "c1-aa": "a"})) == {(0, 0)}
    assert queued.call(server_starts.newest, queued.host_id, "tps", [LOAD]) == ()


def test_a_run_has_the_interval_of_server_starts(queued: QueuedRun) -> None:
    assert queued.run()["restart_every"] is None
    run_id = begin(queued, restart_every=2)
    view = queued.call(runs.view, run_id)
    assert (view.restart_every, view.restart_reason) == (2, "because")


def test_values_come_with_the_start_that_served_them(queued: QueuedRun) -> None:
    run_id = begin(queued, restart_every=1)
    assert queued.call(server_starts.newest, queued.host_id, "tps", [LOAD]) == (), "the run has not ended"
    finish(queued, {"c1": "a", "c1-aa": "b"})
    found = queued.call(server_starts.newest, queued.host_id, "tps", [LOAD])
    assert [(v.run, v.round, v.cell_id, v.server, v.value) for v in found[:3]] == [
        (run_id, 1, "c1", "a/0", 10_000.0),
        (run_id, 1, "c1-aa", "b/0", 10_000.0),
        (run_id, 2, "c1", "a/1", 10_000.0),
    ]
    assert queued.call(server_starts.newest, queued.host_id, "tps", [("wrk", "pong")]) == ()
    assert queued.call(server_starts.newest, queued.host_id, "rps", [LOAD]) == ()


def test_a_contaminated_trial_is_not_used_for_a_start(queued: QueuedRun) -> None:
    begin(queued, restart_every=1)
    finish(queued, {"c1": "a", "c1-aa": "b"})
    queued.sql(
        "UPDATE result SET payload = jsonb_set(payload, '{quality}', "
        """'{"invalid": [], "contaminated": ["steal"]}') WHERE cell_id = 'c1'"""
    )
    found = queued.call(server_starts.newest, queued.host_id, "tps", [LOAD])
    assert {value.cell_id for value in found} == {"c1-aa"}


def test_the_newest_runs_are_read_and_no_unproven_trial(queued: QueuedRun) -> None:
    queued.call(runs.cancel, queued.run_id)
    made = []
    for _ in range(server_starts.NEWEST_RUNS + 1):
        made.append(queued.call(start, queued, 1, 1))
        finish(queued, {"c1": "a", "c1-aa": "b"})
    queued.sql("UPDATE result SET evidence_verdict = 'not_proven' WHERE run_id = :run", run=made[-1])
    found = queued.call(server_starts.newest, queued.host_id, "tps", [LOAD])
    assert {value.run for value in found} == set(made[1:-1])
