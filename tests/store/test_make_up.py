"""Make-up trials of a run: queued once, when its planned trials have ended and the host disturbed some."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from backend.settings import Settings
from backend.store import grants, invariants
from backend.store.models import Run
from backend.store.repositories import runs, trials
from backend.store.session import dispose, session_scope
from tests.records import trial_record
from tests.store.queued_run import QueuedRun
from tests.store.test_grants import as_role

CELLS = [
    {"id": "c1", "label": "c1", "is_baseline": True, "baseline_id": None},
    {"id": "c2", "label": "c2", "is_baseline": False, "baseline_id": "c1"},
]


@pytest.fixture
def planned(queued: QueuedRun) -> QueuedRun:
    """The queued run of two cells and two rounds, whose plan allows two make-up rounds."""

    def change(session: Session) -> None:
        run = session.get_one(Run, queued.run_id)
        cells = [
            {**cell, "levels": {"path": "x"}, "is_duplicate": False, "infeasible": None} for cell in CELLS
        ]
        plan = {**run.plan, "cells": cells, "make_up": {"after_round": 2, "rounds": 2, "seconds": 1.0}}
        session.execute(update(Run).where(Run.id == queued.run_id).values(plan=plan))

    queued.call(change)
    return queued


def measure(queued: QueuedRun, disturbed: set[tuple[str, int]], most: int = 20) -> list[tuple[str, int]]:
    """Record every trial that can be claimed; returns them in order."""
    found: list[tuple[str, int]] = []
    while len(found) < most and (claimed := queued.call(trials.claim, queued.host_id, "w1")) is not None:
        place = (claimed.cell_id, claimed.round)
        record: dict[str, Any] = trial_record(claimed, tps=100.0)
        if place in disturbed:
            record = record | {"quality": {"contaminated": ["background load"]}}
        queued.call(trials.record, claimed.trial_id, claimed.fence, record, claimed.trial_id, None)
        found.append(place)
    return found


def state(queued: QueuedRun) -> str:
    return str(queued.call(runs.view, queued.run_id).state)


def test_a_disturbed_trial_is_made_up_with_its_baseline_after_the_last_round(planned: QueuedRun) -> None:
    measured = measure(planned, {("c2", 1)})
    assert sorted(measured[:4]) == [("c1", 1), ("c1", 2), ("c2", 1), ("c2", 2)]
    assert sorted(measured[4:]) == [("c1", 3), ("c2", 3)]
    assert state(planned) == "done"
    assert planned.call(invariants.violations) == []


def test_without_a_disturbed_trial_the_run_ends_as_planned(planned: QueuedRun) -> None:
    assert len(measure(planned, set())) == 4
    assert state(planned) == "done"


def test_make_up_trials_that_are_disturbed_again_are_not_made_up(planned: QueuedRun) -> None:
    measured = measure(planned, {("c2", 1), ("c2", 3)})
    assert sorted(measured[4:]) == [("c1", 3), ("c2", 3)]


def test_a_run_whose_plan_has_none_gets_none(queued: QueuedRun) -> None:
    assert len(measure(queued, {("c2", 1)})) == 4


def test_a_cancelled_run_gets_none(planned: QueuedRun) -> None:
    measure(planned, {("c1", 1), ("c2", 1)}, most=2)
    planned.call(runs.cancel, planned.run_id)
    assert state(planned) == "cancelled"


def test_the_role_of_workers_queues_them_with_its_record(planned: QueuedRun, settings: Settings) -> None:
    worker = as_role(settings, grants.WORKER)
    try:
        measured = measure(replace(planned, settings=worker), {("c2", 1)})
    finally:
        dispose(worker)
    assert sorted(measured[4:]) == [("c1", 3), ("c2", 3)]


def test_a_worker_can_queue_no_other_trial_by_the_function(planned: QueuedRun, settings: Settings) -> None:
    worker = as_role(settings, grants.WORKER)
    call = (
        "SELECT queue_make_up(:run, ARRAY['trl_x'], ARRAY[:cell], ARRAY[CAST(:round AS integer)], ARRAY[1], "
        "ARRAY[99])"
    )

    def added(cell: str, round_: int) -> int:
        with session_scope(worker) as session:
            given = {"run": planned.run_id, "cell": cell, "round": round_}
            return int(session.execute(text(call), given).scalar_one())

    try:
        assert added("c2", 3) == 0  # trials are open
        with pytest.raises(ProgrammingError), session_scope(worker) as session:
            session.execute(text("INSERT INTO trial (id) VALUES ('trl_y')"))
    finally:
        dispose(worker)


def test_a_table_of_the_caller_is_not_taken_for_the_run(planned: QueuedRun, settings: Settings) -> None:
    """A worker that may make temporary tables puts one in the way, in which the run is as it likes."""
    with session_scope(settings) as session:
        database = session.execute(text("SELECT current_database()")).scalar_one()
        session.execute(text(f'GRANT TEMPORARY ON DATABASE "{database}" TO {grants.WORKER}'))
    worker = as_role(settings, grants.WORKER)
    measured = measure(planned, set())
    assert len(measured) == 4 and state(planned) == "done"
    try:
        with session_scope(worker) as session:
            for statement in (
                "CREATE TEMPORARY TABLE run (id text, state text, cancel_requested boolean, plan jsonb)",
                "INSERT INTO pg_temp.run SELECT id, 'running', false, plan FROM public.run",
                "GRANT SELECT ON pg_temp.run TO PUBLIC",
            ):
                session.execute(text(statement))
            call = "SELECT queue_make_up(:run, ARRAY['trl_x'], ARRAY['c2'], ARRAY[3], ARRAY[1], ARRAY[99])"
            assert session.execute(text(call), {"run": planned.run_id}).scalar_one() == 0
    finally:
        dispose(worker)
    assert planned.sql("SELECT id FROM trial WHERE id = 'trl_x'") == []


def test_what_acts_with_its_owners_rights_searches_temporary_schemas_last(queued: QueuedRun) -> None:
    found = queued.sql("SELECT proname, proconfig FROM pg_proc WHERE prosecdef AND proowner <> 10")
    assert ("queue_make_up", ["search_path=pg_catalog, public, pg_temp"]) in [tuple(row) for row in found]
    assert all(config and config[0].endswith(", pg_temp") for _, config in found)
