"""The client's side of a trial on two hosts: serve one session from its acceptance to the client's result.

Nothing in a request becomes a command or a container by itself: levels are checked as those of a claimed
trial, the address must be a literal one, and the command comes from this host's own templates, as its end of
an overlay does. The worker joins nothing that the other side leads (docs/decisions/0071).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pydantic import ValidationError

from backend.core.definition.factors import Level
from backend.core.errors import HostFault, TrialFailed
from backend.core.plan.client_session import ClientRequest
from backend.core.sample.client_result import ClientReady, ClientResult
from backend.core.topology.host_policy import OPEN, HostPolicy, forbidden, not_partners
from backend.core.topology.two_hosts import VXLAN_PORT, is_overlay_between_hosts
from backend.core.workload.services import SERVICES
from backend.core.workload.target import Target
from worker.host.time_limits import limit
from worker.sample.route import link_end, own_addresses
from worker.topology.overlay_end import End, Tunnel
from worker.topology.two_hosts import ClientPlace
from worker.trial import claimed
from worker.trial.client_measurement import ClientMeasurement
from worker.trial.client_offer import Offer, Requested, read_offer
from worker.trial.faults import described, fault_of
from worker.trial.queue import SessionQueue
from worker.trial.quiet_level import QuietLevel
from worker.trial.repeats import QuietGate, RepeatPolicy
from worker.trial.session_side import SessionEnded, SessionSide
from worker.workload.command import run_in
from worker.workload.hooks import Phase, Stop, Stopped, raise_if_stopped

log = logging.getLogger(__name__)

PROVISION_LIMIT_S: Final = 900.0
"""For the server's start and its data, and for the wait until both hosts are quiet."""
START_LIMIT_S: Final = 60.0
PROBES: Final = 3
OF_OVERLAYS: Final = {"vxlan_bytes", "vxlan_packets"}
"""Fields of a result that a server's host refuses which is of a release without overlays of two hosts."""
PROBE_LIMIT_S: Final = 5.0


@dataclass(frozen=True)
class ServedTrial:
    """The trial of another host, as its live samples name it."""

    trial_id: str
    run_id: str
    cell_id: str


Live = Callable[[ServedTrial, float, float, Mapping[str, float] | None], None]


class ClientPlaces(Protocol):
    """The testbed, as a client session needs it."""

    def client_place(self, levels: Mapping[str, Level]) -> ClientPlace:
        """Where this host runs the client of a server on another host. Raises TrialFailed or a HostFault."""

    def on_overlay(self, place: ClientPlace, tunnel: Tunnel) -> ClientPlace:
        """The place with its container on this host's end of an overlay. Raises TrialFailed."""

    def leave_overlay(self) -> None:
        """Remove this host's end of an overlay; repeatable."""


class _SessionHooks:
    """The hooks of the client's commands: they end with the session, or with this worker."""

    def __init__(
        self, session: SessionSide, aborting: threading.Event, show: Callable[[float, float], None]
    ) -> None:
        self._session = session
        self._aborting = aborting
        self._show = show

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Publish the rate of one second; CPU is shown by role, and this host knows the client's only."""
        self._show(t, rate)

    def phase(self, phase: Phase, reasons: Sequence[str]) -> None:
        """Show nothing: the run's own host does."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Announce nothing."""

    def stop_wanted(self) -> Stop | None:
        """Whether the worker stops, or the session has ended."""
        if self._aborting.is_set():
            return "abort"
        return "cancel" if self._session.ended.is_set() else None


def serve_client(
    request: ClientRequest,
    places: ClientPlaces,
    queue: SessionQueue,
    aborting: threading.Event,
    policy: HostPolicy = OPEN,
    live: Live = lambda *_: None,
    repeat_policy: RepeatPolicy | None = None,
) -> str:
    """Run the client of one trial of another host; returns "served", "ended" or "failed".

    Call it while this host's measuring lock is held. The other host learns why a session fails. `live` gets
    each second of the measurement; `repeat_policy` keeps this host's quiet level from trial to trial.
    """
    with SessionSide(queue, request.trial_id, request.fence) as session:
        try:
            requested = _checked(request, policy)
            hooks = _SessionHooks(session, aborting, _shown(request, requested, live))
            level = (repeat_policy or RepeatPolicy()).level_of(requested.run_id)
            _serve(requested.levels, request.trial_id, places, session, hooks, level)
        except SessionEnded as ended:
            log.info("the client session of %s has ended: %s", request.trial_id, ended)
            return "ended"
        except Stopped as stop:
            session.end(f"the client host's worker stops ({stop.why})")
            return "ended"
        except Exception as error:
            fault = TimeoutFault(error) if isinstance(error, TimeoutError) else fault_of(error, None)
            kind = "failed" if isinstance(fault, TrialFailed) else "fault"
            log.warning("the client session of %s failed: %s", request.trial_id, described(fault))
            session.end(described(fault), {"kind": kind, "code": fault.code})
            return "failed"
    return "served"


class TimeoutFault(HostFault):
    """The server's host did not go on in time."""

    code = "client_session_timeout"


def _serve(
    levels: dict[str, Level],
    trial_id: str,
    places: ClientPlaces,
    session: SessionSide,
    hooks: _SessionHooks,
    level: QuietLevel,
) -> None:
    place = places.client_place(levels)
    session.enter("accepted", {"addresses": list(own_addresses(place.handle.netns))})
    offer = read_offer(session.wait("offered", PROVISION_LIMIT_S, _unless(hooks)), levels)
    route = place.route_to(offer.address)
    link = link_end(place.handle.pid, route)
    target = _target(offer, levels)
    try:
        if offer.vxlan is not None:
            place = places.on_overlay(place, Tunnel(offer.vxlan, route.source, offer.address))
        _probe(place, levels, target, (route.source, offer.address), hooks)
        measurement = ClientMeasurement(place, levels, target, link, hooks, trial_id)
        ready = ClientReady(link=link, versions=place.versions())
        result = _measured(measurement, ready, QuietGate(offer.quality, hooks, level), session, hooks)
    finally:
        if offer.vxlan is not None:
            places.leave_overlay()
    unknown = OF_OVERLAYS if offer.vxlan is None else None
    session.enter("collected", result.model_dump(mode="json", exclude=unknown))


def _target(offer: Offer, levels: Mapping[str, Level]) -> Target:
    if offer.port is not None:
        return Target(offer.address, offer.port)
    return Target(End.SERVER.address, SERVICES[str(levels["service"])].port)


def _measured(
    measurement: ClientMeasurement,
    ready: ClientReady,
    gate: QuietGate,
    session: SessionSide,
    hooks: _SessionHooks,
) -> ClientResult:
    """Wait for this host's quiet gate, warm up and measure, as the other side goes on."""
    try:
        gate.wait(measurement.outside)
        waited = {"waited_seconds": round(gate.waited_s, 3), "not_quiet": gate.reasons}
        # Without what an older release's host does not know, unless there is something to say.
        said = ready.model_copy(update=waited).model_dump(mode="json", exclude_defaults=True)
        session.enter("ready", said)
        session.wait("warming", PROVISION_LIMIT_S, _unless(hooks))
        measurement.warm_up()
        session.enter("armed")
        session.wait("measuring", START_LIMIT_S, _unless(hooks))
        measurement.measure()
        session.enter("measured")
        result = measurement.result()
        session.wait("collecting", START_LIMIT_S, _unless(hooks))
    finally:
        measurement.close()
    return result


def _shown(request: ClientRequest, requested: Requested, live: Live) -> Callable[[float, float], None]:
    """What publishes one second of this session's trial; nothing where its run is not named as one."""
    if not claimed.is_run_id(requested.run_id):
        return lambda _t, _rate: None
    trial = ServedTrial(request.trial_id, requested.run_id, requested.cell_id)
    return lambda t, rate: live(trial, t, rate, None)


def _checked(request: ClientRequest, policy: HostPolicy) -> Requested:
    if not claimed.is_trial_id(request.trial_id):
        raise TrialFailed(claimed.CODE, f"{request.trial_id[:60]!r} is not an id")
    try:
        requested = Requested.model_validate(dict(request.document))
    except ValidationError as error:
        raise TrialFailed(claimed.CODE, f"the request is unusable: {error.errors()[0]['msg']}") from error
    if (why := claimed.why_not(requested.levels, "this host")) is not None:
        raise TrialFailed(claimed.CODE, why)
    obstacle = forbidden(requested.levels, policy) or not_partners(requested.levels, policy, request.host)
    if obstacle is not None:
        raise TrialFailed(claimed.POLICY_CODE, obstacle.detail)
    return requested


def _unless(hooks: _SessionHooks) -> Any:
    return lambda _session: raise_if_stopped(hooks)


def _probe(
    place: ClientPlace,
    levels: Mapping[str, Level],
    target: Target,
    hosts: tuple[str, str],
    hooks: _SessionHooks,
) -> None:
    """Require an answer of the service before the load; an open port is not enough.

    `hosts` are the addresses of this host and the server's on their link. Raises TrialFailed that names both
    ends: a firewall between them is the usual reason. The other side learns nothing of what answered, because
    that may be another program than the announced server.
    """
    service = SERVICES[str(levels["service"])]
    request = service.ready(target)
    for _ in range(PROBES):
        began = time.monotonic()
        code, text = run_in(place.handle.engine, place.container, request, limit(PROBE_LIMIT_S), hooks)
        if service.replied(code, text):
            return
        time.sleep(
            max(0.0, 0.5 - (time.monotonic() - began))
        )  # each try is a request of its own; three at most
    log.warning("no reply from %s: %s ended with code %d: %s", target.url_host, request[0], code, text[-200:])
    own, servers = hosts
    opened = (
        f"{servers} and {VXLAN_PORT}"
        if is_overlay_between_hosts(levels)
        else "this address and TCP ports 20001 to 32000"
    )
    raise TrialFailed(
        "no_reply",
        f"the client host gets no reply of {service.name} from {target.url_host} (it connects from {own}); "
        f"open {opened} between the hosts",
    )
