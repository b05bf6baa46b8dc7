"""Client sessions by the worker protocol: two enrolled hosts, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.worker import session_addresses
from backend.core.errors import NotFound, Unavailable
from backend.core.plan.client_session import PHASES, ClientSession, side_of
from backend.settings import Settings
from backend.store.session import session_scope
from tests.api.client import BASE, problem_of, start_run
from tests.api.http_worker import HttpWorker
from worker.http_queue.client_sessions import HttpSessions


@pytest.fixture
def near(anonymous: TestClient, installation: dict[str, str], far: HttpWorker) -> HttpWorker:
    """Another enrolled host."""
    return HttpWorker.joined(anonymous, installation, "near-1")


@pytest.fixture
def trial(api: TestClient, settings: Settings, far: HttpWorker, near: HttpWorker) -> dict[str, Any]:
    """A running trial of far-1, whose run names near-1 as its client host."""
    run = start_run(api, host="far-1")
    with session_scope(settings) as session:
        query = text("UPDATE run SET client_host_id = :client WHERE id = :run")
        session.execute(query, {"client": near.host_id, "run": run["id"]})
        for host, address in ((far, FAR), (near, NEAR)):
            policy = "UPDATE host SET policy = jsonb_build_object('addresses', ARRAY[:a]) WHERE id = :h"
            session.execute(text(policy), {"a": address, "h": host.host_id})
    claimed = far.must_claim()
    assert claimed["client_host"] == "near-1"
    return claimed


FAR, NEAR, VICTIM = "198.51.100.1", "198.51.100.2", "169.254.169.254"
SAID: dict[str, dict[str, Any]] = {"accepted": {"addresses": [NEAR]}, "offered": {"address": FAR}}
"""What the hosts of the fixture say of their addresses."""


def step(trial: dict[str, Any], phase: str | None = None, **more: Any) -> dict[str, Any]:
    return {"trial_id": trial["trial_id"], "fence": trial["fence"], "phase": phase, **more}


def test_a_session_between_two_enrolled_hosts(
    far: HttpWorker, near: HttpWorker, trial: dict[str, Any]
) -> None:
    given = step(trial, "requested", document={"levels": {}})
    assert far.ask("POST", "/client-session", given)["phase"] == "requested"
    assert far.ask("GET", "/client-request") == {"request": None}
    found = near.ask("GET", "/client-request")["request"]
    assert found == {"trial_id": trial["trial_id"], "fence": 1, "document": {"levels": {}}, "host": "far-1"}
    sides = {"server": far, "client": near}
    for phase in PHASES[1:-1]:
        said = {"of": phase, **SAID.get(phase, {})}
        given = step(trial, phase, document=said)
        for _ in range(2):
            answer = sides[side_of(phase)].ask("POST", "/client-session", given)
            assert answer == {"phase": phase, "document": said, "reason": "", "must_yield": False}
    assert far.ask("POST", "/client-session", step(trial, "ended", reason="done"))["reason"] == "done"
    assert near.ask("POST", "/client-session", step(trial))["phase"] == "ended"


def test_what_a_client_brings_back_may_be_as_large_as_a_record(
    far: HttpWorker, trial: dict[str, Any]
) -> None:
    output = "x" * (3 * 1024 * 1024)
    given = step(trial, "requested", document={"output": output})
    assert far.ask("POST", "/client-session", given)["document"] == {"output": output}


def test_a_third_host_knows_of_no_session(
    anonymous: TestClient,
    installation: dict[str, str],
    far: HttpWorker,
    near: HttpWorker,
    trial: dict[str, Any],
) -> None:
    far.ask("POST", "/client-session", step(trial, "requested", document={}))
    third = HttpWorker.joined(anonymous, installation, "third-1")
    assert third.ask("GET", "/client-request") == {"request": None}
    for phase in (None, "requested", "accepted", "ended"):
        answer = third.send("POST", "/client-session", step(trial, phase))
        problem_of(answer, 404, "not_found")
    assert near.ask("POST", "/client-session", step(trial, "requested"))["phase"] == "requested", "as it is"
    problem_of(far.send("POST", "/client-session", step(trial, "accepted")), 409, "conflict")
    problem_of(near.send("POST", "/client-session", step(trial, "ready")), 409, "conflict")


OFFERS: list[dict[str, Any]] = [
    {"address": VICTIM, "port": 20001},
    {"address": "198.51.100.9", "port": 20001},
    {"address": NEAR, "port": 20001},
    {"address": FAR + "\n", "port": 20001},
    {"address": [FAR], "port": 20001},
    {"port": 20001},
    {"address": VICTIM, "vxlan": 15728641},
    {"address": NEAR, "vxlan": 15728641},
    {"vxlan": 15728641, "swarm": {"manager": f"{FAR}:2377", "token": "x"}},
]


@pytest.mark.parametrize("offer", OFFERS)
def test_a_host_offers_only_addresses_that_the_server_knows_of_it(
    far: HttpWorker, near: HttpWorker, trial: dict[str, Any], offer: dict[str, Any]
) -> None:
    """With a stolen token, a host could send the client of another host to any address."""
    far.ask("POST", "/client-session", step(trial, "requested", document={"levels": {}}))
    near.ask("POST", "/client-session", step(trial, "accepted", document={"addresses": [NEAR]}))
    refused = far.ask("POST", "/client-session", step(trial, "offered", document=offer))
    assert refused["phase"] == "ended" and refused["document"] == {"kind": "failed", "code": "no_route"}
    assert "does not know" in refused["reason"] and "addresses" in refused["reason"]
    seen = near.ask("POST", "/client-session", step(trial))
    assert seen["phase"] == "ended" and "port" not in seen["document"]


def test_a_client_names_only_addresses_that_the_server_knows_of_it(
    far: HttpWorker, near: HttpWorker, trial: dict[str, Any]
) -> None:
    far.ask("POST", "/client-session", step(trial, "requested", document={"levels": {}}))
    said = {"addresses": [VICTIM, FAR, NEAR, 7]}
    found = near.ask("POST", "/client-session", step(trial, "accepted", document=said))
    assert (found["phase"], found["document"]) == ("accepted", {"addresses": [NEAR]})


def test_a_client_of_which_the_server_knows_no_such_address_ends_the_session(
    far: HttpWorker, near: HttpWorker, trial: dict[str, Any]
) -> None:
    far.ask("POST", "/client-session", step(trial, "requested", document={"levels": {}}))
    found = near.ask("POST", "/client-session", step(trial, "accepted", document={"addresses": [VICTIM]}))
    assert found["phase"] == "ended" and VICTIM in found["reason"]


def test_the_address_from_which_a_worker_calls_is_known(
    far: HttpWorker, near: HttpWorker, trial: dict[str, Any], settings: Settings
) -> None:
    with session_scope(settings) as session:
        session.execute(text("UPDATE host SET policy = '{}'"))
    with TestClient(far.api.app, base_url=BASE, client=(FAR, 50000)) as there:
        far.api = there
        far.ask("POST", "/client-session", step(trial, "requested", document={"levels": {}}))
        with session_scope(settings) as session:
            assert session_addresses.known(session, far.host_id) == {FAR}
            assert session_addresses.known(session, near.host_id) == frozenset(), "a test client has a name"


class Server:
    """A server that gives one answer."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.calls: list[tuple[Any, ...]] = []

    def call(self, *arguments: Any, **_named: Any) -> dict[str, Any]:
        self.calls.append(arguments)
        if isinstance(self.answer, Exception):
            raise self.answer
        found: dict[str, Any] = self.answer
        return found


def sessions(answer: Any) -> HttpSessions:
    found = HttpSessions()
    found._server = Server(answer)  # type: ignore[assignment]
    return found


def test_the_worker_reads_the_servers_answers() -> None:
    state = {"phase": "armed", "document": {"a": 1}, "reason": "", "must_yield": False, "later": 1}
    assert sessions(state).move_session("trl", 1) == ClientSession("armed", {"a": 1})
    request = {"request": {"trial_id": "trl", "fence": 2, "document": {}}}
    found = sessions(request).next_client_request()
    assert found is not None
    assert (found.trial_id, found.fence) == ("trl", 2)
    with pytest.raises(Unavailable):
        sessions({"phase": "unknown"}).move_session("trl", 1)


def test_an_older_server_has_no_client_sessions() -> None:
    assert sessions(NotFound("no such page")).next_client_request() is None
