"""The result of several hosts as text: what differs between the hosts, then one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.across_hosts.hosts_model import HostFigure, HostsResult, HostsTable
from backend.core.chart.text.table import MISSING, between, compared, number
from backend.core.export.matrix_text import VERDICT_WORDS


def text(model: HostsResult) -> str:
    """The result for a terminal: each cell with its disagreement, and one line for each host below it."""
    table = model.table
    lines = [model.title, model.headline, "", *(f"Note: {notice}" for notice in model.notices)]
    differences = [one for one in model.differences if one.relevance != "minor"]
    if differences:
        heads = ["differs", *(member.host for member in model.members)]
        rows = [[one.key, *(value or MISSING for value in one.values)] for one in differences]
        lines += ["", *_columns([heads, *rows])]
    lines += ["", f"{table.label} ({table.unit})", *_table(table)]
    return "\n".join(lines)


def _table(table: HostsTable) -> Iterator[str]:
    heads = ("", "n", "median [95 % CI]", "ratio to own baseline [95 % simultaneous CI]", "p", "verdict")
    rows = [heads] + [_figure(one, table.decimals) for row in table.rows for one in row.figures]
    block = iter(_columns(rows))
    yield next(block)
    for row in table.rows:
        yield f"{row.label} (baseline)" if row.is_baseline else row.label
        yield from (next(block) for _ in row.figures)
        if row.disagreement is not None:
            yield f"    {row.disagreement.sentence}"


def _figure(one: HostFigure, decimals: int) -> tuple[str, ...]:
    name = f"  {one.host}"
    if one.missing is not None:
        return name, "0", one.missing, MISSING, MISSING, MISSING
    ratio = compared(one.ratio, one.interval, one.difference)
    return (
        name,
        str(one.n),
        number(one.median, decimals) + between(one.median_interval, decimals),
        ratio,
        MISSING if one.p_adjusted is None else f"{one.p_adjusted:.2g}",
        MISSING if one.verdict is None else VERDICT_WORDS[one.verdict],
    )


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
