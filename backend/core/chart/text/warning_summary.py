"""The warnings of a run's cells for results as text: a sentence a kind, where the page has a list to open."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backend.core.chart.model.cell_models import ChartCell

_TRIALS = re.compile(r"(\d+ of \d+ trials): (?:for example )?")


def noticed(cells: Sequence[ChartCell]) -> tuple[str, ...]:
    """What was noticed while the cells were measured, the kind of most cells first.

    Each with its number of cells, and with the figures of the first of them.
    """
    kinds: dict[str, list[str]] = {}
    for cell in cells:
        for text in cell.warnings:
            found = _TRIALS.match(text)
            kind, _, rest = text[found.end() if found else 0 :].partition(": ")
            where = ", ".join([cell.label, *([found[1]] if found else [])])
            kinds.setdefault(kind, []).append(f"{where}: {rest}" if rest else where)
    return tuple(
        f"{kind}, in {len(told)} of {len(cells)} cells: {'for example ' if len(told) > 1 else ''}{told[0]}"
        for kind, told in sorted(kinds.items(), key=lambda item: -len(item[1]))
    )
