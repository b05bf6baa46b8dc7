"""The unmodified benchstat of golang.org/x/perf, built as go.mod and go.sum in `benchstat/` lock it."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live.conftest import ROOT

MODULE = Path(__file__).parent / "benchstat"
PLACE = ROOT / "var" / "go-path"
LOCKED_GO = ROOT / "var" / "go" / "bin" / "go"
BUILD_LIMIT_S = 300


def build_benchstat() -> Path:
    """The program, built where it is not current; Go finds its modules as this machine is set up to."""
    go = str(LOCKED_GO) if LOCKED_GO.exists() else shutil.which("go")
    if go is None:
        pytest.skip("there is no Go to build benchstat with; scripts/test live installs one")
    environment = os.environ | {
        "GOPATH": str(PLACE),
        "GOCACHE": str(PLACE / "cache"),
        "GOFLAGS": "-modcacherw -mod=readonly -buildvcs=false",
        "GOTOOLCHAIN": "local",
    }
    program = PLACE / "benchstat"
    argv = [go, "build", "-o", str(program), "golang.org/x/perf/cmd/benchstat"]
    built = subprocess.run(
        argv, cwd=MODULE, env=environment, capture_output=True, text=True, timeout=BUILD_LIMIT_S
    )
    assert built.returncode == 0, built.stderr
    return program


@dataclass(frozen=True)
class Compared:
    """One row of benchstat's CSV, as printed: two columns of one benchmark, in one unit."""

    name: str
    unit: str
    base: str
    base_range: str
    new: str
    new_range: str
    delta: str
    p: str


def compare(program: Path, *arguments: str) -> tuple[list[Compared], str]:
    """benchstat's rows of two columns, and what it wrote to standard error."""
    ran = subprocess.run(
        [str(program), "-format", "csv", *arguments], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    return list(_rows(list(csv.reader(ran.stdout.splitlines())))), ran.stderr


def _rows(lines: Sequence[Sequence[str]]) -> Iterator[Compared]:
    """A line ",unit,CI,unit,CI,vs base,P" begins a table; "geomean" ends it."""
    unit = ""
    for line in lines:
        if len(line) == 7 and line[2] == "CI":
            unit = line[1]
        elif len(line) == 7 and line[0] not in ("", "geomean"):
            yield Compared(line[0], unit, *line[1:])
