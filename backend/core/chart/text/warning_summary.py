"""The warnings of a run and, summarised by kind, the notices of its cells, for results that are text."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.chart.model.cell_models import ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.messages.message import joined, key, message, named


def warning_summary(cells: Sequence[ChartCell]) -> tuple[str, ...]:
    """One sentence for each kind of notice, the kind of most cells first.

    Each has its number of cells, and the figures of the first of them.
    """
    kinds: dict[str, list[str]] = {}
    for cell in cells:
        for notice in cell.notices:
            trials, of = str(notice.trials), str(notice.of)
            where = message("reportKindTrials", cell=cell.label, n=trials, of=of)
            detail = joined((notice.figures, notice.advice), "semicolon")
            found = message("reportTitled", title=where, text=detail) if detail else where
            kinds.setdefault(notice.kind, []).append(found)
    return tuple(
        message(
            "reportKindExample" if len(found) > 1 else "reportKindInCells",
            kind=named(key("notice", kind), kind),
            n=str(len(found)),
            of=str(len(cells)),
            first=found[0],
        )
        for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1]))
    )


def run_warnings(model: ChartModel) -> tuple[str, ...]:
    """`warnings` of the model, each with its id: one of a cell begins with the cell's label."""
    labels = {cell.id: cell.label for cell in model.cells}
    return tuple(
        notice.sentence
        if notice.cell_id is None
        else message("reportTitled", title=labels[notice.cell_id], text=notice.sentence)
        for notice in model.notices
    )
