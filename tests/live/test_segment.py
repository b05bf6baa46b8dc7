"""The link between engines: cached addresses stay valid when a device is created again."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from worker.engine.segment import Segment, link_address
from worker.host.commands import in_namespace
from worker.host.ledger import Ledger
from worker.host.reaper import remove_namespace

HERE, THERE = "plmsegtest-here", "plmsegtest-there"
ADDRESS = {HERE: "198.18.255.1", THERE: "198.18.255.2"}


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Segment]:
    segment = Segment("segtest", Ledger(tmp_path / "ledger.jsonl"))
    for netns in ADDRESS:
        remove_namespace(netns)
        subprocess.run(["ip", "netns", "add", netns], check=True)
    yield segment
    segment.stop()
    for netns in ADDRESS:
        remove_namespace(netns)


def ip(netns: str, *arguments: str) -> str:
    return subprocess.run(["ip", "-n", netns, *arguments], check=True, capture_output=True, text=True).stdout


def connecting(netns: str, address: str) -> int:
    """The kernel's error for a connection from a namespace to a port without a listener."""
    code = f"import socket; s = socket.socket(); s.settimeout(20); print(s.connect_ex(('{address}', 9)))"
    argv = in_namespace(netns, [sys.executable, "-c", code])
    return int(subprocess.run(argv, check=True, capture_output=True, text=True).stdout)


def test_a_new_device_has_the_address_that_its_neighbours_cache(wire: Segment) -> None:
    for netns, address in ADDRESS.items():
        wire.join(netns, address)
    before = ip(THERE, "link", "show", "lan0")
    assert link_address(ADDRESS[THERE]) in before
    assert link_address(ADDRESS[THERE]) != link_address(ADDRESS[HERE])
    wire.leave(THERE)
    wire.join(THERE, ADDRESS[THERE])
    assert link_address(ADDRESS[THERE]) in ip(THERE, "link", "show", "lan0")


def test_a_removed_link_is_created_again_with_its_members(wire: Segment) -> None:
    for netns, address in ADDRESS.items():
        wire.join(netns, address)
    remove_namespace(wire.netns)
    wire.repair()
    for netns, address in ADDRESS.items():
        assert address in ip(netns, "-4", "address", "show", "lan0")
    assert connecting(HERE, ADDRESS[THERE]) == errno.ECONNREFUSED, "the other end itself refused"
    wire.repair()


def test_joining_a_removed_link_restores_it_for_all_members(wire: Segment) -> None:
    wire.join(HERE, ADDRESS[HERE])
    remove_namespace(wire.netns)
    wire.join(THERE, ADDRESS[THERE])
    for netns, address in ADDRESS.items():
        assert address in ip(netns, "-4", "address", "show", "lan0")
