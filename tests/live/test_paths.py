"""Every path on real engines: proven under its own name, contradicted under every other."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence

import pytest

from backend.core.definition.factors import Level
from backend.core.sample.evidence import judge
from backend.core.sample.record import Evidence, TrialRecord
from backend.core.topology.model import Relay
from backend.core.topology.paths import PATHS
from tests.live.conftest import levels_of, measured, trial
from tests.live.kinds import KINDS, SETTING, Cell, full_unless, path_cells
from tests.live.taken import obstacle, taken
from worker.topology.testbed import Testbed

SETTINGS = [pytest.param(on, id=name) for on, name in SETTING.items()]
pytestmark = pytest.mark.usefixtures("path_servers")
MARK = {"proven": "P", "not_proven": "?", "contradicted": "·"}


def why_not(evidence: Evidence) -> str:
    """The sentence, and every contradicting signal."""
    lines = (
        f"{s.state}: {s.name}: {s.expected}; {s.observed}" for s in evidence.signals if s.state != "agrees"
    )
    return "\n".join((evidence.sentence, *lines))


@pytest.mark.parametrize(("path", "userland_proxy"), path_cells())
def test_a_path_is_proven_under_its_own_name(testbed: Testbed, path: str, userland_proxy: bool) -> None:
    found = taken(testbed, path, userland_proxy)
    if isinstance(found, str):
        pytest.skip(found)
    evidence = found.record.evidence
    assert evidence.verdict == "proven", why_not(evidence)
    assert found.record.transactions > 0
    route = PATHS[path].route(userland_proxy)
    assert route is not None
    relayed = found.record.cpu.roles["proxy"] > 0.02 * found.record.cpu.host_busy
    assert relayed is bool(route.signature.relays)


@pytest.mark.parametrize("userland_proxy", SETTINGS)
@pytest.mark.parametrize(
    "cells",
    [
        pytest.param(KINDS, id="of-every-kind"),
        pytest.param([(path, on) for on in SETTING for path in PATHS], marks=pytest.mark.full, id="all"),
    ],
)
def test_no_path_is_taken_for_another(
    testbed: Testbed, cells: Sequence[Cell], userland_proxy: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """The confusion matrix: the observation on each path, judged under the label of every other."""
    lines, wrong, absent = [], [], []
    for path in [path for path, on in cells if on is userland_proxy]:
        found = taken(testbed, path, userland_proxy)
        if isinstance(found, str):
            absent.append(f"{path:>26}: {found}")
            continue
        verdicts = {label: judge(PATHS[label], userland_proxy, found.seen).verdict for label in PATHS}
        lines.append(f"{path:>26} " + "".join(MARK[verdict] for verdict in verdicts.values()))
        wrong += [
            (path, label, verdict)
            for label, verdict in verdicts.items()
            if verdict != ("proven" if label == path else "contradicted")
        ]
    with capsys.disabled():
        print(f"\nuserland-proxy {'on' if userland_proxy else 'off'}: rows = path taken, columns = label")
        print(*lines, "not taken here:", *absent, sep="\n")
    assert not wrong


MISLABELLED = [
    ("published_loopback", "container_address"),
    ("container_address", "published_loopback"),
    ("published_host_address", "published_loopback"),
    ("published_loopback", "published_host_address"),
    ("same_container", "shared_namespace"),
    ("shared_namespace", "same_container"),
    ("sibling_container", "published_hairpin"),
    ("published_hairpin", "sibling_container"),
    ("published_remote", "published_host_address"),
    ("published_loopback", "nginx_stream"),
    ("socat_tcp", "haproxy_tcp"),
]
"""The label that is claimed, and the path that the client is really sent along, on one server."""
MISLABELLED_BY_DEFAULT = [
    ("published_loopback", "container_address", True),
    ("container_address", "published_loopback", False),
    ("sibling_container", "published_hairpin", True),
    ("published_loopback", "nginx_stream", True),
    ("published_remote", "published_host_address", False),
]


@pytest.mark.parametrize(
    ("label", "sent", "userland_proxy"),
    [
        pytest.param(*pair, on, marks=full_unless((*pair, on) in MISLABELLED_BY_DEFAULT))
        for pair in MISLABELLED
        for on in SETTING
    ],
)
def test_a_trial_sent_along_another_path_is_contradicted(
    testbed: Testbed, label: str, sent: str, userland_proxy: bool
) -> None:
    for name in (label, sent):
        why = obstacle(testbed, levels_of(name, userland_proxy, service="postgres"))
        if why is not None:
            pytest.skip(why)
    record = trial(testbed, label, userland_proxy, client_path=sent, service="postgres")
    assert record.evidence.verdict == "contradicted", why_not(record.evidence)


AB: dict[str, Level] = {"tool": "ab", "service": "pong"}
IPERF3: dict[str, Level] = {"service": "iperf3_server"}
UNUSUAL: list[tuple[str, dict[str, Level], bool | None]] = [
    ("published_loopback", {"reconnect": True}, True),
    ("published_loopback", AB, False),
    ("published_host_address", AB, None),
    ("container_address", AB | {"service": "flask"}, None),
    ("nginx_http_published", AB, None),
    ("nginx_http_published", {"service": "pong", "front_keep_alive": True, "warm_up_s": 1}, None),
    ("nginx_http_unix", {"service": "flask", "front_keep_alive": True, "warm_up_s": 1}, True),
    ("nginx_stream", AB, None),
    ("socat_tcp", AB, None),
    ("published_loopback", IPERF3, None),
    ("published_loopback", IPERF3 | {"reverse": True}, True),
    ("sibling_container", IPERF3 | {"transport": "udp"}, None),
    ("published_host_address", IPERF3 | {"transport": "udp"}, True),
    ("published_loopback", {"rate": 500}, False),
]
"""Short-lived connections, kept connections, bulk in both directions, UDP, and a small load; the setting with
which it is in the default suite, if it is."""


@pytest.mark.parametrize(
    ("path", "levels", "userland_proxy"),
    [
        pytest.param(
            path,
            levels,
            on,
            id=f"{path}-{'-'.join(map(str, levels.values()))}-{SETTING[on]}",
            marks=full_unless(on is by_default),
        )
        for path, levels, by_default in UNUSUAL
        for on in SETTING
    ],
)
def test_every_kind_of_load_proves_its_path(
    testbed: Testbed, path: str, levels: dict[str, Level], userland_proxy: bool
) -> None:
    asked = levels_of(path, userland_proxy, **levels)
    why = obstacle(testbed, asked)
    if why is not None:
        pytest.skip(why)
    record = measured(testbed, asked).record
    assert record is not None
    assert record.evidence.verdict == "proven", why_not(record.evidence)


@pytest.fixture(scope="module")
def two_seconds(testbed: Testbed) -> Callable[[bool], TrialRecord]:
    """The record of a trial of two seconds on published_loopback, one for each setting."""
    return functools.cache(lambda on: trial(testbed, "published_loopback", on, duration_s=2))


@pytest.mark.parametrize(
    "userland_proxy", [pytest.param(on, id=SETTING[on], marks=full_unless(on)) for on in SETTING]
)
def test_cpu_by_role_and_idle_sum_to_the_hosts_cpu_time(
    two_seconds: Callable[[bool], TrialRecord], userland_proxy: bool
) -> None:
    cpu = two_seconds(userland_proxy).cpu
    total = sum(cpu.roles.values()) + cpu.unattributed + cpu.idle + cpu.steal
    assert total == pytest.approx(cpu.capacity, rel=1e-6)
    assert abs(cpu.unattributed) < 0.1 * cpu.capacity
    assert cpu.roles["client"] > 0
    assert cpu.roles["server"] > cpu.roles["kernel"]


def test_every_factor_reaches_the_command_line(testbed: Testbed) -> None:
    record = trial(
        testbed, "same_container", True, clients=3, threads=2, protocol="extended", scale=2, warm_up_s=1
    )
    warm_up, run, collect = record.commands
    assert " ".join(warm_up.argv).startswith("pgbench -n -S -M extended -c 3 -j 2 -T 1 -P 1 -h 127.0.0.1")
    logged = ("--log", f"--log-prefix=/tmp/plimsoll-log-{record.trial_id}", "--sampling-rate=0.1")
    assert run.argv == ("pgbench", *logged, *warm_up.argv[1:])
    assert run.argv[-1] == "bench_s2"
    assert [one.purpose for one in (warm_up, run, collect)] == ["warm_up", "measure", "collect"]
    assert 0 < record.metrics["latency_p50_ms"] < 1000
    assert 0 < int(record.facts["sampled_transactions"]) < record.transactions
    for text in ("query mode: extended", "number of clients: 3", "number of threads: 2", "scaling factor: 2"):
        assert text in run.stdout


def test_series_and_versions_are_kept(two_seconds: Callable[[bool], TrialRecord]) -> None:
    record = two_seconds(True)
    assert len(record.per_second) == 2
    assert len(record.cpu_series) >= 8, "five readings a second"
    assert max(point.cores["proxy"] for point in record.cpu_series) > 0.05
    assert record.versions["pgbench"].startswith("15.")
    assert record.latency_measured


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def test_a_sample_and_a_reading_cost_little(testbed: Testbed) -> None:
    """CPU of the worker in seconds, medians; iptables-save is a process of its own."""
    setup = testbed.setup(levels_of("published_loopback", True))
    try:
        assert setup.probe.relays[Relay.DOCKER_PROXY]
        shares = sorted(_cpu(lambda: setup.probe.sample(setup.client.container.pid)) for _ in range(9))
        reads = sorted(_cpu(setup.probe.read) for _ in range(9))
    finally:
        setup.close()
    # 4 and 7 ms; more where thousands of connections are in time wait from an earlier test.
    assert shares[4] < 0.05, shares
    assert reads[4] < 0.05, reads
