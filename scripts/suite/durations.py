"""Which tests take the time: the dearest by set-up, call and tear-down, from the reports of the runners."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

PHASES = ("setup", "call", "teardown")


@dataclass
class Cost:
    """Seconds that a test took, by phase."""

    part: str
    test: str
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PHASES, 0.0))

    @property
    def total(self) -> float:
        """Seconds of all phases."""
        return sum(self.seconds.values())


def pytest_costs(part: str, report: Path) -> list[Cost]:
    """The tests of a report of `pytest --report-log`: one JSON object a line."""
    costs: dict[str, Cost] = {}
    with report.open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry.get("$report_type") == "TestReport":
                cost = costs.setdefault(entry["nodeid"], Cost(part, entry["nodeid"]))
                cost.seconds[entry["when"]] += entry["duration"]
    return list(costs.values())


def vitest_costs(part: str, report: Path) -> list[Cost]:
    """The test files of a report of vitest's reporter `json`; its set-up is all that is in no test."""
    costs = []
    for suite in json.loads(report.read_text(encoding="utf-8"))["testResults"]:
        calls = sum(test.get("duration") or 0.0 for test in suite["assertionResults"]) / 1000
        whole = (suite["endTime"] - suite["startTime"]) / 1000
        name = suite["name"].rpartition("/frontend/")[2]
        costs.append(Cost(part, name, {"setup": max(0.0, whole - calls), "call": calls, "teardown": 0.0}))
    return costs


def costs_of(reports: Iterable[Path]) -> list[Cost]:
    """The tests of all reports, which are named by part: `core.jsonl` of pytest, `page.json` of vitest."""
    costs: list[Cost] = []
    for report in sorted(reports):
        read = pytest_costs if report.suffix == ".jsonl" else vitest_costs
        costs += read(report.stem, report)
    return costs


def table(costs: Iterable[Cost], most: int = 100) -> str:
    """Seconds by part, added up over its tests, then the `most` dearest tests.

    Tests run side by side, so that a part takes less time than its sum.
    """
    every = list(costs)
    by_part: dict[str, list[Cost]] = defaultdict(list)
    for cost in every:
        by_part[cost.part].append(cost)
    head = f"{'set-up':>9} {'call':>9} {'tear-down':>9} {'total':>9}"
    lines = [f"{'part':<12} {'tests':>6} {head}   (seconds, added up over the tests)"]
    for part, group in sorted(by_part.items(), key=lambda item: -sum(cost.total for cost in item[1])):
        sums = [sum(cost.seconds[phase] for cost in group) for phase in PHASES]
        lines.append(f"{part:<12} {len(group):>6} {_seconds(*sums, sum(sums))}")
    dearest = sorted(every, key=lambda cost: -cost.total)[:most]
    lines += ["", f"{head}   the {len(dearest)} dearest tests"]
    lines += [f"{_seconds(*cost.seconds.values(), cost.total)}   {cost.test}" for cost in dearest]
    return "\n".join(lines)


def _seconds(*values: float) -> str:
    return " ".join(f"{value:>9.2f}" for value in values)
