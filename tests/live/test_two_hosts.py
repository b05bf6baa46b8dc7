"""A trial on two hosts: two workers' parts, each with a Docker daemon in a network namespace of its own.

The namespaces are joined by veth; each daemon takes the place of its host's own one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from backend.core.definition.factors import Level
from backend.core.sample.record import TrialRecord
from backend.core.topology.two_hosts import TWO_HOST_PATHS
from backend.settings import Settings
from tests.live.conftest import levels_of
from tests.store.queued_run import QueuedRun, queue_run
from worker.engine.docker_engine import DockerEngine
from worker.engine.lab import LabEngine, LabSettings
from worker.engine.names import InstallPaths, engine_names
from worker.engine.segment import Segment
from worker.host.commands import in_namespace, run
from worker.host.ledger import Ledger
from worker.host.spool import Spool
from worker.images.bootstrap import ensure_image
from worker.topology.testbed import Testbed
from worker.trial.client_side import serve_client
from worker.trial.execute import execute_trial
from worker.trial_queue import StoreTrialQueue

LIMIT_S = 180.0
UNLIMITED = {"wait_for_quiet_s": 0, "max_other_cores": None, "max_steal": None, "retakes": 0}
SERVER, CLIENT = "198.18.1.1", "198.18.1.2"
TRIES = 3


@dataclass
class TwoHosts:
    """The daemons of both hosts, and a testbed for each."""

    daemons: tuple[LabEngine, LabEngine]
    beds: tuple[Testbed, Testbed]

    def in_server_namespace(self, *argv: str) -> None:
        run(in_namespace(self.daemons[0].netns_path, list(argv)))


@pytest.fixture(scope="module")
def two_hosts(install: InstallPaths, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoHosts]:
    folder = tmp_path_factory.mktemp("two")
    ledger = Ledger(folder / "ledger.jsonl")
    image = ensure_image(install, ledger, print)
    segment = Segment("twohosts", ledger)
    daemons = tuple(
        LabEngine(
            engine_names(InstallPaths(f"two{name}", Path(f"/run/plimsoll-two{name}"), folder / name), "on"),
            ledger,
            LabSettings(userland_proxy=True, address=address),
            segment,
        )
        for name, address in (("a", SERVER), ("b", CLIENT))
    )
    beds = []
    try:
        for name, daemon in zip("ab", daemons, strict=True):
            daemon.start()
            paths = InstallPaths(f"bed{name}", Path(f"/run/plimsoll-bed{name}"), folder / f"bed{name}")
            paths.var.mkdir(exist_ok=True)
            bed = Testbed(paths, print, host_socket=daemon.names.docker_socket)
            bed.use_image(image)
            beds.append(bed)
        yield TwoHosts((daemons[0], daemons[1]), (beds[0], beds[1]))
        for bed, daemon in zip(beds, daemons, strict=True):
            bed.stop()
            _assert_clean(daemon)
    finally:
        for bed in beds:
            bed.stop()
        for daemon in daemons:
            daemon.stop()
        segment.stop()


def _assert_clean(daemon: LabEngine) -> None:
    docker = DockerEngine(str(daemon.names.docker_socket))
    try:
        assert docker.client.containers.list(all=True) == []
        assert {network.name for network in docker.client.networks.list()} == {"bridge", "host", "none"}
    finally:
        docker.close()


@pytest.fixture
def queued(owner_settings: Settings) -> QueuedRun:
    return queue_run(owner_settings)


def measured(
    two: TwoHosts, queued: QueuedRun, settings: Settings, folder: Path, levels: dict[str, Level]
) -> tuple[str, str]:
    """How one trial ended for the server's host and for the client's."""
    server = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-1"}))
    client = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-2"}))
    server.announce({}, {})
    client.announce({}, {})
    queued.sql("UPDATE run SET client_host_id = :host", host=client.host_id)
    queued.sql("UPDATE trial SET levels = CAST(:levels AS jsonb)", levels=json.dumps(levels))
    queued.sql(
        "UPDATE experiment SET definition = jsonb_set(definition, '{quality}', CAST(:limits AS jsonb))",
        limits=json.dumps(UNLIMITED),
    )
    trial = server.claim({})
    assert trial is not None
    spool = Spool(folder / "spool")

    def serve() -> str:
        waited = threading.Event()
        for _ in range(int(LIMIT_S / 0.05)):
            if (request := client.next_client_request()) is not None:
                return serve_client(request, two.beds[1], client, threading.Event())
            waited.wait(0.05)
        raise AssertionError("the server's host has requested no client")

    with ThreadPoolExecutor(2) as threads:
        served = threads.submit(serve)
        ended = threads.submit(
            execute_trial, trial, two.beds[0], server, spool, lambda *_: None, threading.Event(),
            sessions=server,
        )  # fmt: skip
        return ended.result(LIMIT_S), served.result(LIMIT_S)


def record_of(queued: QueuedRun) -> TrialRecord:
    payload = queued.sql("SELECT payload FROM result ORDER BY trial_id DESC, fence DESC LIMIT 1")[0][0]
    return TrialRecord.model_validate(payload)


@pytest.mark.parametrize("path", TWO_HOST_PATHS)
def test_the_path_between_two_hosts_is_proven_from_both_ends(
    path: str, two_hosts: TwoHosts, queued: QueuedRun, worker_settings: Settings, tmp_path: Path
) -> None:
    levels = levels_of(path, True, service="pong", engine="host", duration_s=2, warm_up_s=1)
    for _ in range(TRIES):
        ended, served = measured(two_hosts, queued, worker_settings, tmp_path, levels)
        assert served == "served", queued.sql("SELECT failure_code, failure_detail FROM trial")
        record = record_of(queued)
        if record.evidence.verdict != "not_proven":
            break
    assert record.evidence.verdict == "proven", record.evidence.sentence
    assert ended == "done"
    seen = {signal.name: signal for signal in record.evidence.signals}
    assert set(seen["peer address"].observed.split(" × ")[:1]) == {CLIENT}
    assert seen["bytes on the client host's link"].state == "agrees"
    assert seen["bytes on the client host's loopback"].state == "agrees"
    other = record.client_host
    assert other is not None
    assert (other.link.device, other.link.address, other.link.mtu) == ("lan0", CLIENT, 1500)
    assert (other.server_link.device, other.server_link.address) == ("lan0", SERVER)
    assert other.link.speed_mbit is not None, "a veth reports a speed"
    assert other.excess_seconds >= 0
    assert record.cpu.roles["client"] > 0
    assert record.cpu.roles["server"] > 0
    assert record.metrics["requests_per_second" if "requests_per_second" in record.metrics else "rps"] > 0


def test_a_firewall_between_the_hosts_is_found_before_the_load(
    two_hosts: TwoHosts, queued: QueuedRun, worker_settings: Settings, tmp_path: Path
) -> None:
    levels = levels_of("host_network_remote", True, service="pong", engine="host", duration_s=1)
    rule = ("-t", "raw", "PREROUTING", "-s", CLIENT, "-p", "tcp", "-j", "DROP")
    two_hosts.in_server_namespace("iptables", *rule[:2], "-I", *rule[2:])
    try:
        assert measured(two_hosts, queued, worker_settings, tmp_path, levels) == ("failed", "failed")
    finally:
        two_hosts.in_server_namespace("iptables", *rule[:2], "-D", *rule[2:])
    ((code, detail),) = queued.sql("SELECT failure_code, failure_detail FROM trial WHERE state = 'failed'")
    assert code == "no_reply"
    assert SERVER in detail
    assert CLIENT in detail
