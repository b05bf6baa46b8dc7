"""Whether the logs of two cells have the same settings, apart from those that the experiment varies.

A log with another setting than its cell has a notice of it (`core.sample.log_settings`). Where both cells
have the same such notices in a round, the setting is the same on both sides and cannot explain their
difference; where not, the difference is of that setting as much as of what the experiment varies.
"""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.chart.cells.trials import CellTrials
from backend.core.messages.message import joined, key, message, named


def settings_apart(cell: CellTrials, other: CellTrials) -> tuple[str, ...]:
    """The kinds of settings in which the logs of two cells differ in a round that both have; in order."""
    here, there = cell.other_settings, other.other_settings
    if not here and not there:
        return ()
    rounds = {row.round for row in cell.used} & {row.round for row in other.used}
    kinds = {
        notice.kind
        for round_ in rounds
        for notice in here.get(round_, frozenset()) ^ there.get(round_, frozenset())
    }
    return tuple(sorted(kinds))


def settings_of(cell: CellTrials) -> tuple[tuple[str, str], ...]:
    """Kinds and figures of the settings that the logs of a cell have otherwise than the cell, in order."""
    every = (notice for notices in cell.other_settings.values() for notice in notices)
    return tuple(sorted({(notice.kind, notice.figures) for notice in every}))


def why_not_comparable(cell: CellTrials, baseline: CellTrials) -> str | None:
    """The reason why two cells are not judged: their logs have other settings. None where they are."""
    return why_apart(settings_apart(cell, baseline))


def why_apart(kinds: Sequence[str]) -> str | None:
    """The sentence on cells whose logs differ in these kinds of settings; None for no kind."""
    if not kinds:
        return None
    return message(
        "settingsApart", kinds=joined((named(key("notice", kind), kind) for kind in kinds), "comma")
    )
