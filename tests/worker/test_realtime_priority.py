"""Observers go before the load while they look, and as before when they are done."""

from __future__ import annotations

import os
import threading

import pytest

from worker.sample.realtime_priority import realtime_allowed, realtime_priority


def allowed() -> bool:
    """Whether this process may be scheduled in real time; leaves it as it was."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        return False
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


needs_real_time = pytest.mark.skipif(not allowed(), reason="this process may not be scheduled in real time")


def policy(thread: int = 0) -> int:
    return os.sched_getscheduler(thread)


def policy_of_new_thread() -> int:
    """Policy of a thread that is started now."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(policy()))
    thread.start()
    thread.join()
    return found[0]


@needs_real_time
def test_asking_changes_nothing() -> None:
    assert realtime_allowed()
    assert policy() == os.SCHED_OTHER


@needs_real_time
def test_every_thread_goes_first_inside_and_as_usual_afterwards() -> None:
    done = threading.Event()
    standing = threading.Thread(target=done.wait)
    standing.start()
    assert standing.native_id is not None
    try:
        with realtime_priority():
            inside = policy(), policy(standing.native_id), policy_of_new_thread()
        assert inside == (os.SCHED_RR, os.SCHED_RR, os.SCHED_RR)
        after = policy(), policy(standing.native_id), policy_of_new_thread()
        assert after == (os.SCHED_OTHER, os.SCHED_OTHER, os.SCHED_OTHER)
    finally:
        done.set()
        standing.join()


@needs_real_time
def test_a_thread_that_was_scheduled_otherwise_gets_its_own_way_back() -> None:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        with pytest.raises(KeyError), realtime_priority():
            raise KeyError
        assert policy() == os.SCHED_BATCH
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def test_where_it_is_not_allowed_all_goes_on_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refused)
    assert not realtime_allowed()
    with realtime_priority():
        assert policy() == os.SCHED_OTHER
    assert policy() == os.SCHED_OTHER
