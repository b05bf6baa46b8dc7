"""Routes between hosts: the kernel's own answers, and a real veth of this machine."""

from __future__ import annotations

import os
import struct
import uuid
from collections.abc import Iterator

import pytest

from backend.core.errors import HostCommandFailed
from backend.core.topology.link_address import is_link_address
from worker.host.commands import run
from worker.sample.route import (
    own_addresses,
    parse_addresses,
    parse_route,
    parse_speed,
    route_to,
    speed_mbit,
)

REMOTE = '[{"dst":"10.9.0.2","dev":"eth0","prefsrc":"10.9.0.1","flags":[],"uid":0,"cache":[]}]'
GATEWAY = '[{"dst":"10.8.0.2","gateway":"10.9.0.254","dev":"eth0","prefsrc":"10.9.0.1","flags":[]}]'
LOCAL = '[{"type":"local","dst":"10.9.0.1","dev":"lo","prefsrc":"10.9.0.1","flags":[],"cache":["local"]}]'


@pytest.mark.parametrize(("text", "local"), [(REMOTE, False), (GATEWAY, False), (LOCAL, True)])
def test_a_route_gives_the_source_address(text: str, local: bool) -> None:
    assert parse_route(text).source == "10.9.0.1"
    assert parse_route(text).local is local


@pytest.mark.parametrize("text", ["", "[]", '[{"dst":"10.9.0.2"}]', "[1]"])
def test_no_usable_route_is_a_fault_of_the_host(text: str) -> None:
    with pytest.raises(HostCommandFailed):
        parse_route(text)


def test_addresses_of_bridges_come_last() -> None:
    links = [
        {"ifname": "docker0", "flags": ["UP"], "linkinfo": {"info_kind": "bridge"},
         "addr_info": [{"local": "172.17.0.1", "scope": "global"}]},
        {"ifname": "lo", "flags": ["UP"], "addr_info": [{"local": "127.0.0.1", "scope": "host"}]},
        {"ifname": "eth1", "flags": [], "addr_info": [{"local": "10.7.0.1", "scope": "global"}]},
        {"ifname": "eth0", "flags": ["UP"], "addr_info": [{"local": "10.9.0.1", "scope": "global"}]},
    ]  # fmt: skip
    assert parse_addresses(links) == ("10.9.0.1", "172.17.0.1")


@pytest.mark.parametrize(
    ("address", "literal"),
    [("10.9.0.1", True), ("127.0.0.1", False), ("host.example", False), ("0.0.0.0", False), ("", False),
     ("10.9.0.1 -x", False), ("::1", False)],
)  # fmt: skip
def test_only_a_literal_address_is_a_target(address: str, literal: bool) -> None:
    assert is_link_address(address) is literal


@pytest.mark.parametrize(
    ("low", "high", "speed"),
    [(1000, 0, 1000), (100_000 & 0xFFFF, 100_000 >> 16, 100_000), (0xFFFF, 0xFFFF, None), (0, 0, None)],
)
def test_a_speed_has_two_halves(low: int, high: int, speed: int | None) -> None:
    settings = bytearray(44)
    struct.pack_into("H", settings, 12, low)
    struct.pack_into("H", settings, 28, high)
    assert parse_speed(bytes(settings)) == speed


@pytest.fixture
def netns() -> Iterator[str]:
    name = f"route-{uuid.uuid4().hex[:8]}"
    run(["ip", "netns", "add", name])
    try:
        run(["ip", "-n", name, "link", "add", "left", "type", "veth", "peer", "name", "right"])
        run(["ip", "-n", name, "address", "add", "198.18.9.1/24", "dev", "left"])
        for device in ("lo", "left", "right"):
            run(["ip", "-n", name, "link", "set", device, "up"])
        yield name
    finally:
        run(["ip", "netns", "delete", name])


@pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")
def test_the_route_of_a_real_namespace(netns: str) -> None:
    assert route_to(netns, "198.18.9.2").source == "198.18.9.1"
    assert route_to(netns, "198.18.9.1").local
    assert own_addresses(netns) == ("198.18.9.1",)
    with pytest.raises(HostCommandFailed):
        route_to(netns, "203.0.113.1")


def test_an_unknown_device_has_no_speed() -> None:
    assert speed_mbit("no-such-device") is None
