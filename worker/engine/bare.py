"""Programs outside Docker: the files of the image run as plain processes of a host.

Binaries, user, limits and tmpfs are the same as in a container; Docker's parts are absent: no daemon, no
veth, no bridge, no process namespace, no seccomp profile. The mounts are in a mount namespace of the
process, which ends with it.
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
from worker.host.time_limits import limit

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
    files do not contain. A spec's network is "host" or "container:NAME"; no port can be published. With
    `writable_root` every top-level directory of the image that belongs to USER is a directory of the host;
    everything else is read-only.
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
        self._in_ledger = False

    def answers(self) -> bool:
        """Whether the image's files and the namespace exist."""
        return self.rootfs.is_dir() and self._netns.exists()

    def ensure_network(self, spec: NetworkSpec) -> None:
        """Raise EngineUnavailable: outside Docker there is only the host's network."""
        raise EngineUnavailable(f"the bare host has no network {spec.name}; use its own")

    def create(self, spec: ContainerSpec) -> Container:
        """Start a program and wait until it runs on its mounts; a known name is returned as it is."""
        shared = spec.network.removeprefix(SHARING) if spec.network.startswith(SHARING) else ""
        if spec.network != "host" and shared not in self._running:
            raise EngineUnavailable(
                f"{spec.name}: the bare host cannot attach to {spec.network!r}; use 'host'"
            )
        if spec.published or spec.published_udp:
            raise EngineUnavailable(f"{spec.name}: the bare host cannot publish ports; publish none")
        with self._lock:
            known = self._running.get(spec.name)
            if known is not None and known.process.poll() is None:
                return known.container
            self._write_ledger()
            return self._start(spec)

    def execute(self, container: Container, argv: Sequence[str]) -> ChildExecution:
        """Prepare a command on the mounts of a running program, held at its gate."""
        running = self._known(container.name)
        inside = self._as_user(["sh", "-c", GATE, "gate", *argv])
        target = [tool("nsenter"), "--target", str(running.process.pid), "--mount", "--net", "--"]
        execution = ChildExecution([*target, *inside], self._variables(running.spec))
        _adopt(running.groups, execution.pid)
        return execution

    def restart(self, name: str) -> Container:
        """Stop a program as Docker does, and start it again; its directories stay, tmpfs is empty."""
        with self._lock:
            running = self._known(name)
            running.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.process.wait(limit(STOP_LIMIT_S))
            self._end(name)
            return self._start(running.spec)

    def remove(self, name: str) -> None:
        """Stop a program and delete its directories; volumes only where no other program uses them."""
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
        """Stop every program and delete every directory."""
        with self._lock:
            for name in list(self._running):
                self.remove(name)

    def stop(self) -> None:
        """`remove_everything`, and remove its line from the ledger; repeatable."""
        with self._lock:
            self.remove_everything()
            if self._in_ledger:
                remove_bare(self._folder, self._key)
                self._ledger.gone(self._entry())
                self._in_ledger = False

    def _known(self, name: str) -> RunningProcess:
        running = self._running.get(name)
        if running is None:
            raise EngineUnavailable(f"{name} does not run on the bare host; create it first")
        return running

    def _entry(self) -> Entry:
        return Entry("bare", str(self._folder), self._key)

    def _write_ledger(self) -> None:
        """Before the first program: write to the ledger, and remove what an earlier worker left."""
        if not self._in_ledger:
            self._ledger.making(self._entry())
            self._in_ledger = True
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
        """Wait until the process is the program, with its mounts and the image as its root."""
        process = running.process
        deadline = time.monotonic() + limit(START_LIMIT_S)
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                rooted = os.path.samestat(Path(f"/proc/{process.pid}/root").stat(), self.rootfs.stat())
                if rooted and Path(f"/proc/{process.pid}/comm").read_text() != "chroot\n":
                    return
            time.sleep(0.005)  # the kernel offers no event for this; bounded by the deadline
        lines = log.read_text(errors="replace").strip().splitlines()
        self.remove(running.spec.name)
        last = lines[-1] if lines else "it printed nothing"
        raise EngineUnavailable(f"starting {running.spec.name} on the bare host: {last}")

    def _end(self, name: str, running: RunningProcess | None = None) -> None:
        """Kill a program and everything that it started."""
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
        """The argv that runs a program of the image without privileges, and without a way to gain any."""
        root = [tool("chroot"), f"--userspec={USER}:{USER}", "--groups=", str(self.rootfs)]
        return [tool("setpriv"), "--no-new-privs", "--", *root, *argv]


def _adopt(groups: Sequence[Path], pid: int) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError):  # it has ended already; waiting for it gives the reason
            (group / "cgroup.procs").write_text(str(pid))
