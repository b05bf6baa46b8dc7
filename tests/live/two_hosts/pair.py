"""Two hosts in network namespaces joined by veth; in each a daemon in the place of its host's own one."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from backend.core.definition.factors import Level
from backend.core.sample.record import Signal, TrialRecord
from backend.core.topology.host_policy import HostPolicy
from backend.settings import Settings
from tests.live.conftest import levels_of
from tests.live.seeding import link_image
from tests.store.queued_run import QueuedRun
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
    ledgers: tuple[Ledger, Ledger]

    def in_server_namespace(self, *argv: str) -> None:
        run(in_namespace(self.daemons[0].netns_path, list(argv)))


@contextmanager
def two_hosts_in(folder: Path, install: InstallPaths) -> Iterator[TwoHosts]:
    """Both hosts, of which nothing stays. The server's has userland-proxy on and the image before Plimsoll
    comes, the client's has it off and no image."""
    ledger = Ledger(folder / "ledger.jsonl")
    image = ensure_image(install, ledger, print)
    segment = Segment("twohosts", ledger)
    server, client = (
        LabEngine(
            engine_names(InstallPaths(f"two{name}", Path(f"/run/plimsoll-two{name}"), folder / name), "on"),
            ledger,
            LabSettings(userland_proxy=address == SERVER, address=address),
            segment,
        )
        for name, address in (("a", SERVER), ("b", CLIENT))
    )
    daemons = (server, client)
    link_image(engine_names(install, "on"), server.names)
    beds: list[Testbed] = []
    try:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(LabEngine.start, daemons))
        before = [_content(daemon) for daemon in daemons]
        ledgers = (Ledger(folder / "beda" / "ledger.jsonl"), Ledger(folder / "bedb" / "ledger.jsonl"))
        for name, daemon in zip("ab", daemons, strict=True):
            paths = InstallPaths(f"bed{name}", Path(f"/run/plimsoll-bed{name}"), folder / f"bed{name}")
            bed = Testbed(paths, print, host_socket=daemon.names.docker_socket)
            bed.use_image(image)
            beds.append(bed)
        yield TwoHosts(daemons, (beds[0], beds[1]), ledgers)
        for bed in beds:
            bed.stop()
        assert [_content(daemon) for daemon in daemons] == before
    finally:
        for bed in beds:
            bed.stop()
        for daemon in daemons:
            daemon.stop()
        segment.stop()


def _content(daemon: LabEngine) -> tuple[list[str], ...]:
    """Containers, networks, volumes and images of a host's own daemon."""
    docker = DockerEngine(str(daemon.names.docker_socket))
    try:
        client = docker.client
        assert client.containers.list(all=True) == []
        return (
            sorted(network.name for network in client.networks.list()),
            sorted(volume.name for volume in client.volumes.list()),
            sorted(tag for image in client.images.list() for tag in image.tags),
        )
    finally:
        docker.close()


def begun(
    two: TwoHosts,
    queued: QueuedRun,
    settings: Settings,
    folder: Path,
    levels: dict[str, Level],
    queue_of: type[StoreTrialQueue] = StoreTrialQueue,
) -> tuple[StoreTrialQueue, list[Future[str]]]:
    """The queue of the client's host, and the ends of one trial: on the server's host and on the client's."""
    server = StoreTrialQueue(settings.model_copy(update={"host_name": "bench-1"}))
    client = queue_of(settings.model_copy(update={"host_name": "bench-2"}))
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
                named = HostPolicy(partners=("bench-1",))
                return serve_client(request, two.beds[1], client, threading.Event(), named)
            waited.wait(0.05)
        raise AssertionError("the server's host has requested no client")

    threads = ThreadPoolExecutor(2)
    ended = threads.submit(
        execute_trial, trial, two.beds[0], server, spool, lambda *_: None, threading.Event(),
        sessions=server,
    )  # fmt: skip
    served = threads.submit(serve)
    threads.shutdown(wait=False)
    return client, [ended, served]


def measured(
    two: TwoHosts, queued: QueuedRun, settings: Settings, folder: Path, levels: dict[str, Level]
) -> tuple[str, str]:
    """How one trial ended for the server's host and for the client's."""
    ended, served = begun(two, queued, settings, folder, levels)[1]
    return ended.result(LIMIT_S), served.result(LIMIT_S)


def record_of(queued: QueuedRun) -> TrialRecord:
    """The last record."""
    payload = queued.sql("SELECT payload FROM result ORDER BY trial_id DESC, fence DESC LIMIT 1")[0][0]
    return TrialRecord.model_validate(payload)


def proven(
    path: str, two: TwoHosts, queued: QueuedRun, settings: Settings, folder: Path
) -> tuple[TrialRecord, dict[str, Signal]]:
    """The record and the signals of a trial that is proven."""
    levels = levels_of(path, True, service="pong", engine="host", duration_s=2, warm_up_s=1)
    for _ in range(TRIES):
        ended, served = measured(two, queued, settings, folder, levels)
        assert served == "served", queued.sql("SELECT failure_code, failure_detail FROM trial")
        record = record_of(queued)
        if record.evidence.verdict != "not_proven":
            break
    assert record.evidence.verdict == "proven", record.evidence.sentence
    assert ended == "done"
    return record, {signal.name: signal for signal in record.evidence.signals}


def network_state(daemon: LabEngine) -> tuple[str, ...]:
    """Devices, rules, addresses, routes, listening sockets and settings of a host."""
    inside = [
        run(in_namespace(daemon.netns_path, argv))
        for argv in (
            ["ip", "-br", "link"], ["iptables-save"], ["ip", "-br", "address"], ["ip", "route"],
            ["ss", "-Hlntu"], ["cat", "/proc/sys/net/ipv4/ip_forward"],
            ["sh", "-c", "cat /proc/sys/net/bridge/* || true"],
        )
    ]  # fmt: skip
    return tuple(re.sub(r"users:\S+|# .*|\[\d+:\d+\]", "", text) for text in inside)


def check_both_ends(record: TrialRecord, seen: dict[str, Signal]) -> None:
    """Signals, links and CPU of both hosts."""
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
