"""The registry of paths: complete, consistent with the factor, and with hops that fit the signature."""

from __future__ import annotations

import pytest

from backend.core.definition.factors import Path
from backend.core.topology.feasible import infeasible
from backend.core.topology.model import Hop, PathDefinition
from backend.core.topology.paths import PATHS, hops_of

LEVELS = {"path": "published_loopback", "userland_proxy": True, "scale": 5}


def test_every_level_of_the_factor_has_its_file() -> None:
    assert set(PATHS) == {path.value for path in Path}
    assert all(name == path.name for name, path in PATHS.items())


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.name)
@pytest.mark.parametrize("userland_proxy", [True, False])
def test_hops_and_signature_say_the_same(path: PathDefinition, userland_proxy: bool) -> None:
    route = path.route(userland_proxy)
    assert (Hop.DOCKER_PROXY in route.hops) is route.signature.docker_proxy
    assert (Hop.DNAT in route.hops) is route.signature.dnat
    assert (Hop.VETH in route.hops) is route.signature.server_veth
    assert not (route.signature.docker_proxy and route.signature.dnat)


def test_only_with_the_proxy_on_and_on_loopback_is_docker_proxy_a_hop() -> None:
    through = [
        (p.name, on) for p in PATHS.values() for on in (True, False) if p.route(on).signature.docker_proxy
    ]
    assert through == [("published_loopback", True)]


def test_an_unknown_host_excludes_nothing() -> None:
    assert infeasible(LEVELS, {}) is None


def test_a_missing_engine_a_missing_path_and_too_large_a_scale_are_named() -> None:
    assert infeasible(LEVELS, {"engines": ["off"]}) == "this host has no engine with userland-proxy on"
    reason = {"paths": [], "reasons": {"path.published_loopback": "no bridge in this kernel"}}
    assert infeasible(LEVELS, reason) == "no bridge in this kernel"
    assert "at most 3" in str(infeasible(LEVELS, {"max_scale": 3}))
    assert infeasible(LEVELS, {"engines": ["on"], "paths": list(PATHS), "max_scale": 5}) is None


def test_a_cells_levels_give_its_hops() -> None:
    assert hops_of(LEVELS) == ("loopback", "docker-proxy", "bridge", "veth")
    assert hops_of(LEVELS | {"userland_proxy": False})[:2] == ("dnat", "masquerade")
