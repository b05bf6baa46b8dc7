"""Every path on real engines: proven under its own name, contradicted under every other."""

from __future__ import annotations

import itertools

import pytest

from backend.core.topology.paths import PATHS
from tests.live.conftest import trial
from worker.trial.bench import Bench

SETTINGS = [pytest.param(True, id="proxy-on"), pytest.param(False, id="proxy-off")]


@pytest.mark.parametrize("userland_proxy", SETTINGS)
@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_proven_under_its_own_name(bench: Bench, path: str, userland_proxy: bool) -> None:
    record = trial(bench, path, userland_proxy)
    assert record.evidence.verdict == "proven", record.evidence.model_dump_json(indent=1)
    assert not [s for s in record.evidence.signals if s.state == "disagrees"]
    assert record.metrics["tps"] > 0
    through_proxy = path == "published_loopback" and userland_proxy
    assert (record.cpu.roles["proxy"] > 0.02 * record.cpu.host_busy) is through_proxy


@pytest.mark.parametrize("userland_proxy", SETTINGS)
@pytest.mark.parametrize(("label", "taken"), list(itertools.permutations(PATHS, 2)))
def test_a_mislabelled_path_is_contradicted(
    bench: Bench, label: str, taken: str, userland_proxy: bool
) -> None:
    record = trial(bench, label, userland_proxy, taken=taken)
    claimed, real = (PATHS[name].route(userland_proxy).signature for name in (label, taken))
    if claimed == real:
        # With the proxy off the kernel treats 127.0.0.1 and the host's address alike: one data path.
        assert not userland_proxy
        assert {label, taken} == {"published_loopback", "published_host_address"}
        assert record.evidence.verdict == "proven"
        return
    assert record.evidence.verdict == "contradicted", record.evidence.model_dump_json(indent=1)
    assert "disagrees" in {signal.state for signal in record.evidence.signals}


@pytest.mark.parametrize("userland_proxy", SETTINGS)
def test_cpu_by_role_sums_to_the_busy_host(bench: Bench, userland_proxy: bool) -> None:
    cpu = trial(bench, "published_loopback", userland_proxy, duration_s=2).cpu
    assert sum(cpu.roles.values()) + cpu.unattributed == pytest.approx(cpu.host_busy, abs=1e-6)
    assert abs(cpu.unattributed) < 0.1 * cpu.host_busy
    assert cpu.roles["client"] > 0
    assert cpu.roles["server"] > cpu.roles["kernel"]


def test_every_factor_reaches_the_command_line(bench: Bench) -> None:
    record = trial(
        bench, "same_container", True, clients=3, threads=2, protocol="extended", scale=2, warm_up_s=1
    )
    warm_up, measured = record.commands
    assert " ".join(measured.argv).startswith("pgbench -n -S -M extended -c 3 -j 2 -T 1 -P 1 -h 127.0.0.1")
    assert measured.argv[-1] == "bench_s2"
    assert warm_up.argv != measured.argv or warm_up.purpose == "warm_up"
    for text in ("query mode: extended", "number of clients: 3", "number of threads: 2", "scaling factor: 2"):
        assert text in measured.stdout


def test_series_and_versions_are_kept(bench: Bench) -> None:
    record = trial(bench, "published_loopback", True, duration_s=2)
    assert len(record.per_second) == 2
    assert len(record.cpu_series) >= 15
    assert max(point.cores["proxy"] for point in record.cpu_series) > 0.05
    assert record.versions["pgbench"].startswith("15.")
    assert record.latency_measured
