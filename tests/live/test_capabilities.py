"""The probed capabilities of this host agree with the engines, and the probe leaves nothing."""

from __future__ import annotations

import json
import tarfile
import time
from pathlib import Path

import pytest

from backend.core.errors import EngineUnavailable
from tests.live.host import snapshot
from tests.live.lab import tiny_root
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import InstallPaths, engine_names
from worker.engine.protocol import ContainerSpec, NetworkSpec
from worker.engine.segment import Segment
from worker.host.capabilities import HostState, ProbeInput, probe
from worker.host.ledger import Ledger

NETWORKS = {
    "macvlan": NetworkSpec("p-macvlan", "macvlan", parent="lan0", subnet="198.18.2.0/24"),
    "ipvlan_l2": NetworkSpec("p-l2", "ipvlan", parent="lan0", subnet="198.18.3.0/24"),
    "ipvlan_l3": NetworkSpec(
        "p-l3", "ipvlan", parent="lan0", subnet="198.18.4.0/24", options={"ipvlan_mode": "l3"}
    ),
}


def test_the_probe_is_fast_and_leaves_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    before = snapshot("probetest")
    programs = {"none": tmp_path / "nothing"}
    start = time.monotonic()
    found = probe(ProbeInput("probetest", ledger, programs, HostState("not here", None), 7))
    assert time.monotonic() - start < 2.0
    assert snapshot("probetest") == before
    assert ledger.entries() == []
    assert json.loads(json.dumps(found)) == found
    assert {"on", "off"} <= set(found["engines"])
    assert "host" not in found["engines"]
    assert found["programs"] == ["docker-proxy"]
    assert found["reasons"]["engine.host"] == "not here"
    assert found["reasons"]["program.none"].startswith("the proxy program none does not exist")
    assert found["max_scale"] == 7
    assert {"same_container", "published_loopback"} <= set(found["paths"])


def test_an_engine_can_create_exactly_the_networks_that_the_probe_found(tmp_path: Path) -> None:
    """Docker creates a network of any driver; the kernel refuses when the first container joins it."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    found = probe(ProbeInput("probetest", ledger))
    segment = Segment("probetest", ledger)
    names = engine_names(InstallPaths("probetest", Path("/run/plimsoll-probetest"), tmp_path), "on")
    engine = LabEngine(names, ledger, LabSettings(True), segment)
    docker = engine.start()
    with tarfile.open(tmp_path / "tiny.tar", "w") as archive:
        archive.add(tiny_root(tmp_path / "root"), ".")
    docker.images.import_base(str(tmp_path / "tiny.tar"), "tiny:test")
    try:
        for path, spec in NETWORKS.items():
            docker.ensure_network(spec)
            docker.ensure_network(spec)
            sleeper = ContainerSpec("sleeper", "tiny:test", ("/usr/bin/sleep", "600"), spec.name, 2**26)
            if path in found["paths"]:
                assert docker.create(sleeper).address
            else:
                with pytest.raises(EngineUnavailable, match="starting sleeper: "):
                    docker.create(sleeper)
            docker.remove_everything()  # another network may want the same parent
            assert spec.name not in [network.name for network in docker.client.networks.list()]
    finally:
        engine.stop()
        segment.stop()
    assert ledger.entries() == []
