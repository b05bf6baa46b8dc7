"""Two runs of the live tests on one machine: the second one waits, and reports for which."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine_lock import PLACE, ROOT

RUN = """
import sys
from pathlib import Path
from tests.machine_lock import machine_lock

with machine_lock(lambda line: print(line, flush=True), Path(sys.argv[1]), Path(sys.argv[2])):
    print("holds it", flush=True)
    sys.stdin.read()
"""


def begin(place: Path, folder: str) -> subprocess.Popen[str]:
    """A run of a clone's live tests, which ends with its standard input."""
    argv = [sys.executable, "-c", RUN, str(place), folder]
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def line_of(run: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert run.stdout is not None
    return run.stdout.readline().rstrip("\n")


def test_a_second_clone_waits_for_the_first_and_says_so(tmp_path: Path) -> None:
    place = tmp_path / "lock" / "live-tests"
    with begin(place, "/clones/a") as first:
        assert line_of(first) == "holds it"
        with begin(place, "/clones/b") as second:
            assert line_of(second) == (
                f"live tests: waiting for those of /clones/a (process {first.pid}), which measure on this "
                f"machine ({place})"
            )
            first.communicate()
            assert line_of(second) == "holds it"
            second.kill()
        with begin(place, "/clones/c") as third:
            assert line_of(third) == "holds it", "a killed run holds nothing"
            third.communicate()


def test_this_run_holds_the_lock() -> None:
    with PLACE.open("r+b") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert PLACE.read_text() == f"{ROOT} (process {os.getpid()})"
