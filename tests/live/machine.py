"""A Docker host for tests: namespaces with a link of their own, a daemon of its own, and a joined worker.

The host has its own network, mounts, processes, /run and /sys/fs/cgroup: so it has its own measuring lock,
and nothing of it outlives its first process. `python -m tests.live.machine` is what runs inside.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.live.conftest import ROOT
from tests.live.host import snapshot
from worker.engine.segment import Segment
from worker.host.commands import in_namespace, namespace_file, run
from worker.host.reaper import remove_cgroup, remove_namespace
from worker.sample.namespaces import CLONE_NEWNET

LIMIT_S = 120.0
FIRST_PROCESS = """
exec 3<&0
set -e
mount -t tmpfs tmpfs /run
mkdir /run/cgroup
mount -t tmpfs tmpfs /run/cgroup
for folder in /sys/fs/cgroup/*; do
    mkdir "/run/cgroup/${folder##*/}"
    mount --bind "$folder" "/run/cgroup/${folder##*/}"
done
mount --move /run/cgroup /sys/fs/cgroup
rmdir /run/cgroup
"$@" <&3 &
wait $!
"""
"""/run and the folder of the cgroup hierarchies are the host's own: a worker locks them while it measures.
dash also waits for the processes that it inherits as the first one of its namespace. Of a command in the
background, standard input is /dev/null, also for `<&0`."""
ENGINE_SOCKET = Path("/run/docker.sock")


@dataclass
class Machine:
    """`start` and `end` once each; `end` returns what its worker has left behind."""

    name: str
    address: str
    folder: Path
    segment: Segment
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def netns(self) -> str:
        return f"plm-{self.name}"

    @property
    def cgroup(self) -> str:
        """Everything in its daemon runs below this group."""
        return f"plmtest-{self.name}"

    def make_network(self) -> None:
        run(["ip", "netns", "add", self.netns])
        run(["ip", "-n", self.netns, "link", "set", "lo", "up"])
        self.segment.join(self.netns, self.address)

    def start(self, environment: dict[str, str]) -> None:
        """Start the daemon and a worker with these settings."""
        unshared = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--", "sh", "-c"]
        inner = [sys.executable, "-m", "tests.live.machine", str(self.folder), self.cgroup]
        with (self.folder / "machine.log").open("wb") as log:
            self._process = subprocess.Popen(
                in_namespace(self.netns, [*unshared, FIRST_PROCESS, "sh", *inner]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
                env={**os.environ, **environment},
            )

    def must_run(self) -> None:
        """Fail with the ends of its logs unless it runs."""
        assert self._process is not None
        assert self._process.poll() is None, self.said()

    def said(self) -> str:
        """The ends of its logs."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"{self.name} {log.name}: {log.read_text(errors='replace')[-3000:]}" for log in logs)

    def is_measuring(self) -> bool:
        """Whether its measuring lock is held."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        descriptor = os.open(f"/proc/{children[0]}/root/run", os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def end(self) -> dict[str, Any]:
        """Stop the worker in order: its exit code, and what differs from before its start."""
        assert self._process is not None
        out, _ = self._process.communicate(timeout=LIMIT_S)  # closes its standard input
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def remove(self) -> None:
        """End every process and remove the network; repeatable."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self.segment.leave(self.netns)
        remove_namespace(self.netns)
        remove_cgroup(self.cgroup)


def listener_in(netns: str, address: str, port: int = 0) -> socket.socket:
    """A listening TCP socket in a named network namespace; setns(2) moves only the calling thread."""

    def listen() -> socket.socket:
        with namespace_file(netns).open() as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), f"setns {netns}")
        return socket.create_server((address, port))

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(listen).result()


def wait_for(condition: Callable[[], object], what: str, limit_s: float = LIMIT_S) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.1)  # polling another process; bounded by the deadline


def main(folder: Path, cgroup: str) -> None:
    """Run daemon and worker until standard input ends, then print what is left as one line of JSON."""
    install_id = os.environ["PLIMSOLL_INSTALL_ID"]
    with (folder / "dockerd.log").open("wb") as log:
        daemon = subprocess.Popen(_dockerd(folder, cgroup), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_for(lambda: _answers(daemon), "the daemon's first answer")
        wait_for(lambda: "tentative" not in run(["ip", "-o", "address"]), "the kernel's check of addresses")
        before = _state(install_id, folder)
        with (folder / "worker.log").open("wb") as log:
            argv = [sys.executable, "-m", "worker.remote"]
            worker = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        sys.stdin.read()
        worker.terminate()
        code = worker.wait(LIMIT_S)
        after = _state(install_id, folder)
        left = {name: [text, after.get(name)] for name, text in before.items() if after.get(name) != text}
        print(json.dumps({"code": code, "left": left}), flush=True)
    finally:
        daemon.terminate()
        daemon.wait(LIMIT_S)


def _state(install_id: str, folder: Path) -> dict[str, str]:
    images = run(["docker", "-H", f"unix://{ENGINE_SOCKET}", "image", "ls", "-q"])
    return snapshot(install_id, (folder / "var",)) | {"images": images}


def _answers(daemon: subprocess.Popen[bytes]) -> bool:
    assert daemon.poll() is None, "dockerd has ended"
    argv = ["docker", "-H", f"unix://{ENGINE_SOCKET}", "version"]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def _dockerd(folder: Path, cgroup: str) -> list[str]:
    return [
        "dockerd",
        *("--data-root", str(folder / "docker")),
        *("--exec-root", "/run/docker"),
        *("--pidfile", "/run/docker.pid"),
        *("--host", f"unix://{ENGINE_SOCKET}"),
        *("--cgroup-parent", f"/{cgroup}"),
        *("--exec-opt", "native.cgroupdriver=cgroupfs"),
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
