"""Another host joins the server of compose.yaml by one `docker run`, and leaves."""

from __future__ import annotations

from pathlib import Path

from backend.worker_container import NAME, restart_command
from tests.compose.container_host import HOST, container_host
from tests.compose.remains import network, remains
from tests.compose.server import Server, measuring_after


def test_a_host_joins_by_one_docker_run_survives_a_restart_and_leaves(server: Server, tmp_path: Path) -> None:
    """The command is that of the page; Docker is restarted as after a reboot of the host, in a run."""
    with container_host(server.engine, tmp_path) as host:
        before = network(host.engine.names.netns)
        server.browser.sign_in(server.compose("exec", "api", "plimsoll", "admin", "link"))
        host.run(server.browser.in_session("/hosts/enrolments", {"host_name": HOST})["container_command"])
        host.await_worker()
        joined = server.host(HOST)
        assert joined["online"] is True

        def restart(run_id: str) -> None:
            server.browser.await_run(run_id, measuring_after(2))
            host.docker("restart", NAME)

        server.proven("contained", HOST, restart)
        host.run(restart_command())
        host.await_worker()
        assert server.host(HOST)["id"] == joined["id"], "a new container is the same host"

        install_id = host.install_id
        assert remains(install_id), "its worker's engines run now"
        left = host.docker("exec", NAME, "plimsoll", "leave")
        assert f"has revoked the token of {HOST}" in left
        assert remains(install_id) == []
        host.run(left.strip().rpartition("remove its container and volume: ")[2])
        assert host.docker("ps", "--all", "--quiet") + host.docker("volume", "ls", "--quiet") == ""
        assert network(host.engine.names.netns) == before
    assert server.host(HOST)["access"] == "revoked"
    server.compose("exec", "api", "plimsoll", "check-invariants")
