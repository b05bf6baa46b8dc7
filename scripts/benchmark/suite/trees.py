"""Copies of a source tree, in which a file can be changed and tests run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PROGRAM = Path(__file__).with_name("preloaded.py")


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


def restore(tree: Path, target: Path, files: Sequence[Path]) -> None:
    """Copy some files again: a run that was killed leaves one of them changed."""
    for path in files:
        shutil.copy2(tree / path, target / path)


@contextmanager
def with_source(path: Path, source: str) -> Iterator[None]:
    """`path` with another text, and another time, so that no compiled module of the other text is taken."""
    before, times = path.read_bytes(), path.stat()
    path.write_text(source)
    os.utime(path, (times.st_atime, time.time() + 2))
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


class Runner:
    """A process of `preloaded` in a tree: `run` runs pytest there, one run at a time."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM)], cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, arguments: Sequence[str], log: Path, limit_s: float) -> int | None:
        """The exit code of pytest, or None after `limit_s` seconds of CPU; what it started ends too."""
        assert self._process.stdin is not None and self._process.stdout is not None
        request = {"arguments": list(arguments), "log": str(log), "limit_s": limit_s}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        code: int | None = json.loads(self._process.stdout.readline())
        return code

    def close(self) -> None:
        """End the process."""
        self._process.communicate()
