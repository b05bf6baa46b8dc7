"""Hosts, ids, the time left, the session and what the checker finds."""

from __future__ import annotations

import pytest

from backend.core.errors import Conflict, Unavailable
from backend.core.plan.states import end_of_run, eta_s
from backend.settings import Settings
from backend.store import ids, invariants
from backend.store.repositories import hosts, runs, trials
from backend.store.session import session_scope
from tests.store.queued_run import QueuedRun


def test_ids_name_their_kind() -> None:
    made = {ids.new_id("run") for _ in range(100)}
    assert len(made) == 100
    assert all(ids.is_id("run", one) and not ids.is_id("trl", one) for one in made)
    assert not any(
        ids.is_id("run", bad) for bad in ("", "run_", "run_" + "i" * 16, "run_" + "0" * 17, "\x00")
    )


def test_a_host_is_online_for_a_minute(queued: QueuedRun) -> None:
    assert [host.online for host in queued.call(hosts.list_all)] == [True]
    queued.sql("UPDATE host SET last_seen_at = clock_timestamp() - interval '61 s'")
    assert [host.online for host in queued.call(hosts.list_all)] == [False]
    queued.call(hosts.update_last_seen, queued.host_id)
    assert [host.online for host in queued.call(hosts.list_all)] == [True]


def test_a_host_that_announces_itself_again_keeps_its_id(queued: QueuedRun) -> None:
    assert queued.call(hosts.announce, "bench-1", {"engines": ["on"]}, {}) == queued.host_id
    assert queued.call(hosts.list_all)[0].capabilities == {"engines": ["on"]}


def test_the_environment_stays_with_the_run(queued: QueuedRun) -> None:
    queued.call(runs.set_environment, queued.run_id, {"kernel": "6.1"})
    assert queued.call(runs.get, queued.run_id).environment == {"kernel": "6.1"}


def test_the_environment_is_that_of_the_first_claim(queued: QueuedRun) -> None:
    """A fact keeps its first value; what a later cell's engine brings is added."""
    assert queued.call(runs.set_environment, queued.run_id, {"kernel": "6.1"})
    assert not queued.call(
        runs.set_environment, queued.run_id, {"kernel": "6.2", "engine off docker": "27.1"}
    )
    assert not queued.call(runs.set_environment, queued.run_id, {"kernel": "6.3"})
    kept = queued.call(runs.get, queued.run_id).environment
    assert kept == {"kernel": "6.1", "engine off docker": "27.1"}


def test_the_environment_has_the_client_hosts_facts_of_the_first_claim(queued: QueuedRun) -> None:
    facts = {"host": "inner", "kernel": "6.12", "cpu": "EPYC", "engine on docker": "27.1"}
    client = queued.call(hosts.announce, "bench-2", {}, facts)
    queued.sql("UPDATE run SET client_host_id = :id", id=client)
    queued.call(runs.set_environment, queued.run_id, {"kernel": "6.1"})
    queued.call(hosts.announce, "bench-2", {}, facts | {"kernel": "6.13"})
    queued.call(runs.set_environment, queued.run_id, {"kernel": "6.1", "image": "a"})
    kept = queued.call(runs.get, queued.run_id).environment
    of_client = {"client host": "bench-2", "client host kernel": "6.12", "client host cpu": "EPYC"}
    assert kept == {"kernel": "6.1", "image": "a"} | of_client


def test_a_plan_without_a_trial_is_refused(queued: QueuedRun) -> None:
    with pytest.raises(Conflict):
        queued.call(runs.create, queued.experiment_id, queued.host_id, {}, [])


@pytest.mark.parametrize(
    ("queued", "running_s", "wall_s", "expected"),
    [
        (4, None, None, 48.0),  # nothing finished: the plan's 12 s a trial
        (3, 5.0, None, 43.0),
        (3, 5.0, 10.0, 35.0),  # finished trials took 10 s each
        (2, 99.0, 10.0, 20.0),  # the current one is late already
        (0, None, 10.0, 0.0),
    ],
)
def test_time_left(queued: int, running_s: float | None, wall_s: float | None, expected: float) -> None:
    assert eta_s(queued, running_s, wall_s, 12.0) == expected


def test_how_a_run_ends() -> None:
    assert end_of_run(3, 0, 0) == "done"
    assert end_of_run(2, 1, 0) == "incomplete"
    assert end_of_run(1, 1, 1) == "cancelled"


def test_the_view_uses_the_plan_before_the_first_result(queued: QueuedRun) -> None:
    assert queued.run()["progress"]["eta_s"] == 48.0
    claimed = queued.must_claim()
    queued.call(trials.fail, claimed.trial_id, 1, "x", "x")
    queued.sql("UPDATE trial SET started_at = finished_at - interval '7 s' WHERE state = 'failed'")
    assert queued.run()["progress"]["eta_s"] == 21.0


def test_a_dead_database_is_unavailable(tmp_path: object) -> None:
    settings = Settings(database_url=f"postgresql+psycopg:///x?host={tmp_path}")
    with pytest.raises(Unavailable), session_scope(settings) as session:
        hosts.list_all(session)


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("DELETE FROM trial WHERE seq = 4", "I1"),
        ("UPDATE run SET state = 'done', finished_at = now()", "I1"),
        ("UPDATE trial SET state = 'cancelled', lease_until = NULL", "I1"),
        ("UPDATE trial SET state = 'spared', finished_at = now() WHERE seq = 4", "I1"),
        ("UPDATE run SET next_look = 0", "I1"),
        ("UPDATE trial SET state = 'done', finished_at = now() WHERE seq = 2", "I2"),
        ("UPDATE trial SET fence = 1 WHERE seq = 2", "I5"),
        ("UPDATE trial SET state = 'queued', lease_until = NULL WHERE seq = 1", "I5"),
    ],
)
def test_the_checker_finds_damage(queued: QueuedRun, damage: str, name: str) -> None:
    queued.must_claim()
    assert queued.call(invariants.violations) == []
    queued.sql(damage)
    assert name in {line.split(":")[0] for line in queued.call(invariants.violations)}
