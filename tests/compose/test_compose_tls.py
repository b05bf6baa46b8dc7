"""compose.yaml behind its TLS front: upgrade, other hosts, a given certificate, backup and restore."""

from __future__ import annotations

import shutil
import ssl

from tests.compose.installation import VAR, Browser
from tests.compose.remains import network, remains
from tests.compose.server import CELLS, Server, ended

PUBLIC = "https://plimsoll.test:8443"
CHANGED = "FROM plimsoll\nLABEL org.plimsoll.test=changed\n"


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


def test_a_backup_is_made_and_restored(server: Server) -> None:
    compose = server.compose
    [backup] = server.volume("backups").glob("plimsoll-*.tar")
    later = server.browser.start_run("later", CELLS, rounds=1)
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
