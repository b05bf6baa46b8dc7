"""`scripts/bench mutants`: how many of a sample of defects, put in on purpose, the tests find."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.benchmark.suite import contexts, mutations, trees, trials
from scripts.benchmark.suite.groups import GROUPS

ROOT = Path(__file__).parents[3]
SEED = 20
SIZES = ", ".join(f"{group.size} of {name}" for name, group in GROUPS.items())
DEFAULT_MARKER = "not full"


def say(text: str) -> None:
    """Print progress on standard error."""
    print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Request:
    """What to measure: `tree` is the checkout, `again` takes its copies and coverage from the last time."""

    tree: Path
    marker: str
    seed: int
    size: int | None
    processes: int
    again: bool


def measure(group: str, request: Request) -> dict[str, Any]:
    """The figures of a group."""
    begin, folder = time.monotonic(), ROOT / "var" / "bench" / "mutants" / group
    suite, copies = _prepare(group, request, folder)
    covered_s = time.monotonic() - begin
    mutants = mutations.sample(
        copies[0], GROUPS[group].files(copies[0]), request.seed, request.size or GROUPS[group].size
    )
    say(f"{group}: {len(mutants)} mutants, {len(suite.outcome.seconds)} tests")
    results = trials.run_all(mutants, suite, copies, say)
    count = Counter(result.status for result in results)
    return {
        "group": group,
        "marker": request.marker,
        "seed": request.seed,
        "mutants": len(results),
        **{status: count[status] for status in trials.STATUSES},
        "tests": len(suite.outcome.seconds),
        "tests_left_out": suite.outcome.others,
        "coverage_s": round(covered_s),
        "seconds": round(time.monotonic() - begin),
        "results": [_row(result) for result in results],
    }


def _prepare(group: str, request: Request, folder: Path) -> tuple[trials.Suite, list[Path]]:
    """The tests of a group with the lines that they run, and copies of the tree."""
    copies = [folder / f"tree-{number}" for number in range(request.processes)]
    database, report = folder / "coverage" / "coverage.db", folder / "coverage" / "junit.xml"
    if request.again:
        trees.restore(request.tree, copies[0], GROUPS[group].files(request.tree))
        outcome = contexts.outcomes(report)
    else:
        say(f"{group}: its tests, with coverage")
        trees.copy(request.tree, copies[0])
        files = [str(path) for path in GROUPS[group].files(copies[0])]
        tests = tuple(GROUPS[group].test_paths(copies[0]))
        selection = contexts.Selection(tests, request.marker, request.processes)
        outcome = contexts.measure(copies[0], files, selection, folder / "coverage")
    for place in copies[1:]:
        trees.copy_all(copies[0], place)
    return trials.Suite(request.marker, outcome, contexts.lines(database, copies[0])), copies


def _row(result: trials.Result) -> dict[str, Any]:
    return {
        "name": result.mutant.name,
        "status": result.status,
        "path": result.mutant.path,
        "line": result.mutant.lines.start,
        "tests": result.tests,
        "seconds": round(result.seconds, 1),
        "test": result.test,
        "diff": result.mutant.diff,
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table, then the mutants that no test found."""
    rows = [
        "| group | tests | seed | mutants | killed | timeout | survived | uncovered | found |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in figures:
        share = (row["killed"] + row["timeout"]) / max(1, row["mutants"])
        cells = [row["group"], row["marker"] or "all", row["seed"], row["mutants"]]
        rows.append(
            "| " + " | ".join(map(str, [*cells, *(row[s] for s in trials.STATUSES), f"{share:.1%}"])) + " |"
        )
    for row in figures:
        for result in row["results"]:
            if result["status"] in ("survived", "uncovered"):
                head = f"\n{result['name']} {result['status']}, {result['tests']} tests\n"
                rows.append(f"{head}{result['diff']}".rstrip())
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Measure the groups that are named; print a table on standard error and JSON on standard output."""
    parser = argparse.ArgumentParser(prog="scripts/bench mutants", description=__doc__)
    parser.add_argument("--group", action="append", choices=list(GROUPS), help="default: all of them")
    parser.add_argument("--seed", type=int, default=SEED, help=f"draws the mutants; default {SEED}")
    parser.add_argument("--size", type=int, help=f"number of mutants of a group; default {SIZES}")
    parser.add_argument("--marker", default=DEFAULT_MARKER, help="tests as for pytest -m; '' is all of them")
    parser.add_argument(
        "--tree", type=Path, default=ROOT, help="the checkout whose files and tests are taken"
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="default: one for each CPU"
    )
    parser.add_argument("--again", action="store_true", help="take the coverage of the last time")
    given = parser.parse_args(arguments)
    request = Request(
        given.tree.resolve(), given.marker, given.seed, given.size, given.processes, given.again
    )
    figures = [measure(group, request) for group in given.group or GROUPS]
    say(markdown(figures))
    print(json.dumps(figures, indent=2))
