"""The server's side of a trial on two hosts: lead the session, measure the server, compose the record."""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from pydantic import ValidationError

from backend.core.definition.factors import Level
from backend.core.errors import ClientHostBusy, ClientHostLost, TrialFailed
from backend.core.plan.claimed import ClaimedTrial
from backend.core.plan.client_session import ClientSession
from backend.core.sample.client_result import ClientReady, ClientResult
from backend.core.sample.record import TrialRecord, Window
from backend.core.topology.paths import PATHS
from backend.core.topology.two_hosts import is_overlay_between_hosts
from backend.core.workload.tools import TOOLS
from worker.sample.path_probe import ConnectionSample
from worker.sample.realtime_priority import realtime_priority
from worker.sample.sampler import Sampler
from worker.topology.overlay_end import End, new_number
from worker.topology.trial_setup import TrialSetup
from worker.topology.two_hosts import HostLink
from worker.trial.queue import SessionQueue
from worker.trial.repeats import QuietGate
from worker.trial.session_side import SessionEnded, SessionSide
from worker.trial.trial_record import OtherHost, TrialSpec, WindowEdge, WindowReadings, build_record
from worker.workload.hooks import Hooks, raise_if_stopped

log = logging.getLogger(__name__)
P = TypeVar("P", ClientReady, ClientResult)

BUSY_LIMIT_S: Final = 900.0
"""How long a trial waits for a client host that measures something itself."""
READY_LIMIT_S: Final = 120.0
COMMAND_GRACE_S: Final = 60.0
"""Beside the time of a command: its start, its end, and the collection of its log."""
CONNECTIONS_FROM: Final = 0.2


class TwoHostTestbed(Protocol):
    """The testbed, as a trial on two hosts needs it."""

    @property
    def tools(self) -> Mapping[str, str]:
        """Versions of the tools in the image."""

    def link_to(self, addresses: Sequence[str]) -> HostLink:
        """This host's end of the link to the client host. Raises TrialFailed where no route leads there."""

    def reached_setup(
        self, levels: Mapping[str, Level], link: HostLink, *, vxlan: int | None, replica: int, hooks: Hooks
    ) -> TrialSetup:
        """Everything that the cell needs on this host; with a number, its server is on a VXLAN to the other.

        Raises TrialFailed, a HostFault or Stopped.
        """

    def leave_overlay(self) -> None:
        """Remove this host's end of an overlay; repeatable."""


def measure_with_client_host(
    trial: ClaimedTrial,
    testbed: TwoHostTestbed,
    queue: SessionQueue,
    hooks: Hooks,
    gate: QuietGate,
) -> TrialRecord:
    """One take of a trial whose client runs on the run's client host.

    Raises TrialFailed, Stopped, or a HostFault: ClientHostBusy and ClientHostLost are no fault of the trial.
    """
    document = {"levels": trial.levels, "run_id": trial.run_id, "cell_id": trial.cell_id}
    queue.request_client(trial.trial_id, trial.fence, document)
    with SessionSide(queue, trial.trial_id, trial.fence) as session:
        try:
            record = _lead(trial, testbed, session, hooks, gate)
        except SessionEnded as ended:
            raise _fault(trial.client_host or "", ended) from ended
        except TimeoutError as late:
            raise ClientHostLost(f"{trial.client_host}: {late}") from late
        finally:
            session.end()
            if is_overlay_between_hosts(trial.levels):
                testbed.leave_overlay()
    return record


def _fault(name: str, ended: SessionEnded) -> Exception:
    """The client host's own failure, as this trial's; anything else is the loss of that host."""
    if ended.document.get("kind") == "failed":
        return TrialFailed(str(ended.document.get("code"))[:60], f"on the client host {name}: {ended}")
    return ClientHostLost(f"the client host {name} ended the session: {ended}")


def _lead(
    trial: ClaimedTrial, testbed: TwoHostTestbed, session: SessionSide, hooks: Hooks, gate: QuietGate
) -> TrialRecord:
    accepted = session.wait("accepted", BUSY_LIMIT_S, lambda seen: _may_wait(seen, hooks))
    link = testbed.link_to([str(address) for address in accepted.get("addresses", ())])
    began = time.monotonic()
    vxlan = new_number() if is_overlay_between_hosts(trial.levels) else None
    setup = testbed.reached_setup(trial.levels, link, vxlan=vxlan, replica=trial.replica, hooks=hooks)
    try:
        provisioned = time.monotonic() - began
        offer = {"port": setup.target.port} if vxlan is None else {"vxlan": vxlan}
        limits = gate.limits.model_dump(mode="json")
        session.enter("offered", {"address": link.end.address, **offer, "quality": limits})
        limit_s = READY_LIMIT_S + gate.limits.wait_for_quiet_s
        ready = _parsed(ClientReady, session.wait("ready", limit_s, lambda _: raise_if_stopped(hooks)))
        setup.reached_from(ready.link.address if vxlan is None else End.CLIENT.address)
        gate.wait(setup.outside())
        gate.add(trial.client_host or "", ready.waited_seconds, ready.not_quiet)
        spec = TrialSpec(trial.trial_id, trial.fence, PATHS[str(trial.levels["path"])], trial.levels)
        record = ServerMeasurement(setup, spec, hooks, session).run(
            trial.client_host or "", link, ready, testbed.tools
        )
    finally:
        setup.close()
    counters = record.counters | {"provision_ms": int(provisioned * 1000)}
    return record.model_copy(update={"counters": counters})


def _may_wait(seen: ClientSession, hooks: Hooks) -> None:
    raise_if_stopped(hooks)
    if seen.must_yield:
        raise ClientHostBusy("another host waits for this one and goes first; the trial is tried again")


def _parsed(kind: type[P], document: Mapping[str, Any]) -> P:
    try:
        return kind.model_validate(dict(document))
    except ValidationError as error:
        raise TrialFailed(
            "unparseable", f"the client host's answer is unusable: {error.errors()[0]}"
        ) from error


class ServerMeasurement:
    """The server's window of one trial, which contains the client's."""

    def __init__(self, setup: TrialSetup, spec: TrialSpec, hooks: Hooks, session: SessionSide) -> None:
        self._setup = setup
        self._spec = spec
        self._hooks = hooks
        self._session = session
        self._duration = int(spec.levels["duration_s"])
        self._wanted = TOOLS[str(spec.levels["tool"])].connections(spec.levels)
        self._outside = setup.outside()
        self._sample = ConnectionSample()
        self._began = 0.0

    def run(
        self, client_host: str, link: HostLink, ready: ClientReady, tools: Mapping[str, str]
    ) -> TrialRecord:
        """Warm up, measure, compose the record. Raises TrialFailed, Stopped or SessionEnded."""
        began = time.monotonic()
        warm_up_s = int(self._spec.levels["warm_up_s"])
        readings, result = self._measure(warm_up_s)
        other = OtherHost(client_host, ready, link.end, result)
        record, self.observation = build_record(
            self._setup, self._spec, readings, result.commands, tools, other
        )
        overhead = time.monotonic() - began - self._duration - warm_up_s
        return record.model_copy(update={"overhead_seconds": round(overhead, 4)})

    def _measure(self, warm_up_s: int) -> tuple[WindowReadings, ClientResult]:
        noise = self._setup.noise(lambda: None)
        noise.begin()
        try:
            self._hooks.window(warm_up_s, self._duration)
            self._session.enter("warming")
            self._session.wait("armed", warm_up_s + COMMAND_GRACE_S, lambda _: raise_if_stopped(self._hooks))
            setup = self._setup
            probe = setup.probe.read()
            noise.before()
            processes = setup.processes.read()
            started_at, relays = _now(), setup.relay_cpu()
            host = self._outside.point()
            own = time.process_time_ns()
            cpu, t0 = setup.meters.read(), time.monotonic()
            with realtime_priority(), Sampler(setup.meters.quick, setup.processes.tick) as sampler:
                self._window()
            cpu_end, seconds = setup.meters.read(), time.monotonic() - t0
            observers_cpu_ns = time.process_time_ns() - own
            host_end = self._outside.point()
            end = WindowEdge(cpu_end, setup.probe.read(), setup.processes.read(), setup.relay_cpu(), host_end)
            self._session.enter("collecting")
            result = _parsed(ClientResult, self._session.wait("collected", COMMAND_GRACE_S))
            readings = WindowReadings(
                start=WindowEdge(cpu, probe, processes, relays, host),
                end=end,
                seconds=seconds,
                noise=noise.after(result.client_thread),
                window=Window(started_at=started_at, ended_at=_now(), seconds=round(seconds, 6)),
                connections=self._both_ends(result),
                series=sampler.points,
                sampler_cpu_ns=sampler.cpu_ns,
                observers_cpu_ns=observers_cpu_ns,
            )
        finally:
            noise.close()
        return readings, result

    def _window(self) -> None:
        """From the client's release to its end; the queue is read again when the client should be done."""
        self._session.enter("measuring")
        self._began = time.monotonic()
        done = self._began + self._duration
        while time.monotonic() < done and not self._session.ended.is_set():
            raise_if_stopped(self._hooks)
            self._sample_connections()
            time.sleep(max(0.0, min(0.2, done - time.monotonic())))
        self._session.wait("measured", COMMAND_GRACE_S, lambda _: raise_if_stopped(self._hooks))

    def _sample_connections(self) -> None:
        t = time.monotonic() - self._began
        seen = self._sample.sockets
        if t >= min(CONNECTIONS_FROM * self._duration, 2.0) and len(seen.peers) < self._wanted:
            self._sample = self._sample.joined(self._setup.probe.server_sample())

    def _both_ends(self, result: ClientResult) -> ConnectionSample:
        """What the server's host saw, with the client's namespaces and destinations from its own host."""
        return replace(
            self._sample,
            namespace=result.namespace,
            client=result.process,
            destinations=frozenset(result.destinations),
        )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
