"""Run one command in a container to its end, with a time limit, an output limit and a check for stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Literal

from backend.core.errors import TrialFailed
from backend.core.sample.record import Command
from worker.engine.protocol import Container, Engine, Execution
from worker.workload.hooks import NO_HOOKS, Hooks, raise_if_stopped

Purpose = Literal["warm_up", "measure", "collect"]
"""What a command of a trial is for; `collect` runs after the window."""
OUTPUT_LIMIT = 1024 * 1024
GRACE_S = 10.0
KILL_GRACE_S = 5
SLICE_S = 0.2


def bounded(argv: Sequence[str], seconds: float) -> tuple[str, ...]:
    """The command under timeout(1), so that it also ends when the worker is gone."""
    return ("timeout", "-k", str(KILL_GRACE_S), str(int(seconds + GRACE_S)), *argv)


def run_command(
    engine: Engine,
    container: Container,
    argv: Sequence[str],
    limit_s: float,
    hooks: Hooks = NO_HOOKS,
) -> Command:
    """Run a command to its end and return it with its output. Raises TrialFailed or Stopped, as Pump does."""
    execution = engine.execute(container, bounded(argv, limit_s))
    reader = CommandReader(execution, argv, container.name, limit_s)
    execution.release()
    return reader.record("collect", reader.run(hooks))


def run_in(
    engine: Engine, container: Container, argv: Sequence[str], limit_s: float, hooks: Hooks = NO_HOOKS
) -> tuple[int, str]:
    """Run a command to its end; returns its exit code and everything that it printed."""
    done = run_command(engine, container, argv, limit_s, hooks)
    return done.exit_code, done.stdout + done.stderr


class CommandReader:
    """Reads a released command's output until it ends."""

    def __init__(
        self,
        execution: Execution,
        argv: Sequence[str],
        container: str,
        limit_s: float,
        output_limit: int = OUTPUT_LIMIT,
    ) -> None:
        self._execution = execution
        self._argv = tuple(argv)
        self._container = container
        self._limit_s = limit_s + GRACE_S + KILL_GRACE_S + GRACE_S
        self._output_limit = output_limit
        self._text = {"stdout": bytearray(), "stderr": bytearray()}

    def text(self, stream: str) -> str:
        """What the command has printed so far on one stream."""
        return self._text[stream].decode(errors="replace")

    def run(self, hooks: Hooks, on_slice: Callable[[], None] | None = None) -> int:
        """Read to the end and return the exit code.

        `on_slice` is called about five times a second. Raises TrialFailed (`timeout`,
        `too_much_output`) or Stopped; the command has been killed in each case.
        """
        deadline = time.monotonic() + self._limit_s
        try:
            while (frames := self._execution.read(SLICE_S)) is not None:
                for stream, data in frames:
                    self._text[stream] += data
                self._check(deadline, hooks)
                if on_slice is not None:
                    on_slice()
        except BaseException:
            self._execution.kill()
            raise
        return self._execution.exit_code()

    def _check(self, deadline: float, hooks: Hooks) -> None:
        if sum(map(len, self._text.values())) > self._output_limit:
            detail = f"{self._argv[0]} printed more than {self._output_limit:,} bytes"
            raise TrialFailed("too_much_output", detail)
        if time.monotonic() > deadline:
            raise TrialFailed("timeout", f"the command did not end within {self._limit_s:g} s")
        raise_if_stopped(hooks)

    def record(self, purpose: Purpose, exit_code: int) -> Command:
        """The command as it is stored with the trial."""
        return Command(
            purpose=purpose,
            argv=self._argv,
            container=self._container,
            exit_code=exit_code,
            stdout=self.text("stdout"),
            stderr=self.text("stderr"),
        )
