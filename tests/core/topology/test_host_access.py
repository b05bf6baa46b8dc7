"""Which cells need the permission for the host's network."""

from __future__ import annotations

from backend.core.topology.host_access import uses_host_network
from backend.core.topology.paths import PATHS


def test_paths_of_the_host_network_and_outside_docker_need_the_permission() -> None:
    found = {name for name in PATHS if uses_host_network({"path": name, "engine": "lab"})}
    assert found == {
        "host_network",
        "host_network_remote",
        "bare_host",
        "bare_host_remote",
        "nginx_http_bare",
        "nginx_http_bare_unix",
    }


def test_the_hosts_own_daemon_needs_it_for_every_path() -> None:
    assert uses_host_network({"path": "same_container", "engine": "host"})
