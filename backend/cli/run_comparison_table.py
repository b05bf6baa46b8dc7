"""A run comparison as text: differences of the environments, then one table per metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.chart.compare_runs.run_comparison_model import (
    RunComparison,
    RunComparisonCell,
    RunComparisonRow,
    RunComparisonTable,
    RunSide,
)
from backend.core.chart.text.plain_text import plain
from backend.core.chart.text.table import MISSING, between, compared, number

_HEADS: Final = (
    "cell",
    "n",
    "A median [95 % CI]",
    "B median [95 % CI]",
    "B ÷ A [95 % CI]",
    "p (Holm)",
    "verdict",
)
_RATIO_HEADS: Final = (
    "cell",
    "n",
    "A ÷ its baseline [95 % CI]",
    "B ÷ its baseline [95 % CI]",
    "B ÷ A [95 % CI]",
    "p (Holm)",
    "verdict",
)
_LABELS: Final = {
    "comparable": "Comparable.",
    "partly": "Comparable in part.",
    "not": "Not comparable.",
}


def text(model: RunComparison) -> str:
    """The comparison for a terminal, each verdict below its row."""
    lines = [*_sides(model), "", *_comparability(model)]
    if model.differences:
        lines += ["", *_columns([("differs", "", "A", "B", ""), *_differences(model)])]
    for table in model.tables:
        rows = [_heads(model), *(_row(row, table, model) for row in table.rows)]
        block = _columns([row[:-1] for row in rows])
        lines += ["", f"{table.label} ({table.unit}): {table.headline}", block[0]]
        for line, row in zip(block[1:], table.rows, strict=True):
            lines += [line, f"    {row.sentence}"]
    lines += _with_blank_line([f"Warning: {warning}" for warning in model.warnings])
    return "\n".join(lines)


def markdown(model: RunComparison) -> str:
    """The comparison in Markdown."""
    lines = [f"**{_LABELS[model.comparable]}** {plain(' '.join(model.reasons))}".rstrip()]
    lines += ["", *(f"- {plain(line)}" for line in _sides(model))]
    if model.differences:
        lines += ["", *_grid([("differs", "relevance", "A", "B", "remark"), *_differences(model)])]
    for table in model.tables:
        lines += ["", f"**{plain(table.label)}** ({plain(table.unit)}): {plain(table.headline)}", ""]
        lines += _grid([_heads(model), *(_row(row, table, model) for row in table.rows)])
    lines += _with_blank_line([f"- {plain(warning)}" for warning in model.warnings])
    return "\n".join(lines)


def _with_blank_line(lines: Sequence[str]) -> list[str]:
    return ["", *lines] if lines else []


def _sides(model: RunComparison) -> Iterator[str]:
    for name, side in (("A", model.a), ("B", model.b)):
        yield f"{name}: {side.title} ({side.run_id} on {side.host}{_when(side)})"


def _when(side: RunSide) -> str:
    if side.origin == "imported":
        return ", imported"
    return f", {side.started_at[:16].replace('T', ' ')} UTC" if side.started_at else ", not started"


def _comparability(model: RunComparison) -> list[str]:
    basis = {"values": "the cells' own values", "ratios": "each cell's ratio to its own run's baseline"}
    words = _LABELS[model.comparable]
    if model.refused:
        words += " Nothing is compared."
    elif model.overridden:
        words += " Compared because of --override."
    return [f"{words} Basis: {basis[model.basis]}.", *model.reasons]


def _differences(model: RunComparison) -> Iterator[tuple[str, ...]]:
    for one in model.differences:
        yield one.key, one.relevance, one.a or MISSING, one.b or MISSING, one.remark


def _heads(model: RunComparison) -> tuple[str, ...]:
    return _HEADS if model.basis == "values" else _RATIO_HEADS


def _row(row: RunComparisonRow, table: RunComparisonTable, model: RunComparison) -> tuple[str, ...]:
    ratio = compared(row.ratio, row.interval, row.difference)
    return (
        f"{row.label} (baseline)" if row.is_baseline else row.label,
        str(row.n),
        _side(row.a, table, model),
        _side(row.b, table, model),
        ratio,
        MISSING if row.p_adjusted is None else f"{row.p_adjusted:.2g}",
        row.sentence,
    )


def _side(cell: RunComparisonCell | None, table: RunComparisonTable, model: RunComparison) -> str:
    if cell is None:
        return MISSING
    if model.basis == "ratios":
        return compared(cell.ratio, cell.ratio_interval, cell.difference)
    return number(cell.median, table.decimals) + between(cell.interval, table.decimals)


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _grid(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as a table of Markdown, whose cells are plain text."""
    lines = ["| " + " | ".join(map(plain, row)) + " |" for row in rows]
    return [lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]
