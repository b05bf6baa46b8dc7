"""Both ends of a path on two hosts: the sum of their CPU, and the signals of the client's host."""

from __future__ import annotations

import pytest

from backend.core.sample import evidence_names as names
from backend.core.sample.cpu import CpuDelta, cpu_by_role, of_both_hosts
from backend.core.sample.evidence import judge
from backend.core.sample.evidence_signals import client_host_signals
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
