"""A comparison of several runs as Markdown and for a terminal: environments first, then the matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.chart.compare_runs.matrix_model import (
    ComparisonMatrix,
    MatrixColumn,
    MatrixEntry,
    MatrixRow,
)
from backend.core.chart.text.plain_text import plain
from backend.core.chart.text.table import MISSING, between, compared, number
from backend.core.export.matrix_csv import NO_CELL, REFUSED
from backend.core.statistics.verdict import VerdictKind, confidence

VERDICT_WORDS: Final[dict[VerdictKind, str]] = {
    "better": "▲ better",
    "worse": "▼ worse",
    "different_within_margin": "≈ equal",
    "equivalent": "≈ equal",
    "no_difference_shown": "~ no answer",
    "not_enough_rounds": "~ no answer",
    "undefined": "~ no answer",
}
NOT_JUDGED: Final = "~ no answer, not judged"
_COMPARABLE: Final = {
    "comparable": "comparable",
    "partly": "comparable in part",
    "not": "not comparable",
}
_BASES: Final = {"values": "the cells' own values", "ratios": "each cell's ratio to its own run's baseline"}


def matrix_markdown(model: ComparisonMatrix) -> str:
    """The Markdown text of a matrix; user-written texts are escaped."""
    lines = [f"## Comparison of {len(model.columns)} columns", "", f"Basis: {_BASES[model.basis]}.", ""]
    lines += [f"- {plain(line)}" for line in _columns(model)]
    if model.differences:
        lines += ["", "### Environments", "", *_grid(_differences(model))]
    if model.rows:
        lines += ["", f"### {plain(model.label)} ({plain(model.unit)}), {model.better} is better", ""]
        lines += [*_grid(_matrix(model)), "", f"{_intervals(model)}", ""]
        lines += [f"- {plain(sentence)}" for sentence in _sentences(model)]
    else:
        lines += ["", "**Nothing is compared.**"]
    lines += [""] + [f"- {plain(warning.text)}" for warning in model.warnings] if model.warnings else []
    lines += ["", *(f"Method: {plain(method)}.  " for method in model.methods)]
    return "\n".join([*lines, ""]).rstrip() + "\n"


def matrix_terminal(model: ComparisonMatrix) -> str:
    """The matrix for a terminal, each ratio's sentence below the table."""
    lines = [*_columns(model), "", f"Basis: {_BASES[model.basis]}."]
    if model.differences:
        lines += ["", *_aligned(_differences(model))]
    if not model.rows:
        lines += ["", "Nothing is compared."]
    else:
        lines += ["", f"{model.label} ({model.unit}), {model.better} is better", *_aligned(_matrix(model))]
        lines += [_intervals(model), "", *_sentences(model)]
    if model.warnings:
        lines += ["", *(f"Warning: {warning.text}" for warning in model.warnings)]
    return "\n".join(lines)


def _columns(model: ComparisonMatrix) -> Iterator[str]:
    for one in model.columns:
        yield f"{one.letter}{' (reference)' if one.is_reference else ''}: {_named(one)}"
        if not one.is_reference:
            reasons = f" {' '.join(one.reasons)}" if one.reasons else ""
            yield f"{one.letter} is {_COMPARABLE[one.comparable]}.{reasons}"


def _named(one: MatrixColumn) -> str:
    cell = "" if one.cell_id is None else f", cell {one.cell_id}: {one.cell_label}"
    if one.origin == "imported":
        when = "imported"
    else:
        when = "not started" if one.started_at is None else f"{one.started_at[:16].replace('T', ' ')} UTC"
    return f"{one.title} ({one.run_id} on {one.host}, {when}{cell})"


def _differences(model: ComparisonMatrix) -> list[list[str]]:
    heads = ["differs", "relevance", *(one.letter for one in model.columns)]
    return [heads] + [
        [one.key, one.relevance, *(_changed(entry.value, entry.relevance) for entry in one.entries)]
        for one in model.differences
    ]


def _changed(value: str | None, relevance: str | None) -> str:
    return (value or MISSING) + ("" if relevance is None else " ≠")


def _matrix(model: ComparisonMatrix) -> list[list[str]]:
    heads = ["cell", *(f"{one.letter}{' (reference)' if one.is_reference else ''}" for one in model.columns)]
    return [heads] + [_row(model, row) for row in model.rows]


def _row(model: ComparisonMatrix, row: MatrixRow) -> list[str]:
    label = f"{row.label} (baseline)" if row.is_baseline else row.label
    return [
        label,
        *(_entry(model, column, entry) for column, entry in zip(model.columns, row.entries, strict=True)),
    ]


def _entry(model: ComparisonMatrix, column: MatrixColumn, one: MatrixEntry | None) -> str:
    if one is None:
        return REFUSED if column.refused else NO_CELL
    if one.n == 0:
        return "no value"
    if model.basis == "ratios":
        own = compared(one.own_ratio, one.own_ratio_interval, one.own_difference)
    else:
        centre = 0.0 if one.median is None else one.median
        own = number(centre, model.decimals) + between(one.median_interval, model.decimals)
    text = f"{own}, n {one.n}"
    if one.ratio is not None:
        text += f"; {number(one.ratio, 3)}×{between(one.interval, 3)}"
    elif one.difference is not None:
        text += f"; {compared(None, None, one.difference)}"
    return text if one.verdict is None else f"{text} {_word(one)}"


def _word(one: MatrixEntry) -> str:
    shown = one.interval if one.difference is None else one.difference.interval
    if shown is not None and not one.judged:
        return NOT_JUDGED
    return VERDICT_WORDS[one.verdict] if one.verdict else ""


def _intervals(model: ComparisonMatrix) -> str:
    own = "of its own run's baseline" if model.basis == "ratios" else "of this cell alone"
    letter = model.columns[model.reference].letter
    return f"Brackets: first the 95 % CI {own}; after ×, the ratio to {letter}, {confidence(model.family)}."


def _sentences(model: ComparisonMatrix) -> Iterator[str]:
    for row in model.rows:
        for entry in row.entries:
            if entry is not None and entry.sentence is not None:
                yield f"{row.label}: {entry.sentence}"


def _grid(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    heads, *body = rows
    yield f"| {' | '.join(map(plain, heads))} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    yield from (f"| {' | '.join(map(plain, row))} |" for row in body)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
