"""Child processes: started in order, restarted when they crash or stop answering, stopped in reverse order.

Order: `Supervisor.start` for each service, or `begin` and later `await_ready` for those that start side by
side, then `watch` and `wait` in turn, then `stop_all` once, from one thread: the kernel's parent-death signal
belongs to the thread that created the child.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from scripts.starter import log_file, log_lines
from scripts.starter.liveness import Health, Liveness
from scripts.starter.log_file import LogFile
from scripts.starter.private import UMASK
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal, Terminal

BACK_OFF_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
STEADY_SECONDS = 60.0
STRAGGLER_SECONDS = 10.0
SILENCE_SECONDS = 28.0
"""Longest silence of the terminal while a service starts, as building an image may take minutes."""
IDLE_SECONDS = 10.0
"""Longest wait between two checks of the services; what happens to them ends it."""
# Programs report progress through a logger of this name; other lines that are shown are problems.
IMPORTANT = re.compile(
    r"plimsoll\.progress: (?P<progress>.+)"
    r"|^plimsoll [a-z]+: "
    r"|\b(WARNING|ERROR|CRITICAL|FATAL|PANIC)\b"
)


@dataclass(frozen=True)
class Service:
    """A child that runs until it is stopped.

    `ready` is called about ten times a second for at most `ready_limit` seconds. `stop_limit` is the time
    between `stop_signal` and SIGKILL. The kernel sends `orphan_signal` when this process dies without
    stopping the child; None where `argv` arranges that itself. Lines that match `important` are shown on the
    terminal; its group "progress" is the text of a progress line. With `health`, the child is killed and
    started again when it does not answer for too long. `inherited` are descriptors that the child gets, with
    the same numbers. An exit code in `final` means that no restart helps.
    """

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    ready: Callable[[], bool]
    ready_limit: float = 30.0
    stop_signal: signal.Signals = signal.SIGTERM
    stop_limit: float = 15.0
    orphan_signal: signal.Signals | None = signal.SIGTERM
    important: re.Pattern[str] = IMPORTANT
    cwd: Path | None = None
    health: Health | None = None
    umask: int = UMASK
    inherited: tuple[int, ...] = ()
    final: frozenset[int] = frozenset()


class EndedForGood(Exception):
    """A service ended with one of its final exit codes; the text is a sentence for the user."""


def with_orphan_signal(argv: tuple[str, ...], number: signal.Signals | None) -> tuple[str, ...]:
    """The command line behind setpriv, which sets the parent-death signal and keeps the pid."""
    if number is None:
        return argv
    return ("setpriv", "--pdeathsig", number.name.removeprefix("SIG"), "--", *argv)


class Process:
    """One running child with its log file; lines that match `important` are also shown on the terminal."""

    def __init__(self, service: Service, log: Path, terminal: Terminal) -> None:
        self.service = service
        self.log = log
        self.started = time.monotonic()
        self._terminal = terminal
        self._child = subprocess.Popen(
            with_orphan_signal(service.argv, service.orphan_signal),
            env=dict(service.environment),
            cwd=service.cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=service.umask,
            pass_fds=service.inherited,
            text=True,
            errors="replace",
        )
        self._reader = threading.Thread(target=self._copy, name=f"log-{service.name}", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The child's pid; setpriv execs, so it is the service's own."""
        return self._child.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._child.poll()

    def _copy(self) -> None:
        assert self._child.stdout is not None
        with closing(LogFile(self.log, log_file.LIMIT)) as file:
            for line in self._child.stdout:
                file.write(log_lines.stamped(line.rstrip()))
                self._show(log_lines.readable(line.rstrip()))

    def _show(self, line: str) -> None:
        found = self.service.important.search(line)
        if found is None:
            return
        if progress := found.groupdict().get("progress"):
            self._terminal.say(self.service.name, progress)
        else:
            self._terminal.plain(f"        {self.service.name:<10} | {line}")

    def kill(self) -> None:
        """Send SIGKILL and do not wait; for a process that does not react to other signals."""
        self._child.kill()

    def stop(self) -> bool:
        """Send the stop signal, after the limit SIGKILL; returns whether the stop signal was enough."""
        graceful = True
        if self.exit_code is None:
            self._child.send_signal(self.service.stop_signal)
            try:
                self._child.wait(self.service.stop_limit)
            except subprocess.TimeoutExpired:
                graceful = False
                self._child.kill()
                self._child.wait()
        end_session(self._child.pid)
        # A grandchild may keep the pipe open; the service's own output is complete by then.
        self._reader.join(1.0)
        return graceful


def session_members(session: int) -> list[int]:
    """The running processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _parent, _group, of, *_ = stat.read_text().rpartition(")")[2].split()
            if int(of) == session and state not in "ZX":
                found.append(int(stat.parent.name))
    return found


def end_session(session: int) -> None:
    """End the remaining processes of a stopped child's session: SIGTERM, then SIGKILL after a limit."""
    deadline = time.monotonic() + STRAGGLER_SECONDS
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in session_members(session):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        while session_members(session) and time.monotonic() < deadline:
            time.sleep(0.05)  # processes of another parent cannot be waited for; bounded


@dataclass
class Slot:
    """A service with its process and its restarts; `starting` until it was ready for the first time."""

    service: Service
    process: Process
    starting: bool = True
    failures: int = 0
    due: float | None = None
    liveness: Liveness | None = None


@dataclass
class Supervisor:
    """The running services, in the order of their start."""

    logs: Path
    terminal: Terminal
    stop: Stop
    back_off: tuple[float, ...] = BACK_OFF_SECONDS
    on_spawn: Callable[[str, int], None] = lambda _name, _pid: None
    on_watch: Callable[[], None] = lambda: None
    time_factor: float = 1.0
    """Multiplies the limits of each service that is started."""
    _slots: list[Slot] = field(default_factory=list)

    def start(self, service: Service) -> Process:
        """Start one service, and watch the earlier ones until it is ready.

        Raises Refusal, Stopped, EndedForGood.
        """
        return self.await_ready(self.begin(service))

    def begin(self, service: Service) -> Slot:
        """Start one service without waiting; `await_ready` follows."""
        service = self._with_more_time(service)
        slot = Slot(service, self._spawn(service))
        self._slots.append(slot)
        return slot

    def _with_more_time(self, service: Service) -> Service:
        """The service with the limits of this host."""
        factor, health = self.time_factor, service.health
        return replace(
            service,
            ready_limit=factor * service.ready_limit,
            stop_limit=factor * service.stop_limit,
            health=health and replace(health, silence_limit=factor * health.silence_limit),
        )

    def await_ready(self, slot: Slot) -> Process:
        """Watch the services that are ready until this one is, too. Raises as `start` does."""
        service, process = slot.service, slot.process

        def settled() -> bool:
            self.watch()
            if self.terminal.silence >= SILENCE_SECONDS:
                self.terminal.say(
                    service.name, f"is starting, for {time.monotonic() - process.started:.0f} s"
                )
            return process.exit_code is not None or service.ready()

        limit = service.ready_limit
        in_time = self.stop.until(settled, limit)
        if process.exit_code is not None:
            _check_final(service, process)
            raise Refusal(f"{service.name} ended at once ({describe(process.exit_code)}); see {process.log}")
        if not in_time:
            raise Refusal(
                f"{service.name} was not ready within {limit:.0f} s; see {process.log}, and on a slow host "
                f"set PLIMSOLL_TIME_FACTOR to {2 * self.time_factor:g}"
            )
        slot.starting = False
        self.terminal.say(service.name, f"ready after {time.monotonic() - process.started:.1f} s")
        if service.health is not None:
            slot.liveness = Liveness(service.health, self.stop.wake)
            slot.liveness.start()
        return process

    def _spawn(self, service: Service) -> Process:
        process = Process(service, self.logs / f"{service.name}.log", self.terminal)
        self.on_spawn(service.name, process.pid)
        return process

    def watch(self) -> None:
        """Check every service once: detect crashes, kill those without answers, restart. Never blocks.

        One that is starting is left to `await_ready`, which refuses it if it ends. Raises EndedForGood, and
        what `on_watch` raises.
        """
        self.on_watch()
        now = time.monotonic()
        for slot in self._slots:
            if slot.starting:
                continue
            code = slot.process.exit_code
            if slot.due is not None and now >= slot.due:
                slot.process, slot.due = self._spawn(slot.service), None
                self.terminal.say(slot.service.name, f"restarted, pid {slot.process.pid}")
                if slot.liveness is not None:
                    slot.liveness.forgive(slot.service.ready_limit)
            elif slot.due is None and code is not None:
                _check_final(slot.service, slot.process)
                steady = now - slot.process.started >= STEADY_SECONDS
                delay = self.back_off[min(0 if steady else slot.failures, len(self.back_off) - 1)]
                slot.failures = 1 if steady else slot.failures + 1
                slot.due = now + delay
                self.terminal.say(
                    slot.service.name,
                    f"ended ({describe(code)}); restarting in {delay:g} s; see {slot.process.log}",
                )
            elif slot.liveness is not None and (silence := slot.liveness.silence) is not None:
                self.terminal.say(
                    slot.service.name,
                    f"has not answered for {silence:.0f} s; killing pid {slot.process.pid}",
                )
                slot.process.kill()
                slot.liveness.forgive(slot.service.ready_limit)

    def wait(self) -> bool:
        """Wait until `watch` may find something, at most IDLE_SECONDS; returns whether to stop."""
        due = [slot.due for slot in self._slots if slot.due is not None]
        until_due = min(due, default=math.inf) - time.monotonic()
        return self.stop.wait(min(IDLE_SECONDS, max(0.0, until_due)))

    def stop_all(self) -> None:
        """Stop every service, the last one started first; safe to call again."""
        while self._slots:
            self.stop_last()

    def stop_last(self) -> None:
        """Stop the service that was started last."""
        slot = self._slots.pop()
        if slot.liveness is not None:
            slot.liveness.stop()
        began = time.monotonic()
        graceful = slot.process.stop()
        how = "stopped" if graceful else f"killed after {slot.service.stop_limit:.0f} s"
        self.terminal.say(slot.service.name, f"{how} in {time.monotonic() - began:.1f} s")


def _check_final(service: Service, process: Process) -> None:
    if process.exit_code in service.final:
        raise EndedForGood(
            f"{service.name} ended and is not restarted; the reason is above and in {process.log}"
        )


def describe(code: int) -> str:
    """An exit code as text."""
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
