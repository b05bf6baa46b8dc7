"""Networks of every driver, and what a sweep removes in a daemon that is not Plimsoll's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.errors import EngineUnavailable
from tests.live.lab import Lab
from worker.engine.host import HostDaemon
from worker.engine.protocol import ContainerSpec, NetworkSpec
from worker.host.capabilities import ProbeInput, probe
from worker.host.host_docker import OWNER_LABEL
from worker.host.ledger import Ledger
from worker.host.reaper import sweep

NETWORKS = {
    "macvlan": NetworkSpec("p-macvlan", "macvlan", parent="lan0", subnet="198.18.2.0/24"),
    "ipvlan_l2": NetworkSpec("p-l2", "ipvlan", parent="lan0", subnet="198.18.3.0/24"),
    "ipvlan_l3": NetworkSpec(
        "p-l3", "ipvlan", parent="lan0", subnet="198.18.4.0/24", options={"ipvlan_mode": "l3"}
    ),
}


@pytest.mark.full
def test_an_engine_can_create_exactly_the_networks_that_the_probe_found(lab: Lab, tmp_path: Path) -> None:
    """Docker creates a network of any driver; the kernel refuses when the first container joins it."""
    found = probe(ProbeInput("probetest", Ledger(tmp_path / "ledger.jsonl")))
    lab.up("on")
    docker = lab.docker("on")
    for path, spec in NETWORKS.items():
        docker.remove_everything()  # another network may have the same parent
        docker.ensure_network(spec)
        docker.ensure_network(spec)
        sleeper = ContainerSpec("sleeper", lab.image.tag, ("/usr/bin/sleep", "600"), spec.name, 2**26)
        if path in found["paths"]:
            assert docker.create(sleeper).address
        else:
            with pytest.raises(EngineUnavailable, match="starting sleeper: "):
                docker.create(sleeper)
        docker.remove_everything()
        assert spec.name not in [network.name for network in docker.client.networks.list()]


def test_a_sweep_removes_our_objects_in_the_hosts_own_docker(lab: Lab, tmp_path: Path) -> None:
    """Without a Docker client and by label only: foreign objects stay."""
    lab.up("on")
    theirs, socket = lab.docker("on"), lab.names("on").docker_socket
    theirs.remove_everything()
    ours = Ledger(tmp_path / "ours.jsonl")
    theirs.ensure_network(NetworkSpec("their-network"))
    daemon = HostDaemon(socket, "engtest2", ours)
    daemon.start()
    daemon.docker.ensure_network(NetworkSpec("our-network"))
    daemon.docker.client.volumes.create("our-volume", labels={OWNER_LABEL: daemon.key})
    assert sweep(Ledger(ours.path)) == [f"host_engine {socket}"]
    assert {"their-network"} == {
        n.name for n in theirs.client.networks.list(filters={"driver": "bridge"})
    } - {"bridge"}
    assert theirs.client.volumes.list() == []
    assert ours.entries() == []
    theirs.remove_everything()
