"""CSV of a group of runs: one row per metric, cell and host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.chart.across_hosts.hosts_model import Disagreement, HostFigure, HostsResult, HostsRow
from backend.core.chart.model.model_base import Interval
from backend.core.export.csv_text import Value, csv_text, level_columns

_BEFORE = ("group", "metric", "unit", "better", "cell", "label", "is_baseline", "host", "run", "run_state")
_FIGURE = (
    *("n", "median", "low", "high", "replicates", "ratio", "ratio_low", "ratio_high", "p", "p_adjusted"),
    *("family", "verdict", "sentence", "missing", "difference", "difference_low", "difference_high"),
)
_OF_CELL = (
    *("disagreement", "disagreement_p_adjusted", "disagreement_family", "apart_a", "apart_b", "apart_ratio"),
    *("apart_low", "apart_high", "q", "df", "i_squared", "spread", "spread_low", "spread_high"),
    "disagreement_sentence",
)


def hosts_csv(results: Sequence[HostsResult]) -> str:
    """The file of a group's results, one result a metric.

    `low` and `high` are the 95 % interval of the median on this host; `ratio` is cell ÷ the host's own
    baseline, its interval and `p_adjusted` hold over the `family`; where a value is zero there is a
    `difference` to it in the metric's unit instead. The columns from `disagreement` on are of
    the cell, equal in the rows of all hosts. Numbers are the result's own, six significant digits.
    """
    levels = level_columns(row.levels for one in results for row in one.table.rows)
    return csv_text((*_BEFORE, *levels, *_FIGURE, *_OF_CELL), _rows(results, levels))


def _rows(results: Sequence[HostsResult], levels: Sequence[str]) -> Iterator[tuple[Value, ...]]:
    for result in results:
        table, members = result.table, {member.host: member for member in result.members}
        for row in table.rows:
            own, judged = [row.levels.get(name) for name in levels], _judged(row)
            for figure in row.figures:
                member = members[figure.host]
                yield (
                    *(result.group_id, table.metric, table.unit, table.better, row.cell_id, row.label),
                    *(row.is_baseline, member.host, member.run_id, member.state),
                    *own,
                    *_figure(figure),
                    *judged,
                )


def _figure(one: HostFigure) -> tuple[Value, ...]:
    return (
        *(one.n, one.median, *_ends(one.median_interval)),
        *(one.replicates, one.ratio, *_ends(one.interval), one.p, one.p_adjusted),
        *(one.family, one.verdict, one.sentence, one.missing),
        *((None,) * 3 if one.difference is None else (one.difference.value, *_ends(one.difference.interval))),
    )


def _judged(row: HostsRow) -> tuple[Value, ...]:
    found: Disagreement | None = row.disagreement
    if found is None:
        return (None,) * len(_OF_CELL)
    a, b = found.apart or (None, None)
    return (
        *(found.outcome, found.p_adjusted, found.family, a, b, found.ratio, *_ends(found.interval)),
        *(found.q, found.df, found.i_squared, found.spread, *_ends(found.spread_interval), found.sentence),
    )


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
