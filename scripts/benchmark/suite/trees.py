"""Copies of a source tree, in which a file can be changed and tests run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

KILL_S = 10.0


def copy(tree: Path, target: Path) -> None:
    """Copy the files of `tree` that git does not ignore, with their times, in place of an older copy."""
    shutil.rmtree(target, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=tree, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        source, place = tree / name, target / name
        if source.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)


def copy_all(tree: Path, target: Path) -> None:
    """Copy `tree` with its compiled modules, in place of an older copy."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(tree, target, symlinks=True)


@contextmanager
def changed(path: Path, source: str) -> Iterator[None]:
    """`path` with another text, and another time, so that no compiled module of the other text is taken."""
    before, times = path.read_bytes(), path.stat()
    path.write_text(source)
    os.utime(path, (times.st_atime, time.time() + 2))
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def run(command: Sequence[str], tree: Path, log: Path, limit_s: float) -> int | None:
    """The exit code of a command, or None after `limit_s` seconds; what it started ends with it."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and what is left of its process group; pytest first ends its servers."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(KILL_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
