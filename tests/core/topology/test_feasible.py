"""What can run nowhere, and what a host cannot run: each with its factor, a code and the remedy."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.catalog import FITS, PATH_NAMES, SERVICES, TOOLS
from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.topology.feasible import HOST_ENGINE_PATHS, infeasible
from backend.core.topology.paths import PATHS
from backend.core.workload.obstacles import obstacle

HOST: dict[str, Any] = {
    "engines": ["on", "off", "swarm", "host"],
    "programs": ["docker-proxy", "epoll-relay"],
    "paths": [name for name in PATH_NAMES if name != "ipvlan_l2"],
    "reasons": {"path.ipvlan_l2": "no CONFIG_IPVLAN", "path.published_hairpin.off": "no br_netfilter"},
    "host_userland_proxy": True,
    "max_scale": 50,
    "cores": 2,
    "memory_mb": 8_000,
}


def cell(**levels: Level) -> dict[str, Level]:
    tool = str(levels.get("tool", "pgbench"))
    defaults = {name: factor.default for name, factor in FACTORS.items()}
    return applicable({**defaults, "service": FITS[tool][0], **levels})


@pytest.mark.parametrize(
    ("levels", "factor", "code", "said"),
    [
        ({"service": "pong"}, "service", "tool_does_not_fit", "set service to postgres"),
        ({"tool": "wrk", "service": "postgres"}, "service", "tool_does_not_fit", "pong or flask"),
        ({"path": "nginx_http_unix", "tool": "wrk"}, "path", "service_not_carried", "set service to flask"),
        ({"path": "nginx_http_bare"}, "path", "service_not_carried", "does not support postgres"),
        ({"path": "unix_socket", "tool": "wrk", "service": "flask"}, "path", "tool_needs_tcp", "needs TCP"),
        ({"path": "unix_socket", "tool": "iperf3"}, "path", "service_not_carried", "iperf3_server"),
        ({"path": "nginx_stream", "tool": "iperf3", "transport": "udp"},
         "transport", "transport_not_carried", "set transport to tcp"),
        ({"path": "published_ipv6_loopback", "userland_proxy": False},
         "path", "path_unreachable", "userland-proxy on"),
        ({"path": "overlay", "userland_proxy": False},
         "userland_proxy", "engine_missing", "set userland_proxy to true"),
        ({"tool": "wrk", "clients": 5, "threads": 2}, "clients", "tool_refuses", "multiple of 2"),
        ({"tool": "wrk", "clients": 1, "threads": 2}, "threads", "tool_refuses", "at most 1"),
        ({"clients": 1, "threads": 2}, "threads", "tool_refuses", "at most 1"),
        ({"engine": "host", "path": "published_remote"}, "engine", "host_engine_path", "set engine to lab"),
        ({"engine": "host", "proxy_program": "epoll-relay"},
         "proxy_program", "host_engine_program", "set engine to lab"),
    ],
)  # fmt: skip
def test_what_can_run_nowhere(levels: dict[str, Any], factor: str, code: str, said: str) -> None:
    for capabilities in ({}, HOST):
        found = obstacle(cell(**levels), capabilities)
        assert found is not None
        assert (found.factor, found.code) == (factor, code)
        assert said in found.detail


@pytest.mark.parametrize(
    ("levels", "factor", "code", "said"),
    [
        ({"path": "ipvlan_l2"}, "path", "path_not_possible", "no CONFIG_IPVLAN"),
        ({"path": "published_hairpin", "userland_proxy": False},
         "path", "path_not_possible", "no br_netfilter"),
        ({"server_cpus": 3}, "server_cpus", "too_many_cpus", "at most 2"),
        ({"server_cpuset": "0-1,5"}, "server_cpuset", "unknown_cpu", "CPU 5, but this host has CPUs 0 to 1"),
        ({"client_cpuset": "9-7"}, "client_cpuset", "unknown_cpu", "CPU 7, 8, 9"),
        ({"server_memory_mb": 9_000}, "server_memory_mb", "too_much_memory", "at most 8000"),
        ({"shared_buffers_mb": 9_000}, "shared_buffers_mb", "too_much_memory", "at most 8000"),
        ({"scale": 51}, "scale", "scale_too_large", "at most 50"),
        ({"proxy_program": "mine"}, "proxy_program", "unknown_program", "use docker-proxy, epoll-relay"),
        ({"engine": "host", "userland_proxy": False, "path": "same_container"},
         "userland_proxy", "host_engine_setting", "userland-proxy on and is not changed"),
    ],
)  # fmt: skip
def test_what_this_host_cannot_run(levels: dict[str, Any], factor: str, code: str, said: str) -> None:
    assert obstacle(cell(**levels), {}) is None
    found = obstacle(cell(**levels), HOST)
    assert found is not None
    assert (found.factor, found.code) == (factor, code)
    assert said in found.detail


@pytest.mark.parametrize(
    ("missing", "levels", "factor"),
    [
        ("off", {"userland_proxy": False}, "userland_proxy"),
        ("swarm", {"path": "overlay"}, "engine"),
        ("host", {"engine": "host"}, "engine"),
    ],
)
def test_an_engine_that_is_missing_is_told_with_the_probes_reason(
    missing: str, levels: dict[str, Any], factor: str
) -> None:
    engines = [name for name in HOST["engines"] if name != missing]
    told = HOST | {"engines": engines, "reasons": {f"engine.{missing}": "seen by the probe"}}
    found = infeasible(cell(**levels), told)
    assert found is not None
    assert (found.factor, found.code, found.detail) == (factor, "engine_missing", "seen by the probe")
    silent = infeasible(cell(**levels), {"engines": engines})
    assert silent is not None and "this host has no" in silent.detail


def test_the_setting_of_the_hosts_own_engine_is_the_detected_one() -> None:
    for own in (True, False):
        told = HOST | {"host_userland_proxy": own}
        for wanted in (True, False):
            levels = cell(engine="host", path="published_loopback", userland_proxy=wanted)
            assert (infeasible(levels, told) is None) == (own == wanted)


@pytest.mark.parametrize("path", HOST_ENGINE_PATHS)
def test_the_hosts_own_engine_carries_paths_that_open_nothing(path: str) -> None:
    assert infeasible(cell(engine="host", path=path), HOST) is None


@pytest.mark.parametrize("path", PATH_NAMES)
def test_every_path_can_be_taken_with_some_tool_and_service(path: str) -> None:
    able = [
        (tool, service)
        for tool in TOOLS
        for service in SERVICES
        if obstacle(cell(path=path, tool=tool, service=service), {}) is None
    ]
    assert able
    assert all(service in FITS[tool] for tool, service in able)
    assert all(not PATHS[path].services or service in PATHS[path].services for _, service in able)


def test_threads_zero_are_as_many_as_clients() -> None:
    for clients in (1, 3, 8):
        assert obstacle(cell(tool="wrk", clients=clients, threads=0), HOST) is None
        assert obstacle(cell(clients=clients, threads=0), HOST) is None
