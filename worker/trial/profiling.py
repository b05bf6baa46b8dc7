"""Take the CPU profile of one cell of an ended run, in an extra trial that is not measured."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from backend.core.definition.factors import Level
from backend.core.errors import ServerLost, TrialFailed, Unavailable, WorkerRejected
from backend.core.plan.profiled import (
    MARGIN_S,
    NO_PROFILE,
    ProfileRequest,
    sampled_seconds,
    warm_up_seconds,
)
from backend.core.sample.parsers import OUTPUT_LIMITS
from backend.core.sample.perf_script import by_role
from backend.core.sample.profile import CellProfile, build_profile
from backend.core.sample.record import Role
from backend.core.workload.tools import TOOLS
from worker.host.perf import Recording, program_version, remove_left
from worker.topology.trial_setup import TrialSetup
from worker.trial.claimed import is_run_id, why_not
from worker.trial.faults import fault_of
from worker.workload.command import CommandReader, bounded
from worker.workload.hooks import Hooks, Phase, Stop, Stopped

log = logging.getLogger(__name__)

BEAT_S: Final = 5.0
"""How often a running profile asks whether it is still wanted."""
REFUSED: Final = "invalid_levels"
LONGEST_REASON: Final = 1000


@runtime_checkable
class ProfileQueue(Protocol):
    """CPU profiles in the queue of this host. Every call may be repeated. Raises Unavailable."""

    def next_profile(self) -> ProfileRequest | None:
        """Claim the next profile to take, or None."""

    def profile_wanted(self, request: ProfileRequest) -> bool:
        """Whether the attempt goes on."""

    def end_profile(
        self, request: ProfileRequest, profile: CellProfile | None, reason: tuple[str, str] | None = None
    ) -> None:
        """Store the profile, or why none was taken: a code and a sentence."""


class ProfiledTestbed(Protocol):
    """The testbed, as a profile needs it."""

    def capabilities(self) -> dict[str, Any]:
        """What this host can run; `no_profile` says why it takes no profiles."""

    def setup(self, levels: Mapping[str, Level], *, replica: int, hooks: Hooks) -> TrialSetup:
        """Everything that one cell needs, running. Raises TrialFailed, a HostFault or Stopped."""


class ProfileTurn:
    """When this worker asks for profiles: at its start, and after trials of experiments that want them."""

    def __init__(self, queue: ProfileQueue | None, folder: Path) -> None:
        self._queue = queue
        self._folder = folder
        self._due = True

    def recover(self) -> None:
        """Remove what a killed worker left."""
        remove_left(self._folder)

    def trial_ended(self, experiment: Mapping[str, Any]) -> None:
        """A trial has ended, which may have been the last of its run."""
        self._due = self._due or bool(experiment.get("profile"))

    def take_next(self, testbed: ProfiledTestbed, aborting: threading.Event) -> bool:
        """Take the next profile that waits; False where there is none. Raises as `take_profile`."""
        if self._queue is None or not self._due:
            return False
        request = self._queue.next_profile()
        if request is None:
            self._due = False
            return False
        unable = testbed.capabilities().get(NO_PROFILE)
        outcome = take_profile(request, testbed, self._queue, self._folder, aborting, unable)
        log.info("profile of %s %s: %s", request.run_id, request.cell_id, outcome)
        return True


class _ProfileHooks:
    """Shows nothing of the extra trial; ends it where it is no longer wanted or the worker stops."""

    def __init__(self, request: ProfileRequest, queue: ProfileQueue, aborting: threading.Event) -> None:
        self._request = request
        self._queue = queue
        self._aborting = aborting
        self._checked_at = time.monotonic()

    def live(self, t: float, rate: float, cores: Mapping[str, float] | None) -> None:
        """Show nothing."""

    def phase(self, phase: Phase, reasons: Sequence[str]) -> None:
        """Show nothing."""

    def window(self, begins_in_s: float, seconds: float) -> None:
        """Announce nothing: nothing is measured."""

    def stop_wanted(self) -> Stop | None:
        """Whether the profile should end now."""
        if self._aborting.is_set():
            return "abort"
        if time.monotonic() - self._checked_at < BEAT_S:
            return None
        self._checked_at = time.monotonic()
        try:
            return None if self._queue.profile_wanted(self._request) else "cancel"
        except (Unavailable, WorkerRejected) as error:  # the fence decides at the end
            log.debug("the profile's state cannot be read: %s", error)
            return None


def take_profile(
    request: ProfileRequest,
    testbed: ProfiledTestbed,
    queue: ProfileQueue,
    folder: Path,
    aborting: threading.Event,
    unable: str | None,
) -> str:
    """Take one profile and write how it ended; returns "taken", "not_taken" or "stopped".

    `unable`: why this host takes none. perf's data are below `folder`, and removed. Raises Unavailable and
    WorkerRejected where the end cannot be written: the profile is then claimed again.
    """
    refusal = None if is_run_id(request.run_id) else "the run's id is none"
    if (why := refusal or why_not(request.levels)) is not None:
        return _not_taken(queue, request, REFUSED, why)
    if unable is not None:
        return _not_taken(queue, request, "unavailable", unable)
    hooks = _ProfileHooks(request, queue, aborting)
    try:
        profile = _with_server(request, testbed, folder, hooks)
    except Stopped as stop:
        log.info("the profile of %s %s is stopped: %s", request.run_id, request.cell_id, stop.why)
        return "stopped"
    except Exception as error:
        fault = fault_of(error, None)
        code = fault.code
        detail = fault.detail if isinstance(fault, TrialFailed) else str(fault)
        return _not_taken(queue, request, code, detail)
    queue.end_profile(request, profile)
    return "taken"


def _not_taken(queue: ProfileQueue, request: ProfileRequest, code: str, reason: str) -> str:
    log.warning("no profile of %.60s %.60s: %s", request.run_id, request.cell_id, reason)
    queue.end_profile(request, None, (code, reason[:LONGEST_REASON]))
    return "not_taken"


def _with_server(
    request: ProfileRequest, testbed: ProfiledTestbed, folder: Path, hooks: Hooks
) -> CellProfile:
    """The profile; where the cell's server has ended since its last trial, on a new one."""
    try:
        return _take(request, testbed, folder, hooks)
    except ServerLost as lost:
        log.info("the profile of %s starts a new server: %s", request.cell_id, lost)
        return _take(request, testbed, folder, hooks)


def _take(request: ProfileRequest, testbed: ProfiledTestbed, folder: Path, hooks: Hooks) -> CellProfile:
    setup = testbed.setup(request.levels, replica=request.replica, hooks=hooks)
    try:
        return profile_of(setup, request.levels, folder, hooks)
    finally:
        setup.close()


def profile_of(setup: TrialSetup, levels: Mapping[str, Any], folder: Path, hooks: Hooks) -> CellProfile:
    """Run the cell's client once and sample all CPUs after its warm-up. Raises TrialFailed or Stopped."""
    warm_up, seconds = warm_up_seconds(levels), sampled_seconds(levels)
    tool = TOOLS[str(levels["tool"])]
    run_s = warm_up + seconds + MARGIN_S
    argv = tool.run(levels, setup.target, run_s)
    client = setup.client
    with Recording(folder) as recording:
        execution = client.engine.execute(client.container, bounded(argv, run_s))
        roles = RoleWatch(setup.processes.pids)
        try:
            setup.client_group.adopt(execution.pid)
            reader = CommandReader(execution, argv, client.container.name, run_s, OUTPUT_LIMITS[tool.name])
            execution.release()
            began = time.monotonic()

            def each_slice() -> None:
                if not recording.started and time.monotonic() - began >= warm_up:
                    recording.start(seconds)
                roles.read()

            code = reader.run(hooks, each_slice)
        except BaseException:
            execution.kill()
            raise
        if code != 0 or not recording.started:
            raise TrialFailed("tool_failed", f"{tool.name} ended with exit code {code} while it was profiled")
        found = recording.stacks()
    return build_profile(
        by_role(found, roles.known),
        seconds=float(seconds),
        idle_samples=found.idle_samples,
        kernel_symbols=found.kernel_symbols,
        program=program_version(),
    )


class RoleWatch:
    """The role of every process of client, server and proxy that was seen, also of those that have ended."""

    def __init__(self, pids: Callable[[], Mapping[Role, Sequence[int]]]) -> None:
        self._pids = pids
        self.known: dict[int, Role] = {}

    def read(self) -> None:
        """List the processes now."""
        for role, pids in self._pids().items():
            self.known |= dict.fromkeys(pids, role)
