"""A fake engine for unit tests: containers are idle processes, commands are scripted tools.

It fails on misuse of the protocol: a container on a missing network, a command in a missing container, a
name used for two different things.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.core.errors import EngineUnavailable
from worker.engine.child import ChildExecution
from worker.engine.protocol import SHARING, Container, ContainerSpec, NetworkSpec

BUILT_IN: dict[str, NetworkSpec | None] = dict.fromkeys(("bridge", "host", "none"))
ADDRESS, GATEWAY = "198.18.64.2", "198.18.64.1"


@dataclass
class FakeTool:
    """The scripted behaviour of a tool: output, exit code, duration."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    seconds: float = 0.0


@dataclass
class FakeEngine:
    """An engine with scripted tools.

    `broken` names the method that fails next, once; after `die` every method fails.
    """

    folder: Path
    tools: dict[str, FakeTool] = field(default_factory=dict)
    broken: str | None = None
    networks: dict[str, NetworkSpec | None] = field(default_factory=lambda: dict(BUILT_IN))
    containers: dict[str, tuple[ContainerSpec, subprocess.Popen[bytes]]] = field(default_factory=dict)
    commands: list[tuple[str, ...]] = field(default_factory=list)
    dead: bool = False

    def die(self) -> None:
        """End the daemon; its containers' processes continue, as with Docker."""
        self.dead = True

    def answers(self) -> bool:
        """Whether the API replies now."""
        if self.broken == "answers":
            self.broken = None
            return False
        return not self.dead

    def load_image(self, path: str, tag: str) -> str:
        """Every image exists."""
        self._maybe_break("load_image")
        return f"sha256:{tag}"

    def ensure_network(self, spec: NetworkSpec) -> None:
        """Create the network unless it exists."""
        self._maybe_break("ensure_network")
        known = self.networks.setdefault(spec.name, spec)
        assert known == spec, f"{spec.name} is used for two different networks"

    def create(self, spec: ContainerSpec) -> Container:
        """Start an idle process in place of the container."""
        self._maybe_break("create")
        shared = spec.network.removeprefix(SHARING)
        if shared != spec.network:
            assert shared in self.containers, (
                f"{spec.name} joins the network of {shared}, which does not exist"
            )
        else:
            assert spec.network in self.networks, f"network {spec.network} was never created"
        if spec.name not in self.containers:
            idle = subprocess.Popen(["sleep", "600"], start_new_session=True)
            self.containers[spec.name] = (spec, idle)
        known, process = self.containers[spec.name]
        assert known == spec, f"{spec.name} is used for two different containers"
        return self._described(spec, process)

    def execute(self, container: Container, argv: Sequence[str]) -> FakeExecution:
        """Prepare a scripted tool, held at its gate."""
        self._maybe_break("execute")
        assert container.name in self.containers, f"no container {container.name}"
        self.commands.append(tuple(argv))
        plain = tuple(argv[4:]) if argv[0] == "timeout" else tuple(argv)
        tool = self.tools.get(plain[0], FakeTool())
        return FakeExecution(self._script(tool))

    def restart(self, name: str) -> Container:
        """Start another idle process in place of the container."""
        self._maybe_break("restart")
        assert name in self.containers, f"no container {name} to restart"
        spec, _ = self.containers[name]
        self._remove(name)
        return self.create(spec)

    def remove(self, name: str) -> None:
        """Remove a container; a missing one is no error."""
        self._maybe_break("remove")
        self._remove(name)

    def _remove(self, name: str) -> None:
        if (found := self.containers.pop(name, None)) is not None:
            found[1].kill()
            found[1].wait()

    def remove_everything(self) -> None:
        """Remove every container and network; works on a dead engine too, for its test's end."""
        for name in list(self.containers):
            self._remove(name)
        self.networks = dict(BUILT_IN)

    def _described(self, spec: ContainerSpec, process: subprocess.Popen[bytes]) -> Container:
        alone = spec.network in ("host", "none") or spec.network.startswith(SHARING)
        address, gateway = (None, None) if alone else (ADDRESS, GATEWAY)
        return Container(f"id-{spec.name}", spec.name, process.pid, address, gateway)

    def _maybe_break(self, verb: str) -> None:
        if self.dead:
            raise EngineUnavailable(f"{verb}: the daemon is gone")
        if self.broken == verb:
            self.broken = None
            raise EngineUnavailable(f"{verb} fails on request")

    def _script(self, tool: FakeTool) -> list[str]:
        number = len(self.commands)
        for stream, text in (("out", tool.stdout), ("err", tool.stderr)):
            (self.folder / f"{number}.{stream}").write_text(text)
        say = f'cat "{self.folder}/{number}.err" >&2; cat "{self.folder}/{number}.out"'
        return ["sh", "-c", f"read -r _; {say}; sleep {tool.seconds}; exit {tool.exit_code}"]


class FakeExecution(ChildExecution):
    """One scripted tool as a child process of the test; fails on misuse."""

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        self._released = False

    def release(self) -> None:
        """Open the gate."""
        assert not self._released, "released twice"
        self._released = True
        super().release()

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Output as it comes, None at the end."""
        assert self._released, "read before the gate was opened"
        return super().read(timeout_s)
