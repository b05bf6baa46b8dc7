"""Both ends of a path on two hosts: the sum of their CPU, and the signals of the client's host."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.sample import evidence_names as names
from backend.core.sample.client_result import link_facts
from backend.core.sample.cpu import CpuDelta, cpu_by_role, of_both_hosts
from backend.core.sample.evidence import judge
from backend.core.sample.evidence_signals import LINK_DEVICE, client_host_signals, encapsulation_signals
from backend.core.sample.record import LinkEnd
from backend.core.topology.model import Device
from backend.core.topology.paths import PATHS
from tests.core.sample.ideal import WORKLOAD, ideal

SOURCES = {"client": "client group", "server": "server group", "proxy": "clocks", "other": "root group"}


def test_cpu_of_both_hosts_keeps_every_bound() -> None:
    server = cpu_by_role(CpuDelta(0, 3.0, 0.5, 0.2, 4.0, 15.0, 0.0), 20.0, SOURCES)  # type: ignore[arg-type]
    client = cpu_by_role(CpuDelta(2.0, 0, 0, 0.1, 2.5, 37.0, 0.1), 40.0, SOURCES)  # type: ignore[arg-type]
    both = of_both_hosts(server, client)
    assert both.roles["client"] == 2.0
    assert both.roles["server"] == 3.0
    assert both.roles["kernel"] == pytest.approx(server.roles["kernel"] + client.roles["kernel"])
    assert both.host_busy == pytest.approx(sum(both.roles.values()))
    whole = both.host_busy + both.idle + both.steal + both.unattributed
    assert whole == pytest.approx(both.capacity) == pytest.approx(60.0)
    assert both.sources["server"] == "server group"
    assert "on the client host" in both.sources["other"]


def test_the_facts_of_a_link_are_those_of_both_ends() -> None:
    client = LinkEnd(device="eth1", address="10.0.0.2", mtu=9000, speed_mbit=None)
    server = LinkEnd(device="eth0", address="10.0.0.1", mtu=1500, speed_mbit=10_000)
    assert link_facts(server, client) == {
        "mtu server host eth0": "1500",
        "speed server host eth0": "10000 Mbit/s",
        "mtu client host eth1": "9000",
        "speed client host eth1": "unknown",
    }


@pytest.mark.parametrize(
    ("link", "loopback", "verdict", "first"),
    [
        (WORKLOAD, 0, "proven", None),
        (0, 0, "contradicted", names.CLIENT_LINK),
        (WORKLOAD, WORKLOAD, "contradicted", names.CLIENT_LOOPBACK),
        (None, 0, "not_proven", names.CLIENT_LINK),
    ],
)
def test_the_client_hosts_devices_are_decisive(
    link: int | None, loopback: int | None, verdict: str, first: str | None
) -> None:
    seen = ideal(PATHS["published_remote"], True)
    evidence = judge(PATHS["published_remote"], True, seen, client_host_signals(link, loopback, seen))
    assert evidence.verdict == verdict, evidence.sentence
    assert first is None or first in evidence.sentence


PACKETS = 20_000


@pytest.mark.parametrize(
    ("added", "packets", "verdict", "first"),
    [
        (50, PACKETS, "proven", None),
        (64, PACKETS, "proven", None),
        (49, PACKETS, "contradicted", names.CLIENT_ADDED),
        (0, PACKETS, "contradicted", names.CLIENT_ADDED),
        (50, None, "not_proven", names.CLIENT_ADDED),
        (None, PACKETS, "not_proven", names.CLIENT_ADDED),
    ],
)
def test_what_vxlan_adds_to_each_packet_is_decisive_at_both_ends(
    added: int | None, packets: int | None, verdict: str, first: str | None
) -> None:
    path = PATHS["overlay"]
    seen = ideal(path, True)
    seen = replace(
        seen,
        bytes=seen.bytes | {LINK_DEVICE: WORKLOAD + 50 * PACKETS, Device.VXLAN: WORKLOAD},
        vxlan_packets=PACKETS,
    )
    vxlan = None if added is None else WORKLOAD
    link = WORKLOAD + (added or 0) * PACKETS
    evidence = judge(path, True, seen, encapsulation_signals(link, vxlan, packets, seen))
    assert evidence.verdict == verdict, evidence.sentence
    assert first is None or first in evidence.sentence
    own = replace(seen, bytes=seen.bytes | {LINK_DEVICE: WORKLOAD})
    evidence = judge(path, True, own, encapsulation_signals(link, vxlan, packets, own))
    assert evidence.verdict == "contradicted"
    assert names.ADDED in evidence.sentence
