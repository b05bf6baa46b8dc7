"""The network between an enrolled host's worker and its server, broken at each operation in turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.settings import Settings
from tests.fault_proxy import VERBS, Fault
from tests.worker.conftest import FakeTestbed
from tests.worker.remote_site import MadeUp, Site, remote_site


@pytest.fixture
def site(
    owner_settings: Settings, testbed: FakeTestbed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    with remote_site(owner_settings, testbed, tmp_path, monkeypatch) as found:
        yield found


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    return MadeUp(monkeypatch)


FAULTS: tuple[tuple[Fault, int], ...] = (
    *(("cut_after", 1), ("twice", 1)),  # a request whose connection breaks is repeated at once
    *(("cut_before", 2), ("cut_after", 2), ("late", 2)),  # it fails, and the worker tries again later
)


ALWAYS: frozenset[tuple[str, Fault, int]] = frozenset(
    {
        ("announce", "cut_before", 2),
        ("take_over", "twice", 1),
        ("seen", "late", 2),
        ("client_request", "cut_after", 1),
        ("claim_profile", "cut_after", 2),
        ("claim", "cut_after", 2),
        ("environment", "twice", 1),
        ("analyse", "late", 2),
        ("cells", "cut_before", 2),
        ("heartbeat", "cut_before", 2),
        ("record", "cut_after", 2),
        ("record", "twice", 1),
        ("ending", "late", 2),
    }
)
"""Every operation and every fault, in the pairs where most can be lost or recorded twice."""


def pairs() -> Iterator[Any]:
    """Every fault of every operation; those that are not in ALWAYS belong to the full suite."""
    for verb in VERBS:
        for fault, times in FAULTS:
            marks = () if (verb, fault, times) in ALWAYS else (pytest.mark.full,)
            yield pytest.param(verb, fault, times, marks=marks)


def test_every_operation_and_every_fault_is_tested_always() -> None:
    assert {verb for verb, _, _ in ALWAYS} == set(VERBS)
    assert {(fault, times) for _, fault, times in ALWAYS} == set(FAULTS)


@pytest.mark.parametrize(("verb", "fault", "times"), pairs())
def test_nothing_is_lost_and_nothing_is_recorded_twice(
    site: Site, made_up: MadeUp, verb: str, fault: Fault, times: int
) -> None:
    site.proxy.arm(verb, fault, times)
    # Without the cells of its run a trial cannot begin: it goes back to the queue, and that does not count.
    given_back = verb == "cells" and times > 1
    run_all(site, made_up, more_attempts=2 if given_back else 1)


def test_every_answer_may_come_late(site: Site, made_up: MadeUp) -> None:
    for verb in VERBS:
        site.proxy.arm(verb, "delayed")
    run_all(site, made_up)


def run_all(site: Site, made_up: MadeUp, more_attempts: int = 1) -> None:
    """Run the worker to the end of the run, and check what is in the database and in the spool.

    One attempt more than trials is that of the made-up fault.
    """
    site.runtime.open()
    site.until(lambda: site.has_ended() and site.proxy.is_over)
    site.runtime.close()
    site.assert_whole()
    assert len(made_up.measured) == len(set(made_up.measured)), "a trial was measured twice"
    fences = site.queued.sql("SELECT max(fence), sum(fence) - count(*) FROM trial WHERE state = 'done'")
    assert fences in ([(2, more_attempts)], [(1 + more_attempts, more_attempts)])
    ((environment,),) = site.queued.sql("SELECT environment FROM run")
    assert environment["kernel"] == "6.1" and environment["containers"] == "2: a, b"
