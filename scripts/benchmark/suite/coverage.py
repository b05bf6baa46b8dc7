"""`scripts/bench test-coverage`: lines and branches that few tests run, or only the full suite."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scripts.benchmark.suite import contexts

ROOT = Path(__file__).parents[3]
PATTERNS = ("backend/*", "worker/*")
SHOWN = 30
"""Rows of each table; the JSON document has all of them."""


def lines_of(branches: dict[contexts.Branch, set[str]]) -> dict[contexts.Line, set[str]]:
    """The tests that ran each line, from those that ran each branch."""
    tests: dict[contexts.Line, set[str]] = defaultdict(set)
    for (path, first, then), ran in branches.items():
        for number in (first, then):
            if number > 0:
                tests[path, number] |= ran
    return dict(tests)


def decisions(branches: dict[contexts.Branch, set[str]]) -> dict[contexts.Branch, set[str]]:
    """The branches from lines with more than one."""
    targets: dict[contexts.Line, set[int]] = defaultdict(set)
    for path, first, then in branches:
        if first > 0:
            targets[path, first].add(then)
    return {b: tests for b, tests in branches.items() if len(targets.get((b[0], b[1]), ())) > 1}


def only_of(tests_of: dict[Any, set[str]], tests: set[str]) -> list[Any]:
    """The lines or branches that some of `tests` run, and no other test and no import."""
    return sorted(place for place, ran in tests_of.items() if ran and ran <= tests)


def alone(lines: dict[contexts.Line, set[str]]) -> dict[str, list[contexts.Line]]:
    """For each test function the lines that no other one runs: its cases are taken together."""
    only: dict[str, list[contexts.Line]] = defaultdict(list)
    for line, ran in sorted(lines.items()):
        functions = {test.partition("[")[0] for test in ran}
        if len(functions) == 1:
            only[functions.pop()].append(line)
    return dict(sorted(only.items(), key=lambda entry: (-len(entry[1]), entry[0])))


def spans(lines: Iterable[contexts.Line]) -> list[str]:
    """Lines as `path:first-last`, in order."""
    spans: list[tuple[str, int, int]] = []
    for path, number in sorted(lines):
        if spans and spans[-1][0] == path and spans[-1][2] == number - 1:
            spans[-1] = (path, spans[-1][1], number)
        else:
            spans.append((path, number, number))
    return [f"{path}:{first}" if first == last else f"{path}:{first}-{last}" for path, first, last in spans]


def select(tree: Path, tests: tuple[str, ...], marker: str) -> set[str]:
    """The ids of the tests that `marker` selects."""
    command = contexts.pytest_command("--collect-only", "-m", marker, *tests)
    shown = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False).stdout
    return {line for line in shown.splitlines() if "::" in line}


def report(branches: dict[contexts.Branch, set[str]], default: set[str]) -> dict[str, Any]:
    """The figures of a full run in which `default` are the tests of the default suite.

    What an import runs is run by every test, so it is in no list.
    """
    lines, tests = lines_of(branches), set().union(*branches.values()) - {""}
    full = tests - default
    only = alone(lines)
    return {
        "tests": len(tests),
        "full_tests": len(full),
        "lines": len(lines),
        "lines_of_full_tests_only": spans(only_of(lines, full)),
        "branches_of_full_tests_only": [
            f"{path}:{first}->{then}" for path, first, then in only_of(decisions(branches), full)
        ],
        "lines_of_one_test_function": {test: spans(places) for test, places in only.items()},
        "full_test_functions_with_no_line_of_their_own": sorted(
            {test.partition("[")[0] for test in full} - only.keys()
        ),
    }


def read(database: Path, tree: Path) -> dict[contexts.Branch, set[str]]:
    """The tests that ran each branch; one that an import ran, too, has the empty name among them."""
    tests: dict[contexts.Branch, set[str]] = defaultdict(set)
    for test, branch in contexts.branches(database, tree):
        tests[branch].add(test)
    return dict(tests)


def markdown(figures: dict[str, Any]) -> str:
    """The figures as text, with the first rows of each list."""
    rows = [
        f"{figures['tests']} tests, {figures['full_tests']} of them full ones, run {figures['lines']} lines",
        "",
        "| lines that one test function alone runs | test |",
        "| --- | --- |",
        *(
            f"| {', '.join(places[:4])}{' …' if len(places) > 4 else ''} | {test} |"
            for test, places in list(figures["lines_of_one_test_function"].items())[:SHOWN]
        ),
    ]
    for name in ("lines_of_full_tests_only", "branches_of_full_tests_only"):
        rows += ["", f"{name.replace('_', ' ')}: {len(figures[name])}", *figures[name][:SHOWN]]
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Run the tests and report; a table on standard error, JSON on standard output."""
    parser = argparse.ArgumentParser(prog="scripts/bench test-coverage", description=__doc__)
    parser.add_argument("tests", nargs="*", default=["tests/core"], help="default: tests/core")
    parser.add_argument("--default", default="not full", help="tests of the default suite, as for pytest -m")
    parser.add_argument(
        "--tree", type=Path, default=ROOT, help="the checkout whose files and tests are taken"
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="default: one for each CPU"
    )
    given = parser.parse_args(arguments)
    tree, folder = given.tree.resolve(), ROOT / "var" / "bench" / "test-coverage"
    selection = contexts.Selection(tuple(given.tests), "", given.processes)
    outcome = contexts.measure(tree, PATTERNS, selection, folder)
    figures = report(read(folder / "coverage.db", tree), select(tree, selection.tests, given.default)) | {
        "tests_that_did_not_pass": outcome.others
    }
    print(markdown(figures), file=sys.stderr)
    print(json.dumps(figures, indent=2))
