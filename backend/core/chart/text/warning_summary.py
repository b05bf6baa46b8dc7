"""The notices of a run's cells, summarised by kind for results that are text."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.chart.model.cell_models import ChartCell


def warning_summary(cells: Sequence[ChartCell]) -> tuple[str, ...]:
    """One sentence for each kind of notice, the kind of most cells first.

    Each has its number of cells, and the figures of the first of them.
    """
    kinds: dict[str, list[str]] = {}
    for cell in cells:
        for notice in cell.notices:
            where = f"{cell.label}, {notice.trials} of {notice.of} trials"
            detail = "; ".join(filter(None, (notice.figures, notice.advice)))
            kinds.setdefault(notice.kind, []).append(f"{where}: {detail}" if detail else where)
    return tuple(
        f"{kind}, in {len(found)} of {len(cells)} cells: {'for example ' if len(found) > 1 else ''}{found[0]}"
        for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1]))
    )
