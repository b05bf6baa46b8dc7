"""The attachment of the server, from the output of `ip -d -j link` (iproute2 6.1, shortened)."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.topology.model import Link
from worker.sample.links import classify

BRIDGES = {
    "plm0": Link.USER_BRIDGE,
    "docker0": Link.DEFAULT_BRIDGE,
    "plmr0": Link.ROUTED_BRIDGE,
    "": Link.NO_NETWORK,
}
LO: dict[str, Any] = {"ifindex": 1, "ifname": "lo", "linkinfo": {}}


def veth(index: int, other: int, name: str = "eth0", **more: str) -> dict[str, Any]:
    return {"ifindex": index, "link_index": other, "ifname": name, "linkinfo": {"info_kind": "veth"}} | more


def device(kind: str, mode: str = "", name: str = "eth0") -> dict[str, Any]:
    info = {"info_kind": kind} | ({"info_data": {"mode": mode}} if mode else {})
    return {"ifindex": 9, "link_index": 2, "ifname": name, "linkinfo": info}


@pytest.mark.parametrize(
    ("bridge", "link"),
    [
        ("plm0", Link.USER_BRIDGE),
        ("docker0", Link.DEFAULT_BRIDGE),
        ("plmr0", Link.ROUTED_BRIDGE),
        ("br-foreign", None),
    ],
)
def test_a_veth_is_named_by_the_bridge_of_its_other_end(bridge: str, link: Link | None) -> None:
    engine = [LO, veth(6, 5, "veth1", master="plm0"), veth(8, 7, "veth2", master=bridge)]
    assert classify([LO, veth(7, 8)], engine, [], BRIDGES) is link


def test_a_veth_without_a_bridge_is_unknown() -> None:
    assert classify([LO, veth(7, 8)], [veth(8, 7, "veth2")], [], BRIDGES) is None
    assert classify([LO, veth(7, 8)], [LO], [], BRIDGES) is None


def test_equal_indexes_alone_do_not_make_a_veth_pair() -> None:
    other = device("macvlan", "bridge") | {"ifindex": 8, "link_index": 7, "master": "plm0"}
    assert classify([LO, veth(7, 8)], [other], [], BRIDGES) is None
    assert classify([LO, veth(7, 8)], [veth(8, 99, master="plm0")], [], BRIDGES) is None


def test_on_an_overlay_the_second_device_does_not_count() -> None:
    server = [LO, veth(12, 13), veth(14, 15, "eth1")]
    engine = [LO, veth(15, 14, "veth3", master="docker_gwbridge")]
    overlay = [LO, device("bridge", name="br0"), device("vxlan", name="vxlan0"), veth(13, 12, master="br0")]
    assert classify(server, engine, overlay, BRIDGES) is Link.OVERLAY
    without_vxlan = [link for link in overlay if link["ifname"] != "vxlan0"]
    assert classify(server, engine, without_vxlan, BRIDGES) is None


def test_a_veth_of_the_engine_with_the_same_indexes_is_not_that_of_the_overlay() -> None:
    overlay = [LO, device("vxlan", name="vxlan0"), veth(4, 2, master="br0")]
    engine = [LO, veth(4, 2, "veth7", master="docker0")]
    assert classify([LO, veth(2, 4)], engine, overlay, BRIDGES) is Link.OVERLAY


@pytest.mark.parametrize(
    ("kind", "mode", "link"),
    [
        ("macvlan", "bridge", Link.MACVLAN),
        ("ipvlan", "l2", Link.IPVLAN_L2),
        ("ipvlan", "l3", Link.IPVLAN_L3),
        ("ipvlan", "l3s", Link.IPVLAN_L3),
        ("ipvlan", "", None),
    ],
)
def test_macvlan_and_ipvlan_are_recognised_by_kind_and_mode(kind: str, mode: str, link: Link | None) -> None:
    assert classify([LO, device(kind, mode)], [], [], BRIDGES) is link


def test_a_loopback_and_idle_tunnels_are_no_network() -> None:
    assert classify([LO, device("ipip", name="tunl0")], [], [], BRIDGES) is Link.NO_NETWORK
