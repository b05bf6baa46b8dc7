"""Programs outside Docker: the bench image's own files run as plain processes of a host.

Everything that makes it comparable with a container stays (binaries, user, limits, tmpfs), and
everything of Docker's is absent: no daemon, no veth, no bridge, no process namespace, no seccomp
profile. Mounts are in a namespace of the process's own and vanish with it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.core.errors import EngineUnavailable
from worker.engine.bare_view import PATH, mounts, tool
from worker.engine.child import ChildExecution
from worker.engine.execution import GATE
from worker.engine.names import EngineNames
from worker.engine.protocol import SHARING, USER, Container, ContainerSpec, NetworkSpec
from worker.host.cgroups import Limits, make_group
from worker.host.commands import in_namespace, namespace_file
from worker.host.ledger import Entry, Ledger
from worker.host.reaper import BARE, end_processes, processes_in_cgroup, remove_bare, remove_cgroup

START_LIMIT_S = 10.0
STOP_LIMIT_S = 30.0


@dataclass(frozen=True)
class RunningProcess:
    spec: ContainerSpec
    process: subprocess.Popen[bytes]
    groups: tuple[Path, ...]

    @property
    def container(self) -> Container:
        return Container(self.spec.name, self.spec.name, self.process.pid, None, None)


class BareHost:
    """The bare host in one network namespace: the engine protocol with processes instead of containers.

    `netns` is a name below /run/netns or an absolute path; `environment` is the image's own, which its
    files do not hold. A spec's network is "host" or "container:NAME"; nothing can be published. With
    `writable_root` every directory at the top of the image that belongs to USER is a plain one of the
    host's; the rest is never writable.
    """

    def __init__(
        self,
        rootfs: Path,
        netns: str | Path,
        names: EngineNames,
        ledger: Ledger,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.rootfs = rootfs.resolve()
        if self.rootfs == Path("/"):
            raise ValueError("the image's files are the host's own root: unpack the image into a folder")
        self._netns = namespace_file(netns)
        self._key = names.key
        self._folder = names.data / "bare"
        self._ledger = ledger
        self._environment = {"PATH": PATH, **(environment or {})}
        self._running: dict[str, RunningProcess] = {}
        self._lock = threading.RLock()
        self._noted = False

    def answers(self) -> bool:
        """Whether the image's files and the namespace are there."""
        return self.rootfs.is_dir() and self._netns.exists()

    def ensure_network(self, spec: NetworkSpec) -> None:
        """Refused: outside Docker there is the host's network and no other."""
        raise EngineUnavailable(f"the bare host has no network {spec.name}; use its own")

    def create(self, spec: ContainerSpec) -> Container:
        """Start a program and wait until it runs on its own mounts; a known name is answered as it is."""
        shared = spec.network.removeprefix(SHARING) if spec.network.startswith(SHARING) else ""
        if spec.network != "host" and shared not in self._running:
            raise EngineUnavailable(
                f"{spec.name}: the bare host cannot attach to {spec.network!r}; use 'host'"
            )
        if spec.published or spec.published_udp:
            raise EngineUnavailable(f"{spec.name}: nothing is published on the bare host; publish no port")
        with self._lock:
            known = self._running.get(spec.name)
            if known is not None and known.process.poll() is None:
                return known.container
            self._note()
            return self._start(spec)

    def execute(self, container: Container, argv: Sequence[str]) -> ChildExecution:
        """Prepare a command beside a running program, on the same mounts, held at its gate."""
        running = self._known(container.name)
        inside = self._as_user(["sh", "-c", GATE, "gate", *argv])
        target = [tool("nsenter"), "--target", str(running.process.pid), "--mount", "--net", "--"]
        execution = ChildExecution([*target, *inside], self._variables(running.spec))
        _adopt(running.groups, execution.pid)
        return execution

    def restart(self, name: str) -> Container:
        """End a program as Docker would, and start it again; its directories stay, tmpfs is empty."""
        with self._lock:
            running = self._known(name)
            running.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.process.wait(STOP_LIMIT_S)
            self._end(name)
            return self._start(running.spec)

    def remove(self, name: str) -> None:
        """End a program and delete its directories; volumes only where no other program uses them."""
        with self._lock:
            running = self._running.pop(name, None)
            if running is None:
                return
            self._end(name, running)
            shutil.rmtree(self._folder / "layers" / name, ignore_errors=True)
            used = {volume for other in self._running.values() for volume in other.spec.volumes.values()}
            for volume in set(running.spec.volumes.values()) - used:
                shutil.rmtree(self._folder / "volumes" / volume, ignore_errors=True)

    def remove_everything(self) -> None:
        """End every program and delete every directory."""
        with self._lock:
            for name in list(self._running):
                self.remove(name)

    def stop(self) -> None:
        """`remove_everything`, and nothing of it stands in the ledger any more; repeatable."""
        with self._lock:
            self.remove_everything()
            if self._noted:
                remove_bare(self._folder, self._key)
                self._ledger.gone(self._entry())
                self._noted = False

    def _known(self, name: str) -> RunningProcess:
        running = self._running.get(name)
        if running is None:
            raise EngineUnavailable(f"{name} does not run on the bare host; create it first")
        return running

    def _entry(self) -> Entry:
        return Entry("bare", str(self._folder), self._key)

    def _note(self) -> None:
        """Before the first program: note the place, and remove what an earlier worker left in it."""
        if not self._noted:
            self._ledger.making(self._entry())
            self._noted = True
            remove_bare(self._folder, self._key)

    def _start(self, spec: ContainerSpec) -> Container:
        self._folder.mkdir(parents=True, exist_ok=True)
        view = "\n".join(mounts(self.rootfs, self._folder, spec))
        script = f'set -eu\n{view}\nexec "$@"'
        private = [
            tool("unshare"),
            "--mount",
            "--propagation",
            "private",
            "--",
            "/bin/sh",
            "-c",
            script,
            "bare",
        ]
        nsenter, *rest = in_namespace(self._netns, [*private, *self._as_user(spec.command)])
        argv = [tool(nsenter), *rest]
        limits = Limits(spec.cpus, spec.cpuset, spec.memory_bytes)
        try:
            groups = make_group(f"{self._key}/{BARE}{spec.name}", limits)
        except OSError as error:
            raise EngineUnavailable(f"limits of {spec.name} on the bare host: {error}") from error
        log = self._folder / f"{spec.name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                env=self._variables(spec),
            )
        running = RunningProcess(spec, process, groups)
        self._running[spec.name] = running
        _adopt(groups, process.pid)
        self._await_program(running, log)
        return running.container

    def _await_program(self, running: RunningProcess, log: Path) -> None:
        """Wait until the process has become the program, with its mounts and the image as its root."""
        process = running.process
        deadline = time.monotonic() + START_LIMIT_S
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                rooted = os.path.samestat(Path(f"/proc/{process.pid}/root").stat(), self.rootfs.stat())
                if rooted and Path(f"/proc/{process.pid}/comm").read_text() != "chroot\n":
                    return
            time.sleep(0.005)  # the kernel offers no event for this; bounded by the deadline
        said = log.read_text(errors="replace").strip().splitlines()
        self.remove(running.spec.name)
        last = said[-1] if said else "it printed nothing"
        raise EngineUnavailable(f"starting {running.spec.name} on the bare host: {last}")

    def _end(self, name: str, running: RunningProcess | None = None) -> None:
        """Kill whatever is left of a program, everything that it started included."""
        running = running or self._running[name]
        group = f"{self._key}/{BARE}{name}"
        end_processes([*processes_in_cgroup(group)], signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            running.process.kill()
        running.process.wait()
        remove_cgroup(group)

    def _variables(self, spec: ContainerSpec) -> dict[str, str]:
        return {**self._environment, **spec.environment}

    def _as_user(self, argv: Sequence[str]) -> list[str]:
        """The argv that becomes a program of the image: no privileges, and none to be gained."""
        root = [tool("chroot"), f"--userspec={USER}:{USER}", "--groups=", str(self.rootfs)]
        return [tool("setpriv"), "--no-new-privs", "--", *root, *argv]


def _adopt(groups: Sequence[Path], pid: int) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError):  # it has ended already: whoever waits learns why
            (group / "cgroup.procs").write_text(str(pid))
