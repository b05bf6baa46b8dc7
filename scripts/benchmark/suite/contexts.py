"""Run tests with coverage.py, and read which test ran which line.

pytest-cov names each context after the test's id, with its parameters, and measures the processes of xdist.
`coverage run` with dynamic contexts names the function alone, and leaves out those processes and fixtures.
What runs in a child process of a test is in no context.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

Line = tuple[str, int]
"""A file, relative to the tree, and a line of it."""
Branch = tuple[str, int, int]
"""A file, a line, and the line that ran next; a negative number is the entry or the end of a function."""


@dataclass(frozen=True)
class Selection:
    """Tests to run, and how: `marker` as for `pytest -m`, `processes` at the same time."""

    tests: tuple[str, ...]
    marker: str
    processes: int


@dataclass(frozen=True)
class Outcome:
    """Seconds of each test that passed, and the other tests, both by node id."""

    seconds: dict[str, float]
    others: list[str]


OPTIONS = ("-q", "-p", "no:cacheprovider")


def pytest_command(*options: str) -> list[str]:
    """A pytest of this environment."""
    return [sys.executable, "-m", "pytest", *OPTIONS, *options]


def measure(tree: Path, patterns: Sequence[str], selection: Selection, folder: Path) -> Outcome:
    """Run the tests in `tree`; write the coverage of the files of `patterns` with contexts into `folder`.

    Tests that fail do not stop it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "coverage.ini"
    listed = "".join(f"\n    {tree / pattern}" for pattern in patterns)
    settings.write_text(f"[run]\nbranch = true\ninclude ={listed}\n")
    report = folder / "junit.xml"
    many = ["-n", str(selection.processes), "--dist", "worksteal"] if selection.processes > 1 else []
    command = pytest_command(
        "--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=", f"--junitxml={report}",
        "-m", selection.marker, *many, *selection.tests,
    )  # fmt: skip
    with (folder / "pytest.log").open("wb") as log:
        environment = {**os.environ, "COVERAGE_FILE": str(folder / "coverage.db")}
        code = subprocess.run(
            command, cwd=tree, env=environment, stdout=log, stderr=log, check=False
        ).returncode
    if code not in (0, 1) or not report.exists():
        raise RuntimeError(f"pytest ended with {code}: see {folder / 'pytest.log'}")
    return outcomes(report)


def outcomes(report: Path) -> Outcome:
    """The outcomes of a JUnit report; a test's id follows from module and name, as tests are functions."""
    seconds: dict[str, float] = {}
    others: set[str] = set()
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name', '')}"
        if any(case.find(kind) is not None for kind in ("failure", "error", "skipped")):
            others.add(test)
        seconds[test] = seconds.get(test, 0.0) + float(case.get("time", 0))
    return Outcome({test: s for test, s in seconds.items() if test not in others}, sorted(others))


def branches(database: Path, tree: Path) -> Iterator[tuple[str, Branch]]:
    """Each test with each branch that it ran, set-up and teardown too; coverage.py documents the tables."""
    query = (
        "SELECT context.context, file.path, arc.fromno, arc.tono FROM arc"
        " JOIN context ON context.id = arc.context_id JOIN file ON file.id = arc.file_id"
    )
    with closing(sqlite3.connect(database)) as connection:
        for context, path, first, then in connection.execute(query):
            yield context.rpartition("|")[0], (str(Path(path).relative_to(tree)), first, then)


def lines(database: Path, tree: Path) -> dict[Line, set[str]]:
    """The tests that ran each line; a line that only an import ran has none."""
    tests: dict[Line, set[str]] = {}
    for test, (path, first, then) in branches(database, tree):
        for number in (first, then):
            if number > 0:
                tests.setdefault((path, number), set()).update({test} if test else ())
    return tests
