"""What the commands print, where the terminal cannot show it or the disk cannot hold it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.services import ROOT


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Two files of numbers; their verdict has a minus sign that few encodings have."""
    for name, values in (("baseline", "1 2 3 4 5 6"), ("candidate", "2 3 4 5 6 8")):
        (tmp_path / name).write_text("\n".join(values.split()))
    return str(tmp_path / "baseline"), str(tmp_path / "candidate")


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_an_encoding_that_lacks_characters_gets_near_ones(files: tuple[str, str], encoding: str) -> None:
    shown = _run(*files, PYTHONIOENCODING=encoding)
    assert shown.returncode == 0, shown.stderr
    assert b"between -33.3 % and +200.0 %" in shown.stdout
    found = json.loads(_run(*files, "--json", PYTHONIOENCODING=encoding).stdout)
    assert "−33.3 %" in found["verdict"]
    missing = _run(files[0], "代.txt", PYTHONIOENCODING=encoding)
    assert missing.returncode == 2 and b"Traceback" not in missing.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_reported_in_one_sentence(files: tuple[str, str], unbuffered: str) -> None:
    for words in (files, (*files, "--json"), ("--help",)):
        with Path("/dev/full").open("wb") as full:
            ended = _run(*words, stdout=full, PYTHONUNBUFFERED=unbuffered)
        assert ended.stderr == b"plimsoll: the output could not be written: No space left on device\n"
        assert ended.returncode == 1
    with Path("/dev/full").open("wb") as full:
        refused = _run(files[0], "none", stdout=full, PYTHONUNBUFFERED=unbuffered)
    assert (refused.returncode, refused.stderr.count(b"\n")) == (2, 1)


def test_a_reader_who_has_enough_is_no_error_to_speak_of(files: tuple[str, str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        ended = _run(*files, stdout=pipe, PYTHONUNBUFFERED="")
    assert (ended.returncode, ended.stderr) == (1, b"")


def _run(
    *words: str, stdout: Any = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """`plimsoll stats` in a process of its own, whose streams are real ones."""
    command = (sys.executable, "-m", "backend.cli.main", "stats", *words)
    return subprocess.run(
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
