"""The bridge of an engine in a host's own network: its name, its address, and what a crash leaves of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.errors import HostCommandFailed
from worker.engine.host_bridge import (
    DEFAULT_ADDRESS,
    OTHER_ADDRESSES,
    free_address,
    host_device,
    make_default_bridge,
)
from worker.host.commands import in_namespace, run
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import remove_namespace, sweep

NETNS = "plmbridgetest"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


@pytest.fixture
def netns() -> Iterator[Path]:
    remove_namespace(NETNS)
    run(["ip", "netns", "add", NETNS])
    run(["ip", "-n", NETNS, "link", "set", "lo", "up"])
    yield Path("/run/netns", NETNS)
    remove_namespace(NETNS)


def devices(netns: Path) -> set[str]:
    text = run(in_namespace(netns, ["ip", "-br", "link"]))
    return {line.split()[0] for line in text.splitlines()}


def test_devices_of_an_engine_have_names_of_their_own() -> None:
    names = {host_device(key, purpose) for key in ("plimsoll-a", "plimsoll-b")
             for purpose in ("bridge", "gateway")}  # fmt: skip
    assert len(names) == 4
    assert all(re.fullmatch("plm[0-9a-f]{8}", name) for name in names)


@needs_root
def test_a_default_bridge_replaces_what_is_left_of_it(netns: Path) -> None:
    device = host_device("plimsoll-bridgetest-build", "bridge")
    for _ in range(2):
        make_default_bridge(device, netns)
    assert devices(netns) == {"lo", device}
    assert DEFAULT_ADDRESS in run(in_namespace(netns, ["ip", "address", "show", device]))
    with pytest.raises(HostCommandFailed):
        make_default_bridge("a-name-that-is-too-long", netns)


@needs_root
def test_what_a_crash_leaves_is_removed(netns: Path, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    device = host_device("plimsoll-bridgetest-build", "bridge")
    state = tmp_path / "var" / "docker" / "swarm"  # as a worker of an earlier release may have left it
    (state / "certificates").mkdir(parents=True)
    for entry in (Entry("folder", str(state)), Entry("host_link", device, str(netns))):
        ledger.making(entry)
    make_default_bridge(device, netns)
    run(in_namespace(netns, ["ip", "link", "add", "docker0", "type", "bridge"]))
    sweep(ledger)
    assert devices(netns) == {"lo", "docker0"}
    assert not state.exists()
    assert ledger.entries() == []
    sweep(ledger)


@needs_root
def test_a_bridge_takes_an_address_that_the_host_does_not_use(netns: Path) -> None:
    """Clash, among others, gives its TUN device 198.18.0.1/16."""
    device = host_device("plmtest-build", "bridge")
    for argv in (
        ["ip", "link", "add", "utun", "type", "bridge"],
        ["ip", "address", "add", "198.18.0.1/16", "dev", "utun"],
        ["ip", "link", "set", "utun", "up"],
        ["ip", "route", "add", "128.0.0.0/1", "dev", "utun"],
    ):
        run(in_namespace(netns, argv))
    make_default_bridge(device, netns)
    assert "192.0.2.241/28" in run(in_namespace(netns, ["ip", "address", "show", device]))


def test_a_host_that_uses_every_address_is_told_which_routes_are_in_the_way() -> None:
    routes = [{"dst": "198.18.0.0/15", "dev": "utun"}, {"dst": "default", "dev": "eth0"}]
    assert free_address(routes) == OTHER_ADDRESSES[0]
    routes += [{"dst": address.partition("/")[0], "dev": "lab0"} for address in OTHER_ADDRESSES]
    with pytest.raises(HostCommandFailed, match=r"198\.18\.0\.0/15 at utun, 192\.0\.2\.241/32 at lab0, "):
        free_address(routes)
