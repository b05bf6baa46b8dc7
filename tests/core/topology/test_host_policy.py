"""Which cells a host's policy forbids, and the reason that it gives."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from backend.core.definition.factors import Level
from backend.core.topology.host_policy import OPEN, HostPolicy, forbidden, not_partners

CELL: dict[str, Level] = {
    "path": "published_loopback",
    "userland_proxy": True,
    "engine": "lab",
    "duration_s": 10,
    "warm_up_s": 2,
}


def policy(**limits: Any) -> HostPolicy:
    return HostPolicy.model_validate(limits)


@pytest.mark.parametrize(
    ("levels", "limits", "factor", "words"),
    [
        ({}, {"engines": ["off"]}, "userland_proxy", "lab daemons with userland-proxy on may not be used"),
        ({"userland_proxy": False}, {"engines": ["on"]}, "userland_proxy", "with userland-proxy off"),
        ({"engine": "host"}, {"engines": ["on", "off"]}, "engine", "the host's own Docker daemon"),
        ({"path": "overlay"}, {"engines": ["on", "off"]}, "path", "the swarm"),
        ({"path": "overlay", "engine": "host"}, {"engines": ["swarm"]}, "engine", "own Docker daemon may"),
        (
            {"path": "overlay", "engine": "host"},
            {"host_network": False},
            "engine",
            "uses UDP 4789 there",
        ),
        ({"engine": "host"}, {"host_network": False}, "engine", "closed to runs"),
        ({"path": "host_network"}, {"host_network": False}, "path", "closed to runs"),
        ({"path": "bare_host"}, {"host_network": False}, "path", "closed to runs"),
        ({"proxy_program": "fast"}, {"programs": []}, "proxy_program", "use docker-proxy,"),
        ({"proxy_program": "fast"}, {"programs": ["slow"]}, "proxy_program", "use docker-proxy, slow,"),
        ({}, {"longest_trial_s": 11}, "duration_s", "take 12 s, at most 11 s"),
    ],
)
def test_a_cell_outside_the_policy_has_the_factor_and_the_reason(
    levels: dict[str, Level], limits: dict[str, Any], factor: str, words: str
) -> None:
    cell = CELL | levels
    assert forbidden(cell, OPEN) is None
    found = forbidden(cell, policy(**limits))
    assert found is not None
    assert (found.factor, found.code) == (factor, "policy_forbids")
    assert words in found.detail and found.detail.startswith("the policy of this host: ")


@pytest.mark.parametrize(
    ("levels", "limits"),
    [
        ({}, {"engines": ["on"]}),
        ({"engine": "host"}, {"engines": ["host"], "host_network": True}),
        ({}, {"host_network": False}),
        ({"path": "published_remote"}, {"host_network": False}),
        ({"path": "overlay"}, {"engines": ["swarm"], "host_network": False}),
        ({"path": "overlay", "engine": "host"}, {"engines": ["host"]}),
        ({"proxy_program": "docker-proxy"}, {"programs": []}),
        ({"proxy_program": "fast"}, {"programs": ["fast"]}),
        ({}, {"longest_trial_s": 12}),
        ({}, {"a_field_of_a_newer_server": 1}),
    ],
)
def test_a_cell_within_the_policy_is_not_forbidden(levels: dict[str, Level], limits: dict[str, Any]) -> None:
    assert forbidden(CELL | levels, policy(**limits)) is None


@pytest.mark.parametrize(
    ("path", "partners", "admitted"),
    [
        ("overlay", None, False),
        ("overlay", [], False),
        ("overlay", ["bench-3"], False),
        ("overlay", ["bench-3", "bench-2"], True),
        ("published_remote", None, True),
        ("published_remote", ["bench-3"], False),
        ("host_network_remote", ["bench-2"], True),
    ],
)
def test_two_hosts_share_a_trial_where_the_policy_names_the_other(
    path: str, partners: list[str] | None, admitted: bool
) -> None:
    cell = CELL | {"path": path, "engine": "host"}
    found = not_partners(cell, policy(partners=partners), "bench-2")
    assert (found is None) == admitted
    if found is not None:
        assert (found.factor, found.code) == ("path", "policy_forbids")
        assert "it does not name bench-2 as a partner" in found.detail
    assert not_partners(CELL | {"path": path}, policy(partners=partners), "bench-2") is None, "on one host"


@pytest.mark.parametrize("address", ["10.0.0.7", "192.0.2.1", "198.18.9.1"])
def test_an_address_on_a_link_is_a_literal_one_of_a_host(address: str) -> None:
    assert HostPolicy(addresses=(address,)).addresses == (address,)


@pytest.mark.parametrize(
    "address",
    [
        "localhost",
        "127.0.0.1",
        "0.0.0.0",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "10.1",
        "",
    ],
)
def test_what_no_host_has_on_a_link_is_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        HostPolicy(addresses=(address,))
