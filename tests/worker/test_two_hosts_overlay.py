"""An overlay of two hosts: what each host takes from the other, and that no worker joins another's swarm."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from backend.core.sample import evidence_names as names
from backend.core.topology.host_policy import HostPolicy
from backend.settings import Settings
from backend.store.repositories import runs
from tests.services import ROOT
from tests.worker.two_hosts import (
    CLIENT,
    LEVELS,
    LIMIT_S,
    SERVER,
    Two,
    both,
    two_in,
    wait_for_phase,
    while_measuring,
)
from worker.engine.fake import FakeEngine, FakeTool
from worker.topology.overlay_end import FIRST_NUMBER, LAST_NUMBER, End, Tunnel
from worker.trial import client_side, session_side

OVERLAY = {**LEVELS, "path": "overlay"}
SWARM = {"manager": f"{SERVER}:2377", "token": "SWMTKN-1-of-an-attacker"}
NUMBER = FIRST_NUMBER + 5
VICTIM = "169.254.169.254"


@pytest.fixture
def two(
    settings: Settings,
    owner_settings: Settings,
    engine: FakeEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Two]:
    monkeypatch.setattr(session_side, "SIGN_OF_LIFE_S", 0.2)
    monkeypatch.setattr(client_side, "own_addresses", lambda _netns: (CLIENT,))
    with two_in(tmp_path, settings, owner_settings, engine, OVERLAY) as made:
        yield made


def failure(two: Two) -> tuple[str, str]:
    ((code, detail),) = two.queued.sql(
        "SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'"
    )
    return code, detail


@pytest.mark.parametrize("partners", [None, ("bench-3",)])
def test_a_client_host_serves_no_host_that_its_policy_does_not_name(
    two: Two, partners: tuple[str, ...] | None
) -> None:
    two.client_policy = HostPolicy(partners=partners)
    assert both(two) == ("failed", "failed")
    code, detail = failure(two)
    assert code == "host_policy" and "does not name bench-1 as a partner" in detail
    assert two.client_bed.overlay == [], "nothing was made there"


def test_each_host_makes_its_own_end_and_both_remove_it(two: Two) -> None:
    _, served = both(two)
    assert served == "served", two.ended()
    made, left = two.server_bed.overlay
    assert isinstance(made, Tunnel) and FIRST_NUMBER <= made.number <= LAST_NUMBER
    assert (made.local, made.remote, left) == (SERVER, CLIENT, "leave")
    assert two.client_bed.overlay == [Tunnel(made.number, CLIENT, SERVER), "leave"]


def test_addresses_and_port_follow_from_the_role_and_the_service(two: Two) -> None:
    both(two)
    record = two.record()
    argv = record.commands[1].argv
    assert End.SERVER.address in argv and "5432" in argv and SERVER not in argv
    signals = {signal.name for signal in record.evidence.signals}
    assert {names.ADDED, names.CLIENT_ADDED} <= signals
    (peer,) = (signal for signal in record.evidence.signals if signal.name == names.PEER)
    assert End.CLIENT.address in peer.expected


def test_both_containers_have_no_network_of_docker(two: Two) -> None:
    both(two)
    for bed in (two.server_bed, two.client_bed):
        assert {spec.network for spec, _ in bed.engine.containers.values()} == {"none"}


def test_an_end_that_cannot_be_made_fails_the_trial_and_is_removed(two: Two) -> None:
    two.client_bed.no_overlay = "no VXLAN can be made on this host: exists"
    assert both(two) == ("failed", "failed")
    code, detail = failure(two)
    assert code == "no_vxlan" and "on the client host bench-2" in detail
    assert two.server_bed.overlay[-1] == two.client_bed.overlay[-1] == "leave"


def test_no_reply_names_the_port_of_vxlan(two: Two) -> None:
    two.client_bed.engine.tools["psql"] = FakeTool(stderr="timeout expired\n", exit_code=2)
    assert both(two) == ("failed", "failed")
    code, detail = failure(two)
    assert code == "no_reply" and f"open {SERVER} and UDP 4789 between the hosts" in detail
    assert two.client_bed.overlay[-1] == "leave"


def test_a_cancelled_run_removes_both_ends(two: Two) -> None:
    two.client_bed.engine.tools["pgbench"] = FakeTool(seconds=LIMIT_S)
    measuring = while_measuring(two)
    two.queued.call(runs.cancel, two.queued.run_id)
    assert [part.result(LIMIT_S) for part in measuring] == ["cancel", "ended"]
    assert two.server_bed.overlay[-1] == two.client_bed.overlay[-1] == "leave"


def test_a_client_host_that_is_silent_leaves_no_end_at_the_servers(two: Two) -> None:
    with ThreadPoolExecutor(1) as threads:
        measured = threads.submit(two.measure)
        request = two.request()
        two.client.move_session(request.trial_id, request.fence, "accepted", {"addresses": [CLIENT]})
        wait_for_phase(two, "offered")
        ((document,),) = two.queued.sql("SELECT document FROM client_session")
        assert set(document) == {"address", "vxlan", "quality"}, "all that the client's host gets"
        two.queued.sql("UPDATE client_session SET client_seen_at = clock_timestamp() - interval '1 h'")
        assert measured.result(LIMIT_S) == "requeued"
    assert two.server_bed.overlay[-1] == "leave"


@pytest.mark.parametrize(
    ("offer", "field"),
    [
        ({"address": SERVER, "vxlan": 4097}, "vxlan"),
        ({"address": SERVER, "vxlan": 2**24}, "vxlan"),
        ({"address": SERVER, "vxlan": str(NUMBER)}, "vxlan"),
        ({"address": SERVER, "port": 20001}, "vxlan"),
        ({"address": SERVER, "vxlan": NUMBER, "port": 22}, "port"),
        ({"address": VICTIM, "vxlan": NUMBER}, "address"),
        ({"swarm": SWARM}, "address"),
    ],
)
def test_a_hostile_offer_is_refused_and_nothing_is_made(two: Two, offer: dict[str, Any], field: str) -> None:
    ended, reason = offered(two, OVERLAY, offer)
    assert ended == "failed" and f"the offer's {field} " in reason
    assert two.client_bed.overlay == [] and two.client_bed.engine.commands == []


def offered(two: Two, levels: dict[str, Any], offer: dict[str, Any]) -> tuple[str, str]:
    """How the client's host takes an offer, and the reason that the other one learns."""
    trial = two.server.claim({})
    assert trial is not None
    two.server.request_client(trial.trial_id, trial.fence, {"levels": levels})
    with ThreadPoolExecutor(1) as threads:
        served = threads.submit(two.serve)
        side = session_side.SessionSide(two.server, trial.trial_id, trial.fence)
        with side:
            side.wait("accepted", LIMIT_S)
            side.enter("offered", offer)
            try:
                side.wait("ready", LIMIT_S)
                side.end("enough was seen")
            except session_side.SessionEnded as ended:
                return served.result(LIMIT_S), str(ended)
        return served.result(LIMIT_S), ""


def test_a_swarm_in_an_offer_is_not_joined(two: Two) -> None:
    """Its manager would run what it likes on the client's host, as root."""
    offer = {"address": SERVER, "port": 20001, "swarm": SWARM}
    assert offered(two, LEVELS, offer) == ("ended", "")
    assert two.client_bed.overlay == []


def test_an_engine_joins_only_a_swarm_that_this_worker_has_begun() -> None:
    """`swarm.form` makes one of two lab engines; nothing else in the worker joins."""
    callers = set()
    for file in (ROOT / "worker").rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, ast.FunctionDef):
                called = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
                joins = [one for one in called if isinstance(one, ast.Name) and one.id == "join"]
                joins += [one for one in called if ast.unparse(one).endswith("swarm.join")]  # type: ignore[misc]
                if joins:
                    callers.add(f"{file.name}:{function.name}")
    assert callers == {"swarm.py:_form"}
