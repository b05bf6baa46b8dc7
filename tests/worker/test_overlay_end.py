"""An end of an overlay between two hosts: what it lets in, what it is made of, and what stays of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.errors import TrialFailed
from tests.worker.overlay_hosts import RECEIVE, Machine, machines
from worker.host.commands import run
from worker.host.reaper import sweep
from worker.topology.overlay_end import (
    FIRST_NUMBER,
    LAST_NUMBER,
    MTU,
    NO_VXLAN,
    End,
    Tunnel,
    new_number,
    vxlan_device,
)

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")
NUMBER = FIRST_NUMBER + 77
SAID = "import socket, sys; socket.socket(2, 2).sendto(sys.argv[1].encode(), ('198.19.255.2', 9999))"


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[list[Machine]]:
    with machines(tmp_path, "a", "b", "c") as found:
        yield found


def overlay(machine: Machine, *argv: str) -> str:
    return run(["ip", "-n", machine.overlay.netns, *argv])


def test_numbers_are_of_the_range_and_differ() -> None:
    numbers = {new_number() for _ in range(100)}
    assert len(numbers) > 90 and all(FIRST_NUMBER <= number <= LAST_NUMBER < 2**24 for number in numbers)


def test_both_ends_know_each_other_by_role_alone() -> None:
    for end in End:
        assert end.other.other is end and end.address != end.other.address
    assert End.SERVER.hardware_address == "02:50:c6:13:ff:02"


def test_the_containers_of_both_hosts_reach_each_other_and_nobody_else_gets_in(hosts: list[Machine]) -> None:
    server, client, third = hosts
    server.up(NUMBER, client.address, End.SERVER)
    client.up(NUMBER, server.address, End.CLIENT)
    argv = server.in_container(sys.executable, "-c", RECEIVE)
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout is not None and receiver.stdout.readline() == "ready\n"
        third.send(server.address, NUMBER, "a third host")
        third.send(server.address, NUMBER, "a third host, another address", "02:50:00:00:00:09")
        client.send(server.address, NUMBER, "another address", "02:50:00:00:00:09")
        client.send(server.address, NUMBER, "its own address", End.SERVER)
        client.send(server.address, NUMBER + 1, "another number")
        for text in ("hello", "end"):
            run(client.in_container(sys.executable, "-c", SAID, text))
        assert receiver.stdout.read() == "hello\n"


def test_an_end_is_what_dockers_driver_makes(hosts: list[Machine]) -> None:
    """Compared with a swarm's by tests/live/test_overlay_without_swarm.py."""
    server, client, _ = hosts
    before = server.inside("ip", "-br", "link")
    server.up(NUMBER, client.address, End.SERVER)
    links = {link["ifname"]: link for link in json.loads(overlay(server, "-d", "-j", "link"))}
    assert set(links) == {"lo", "br0", "vxlan0", "veth0"}
    vxlan = links["vxlan0"]["linkinfo"]["info_data"]
    assert (vxlan["id"], vxlan["port"], vxlan["local"]) == (NUMBER, 4789, server.address)
    assert [links[name]["mtu"] for name in ("br0", "vxlan0", "veth0")] == [MTU] * 3
    assert links["vxlan0"]["linkinfo"]["info_slave_data"]["locked"] is True
    assert overlay(server, "route", "show", "table", "all", "default") == "", "no way out"
    assert overlay(server, "-4", "-br", "address", "show", "br0").split()[2:] == []
    (known,) = json.loads(overlay(server, "-j", "neighbour", "show", "nud", "permanent", "dev", "vxlan0"))
    assert (known["dst"], known["lladdr"]) == (End.CLIENT.address, End.CLIENT.hardware_address)
    entries = run(["bridge", "-n", server.overlay.netns, "fdb", "show", "dev", "vxlan0"]).splitlines()
    to_host = [line for line in entries if " dst " in line]
    assert len(to_host) == 1 and f"{End.CLIENT.hardware_address} dst {client.address} " in to_host[0]
    assert server.inside("ip", "-br", "link") == before, "no device in the host's own network"
    assert server.inside("ss", "-Hlnu").split()[3] == "0.0.0.0:4789"


def test_a_container_tracks_connections_as_one_on_a_network_of_docker_does(hosts: list[Machine]) -> None:
    """Docker's rules for its name server make the kernel track every connection of the container."""
    server, client, _ = hosts
    for _ in range(2):
        server.up(NUMBER, client.address, End.SERVER)
    saved = run(server.in_container("iptables-save", "-t", "nat"))
    rules = [line for line in saved.splitlines() if line.startswith("-A")]
    assert len(rules) == 6 and all("127.0.0.11" in rule for rule in rules)
    assert "127.0.0.11" not in server.inside("iptables-save"), "none in the host's network"


def test_nothing_stays_of_it(hosts: list[Machine]) -> None:
    server, client, _ = hosts
    for _ in range(2):
        server.up(NUMBER, client.address, End.SERVER)  # in place of the earlier one, with the same number
    server.overlay.remove()
    assert not server.overlay.path.exists()
    assert server.inside("ss", "-Hlnu") == ""
    assert run(server.in_container("ip", "-br", "link")).split()[0] == "lo"
    assert "eth0" not in run(server.in_container("ip", "-br", "link"))
    server.overlay.remove()


def test_what_a_crash_leaves_is_in_the_ledger_and_removed(hosts: list[Machine]) -> None:
    server, client, _ = hosts
    server.up(NUMBER, client.address, End.SERVER)
    ledger = server.overlay._ledger
    assert [(entry.kind, entry.name) for entry in ledger.entries()] == [("netns", server.overlay.netns)]
    assert sweep(ledger) == [f"netns {server.overlay.netns}"]
    assert not server.overlay.path.exists() and ledger.entries() == []


def test_a_number_or_a_port_that_is_taken_is_named_and_nothing_stays(hosts: list[Machine]) -> None:
    server, client, _ = hosts
    device = vxlan_device(Tunnel(NUMBER, server.address, client.address))
    server.inside("ip", "link", "add", "other", *device)
    with pytest.raises(TrialFailed, match=r"from 198\.18\.7\.1 to 198\.18\.7\.2: .*exists") as refused:
        server.up(NUMBER, client.address, End.SERVER)
    assert refused.value.code == NO_VXLAN and "UDP 4789" in str(refused.value)
    server.inside("ip", "link", "delete", "other")
    taken = "import socket; s = socket.socket(2, 2); s.bind(('', 4789)); print(flush=True); input()"
    argv = ["ip", "netns", "exec", server.netns, sys.executable, "-c", taken]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(TrialFailed, match="in use"):
            server.up(NUMBER, client.address, End.SERVER)
        other.communicate(b"\n")
    assert not server.overlay.path.exists() and server.overlay._ledger.entries() == []


def test_only_a_container_that_runs_is_attached(hosts: list[Machine]) -> None:
    server, client, _ = hosts
    server.overlay.make(
        f"/run/netns/{server.netns}", Tunnel(NUMBER, server.address, client.address), End.SERVER
    )
    for pid in (1, 2**30):
        with pytest.raises(TrialFailed, match="has ended"):
            server.overlay.attach(pid, End.SERVER)
