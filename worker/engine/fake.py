"""A fake engine for unit tests: containers are idle processes, commands are scripted tools.

It stands beside the protocol and fails on misuse: a container on a network nobody made, a command in a
container nobody created, a name used for two different things.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from worker.engine.protocol import Container, ContainerSpec, EngineUnavailable


@dataclass
class FakeTool:
    """What a tool does when it is run: what it prints, how it ends, whether it hangs."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    seconds: float = 0.0


@dataclass
class FakeEngine:
    """An engine whose tools do as they are told. `broken` names the verb that fails next, once."""

    folder: Path
    tools: dict[str, FakeTool] = field(default_factory=dict)
    broken: str | None = None
    networks: set[str] = field(default_factory=lambda: {"host", "none"})
    containers: dict[str, tuple[ContainerSpec, subprocess.Popen[bytes]]] = field(default_factory=dict)
    commands: list[tuple[str, ...]] = field(default_factory=list)

    def answers(self) -> bool:
        """Whether the API replies now."""
        return self.broken != "answers"

    def load_image(self, path: str, tag: str) -> str:
        """Every image is there."""
        self._maybe_break("load_image")
        return f"sha256:{tag}"

    def ensure_network(self, name: str, bridge: str) -> None:
        """Make the network unless it exists."""
        self._maybe_break("ensure_network")
        self.networks.add(name)

    def create(self, spec: ContainerSpec) -> Container:
        """An idle process stands for the container."""
        self._maybe_break("create")
        assert spec.network in self.networks, f"network {spec.network} was never made"
        if spec.name not in self.containers:
            idle = subprocess.Popen(["sleep", "600"], start_new_session=True)
            self.containers[spec.name] = (spec, idle)
        known, process = self.containers[spec.name]
        assert known == spec, f"{spec.name} is used for two different containers"
        return Container(f"id-{spec.name}", spec.name, process.pid, "198.18.64.2", "198.18.64.1")

    def execute(self, container: Container, argv: Sequence[str]) -> FakeExecution:
        """Prepare a scripted tool, held at its gate."""
        self._maybe_break("execute")
        assert container.name in self.containers, f"no container {container.name}"
        self.commands.append(tuple(argv))
        plain = tuple(argv[4:]) if argv[0] == "timeout" else tuple(argv)
        tool = self.tools.get(plain[0], FakeTool())
        return FakeExecution(self._script(tool))

    def remove(self, name: str) -> None:
        """Remove a container; a missing one is no error."""
        if (found := self.containers.pop(name, None)) is not None:
            found[1].kill()
            found[1].wait()

    def remove_everything(self) -> None:
        """Remove every container and network."""
        for name in list(self.containers):
            self.remove(name)
        self.networks = {"host", "none"}

    def _maybe_break(self, verb: str) -> None:
        if self.broken == verb:
            self.broken = None
            raise EngineUnavailable(f"{verb} was told to fail")

    def _script(self, tool: FakeTool) -> list[str]:
        number = len(self.commands)
        for stream, text in (("out", tool.stdout), ("err", tool.stderr)):
            (self.folder / f"{number}.{stream}").write_text(text)
        say = f'cat "{self.folder}/{number}.err" >&2; cat "{self.folder}/{number}.out"'
        return ["sh", "-c", f"read -r _; {say}; sleep {tool.seconds}; exit {tool.exit_code}"]


class FakeExecution:
    """One scripted tool as a child process of the test."""

    def __init__(self, argv: list[str]) -> None:
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None and self._process.stderr is not None
        self._open = {self._process.stdout.fileno(): "stdout", self._process.stderr.fileno(): "stderr"}
        self._released = False
        self.pid = self._process.pid

    def release(self) -> None:
        """Open the gate."""
        assert not self._released, "released twice"
        self._released = True
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.close()

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Output as it comes, None at the end."""
        assert self._released, "read before the gate was opened"
        if not self._open:
            return None
        ready, _, _ = select.select(list(self._open), [], [], timeout_s)
        frames = []
        for descriptor in ready:
            if chunk := os.read(descriptor, 65536):
                frames.append((self._open[descriptor], chunk))
            else:
                del self._open[descriptor]
        return frames

    def exit_code(self) -> int:
        """How it ended."""
        return self._process.wait()

    def kill(self) -> None:
        """End the process and its children."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
