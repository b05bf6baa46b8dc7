"""Two workers' overlay against a swarm's, between the same hosts: the devices, and what is on the link."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.live.lab import PORT, Lab
from tests.live.overlays import Overlay, both_overlays, settings, watched
from worker.host.capabilities import ProbeInput, probe
from worker.host.commands import in_namespace, run
from worker.host.ledger import Ledger
from worker.sample.namespaces import device_facts, inside
from worker.topology.overlay_end import FIRST_NUMBER, MTU

pytestmark = pytest.mark.full
HEADERS, INNER_ETHERNET = 50, 14
"""Bytes that VXLAN adds (Ethernet, IP, UDP, VXLAN), and those of the inner frame's own header, which the
device counts neither of what it sends nor of what it receives (iptunnel_xmit, vxlan_rcv of the kernel)."""


def test_two_workers_make_what_a_swarm_makes(lab: Lab, tmp_path: Path) -> None:
    if why := probe(ProbeInput("cmpprobe", Ledger(tmp_path / "ledger.jsonl")))["reasons"].get(
        "path.overlay.two_hosts"
    ):
        pytest.skip(why)
    with both_overlays(lab) as overlays:
        for overlay in overlays:
            url = f"http://{overlay.address}:{PORT}/"
            overlay.ask("curl", "-s", "-o", "/dev/null", "--retry", "20", "--retry-connrefused", url)
        docker, own = overlays
        made, wanted = settings(own.server), settings(docker.server)
        numbers = [made["vxlan"].pop("id"), wanted["vxlan"].pop("id")]
        assert numbers[0] >= FIRST_NUMBER > numbers[1], "a swarm's numbers are lower ones"  # type: ignore[operator]
        assert made["vxlan"].pop("limit") == 1, "what a swarm's could learn has no room"
        assert made == wanted
        assert facts(own) == facts(docker)
        assert set(facts(own)["mtu"]) == {str(MTU)}
        assert rules(own) == rules(docker), "connections are tracked in both"
        packets = [on_the_link(overlay, tmp_path) for overlay in overlays]
        assert packets[0] == packets[1], "the same outer headers"
        assert all(json.loads(each)["added"] == HEADERS for each in packets[0])
        by_swarm, by_workers = (added(overlay) for overlay in overlays)
        for way, bytes_added in by_workers.items():
            expected = HEADERS + INNER_ETHERNET
            assert bytes_added == pytest.approx(expected, abs=1), "a swarm's nodes also talk on the link"
            assert bytes_added == pytest.approx(by_swarm[way], abs=1)


def facts(overlay: Overlay) -> dict[str, list[str]]:
    """MTU and offloads of the containers' devices on the overlay, the first of each."""
    found: dict[str, list[str]] = {}
    for side in (overlay.server, overlay.client):
        for name, value in (inside(side.container.pid, device_facts) or {})["eth0"].items():
            found.setdefault(name, []).append(value)
    return found


def rules(overlay: Overlay) -> list[str]:
    """Firewall rules in the containers' namespaces, without the random ports of Docker's name server."""
    found = []
    for side in (overlay.server, overlay.client):
        saved = run(in_namespace(f"/proc/{side.container.pid}/ns/net", ["iptables-save"]))
        kept = [line for line in saved.splitlines() if line.startswith(("-A", "*"))]
        found += [re.sub(r"(127\.0\.0\.11:|--sport )\d+", r"\1PORT", line) for line in kept]
    return found


def on_the_link(overlay: Overlay, folder: Path) -> set[str]:
    with watched(overlay, folder) as found:
        overlay.ask("ab", "-n", "200", "-c", "2", f"http://{overlay.address}:{PORT}/")
    assert sum(found.values()) > 200
    return set(found)


def added(overlay: Overlay) -> dict[str, float]:
    """Bytes that a packet is longer on the link than in the VXLAN device, sent and received."""
    link, vxlan = overlay.server.carried()
    overlay.ask("wrk", "-c4", "-t2", "-d2", f"http://{overlay.address}:{PORT}/")
    link_end, vxlan_end = overlay.server.carried()
    grown = {name: link_end[name] - link[name] - vxlan_end[name] + vxlan[name] for name in link}
    return {
        way: grown[f"{way} bytes"] / (vxlan_end[f"{way} packets"] - vxlan[f"{way} packets"])
        for way in ("rx", "tx")
    }
