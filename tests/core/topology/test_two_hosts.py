"""Cells of a run with a client host: what runs between the hosts, and why the rest does not."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.factors import Level
from backend.core.topology.feasible import infeasible
from backend.core.topology.two_hosts import TWO_HOST_PATHS, on_client_host
from tests.core.topology.test_feasible import HOST, cell

CLIENT: dict[str, Any] = {"name": "b", "engines": ["on", "off", "host"], "cores": 4}
TWO = HOST | {"client_host": CLIENT}


@pytest.mark.parametrize("path", TWO_HOST_PATHS)
@pytest.mark.parametrize("capabilities", [TWO, {"client_host": {}}])
def test_a_remote_path_runs_between_the_hosts_own_daemons(path: str, capabilities: dict[str, Any]) -> None:
    levels = cell(path=path, engine="host")
    assert infeasible(levels, capabilities) is None
    assert on_client_host(levels, capabilities)
    assert not on_client_host(levels, HOST)


@pytest.mark.parametrize(
    ("levels", "factor", "code", "said"),
    [
        ({"path": "overlay", "engine": "host"}, "path", "path_needs_one_host", "two lab daemons of one host"),
        ({"path": "published_routed", "engine": "host"}, "path", "path_needs_one_host", "routing table"),
        ({"path": "bare_host_remote", "engine": "host"}, "path", "path_needs_one_host", "outside Docker"),
        ({"path": "published_remote", "engine": "lab"},
         "engine", "engine_not_reachable", "set engine to host"),
        ({"path": "published_remote", "engine": "host", "client_cpuset": "2-4"},
         "client_cpuset", "unknown_cpu", "CPUs 0 to 3"),
    ],
)  # fmt: skip
def test_what_cannot_run_between_two_hosts(
    levels: dict[str, Level], factor: str, code: str, said: str
) -> None:
    found = infeasible(cell(**levels), TWO)
    assert found is not None
    assert (found.factor, found.code) == (factor, code)
    assert said in found.detail


def test_the_clients_cpus_are_those_of_the_client_host() -> None:
    levels = cell(path="published_remote", engine="host", client_cpuset="3")
    assert infeasible(levels, TWO) is None
    assert infeasible(cell(path="published_loopback", client_cpuset="3"), TWO) is not None


def test_a_client_host_without_a_daemon_is_named() -> None:
    client = {"name": "b", "engines": ["on"], "reasons": {"engine.host": "there is no Docker daemon"}}
    found = infeasible(cell(path="published_remote", engine="host"), HOST | {"client_host": client})
    assert found is not None
    assert found.code == "engine_missing"
    assert "client host b" in found.detail
    assert "there is no Docker daemon" in found.detail


@pytest.mark.parametrize("path", ["published_loopback", "container_address"])
def test_other_cells_of_the_run_stay_on_its_own_host(path: str) -> None:
    levels = cell(path=path)
    assert infeasible(levels, TWO) is None
    assert not on_client_host(levels, TWO)
