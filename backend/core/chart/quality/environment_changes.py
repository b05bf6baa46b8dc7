"""Warnings of a run: facts about host, engine, image or tools that differ between trials that are compared.

Every trial records what it ran on. A figure that mixes two kernels, or a ratio of a cell measured under
one Docker version to a baseline under another, is about that difference too. Link settings that differ
between paths belong to the paths and have their own sentence (`sentences.mismatches`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from backend.core.chart.cells.inputs import TrialRow
from backend.core.chart.cells.programs import PROGRAMS, cell_uses
from backend.core.chart.cells.trials import CellTrials
from backend.core.chart.text.sentences import some
from backend.core.messages.message import message

BOOT: Final = "boot id"
AT_START: Final = "at start: "
"""How the facts of a run's environment begin that say what else was on the host before its first trial."""
_TOLD_ELSEWHERE: Final = frozenset(("docker_api",))
_DIGEST: Final = "sha256:"
_SHORT: Final = 12


@dataclass(frozen=True)
class _CellFacts:
    """The trials of a cell that count, with the recorded environment of each."""

    trials: CellTrials

    @cached_property
    def values(self) -> dict[str, tuple[str, ...]]:
        """The values of each fact in the order in which they were first seen."""
        found: dict[str, dict[str, None]] = {}
        before: TrialRow | None = None
        for row in self.trials.used:
            if before is not None and row.versions == before.versions and row.facts == before.facts:
                continue  # the usual case, and a run has up to ten thousand trials
            for name, value in (*self._versions(row), *row.facts.items()):
                found.setdefault(name, {})[value] = None
            before = row
        return {name: tuple(values) for name, values in found.items()}

    def _versions(self, row: TrialRow) -> Iterator[tuple[str, str]]:
        levels = self.trials.cell.levels
        for name, value in row.versions.items():
            if name not in _TOLD_ELSEWHERE and (name not in PROGRAMS or cell_uses(levels, name)):
                yield name, value

    def links(self) -> frozenset[str]:
        """The names of the facts that belong to the path."""
        return frozenset(name for row in self.trials.used for name in row.facts)


def environment_changes(cells: Mapping[str, CellTrials]) -> Iterator[str]:
    """One sentence for each fact that differs inside cells, and for each inside comparisons."""
    found = {id_: _CellFacts(trials) for id_, trials in cells.items() if trials.used}
    yield from _inside_cells(found)
    yield from _inside_comparisons(found)


def _inside_cells(cells: Mapping[str, _CellFacts]) -> Iterator[str]:
    changed: dict[tuple[str, tuple[str, ...]], list[_CellFacts]] = {}
    for facts in cells.values():
        for name, values in facts.values.items():
            if len(values) > 1:
                changed.setdefault((name, tuple(sorted(values))), []).append(facts)
    for (name, _), mixed in sorted(changed.items(), key=lambda item: item[0]):
        mixed_cells = [facts.trials.cell for facts in mixed]
        labels = [cell.label for cell in mixed_cells if not cell.is_duplicate] or [mixed_cells[0].label]
        if name == BOOT:
            yield message("hostRestartedDuring", cells=some(labels))
        else:
            then = _then(mixed[0].values[name])
            yield message("factChangedDuring", fact=name, values=then, cells=some(labels))


def _then(values: tuple[str, ...]) -> str:
    return ", then ".join(_short(value) for value in values)


def _inside_comparisons(cells: Mapping[str, _CellFacts]) -> Iterator[str]:
    """A cell and its baseline that each have one value, but not the same."""
    differing: dict[tuple[str, str, str], list[str]] = {}
    for facts in cells.values():
        cell = facts.trials.cell
        baseline = cells.get(cell.baseline_id or "")
        if baseline is None:
            continue
        links = facts.links()
        for name, values in facts.values.items():
            theirs = baseline.values.get(name, values)
            if name not in links and len(values) == len(theirs) == 1 and values != theirs:
                differing.setdefault((name, values[0], theirs[0]), []).append(cell.label)
    for (name, ours, theirs_), labels in sorted(differing.items()):
        if name == BOOT:
            yield message("hostRestartedBetween", cells=some(labels))
        else:
            yield message(
                "factDiffers", fact=name, own=_short(ours), other=_short(theirs_), cells=some(labels)
            )


def found_at_start(environment: Mapping[str, str]) -> Iterator[str]:
    """What else was on the host when the run began. How many, not their names: a result may be shared."""
    for name, value in sorted(environment.items()):
        if name.startswith(AT_START):
            what = f"{value.partition(':')[0]} {name.removeprefix(AT_START)}"
            yield message("hostAtStart", what=what)


def _short(value: str) -> str:
    digest = value.removeprefix(_DIGEST)
    return digest[:_SHORT] if digest != value else value
