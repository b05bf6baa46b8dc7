"""Observers have real-time priority inside the block, and their earlier policy afterwards."""

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
def test_the_check_changes_nothing() -> None:
    assert realtime_allowed()
    assert policy() == os.SCHED_OTHER


@needs_real_time
def test_every_thread_has_real_time_priority_inside_the_block_only() -> None:
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
def test_blocks_of_two_threads_that_overlap_end_with_the_last() -> None:
    """The first one to end must not end the other's, and the last one must not leave the first one's."""
    first, second = realtime_priority(), realtime_priority()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    between = policy()
    second.__exit__(None, None, None)
    assert (between, policy()) == (os.SCHED_RR, os.SCHED_OTHER)


@needs_real_time
def test_a_thread_gets_its_own_earlier_policy_back() -> None:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        with pytest.raises(KeyError), realtime_priority():
            raise KeyError
        assert policy() == os.SCHED_BATCH
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def test_without_permission_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refused)
    assert not realtime_allowed()
    with realtime_priority():
        assert policy() == os.SCHED_OTHER
    assert policy() == os.SCHED_OTHER
