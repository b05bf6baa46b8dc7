"""compose.yaml behind its TLS front: upgrade, other hosts, backup and restore."""

from __future__ import annotations

import re
import shutil
import ssl
from collections.abc import Iterator

import pytest

from tests.compose.installation import OWN_HOST, VAR, Browser
from tests.compose.neighbour import ADDRESS, NAME, SERVER_ADDRESS, Neighbour, await_worker, neighbour
from tests.compose.remains import network, remains
from tests.compose.server import PAIR, Server, ended

PUBLIC = f"https://{SERVER_ADDRESS}:8443"
CHANGED = "FROM plimsoll\nLABEL org.plimsoll.test=changed\n"
FORGED = "203.0.113.9"


@pytest.fixture(scope="module")
def far(server: Server) -> Iterator[Neighbour]:
    """Another host on the server's network."""
    with neighbour(server.engine) as found:
        yield found


def made_certificate(server: Server) -> ssl.SSLContext:
    """Trust in the certificate that the TLS front has made."""
    return ssl.create_default_context(cafile=str(server.volume("tls") / "certificate.pem"))


def test_an_upgrade_behind_tls_keeps_data_and_links(server: Server) -> None:
    compose, old = server.compose, server.browser
    result = old.get(f"/runs/{server.small}/result")
    folder = VAR / "changed"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "Dockerfile").write_text(CHANGED)
    compose.docker("build", "--tag", "plimsoll", str(folder))
    compose("down")
    assert remains(server.install_id) == []
    assert network(server.engine.names.netns) == server.network_before
    compose.settings |= {"PLIMSOLL_PUBLIC_URL": PUBLIC, "PLIMSOLL_TRUSTED_PROXY": "127.0.0.1"}
    compose.settings |= {"COMPOSE_PROFILES": "tls,backup"}
    compose("up", "--detach", "--wait")
    for service in ("api", "worker", "tls", "backup"):
        assert server.container(service, '{{index .Config.Labels "org.plimsoll.test"}}') == "changed"
        assert server.container(service, "{{.State.Health.Status}}") == "healthy"
    server.browser = browser = Browser(server.namespace, PUBLIC, made_certificate(server))
    browser.sign_in(compose("exec", "api", "plimsoll", "admin", "link"))
    assert browser.get(f"/runs/{server.small}/result") == result
    assert browser.post("/shares:open", {"token": server.share})["chart"]["cells"]
    answer = browser.request("GET", "/session")
    assert answer.status_code == 200 and "strict-transport-security" not in answer.headers


def test_another_host_joins_by_the_command_of_the_page_and_measures(server: Server, far: Neighbour) -> None:
    """It trusts the front's own certificate by its fingerprint, and polls: Redis has no network."""
    server.browser.sign_in(server.compose("exec", "api", "plimsoll", "admin", "link"))
    made = server.browser.in_session("/hosts/enrolments", {"host_name": NAME})
    [fingerprint] = re.findall(r"SHA-256 (\S+)", server.compose("logs", "--no-log-prefix", "tls"))
    assert made["command"] == (
        f"./scripts/join - --name {NAME} --fingerprint {fingerprint} <<< '{made['url']}'"
    )
    assert made["url"].startswith(f"{PUBLIC}/join#")
    far.join(made["command"])
    await_worker(far)
    hosts = {host["name"]: host for host in server.browser.get("/hosts")["data"]}
    assert set(hosts) >= {OWN_HOST, NAME} and hosts[NAME]["online"] is True
    server.proven("far", host=NAME)
    assert "-m worker.remote" in far.worker()
    far.leave()
    server.compose("exec", "api", "plimsoll", "check-invariants")


def test_a_forged_forwarded_address_is_not_recorded(server: Server, far: Neighbour) -> None:
    """A client on another host: the front adds the address that it sees, and only the front is believed."""
    browser = Browser(far.namespace, PUBLIC, made_certificate(server), address=SERVER_ADDRESS)
    browser.sign_in(server.compose("exec", "api", "plimsoll", "admin", "link"))
    forged = {"X-Forwarded-For": FORGED, "Forwarded": f"for={FORGED}", "X-Real-IP": FORGED}
    body = {"name": "forged", "scopes": ["run:read"], "expires_in_days": 1}
    browser.in_session("/tokens", body, **forged)
    entries = browser.get("/audit")["data"]
    assert {entry["address"] for entry in entries[:2]} == {ADDRESS}
    assert FORGED not in {entry["address"] for entry in entries}


def test_a_backup_is_made_and_restored(server: Server) -> None:
    compose = server.compose
    [backup] = server.volume("backups").glob("plimsoll-*.tar")
    later = server.browser.start_run("later", PAIR, rounds=1)
    server.browser.await_run(later, ended)
    compose("stop", "worker", "api", "backup")
    restore = ["plimsoll", "restore", "--replace", f"/backups/{backup.name}"]
    compose("run", "--rm", "--no-deps", "backup", *restore)
    compose("up", "--detach", "--wait")
    server.browser.sign_in(compose("exec", "api", "plimsoll", "admin", "link"))
    assert server.small in run_ids(server) and later not in run_ids(server)


def run_ids(server: Server) -> set[str]:
    """The runs that the server has."""
    return {run["id"] for run in server.browser.get("/runs")["data"]}
