"""The commands of a load generator in its container: started at a gate, read and checked; its latency log."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from backend.core.definition.factors import Level
from backend.core.errors import TrialFailed
from backend.core.sample.parsers import OUTPUT_LIMITS
from backend.core.sample.record import Command
from backend.core.workload.target import Target
from backend.core.workload.tools import TOOLS
from worker.engine.protocol import Container, Engine, Execution
from worker.host.time_limits import limit
from worker.sample.cgroup import ClientGroup
from worker.workload.command import CommandReader, Purpose, bounded, run_command
from worker.workload.hooks import Hooks

log = logging.getLogger(__name__)

LOG_PREFIX = "/tmp/plimsoll-log-"
"""Of the tool's latency log, in the client's own tmpfs."""
LOG_LIMIT_S = 60.0


class ToolCommands:
    """The commands of one trial's tool, against one target."""

    def __init__(
        self,
        engine: Engine,
        container: Container,
        group: ClientGroup,
        levels: Mapping[str, Level],
        target: Target,
        trial_id: str,
        hooks: Hooks,
    ) -> None:
        self._engine = engine
        self._container = container
        self._group = group
        self._levels = levels
        self._target = target
        self._trial_id = trial_id
        self._hooks = hooks
        self._tool = TOOLS[str(levels["tool"])]
        self._log = self._tool.log(levels, LOG_PREFIX + trial_id)

    def start(self, seconds: int, *, logged: bool = False) -> tuple[Execution, CommandReader]:
        """A command held at its gate, in the client's cgroup, and the reader of its output.

        `logged`: it writes the tool's latency log, where the tool has one.
        """
        program, *rest = self._tool.run(self._levels, self._target, seconds)
        argv = (program, *(self._log.options if logged and self._log is not None else ()), *rest)
        execution = self._engine.execute(self._container, bounded(argv, seconds))
        self._group.adopt(execution.pid)
        limit = OUTPUT_LIMITS[self._tool.name]
        return execution, CommandReader(execution, argv, self._container.name, seconds, limit)

    def finished(self, purpose: Purpose, execution: Execution, reader: CommandReader) -> Command:
        """Read a released command to its end. Raises TrialFailed or Stopped."""
        del execution  # the reader has it
        return self.checked(reader.record(purpose, reader.run(self._hooks)))

    def collect(self) -> Command | None:
        """Turn the latency log into a histogram and delete it; None where the tool has none."""
        if self._log is None:
            return None
        done = run_command(self._engine, self._container, self._log.collect, limit(LOG_LIMIT_S), self._hooks)
        return self.checked(done)

    def remove_log(self) -> None:
        """Delete what a failed or stopped command has logged; a failure here is logged, not raised."""
        if self._log is None:
            return
        try:
            run_command(self._engine, self._container, self._log.remove, limit(LOG_LIMIT_S))
        except Exception as error:  # of any kind: the client's container may be gone, and its /tmp with it
            log.warning("the latency log of trial %s could not be removed: %s", self._trial_id, error)

    @staticmethod
    def checked(command: Command) -> Command:
        """The command, if it succeeded. Raises TrialFailed with its last line of output."""
        return checked(command)


def checked(command: Command) -> Command:
    """The command, if it succeeded. Raises TrialFailed with its last line of output."""
    if command.exit_code == 0:
        return command
    lines = (command.stderr or command.stdout).strip().splitlines()
    output = lines[-1][:300] if lines else "it printed nothing"
    code = "timeout" if command.exit_code in (124, 137) else "tool_failed"
    raise TrialFailed(
        code, f"{command.argv[0]} ({command.purpose}) ended with code {command.exit_code}: {output}"
    )
