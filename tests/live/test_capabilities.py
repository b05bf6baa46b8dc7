"""The probed capabilities of this host: the probe is fast and leaves nothing."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.live.host import snapshot
from worker.host.capabilities import HostState, ProbeInput, probe
from worker.host.ledger import Ledger


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
