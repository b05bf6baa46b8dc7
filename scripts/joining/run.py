"""Run a joined host's worker until a stop is requested: as the systemd unit, or in the foreground."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from backend.worker_protocol import EXIT_REJECTED
from scripts.joining import host_settings, worker
from scripts.joining.enrolment import Enrolled, EnrolmentFiles
from scripts.joining.notify import notify
from scripts.starter import layout, leftovers, lock
from scripts.starter.layout import Layout
from scripts.starter.private import UMASK
from scripts.starter.processes import EndedForGood, Supervisor
from scripts.starter.reach import LOOPBACK
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal, Terminal
from scripts.starter.time_limits import limit, time_factor

REDIS_SECONDS = 6.0
"""How long Redis may take to know a host that has just joined, and to answer."""
RUNNER = "join"
"""Name of this process's pid file."""


@dataclass(frozen=True)
class Installation:
    """A joined host's folders and enrolment."""

    layout: Layout
    files: EnrolmentFiles
    enrolled: Enrolled


def installation(root: Path, var: Path) -> Installation:
    """The installation in `var`, with its settings in this process's environment.

    Raises Refusal if the host has not joined.
    """
    files = EnrolmentFiles(var)
    enrolled = files.read()
    if enrolled is None:
        raise Refusal(f"no worker has joined from {var}: scripts/join URL")
    host_settings.load(var)
    return Installation(layout.prepare(root, var, LOOPBACK), files, enrolled)


class Runner:
    """One run of the worker: `bring_up`, `serve`, and always `tear_down`."""

    def __init__(self, found: Installation, terminal: Terminal, stop: Stop) -> None:
        self._found = found
        self._layout = found.layout
        self._terminal = terminal
        self._stop = stop
        layout.note_absent(self._layout.absent_note)
        self._supervisor = Supervisor(self._layout.logs, terminal, stop, on_spawn=self._started)

    def _note(self, name: str, pid: int) -> None:
        leftovers.note(self._layout.runtime, name, pid)

    def _started(self, name: str, pid: int) -> None:
        self._note(name, pid)
        # Nothing of the boot may wait for the image or for a server that is away.
        server = self._found.enrolled.server
        notify(f"READY=1\nSTATUS=starting, and waiting for {server} where it does not answer")

    def bring_up(self) -> None:
        """Remove what an earlier run left, and start the worker. Raises Refusal, Stopped."""
        self._supervisor.time_factor = time_factor()
        self._note(RUNNER, os.getpid())
        if leftovers.end(
            self._layout.runtime, "worker", signal.SIGQUIT, limit(worker.STOP_LIMIT), self._stop
        ):
            self._terminal.say("worker", "ended a process of an earlier start")
        worker.reap(self._layout, self._found.enrolled, self._found.files)
        self._terminal.say(
            "worker", f"starting; the first start also builds the image, see {self._layout.logs}/worker.log"
        )
        enrolled = self._found.enrolled
        if enrolled.redis_url and not self._stop.until(
            self._redis_answers, limit(REDIS_SECONDS), interval=0.5
        ):
            self._terminal.say("worker", "the server's Redis does not answer here: polling, no live samples")
            enrolled = replace(enrolled, redis_url="")
        self._supervisor.start(worker.service(self._layout, enrolled, self._found.files))
        self._terminal.say(
            "ready", f"{self._found.enrolled.host_name} measures for {self._found.enrolled.server}"
        )
        notify(f"STATUS=measures for {self._found.enrolled.server}")

    def _redis_answers(self) -> bool:
        return worker.redis_answers(self._found.enrolled, self._found.files)

    def serve(self) -> None:
        """Watch the worker until a stop is requested. Raises EndedForGood."""
        while not self._stop.requested:
            self._supervisor.watch()
            self._supervisor.wait()

    def tear_down(self) -> None:
        """Stop everything in reverse order; a failed step does not prevent the next."""
        notify("STOPPING=1")
        self._terminal.say("stop", "stopping the worker; a running trial returns to the queue")
        steps: tuple[Callable[[], None], ...] = (
            self._supervisor.stop_all,
            lambda: worker.reap(self._layout, self._found.enrolled, self._found.files),
            self._remove_mounts,
            lambda: layout.remove_runtime(self._layout),
            lambda: layout.remove_noted(self._layout.absent_note),
        )
        for step in steps:
            try:
                step()
            except (Refusal, OSError) as error:
                self._terminal.fail(str(error))
        self._terminal.say("stop", "the worker is stopped")

    def _remove_mounts(self) -> None:
        for point in layout.remove_mounts(self._layout):
            self._terminal.say("stop", f"unmounted {point}")


def run(root: Path, var: Path, terminal: Terminal, stop: Stop) -> int:
    """Run until a stop is requested; returns the exit code, EXIT_REJECTED where no restart helps."""
    os.umask(UMASK)
    try:
        found = installation(root, var)
        lock.hold(var / "lock", None)
    except Refusal as refusal:
        terminal.fail(str(refusal))
        return 1
    runner = Runner(found, terminal, stop)
    try:
        runner.bring_up()
        runner.serve()
    except Stopped:
        return 0
    except EndedForGood as ended:
        terminal.fail(str(ended))
        return EXIT_REJECTED
    except Refusal as refusal:
        terminal.fail(str(refusal))
        return 1
    finally:
        runner.tear_down()
    return 0
