"""The registry of paths: complete, in order, and with hops that say what the signature shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.core.definition.catalog import PATH_NAMES, SERVICES
from backend.core.definition.factors import Level
from backend.core.topology import paths
from backend.core.topology.model import (
    Address,
    Attachment,
    Device,
    Hop,
    Link,
    PathDefinition,
    Peer,
    Relay,
    ReverseProxyKind,
    Route,
    Signature,
    Vantage,
)
from backend.core.topology.paths import PATHS, hops_of

ROUTES = [
    pytest.param(path, route, id=f"{path.name}-{setting}")
    for path in PATHS.values()
    for setting, route in (("on", path.proxied), ("off", path.direct))
    if route is not None
]
RELAYS = {
    Relay.DOCKER_PROXY: Hop.DOCKER_PROXY,
    Relay.NGINX: Hop.NGINX,
    Relay.HAPROXY: Hop.HAPROXY,
    Relay.SOCAT: Hop.SOCAT,
}
REVERSE_PROXIES = {
    ReverseProxyKind.NGINX_STREAM: Relay.NGINX,
    ReverseProxyKind.NGINX_HTTP: Relay.NGINX,
    ReverseProxyKind.HAPROXY_TCP: Relay.HAPROXY,
    ReverseProxyKind.SOCAT: Relay.SOCAT,
}
LINKS = {
    Attachment.USER_BRIDGE: Link.USER_BRIDGE,
    Attachment.DEFAULT_BRIDGE: Link.DEFAULT_BRIDGE,
    Attachment.ROUTED_BRIDGE: Link.ROUTED_BRIDGE,
    Attachment.HOST_NETWORK: Link.NONE,
    Attachment.BARE: Link.NONE,
    Attachment.BARE_SOCKET: Link.NONE,
    Attachment.SOCKET: Link.NO_NETWORK,
    Attachment.OVERLAY: Link.OVERLAY,
    Attachment.OVERLAY_ENCRYPTED: Link.OVERLAY,
    Attachment.MACVLAN: Link.MACVLAN,
    Attachment.IPVLAN_L2: Link.IPVLAN_L2,
    Attachment.IPVLAN_L3: Link.IPVLAN_L3,
}
PEERS = {
    Peer.LOOPBACK: "same_container shared_namespace nginx_http_bare host_network bare_host",
    Peer.NONE: "nginx_http_unix nginx_http_bare_unix unix_socket",
    Peer.HOST: "published_host_address-on",
    Peer.CLIENT: (
        "sibling_container default_bridge published_remote published_hairpin-off published_routed "
        "host_network_remote bare_host_remote overlay overlay_encrypted macvlan ipvlan_l2 ipvlan_l3"
    ),
    Peer.GATEWAY: (
        "container_address published_loopback published_host_address-off published_hairpin-on "
        "published_ipv6_loopback-on nginx_stream haproxy_tcp socat_tcp nginx_http_published"
    ),
}
"""The address that live trials found at the server's other end, by path or by path and userland-proxy."""
THROUGH_THE_BRIDGE_DEVICE = (
    "container_address published_loopback published_host_address published_remote published_hairpin-on "
    "published_ipv6_loopback-on nginx_stream haproxy_tcp socat_tcp nginx_http_published"
)
"""What does not only go from one port of the user-defined bridge to another."""


def test_every_name_has_its_file_and_every_file_its_name() -> None:
    assert tuple(PATHS) == PATH_NAMES
    assert all(name == path.name for name, path in PATHS.items())
    files = {file.stem for file in Path(paths.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == set(PATH_NAMES)


def test_titles_and_summaries_tell_the_paths_apart() -> None:
    assert len({path.title for path in PATHS.values()}) == len(PATHS)
    assert len({path.summary for path in PATHS.values()}) == len(PATHS)
    assert all(path.summary.endswith(".") for path in PATHS.values())


def test_a_setting_that_cannot_be_taken_has_its_reason() -> None:
    unreachable = {path.name for path in PATHS.values() if path.direct is None or path.proxied is None}
    assert unreachable == {"published_ipv6_loopback"}
    assert {path.name for path in PATHS.values() if path.unreachable} == unreachable


@pytest.mark.parametrize(("path", "route"), ROUTES)
def test_hops_and_signature_say_the_same(path: PathDefinition, route: Route) -> None:
    expected = route.signature
    assert {relay for relay, hop in RELAYS.items() if hop in route.hops} == expected.relays
    assert (Hop.DNAT in route.hops) is expected.dnat
    assert (Hop.UNIX_SOCKET in route.hops) is expected.socket
    assert (Hop.LOOPBACK in route.hops) is bool(
        expected.carries & {Device.ENGINE_LOOPBACK, Device.SERVER_LOOPBACK}
    )
    assert (Hop.WIRE in route.hops) is (Device.WIRE in expected.carries)
    assert (Hop.VXLAN in route.hops) is (Device.VXLAN in expected.carries)
    assert (Hop.ESP in route.hops) is (Device.ESP in expected.carries)
    assert (Hop.MASQUERADE in route.hops) <= (expected.peer is Peer.GATEWAY)


def named(found: str) -> set[tuple[str, bool]]:
    """Path and setting of every word: "overlay" has both settings, "overlay-on" one."""
    parts = [word.partition("-") for word in found.split()]
    return {
        (name, setting == "on")
        for name, _, only in parts
        for setting in ("on", "off")
        if only in ("", setting)
    }


def where(matches: Callable[[Signature], bool]) -> set[tuple[str, bool]]:
    return {
        (path.name, on)
        for path in PATHS.values()
        for on in (True, False)
        if (route := path.route(on)) is not None and matches(route.signature)
    }


@pytest.mark.parametrize("peer", Peer)
def test_the_address_that_the_server_sees(peer: Peer) -> None:
    assert where(lambda signature: signature.peer is peer) == named(PEERS[peer])


def test_the_bridge_device_counts_what_it_does_not_only_forward() -> None:
    seen = where(lambda signature: Device.USER_BRIDGE in signature.carries)
    assert seen == named(THROUGH_THE_BRIDGE_DEVICE)


@pytest.mark.parametrize(("path", "route"), ROUTES)
def test_signature_follows_from_what_the_path_asks_for(path: PathDefinition, route: Route) -> None:
    expected = route.signature
    assert expected.link is LINKS[path.attachment]
    assert expected.destination is path.address
    assert expected.socket is (Address.SOCKET in (path.address, path.upstream))
    assert (expected.peer is Peer.NONE) is expected.socket
    bare = path.attachment in (Attachment.BARE, Attachment.BARE_SOCKET)
    assert (expected.server.value == "bare") is bare
    assert (expected.client.value == "bare") is (path.vantage is Vantage.BARE_HOST)
    if expected.link is Link.NONE:
        assert not expected.carries & {Device.SERVER_LINK, Device.SERVER_LOOPBACK}


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.name)
def test_a_front_is_reached_on_loopback_and_relays(path: PathDefinition) -> None:
    assert (path.reverse_proxy is None) is (path.upstream is None)
    if path.reverse_proxy is None:
        return
    assert path.address is Address.LOOPBACK
    for route in (path.proxied, path.direct):
        assert route is not None
        assert REVERSE_PROXIES[path.reverse_proxy] in route.signature.relays
    assert (path.reverse_proxy is ReverseProxyKind.NGINX_HTTP) is bool(path.services)


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.name)
def test_services_are_known(path: PathDefinition) -> None:
    assert set(path.services) <= set(SERVICES)


def test_docker_proxy_is_a_hop_only_where_the_kernel_cannot_rewrite() -> None:
    through = [
        (path.name, on)
        for path in PATHS.values()
        for on in (True, False)
        if (route := path.route(on)) is not None and Relay.DOCKER_PROXY in route.signature.relays
    ]
    assert through == [
        ("published_loopback", True),
        ("published_hairpin", True),
        ("published_ipv6_loopback", True),
        ("nginx_http_published", True),
    ]


def test_a_cells_levels_give_its_hops() -> None:
    levels: dict[str, Level] = {"path": "published_loopback", "userland_proxy": True}
    assert hops_of(levels) == ("loopback", "docker-proxy", "bridge", "veth")
    assert hops_of(levels | {"userland_proxy": False})[:2] == ("dnat", "masquerade")
    assert hops_of({"path": "published_ipv6_loopback", "userland_proxy": False}) == ()
