"""An overlay between two hosts: VXLAN on their link, made by each worker itself, of which nothing stays."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.core.definition.factors import Level
from backend.core.errors import Unavailable
from backend.core.plan.client_session import ClientSession
from backend.core.sample import evidence_names as names
from backend.settings import Settings
from backend.store.repositories import runs
from tests.live.conftest import levels_of
from tests.live.machine import wait_for
from tests.live.two_hosts.pair import (
    LIMIT_S,
    TwoHosts,
    begun,
    check_both_ends,
    network_state,
    proven,
)
from tests.store.queued_run import QueuedRun
from worker.host.capabilities import ProbeInput, probe
from worker.host.ledger import Ledger
from worker.host.reaper import sweep
from worker.topology.overlay_end import End
from worker.trial_queue import StoreTrialQueue

ENDS = ("plmbeda-vxlan", "plmbedb-vxlan")
"""The network namespaces of both hosts' ends."""


@pytest.fixture
def overlay(two_hosts: TwoHosts, tmp_path: Path) -> Iterator[dict[str, Level]]:
    """Levels of a cell of an overlay between the hosts, which afterwards are as they were before it."""
    reasons = probe(ProbeInput("twoprobe", Ledger(tmp_path / "ledger.jsonl")))["reasons"]
    if why := reasons.get("path.overlay.two_hosts"):
        pytest.skip(why)
    for bed in two_hosts.beds:
        bed.stop()  # servers of earlier tests, which may be removed in this one
    before = [network_state(daemon) for daemon in two_hosts.daemons]
    yield levels_of("overlay", True, service="pong", engine="host", duration_s=5, warm_up_s=1)
    assert ends() == set()
    for bed, daemon, was in zip(two_hosts.beds, two_hosts.daemons, before, strict=True):
        assert set(bed.engines()) <= {"host"}, "no daemon but the host's own"
        for now, then in zip(network_state(daemon), was, strict=True):
            assert now == then


def ends() -> set[str]:
    return {name for name in ENDS if Path("/run/netns", name).exists()}


def test_an_overlay_of_both_hosts_is_vxlan_on_their_link_and_nothing_of_it_stays(
    overlay: dict[str, Level],
    two_hosts: TwoHosts,
    queued: QueuedRun,
    worker_settings: Settings,
    tmp_path: Path,
) -> None:
    record, seen = proven("overlay", two_hosts, queued, worker_settings, tmp_path)
    check_both_ends(record, seen)
    assert seen[names.PEER].observed.startswith(End.CLIENT.address), "the client's address on the overlay"
    assert seen[names.NAMESPACE].observed == "remote own"
    assert seen[names.LINK].observed == "veth on an overlay with vxlan"
    for name in (names.ADDED, names.CLIENT_ADDED):
        assert seen[name].state == "agrees"
        assert 50 <= float(seen[name].observed.split()[0]) <= 66, seen[name]
    assert record.facts["mtu server link"] == "1450"


@pytest.mark.full
def test_a_cancelled_trial_of_an_overlay_leaves_nothing(
    overlay: dict[str, Level],
    two_hosts: TwoHosts,
    queued: QueuedRun,
    worker_settings: Settings,
    tmp_path: Path,
) -> None:
    _, parts = begun(two_hosts, queued, worker_settings, tmp_path, overlay | {"duration_s": 60})
    wait_for(lambda: phase(queued) in ("measuring", "ended"), "the measured window", LIMIT_S)
    assert ends() == set(ENDS)
    queued.call(runs.cancel, queued.run_id)
    assert [part.result(LIMIT_S) for part in parts] == ["cancel", "ended"]
    assert queued.sql("SELECT phase, document FROM client_session") == [("ended", {})]


@pytest.mark.full
def test_a_client_host_that_vanishes_from_an_overlay_leaves_nothing(
    overlay: dict[str, Level],
    two_hosts: TwoHosts,
    queued: QueuedRun,
    worker_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The network to its worker is cut in the window, and the worker is killed before it can clean up."""
    bed = two_hosts.beds[1]
    monkeypatch.setattr(bed, "leave_overlay", lambda: None)
    client, parts = begun(two_hosts, queued, worker_settings, tmp_path, overlay, Cut)
    wait_for(lambda: phase(queued) in ("measuring", "ended"), "the measured window", LIMIT_S)
    assert isinstance(client, Cut)
    client.cut.set()
    assert [part.result(LIMIT_S) for part in parts] == ["requeued", "failed"]
    assert queued.sql("SELECT outcome FROM attempt WHERE entry = 'ended'") == [("client_host_lost",)]
    assert ends() == {ENDS[1]}, "the server's host has left by itself"
    assert f"netns {ENDS[1]}" in sweep(two_hosts.ledgers[1])
    bed.stop()


class Cut(StoreTrialQueue):
    """A queue that cannot be reached from a moment on."""

    cut = threading.Event()

    def move_session(self, *args: Any, **kwargs: Any) -> ClientSession:
        if self.cut.is_set():
            raise Unavailable("cut by the test")
        return super().move_session(*args, **kwargs)


def phase(queued: QueuedRun) -> str:
    return "".join(row[0] for row in queued.sql("SELECT phase FROM client_session"))
