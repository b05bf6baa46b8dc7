"""A group of runs as Markdown: what qualifies the figures first, then each cell on each host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.across_hosts.hosts_model import HostFigure, HostMember, HostsResult
from backend.core.chart.text.plain_text import plain
from backend.core.chart.text.table import MISSING, between, compared, number
from backend.core.export.matrix_text import VERDICT_WORDS

_AT_RIGHT = "---:"


def hosts_markdown(model: HostsResult) -> str:
    """The Markdown text of a result in one metric; user-written texts are escaped."""
    table = model.table
    lines = [
        f"## {plain(model.title)}",
        "",
        *([] if model.ended else ["*Provisional: not all runs have ended.*", ""]),
        f"**{plain(model.headline)}**",
        "",
        *(f"- {plain(notice)}" for notice in model.notices),
        *_differences(model),
        "",
        f"### {plain(table.label)} ({plain(table.unit)}), {table.better} is better",
        "",
        *_figures(model),
        "",
        *(
            f"- {plain(row.label)}: {plain(row.disagreement.sentence)}"
            for row in table.rows
            if row.disagreement is not None
        ),
        "",
        f"Runs: {'; '.join(map(_member, model.members))}.",
        "",
        *(f"{plain(method)}." for method in model.method),
        f"Group {plain(model.group_id)}.",
    ]
    return "\n".join([*lines, ""])


def _differences(model: HostsResult) -> Iterator[str]:
    rows = [one for one in model.differences if one.relevance != "minor"]
    if not rows:
        return
    yield ""
    heads = ["differs", *(member.host for member in model.members), "relevance"]
    values = [[one.key, *(value or MISSING for value in one.values), one.relevance] for one in rows]
    yield from _table(heads, ["---"] * len(heads), values)


def _figures(model: HostsResult) -> Iterator[str]:
    ratio = "ratio to own baseline [95 % simultaneous CI]"
    heads = ["cell", "host", "n", "median [95 % CI]", ratio, "p", "verdict"]
    rows = [
        [f"{row.label} (baseline)" if row.is_baseline else row.label, *_figure(one, model.table.decimals)]
        for row in model.table.rows
        for one in row.figures
    ]
    yield from _table(heads, ["---", "---", *[_AT_RIGHT] * 4, "---"], rows)


def _figure(one: HostFigure, decimals: int) -> list[str]:
    if one.missing is not None:
        return [one.host, "0", one.missing, MISSING, MISSING, MISSING]
    ratio = compared(one.ratio, one.interval, one.difference)
    median = number(one.median, decimals) + between(one.median_interval, decimals)
    p = MISSING if one.p_adjusted is None else f"{one.p_adjusted:.2g}"
    verdict = MISSING if one.verdict is None else VERDICT_WORDS[one.verdict]
    return [one.host, str(one.n), median, ratio, p, verdict]


def _table(heads: Sequence[str], aligned: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(map(plain, heads))} |"
    yield f"| {' | '.join(aligned)} |"
    yield from (f"| {' | '.join(map(plain, row))} |" for row in rows)


def _member(one: HostMember) -> str:
    parts: list[str] = [one.state]
    if one.run_id is not None:
        parts = [one.run_id, one.state, f"seed {one.seed}", f"{one.rounds} rounds"]
    return f"{plain(one.host)} ({plain(', '.join(parts))})"
