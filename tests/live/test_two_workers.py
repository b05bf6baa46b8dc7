"""Two Docker hosts, each with its own worker, joined to one server over HTTPS, and a run between the two."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from backend.store import grants
from backend.store.session import dispose, session_scope
from scripts.starter.certificate import make
from tests.accounts import add_account, browser_headers
from tests.api.http_worker import HttpWorker, enrolment, join
from tests.api.running import running
from tests.databases import Databases
from tests.live.conftest import ROOT
from tests.live.machine import Machine, listener_in, wait_for
from tests.live.product.installation import NOISE_ALLOWED, terminal
from tests.live.stranger import SAYS, Stranger
from tests.service_fixtures import database
from tests.services import RedisServer, as_role
from worker.engine.names import InstallPaths
from worker.engine.segment import BRIDGE, Segment
from worker.host.commands import run
from worker.host.ledger import Ledger
from worker.images.bootstrap import ensure_image
from worker.sample.cgroup import find_hierarchy

pytestmark = pytest.mark.full
EAST, WEST = "198.19.1.1", "198.19.1.2"
SERVER = "198.19.1.254"
RUN_LIMIT_S = 400.0
LIVE = ("accepted", "offered", "ready", "warming", "armed", "measuring", "measured", "collecting")
"""Phases in which both hosts work for the session."""


@dataclass
class Site:
    """A server and the machines of two hosts: runs start on east, their clients run on west."""

    api: TestClient
    settings: Settings
    machines: tuple[Machine, Machine]
    netns: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.api.request(method, f"/api/v1{path}", **({} if body is None else {"json": body}))
        assert answer.is_success, answer.text
        return answer.json()

    def sql(self, statement: str, **values: Any) -> list[Any]:
        with session_scope(self.settings) as session:
            return [tuple(row) for row in session.execute(text(statement), values)]

    def start(self, name: str, factors: dict[str, Any], rounds: int, **hosts: str) -> str:
        """Start a run; its id."""
        experiment = self.call(
            "POST",
            "/experiments",
            {
                "name": name,
                "title": name,
                "factors": {"tool": ["wrk"], "service": ["pong"], "duration_s": [2], "warm_up_s": [1]}
                | factors,
                "rounds": rounds,
                "seed": 7,
                "baseline": {"path": factors["path"][0]},
                "quality": NOISE_ALLOWED,
            },
        )
        return str(self.call("POST", f"/experiments/{experiment['id']}/runs", hosts)["id"])

    def is_over(self, run_id: str) -> bool:
        return terminal(self.call("GET", f"/runs/{run_id}"))

    def session(self) -> tuple[str, int, str] | None:
        """Trial, fence and phase of the session that goes on."""
        found = self.sql(
            "SELECT trial_id, fence, phase FROM client_session WHERE phase = ANY(:live)", live=list(LIVE)
        )
        assert len(found) <= 1
        return found[0] if found else None


@pytest.fixture(scope="module")
def site(
    install: InstallPaths,
    databases: Databases,
    redis_server: RedisServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    if find_hierarchy().version == 2:
        pytest.skip("both hosts would lock the root of the one cgroup hierarchy, and wait for each other")
    folder = tmp_path_factory.mktemp("site")
    ledger = Ledger(folder / "ledger.jsonl")
    image = ensure_image(install, ledger, print)
    segment = Segment("twoworkers", ledger)
    var = ROOT / "var" / "live-two-workers"
    shutil.rmtree(var, ignore_errors=True)
    machines = tuple(
        Machine(name, address, var / name, segment) for name, address in (("east", EAST), ("west", WEST))
    )
    with contextlib.ExitStack() as undo, database(databases, redis_server, folder) as owner:
        undo.callback(shutil.rmtree, var, ignore_errors=True)
        undo.callback(segment.stop)
        segment.start()
        run(["ip", "-n", segment.netns, "address", "add", f"{SERVER}/24", "dev", BRIDGE])
        for machine in machines:
            undo.callback(machine.remove)
            machine.make_network()
        listener = undo.enter_context(listener_in(segment.netns, SERVER))
        pair = make((SERVER,), datetime.now(UTC))
        cert, key = folder / "cert.pem", folder / "key.pem"
        cert.write_bytes(pair.chain)
        key.write_bytes(pair.key)
        port = listener.getsockname()[1]
        reached = {"listen_host": SERVER, "port": port, "tls_cert": cert, "tls_key": key}
        api = as_role(owner, grants.API).model_copy(update=reached)
        undo.callback(dispose, api)
        headers = browser_headers(api, add_account(api, installation_admin=True))
        undo.enter_context(running(server_config(create_app(api), api), "https", listener))
        client = undo.enter_context(TestClient(create_app(api), base_url=api.base_url, headers=headers))
        for machine in machines:
            images = machine.folder / "var" / "images"
            images.mkdir(parents=True)
            os.link(image.path, images / image.path.name)
            (machine.folder / "token").touch(0o600)
            joined = join(client, enrolment(client, headers)["secret"], machine.name).json()
            (machine.folder / "token").write_text(joined["token"])
            machine.start(environment(machine, api.base_url, pair.fingerprint))
        site = Site(client, owner, machines, segment.netns)  # type: ignore[arg-type]  # two of them
        wait_for(
            lambda: sorted(host["name"] for host in hosts(site) if host["online"]) == ["east", "west"],
            "both workers",
            300,
        )
        yield site
        for machine in machines:
            assert machine.end() == {"code": 0, "left": {}}


def hosts(site: Site) -> list[dict[str, Any]]:
    for machine in site.machines:
        machine.must_run()
    found: list[dict[str, Any]] = site.call("GET", "/hosts")["data"]
    return found


def environment(machine: Machine, server: str, fingerprint: str) -> dict[str, str]:
    settings = {
        "SERVER_URL": server,
        "SERVER_FINGERPRINT": fingerprint,
        "HOST_TOKEN_FILE": str(machine.folder / "token"),
        "HOST_NAME": machine.name,
        "INSTALL_ID": f"two{machine.name}",
        "VAR_DIR": str(machine.folder / "var"),
        "RUNTIME_DIR": f"/run/plimsoll-two{machine.name}",
    }
    return {f"PLIMSOLL_{name}": value for name, value in settings.items()}


def test_both_hosts_measure_a_run_between_them_and_nothing_else_meanwhile(site: Site) -> None:
    between = site.start(
        "between",
        {"path": ["published_remote", "host_network_remote"], "engine": ["host"]},
        2,
        host="east",
        client_host="west",
    )
    wait_for(site.session, "the first session", RUN_LIMIT_S)
    own = site.start("own", {"path": ["container_address", "sibling_container"]}, 2, host="west")
    locked = waited = 0
    while not (site.is_over(between) and site.is_over(own)):
        before = site.session()
        held = [machine.is_measuring() for machine in site.machines]
        running = site.sql(
            "SELECT s.trial_id, s.fence, count(*) FILTER (WHERE t.state = 'running'), "
            "count(*) FILTER (WHERE t.state = 'queued') FROM client_session s, trial t "
            "WHERE s.phase = ANY(:live) AND t.run_id = :own GROUP BY 1, 2", own=own, live=list(LIVE),
        )  # fmt: skip
        if before is not None and running and running[0][:2] == before[:2]:
            assert held == [True, True], before
            assert running[0][2] == 0, "the client host runs a trial of its own during a session"
            locked += 1
            waited += running[0][3] > 0
    assert locked > 0
    assert waited > 0
    for run_id in (between, own):
        assert site.call("GET", f"/runs/{run_id}")["state"] == "done"
    check_records(site, between)


UNKNOWN, OTHER_PORT = "the server does not know", "the offer's port is unusable"
DOCUMENTED = 20001


def test_a_client_host_connects_only_to_addresses_that_the_server_knows_and_reveals_no_answer(
    site: Site,
) -> None:
    """The worker of west is a real one; whoever has the token of the host north names other programs."""
    with TestClient(site.api.app, base_url=str(site.api.base_url)) as anonymous:
        north = HttpWorker.joined(anonymous, dict(site.api.headers), "north")
        run_id = site.start(
            "misled",
            {"path": ["host_network_remote"], "engine": ["host"]},
            1,
            host="north",
            client_host="west",
        )
        trial = north.must_claim()

        def ended(port: int) -> str:
            with Stranger(site.netns, SERVER, port) as stranger:
                said = offered(north, trial, {"address": SERVER, "port": port})
            assert SAYS not in str(said)
            assert said["document"] == {} or set(said["document"]) == {"kind", "code"}
            return f"{said['reason']} ({stranger.connections} connections)"

        why = ended(DOCUMENTED)
        assert UNKNOWN in why and why.endswith("(0 connections)")
        site.call("PUT", "/hosts/north/policy", {"addresses": [SERVER]})
        why = ended(5432)
        assert OTHER_PORT in why and why.endswith("(0 connections)")
        why = ended(DOCUMENTED)
        assert f"the client host gets no reply of pong from {SERVER}" in why
        assert not why.endswith("(0 connections)"), "only this one is an address and a port of a server"
        north.end(trial, "fail", code="tool_failed")
        site.call("POST", f"/runs/{run_id}:cancel", {})


def offered(rogue: HttpWorker, trial: dict[str, Any], offer: dict[str, Any]) -> dict[str, Any]:
    """How a session ends in which a host offers this as its server."""
    step = {"trial_id": trial["trial_id"], "fence": trial["fence"]}
    document = {"levels": trial["levels"], "run_id": trial["run_id"], "cell_id": trial["cell_id"]}
    rogue.ask("POST", "/client-session", {**step, "phase": "requested", "document": document})

    def phase() -> str:
        return str(rogue.ask("POST", "/client-session", step)["phase"])

    wait_for(lambda: phase() == "accepted", "the client host", 60)
    rogue.ask("POST", "/client-session", {**step, "phase": "offered", "document": offer})
    wait_for(lambda: phase() == "ended", "the end of the session", 60)
    rogue.beat(trial)
    return rogue.ask("POST", "/client-session", step)


def check_records(site: Site, run_id: str) -> None:
    """Each trial is proven by evidence of both ends, and has the link in its record."""
    trials = site.call("GET", f"/runs/{run_id}/trials")["data"]
    assert {trial["evidence_verdict"] for trial in trials} == {"proven"}
    rows = site.sql(
        "SELECT t.levels ->> 'path', r.payload FROM result r JOIN trial t ON t.id = r.trial_id "
        "WHERE t.run_id = :run", run=run_id,
    )  # fmt: skip
    assert {path for path, _ in rows} == {"published_remote", "host_network_remote"}
    for _, record in rows:
        other = record["client_host"]
        assert other["name"] == "west"
        for end, address in (("link", WEST), ("server_link", EAST)):
            assert (other[end]["device"], other[end]["address"]) == ("lan0", address)
            assert other[end]["mtu"] == 1500
            assert other[end]["speed_mbit"], "a veth reports a speed"
        seen = {signal["name"]: signal for signal in record["evidence"]["signals"]}
        assert seen["peer address"]["observed"].startswith(WEST)
        assert seen["bytes on the client host's link"]["state"] == "agrees"
        assert seen["bytes on the client host's loopback"]["state"] == "agrees"
