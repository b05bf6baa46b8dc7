"""Cells of a run with a client host: what runs between the hosts, and why the rest does not."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.factors import Level
from backend.core.topology.deployment import engine_spec
from backend.core.topology.feasible import infeasible
from backend.core.topology.two_hosts import (
    TWO_HOST_PATHS,
    is_overlay_between_hosts,
    on_client_host,
    port_warnings,
)
from tests.core.topology.test_feasible import HOST, cell

ABLE: dict[str, Any] = {"two_host_paths": list(TWO_HOST_PATHS)}
CLIENT: dict[str, Any] = {"name": "b", "engines": ["on", "off", "host"], "cores": 4} | ABLE
TWO = HOST | ABLE | {"client_host": CLIENT}


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
        ({"path": "overlay_encrypted", "engine": "host"},
         "path", "path_needs_one_host", "firewall rules and keys"),
        ({"path": "overlay", "engine": "lab"}, "engine", "engine_not_reachable", "set engine to host"),
        ({"path": "overlay", "engine": "host", "userland_proxy": False},
         "userland_proxy", "engine_missing", "does not use docker-proxy"),
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


OVERLAY = cell(path="overlay", engine="host")


def test_an_overlay_between_two_hosts_needs_no_daemon_of_its_own() -> None:
    assert is_overlay_between_hosts(OVERLAY)
    assert engine_spec(OVERLAY).key == "host"
    own = cell(path="overlay", engine="lab")
    assert not is_overlay_between_hosts(own)
    assert engine_spec(own).key == "swarm"


def test_an_overlay_on_the_hosts_own_daemon_needs_a_client_host() -> None:
    assert infeasible(OVERLAY, TWO | {"host_userland_proxy": False}) is None, "no docker-proxy is on it"
    found = infeasible(OVERLAY, HOST)
    assert found is not None and "or start the run with a client host" in found.detail
    assert infeasible(cell(path="overlay", engine="lab"), HOST) is None


LOCK = "a bridge's ports cannot be locked"


@pytest.mark.parametrize(
    ("reported", "said"),
    [
        ({}, "of a release without overlays between two hosts; update it"),
        ({"two_host_paths": ["published_remote"]}, "update it"),
        ({"two_host_paths": [], "reasons": {"path.overlay.two_hosts": LOCK}}, LOCK),
    ],
)
def test_an_overlay_needs_a_worker_of_both_hosts_that_makes_its_end(
    reported: dict[str, Any], said: str
) -> None:
    other = {"name": "b", "engines": ["host"]} | reported
    found = infeasible(OVERLAY, TWO | {"client_host": other})
    assert found is not None and (found.factor, found.code) == ("engine", "engine_missing")
    assert found.detail.startswith("the client host b cannot run it: ") and said in found.detail
    own = {name: level for name, level in TWO.items() if name != "two_host_paths"} | reported
    found = infeasible(OVERLAY, own)
    assert found is not None and said in found.detail and "client host" not in found.detail
    assert infeasible(cell(path="published_remote", engine="host"), own | {"client_host": other}) is None


def test_a_plan_says_which_port_it_opens() -> None:
    (said,) = port_warnings([cell(), OVERLAY, OVERLAY])
    assert said == (
        "overlay between two hosts uses UDP 4789 on both during each of its trials: it must be free there, "
        "and reachable between the two hosts alone"
    )
    assert port_warnings([cell(), cell(path="overlay", engine="lab")]) == ()
