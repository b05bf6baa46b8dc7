"""Another Docker host beside the compose server: a network namespace with a worker of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.compose.in_namespace import NetworkNamespace
from tests.compose.installation import INSTALL, VAR, Engine, await_condition
from tests.live.conftest import ROOT
from worker.engine.names import LINK_ADDRESSES
from worker.host.commands import namespace_file, run
from worker.host.reaper import remove_namespace

SERVER_ADDRESS: Final = LINK_ADDRESSES["on"]
"""The address of the compose server's host on the link."""
ADDRESS: Final = "198.18.1.20"
NAME: Final = "far-1"
LEAVE_S: Final = 120


class Neighbour:
    """The host; `var` is its folder. Its programs are those of this repository."""

    def __init__(self, netns: str) -> None:
        self.namespace = NetworkNamespace(namespace_file(netns))
        self.var = VAR / "neighbour"
        self._enter = ["nsenter", f"--net={namespace_file(netns)}", "--"]
        self._log = VAR / "neighbour.log"
        self._environment = {**os.environ, "PLIMSOLL_VAR_DIR": str(self.var)}
        self._join: subprocess.Popen[bytes] | None = None

    def join(self, command: str) -> None:
        """Run the command of the page until `leave`."""
        images = self.var / "images"
        shutil.rmtree(self.var, ignore_errors=True)
        images.mkdir(parents=True)
        for archive in (ROOT / "var" / "live-tests" / "images").glob("plimsoll-bench-*.tar"):
            os.link(archive, images / archive.name)
        with self._log.open("wb") as log:
            self._join = subprocess.Popen(
                [*self._enter, "bash", "-c", f"exec {command} --foreground"],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def runs(self) -> bool:
        """Whether its worker was started; fails with its output where joining has ended."""
        assert self._join is not None
        text = self._log.read_text()
        assert self._join.poll() is None, text[-6000:]
        return f"{NAME} measures for" in text

    def worker(self) -> str:
        """The command line of its worker."""
        assert self._join is not None
        children = Path(f"/proc/{self._join.pid}/task/{self._join.pid}/children").read_text().split()
        lines = [Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ") for child in children]
        return next(line for line in lines if "worker" in line)

    def leave(self) -> None:
        """Run scripts/leave; nothing of the worker is left."""
        if self._join is None:
            return
        left = subprocess.run(
            [*self._enter, "scripts/leave"],
            cwd=ROOT,
            env=self._environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=LEAVE_S,
        )
        code = self._join.wait(LEAVE_S)
        self._join = None
        assert left.returncode == 0 and code == 0, (
            f"{code} {left.stdout} {left.stderr} {self._log.read_text()}"
        )
        assert not self.var.exists()


@contextmanager
def neighbour(engine: Engine) -> Iterator[Neighbour]:
    """A host beside the engine's; it has left at the end."""
    netns = f"plm{INSTALL}-far"
    assert engine.segment is not None, "the engine is isolated"
    run(["ip", "netns", "add", netns])
    try:
        run(["ip", "-n", netns, "link", "set", "lo", "up"])
        engine.segment.join(netns, ADDRESS)
        found = Neighbour(netns)
        try:
            yield found
        finally:
            found.leave()
            found.namespace.close()
    finally:
        engine.segment.leave(netns)
        remove_namespace(netns)


def await_worker(host: Neighbour) -> None:
    """Wait until its worker was started."""
    await_condition(host.runs)
