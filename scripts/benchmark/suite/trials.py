"""Run the tests of each mutant, and count the mutants that they find."""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Literal, get_args

from scripts.benchmark.suite import contexts, trees
from scripts.benchmark.suite.mutations import Mutant

Status = Literal["killed", "timeout", "survived", "uncovered"]
"""`timeout`: the tests took several times as long as usual; `uncovered`: no test runs the statement."""
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
LIMIT_S, LIMIT_TIMES = 30.0, 3.0
"""A mutant's tests may take so many seconds of CPU time, and so many times their usual time, together."""

OPTIONS = (*contexts.OPTIONS, "-x", "-p", "no:schemathesis")
"""The plugin of schemathesis takes a second to load, and no group has tests with it."""


@dataclass(frozen=True)
class Result:
    """What the tests say to a mutant."""

    mutant: Mutant
    status: Status
    tests: int
    seconds: float
    test: str | None = None


@dataclass(frozen=True)
class Suite:
    """The tests that `marker` selects: how long each took that passes, the others, and the lines of each.

    `kills` counts the mutants that a file of tests found; its tests then run first.
    """

    marker: str
    outcome: contexts.Outcome
    lines: dict[contexts.Line, set[str]]
    kills: Counter[str] = field(default_factory=Counter)

    def covering(self, mutant: Mutant) -> set[str]:
        """The tests that run the changed statement.

        A default value counts as run by the tests of its function; a statement of a module, as a table that
        other files read, by all that run a file of the group.
        """
        if mutant.within is None:
            return set().union(*self.lines.values()) & self.outcome.seconds.keys()
        direct = self._of(mutant.path, mutant.lines)
        return direct if mutant.lines.start > mutant.within.start else self._of(mutant.path, mutant.within)

    def _of(self, path: str, numbers: Iterable[int]) -> set[str]:
        tests = set().union(*(self.lines.get((path, number), ()) for number in numbers))
        return tests & self.outcome.seconds.keys()

    def arguments(self, tests: set[str]) -> list[str]:
        """The tests for pytest's command line; a whole file by its name.

        First the files that found most mutants, then those with short tests.
        """
        seconds, of_file, chosen = self.outcome.seconds, defaultdict(set), defaultdict(set)
        for test in (*seconds, *self.outcome.others):
            of_file[file_of(test)].add(test)
        for test in tests:
            chosen[file_of(test)].add(test)
        median = {path: statistics.median(seconds[test] for test in chosen[path]) for path in chosen}
        arguments: list[str] = []
        for path in sorted(chosen, key=lambda path: (-self.kills[path], median[path], path)):
            whole = chosen[path] == of_file[path]
            arguments += [path] if whole else sorted(chosen[path], key=lambda test: (seconds[test], test))
        return arguments


def file_of(test: str) -> str:
    """The file of a test's id."""
    return test.partition("::")[0]


def run_all(
    mutants: list[Mutant], suite: Suite, copies: list[Path], say: Callable[[str], None]
) -> list[Result]:
    """The results of all mutants in their order; each copy of the tree runs one mutant at a time."""
    runners = [trees.Runner(tree) for tree in copies]
    free: SimpleQueue[trees.Runner] = SimpleQueue()
    for runner in runners:
        free.put(runner)

    def attempt(mutant: Mutant) -> Result:
        runner = free.get()
        try:
            result = run_tests_of(mutant, suite, runner)
        finally:
            free.put(runner)
        counts = f"{result.seconds:5.1f} s {result.tests:5} tests"
        diff = "" if result.status in ("killed", "timeout") else "\n" + mutant.diff.partition("@@")[2]
        say(f"{result.status:9} {counts}  {mutant.path}:{mutant.lines.start}{diff}")
        return result

    with ThreadPoolExecutor(len(copies)) as pool:
        results = list(pool.map(attempt, mutants))
    for runner in runners:
        runner.close()
    return results


def run_tests_of(mutant: Mutant, suite: Suite, runner: trees.Runner) -> Result:
    """Run the tests of a mutant until one of them fails."""
    tests = suite.covering(mutant)
    if not tests:
        return Result(mutant, "uncovered", 0, 0.0)
    listed, log = runner.tree.with_suffix(".tests"), runner.tree.with_suffix(".log")
    listed.write_text("\n".join(suite.arguments(tests)) + "\n")
    limit = LIMIT_S + LIMIT_TIMES * sum(suite.outcome.seconds[test] for test in tests)
    begin = time.monotonic()
    with trees.with_source(runner.tree / mutant.path, mutant.source):
        code = runner.run([*OPTIONS, "-m", suite.marker, f"@{listed}"], log, limit)
    seconds = time.monotonic() - begin
    if code == 0:
        return Result(mutant, "survived", len(tests), seconds)
    if code is None:
        return Result(mutant, "timeout", len(tests), seconds)
    reason = _reason(log)
    suite.kills[file_of(reason.split(" ")[1])] += 1
    return Result(mutant, "killed", len(tests), seconds, reason)


def _reason(log: Path) -> str:
    """The line of pytest's summary that names the failed test, or the module that could not be imported."""
    lines = log.read_text(errors="replace").splitlines()
    named = (line[:300] for line in lines if line.startswith(("FAILED tests", "ERROR tests", "ImportError ")))
    return next(named, "ERROR conftest.py")
