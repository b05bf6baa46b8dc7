"""The paths of the default suite: together they have every hop, attachment, client, address and front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from _pytest.mark.structures import ParameterSet

from backend.core.topology.model import OVERLAYS
from backend.core.topology.paths import PATHS

Cell = tuple[str, bool]
"""A path and the setting of the userland-proxy."""
SETTING = {True: "proxy-on", False: "proxy-off"}
"""The setting of the userland-proxy, as tests print it."""

BOTH = ("published_loopback",)
"""With the userland-proxy on and off."""
ON = (
    "same_container",
    "shared_namespace",
    "sibling_container",
    "default_bridge",
    "published_host_address",
    "published_remote",
    "published_ipv6_loopback",
    "published_routed",
    "nginx_stream",
    "haproxy_tcp",
    "socat_tcp",
    "nginx_http_bare_unix",
    "host_network",
    "bare_host",
    "overlay",
    "overlay_encrypted",
    "macvlan",
)
OFF = ("published_hairpin", "nginx_http_published", "unix_socket", "ipvlan_l2", "ipvlan_l3")
KINDS: tuple[Cell, ...] = (
    *((path, True) for path in (*BOTH, *ON)),
    *((path, False) for path in (*BOTH, *OFF)),
)

Feature = tuple[str, object]


def features(cells: Iterable[Cell]) -> set[Feature]:
    """What the default suite must have on one path at least."""
    return {feature for path, userland_proxy in cells for feature in _features(path, userland_proxy)}


def _features(name: str, userland_proxy: bool) -> Iterator[Feature]:
    path = PATHS[name]
    route = path.route(userland_proxy)
    if route is None:
        return
    yield from (("hop", hop) for hop in route.hops)
    yield from (("device", device) for device in route.signature.carries)
    yield from (("peer", route.signature.peer), ("link", route.signature.link))
    yield from (("attachment", path.attachment), ("client", path.vantage), ("address", path.address))
    yield from (("front", path.reverse_proxy), ("upstream", path.upstream))
    yield "userland-proxy", userland_proxy


def full_unless(by_default: bool) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of a parameter, which the default suite has or leaves to the full one."""
    return () if by_default else (pytest.mark.full,)


def path_cells() -> list[ParameterSet]:
    """Every path with each setting; those of `KINDS` are in the default suite."""
    return [
        pytest.param(path, on, id=f"{path}-{SETTING[on]}", marks=full_unless((path, on) in KINDS))
        for on in SETTING
        for path in PATHS
    ]


def has_page_by_default(path: str) -> bool:
    """Whether the default suite takes every trial of a path that some host can take."""
    settings = [on for on in SETTING if PATHS[path].route(on) is not None]
    if PATHS[path].attachment in OVERLAYS:
        settings = [True]  # measured with userland-proxy on only
    return all((path, on) in KINDS for on in settings)
