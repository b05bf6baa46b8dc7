"""The result as a table of text: for the terminal, and as Markdown. Both from the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.cell_models import Axis, ChartCell
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.model_base import Difference, Interval
from backend.core.chart.model.quality_models import Claim
from backend.core.chart.text.plain_text import plain
from backend.core.chart.text.warning_summary import warning_summary
from backend.core.messages.message import joined, message
from backend.core.plan.labels import factor_label
from backend.core.statistics.amounts import signed_numbers
from backend.core.statistics.verdict import VerdictKind

MISSING: Final = "–"
_CPU: Final = "cpu_us_per_txn"
_ROLES: Final = ("client", "server", "proxy", "kernel", "other", "unattributed", "idle", "steal")
_COLOURS: Final[dict[VerdictKind, str]] = {
    "better": "32",
    "worse": "31",
    "different_within_margin": "36",
    "equivalent": "36",
    "no_difference_shown": "33",
    "not_enough_rounds": "33",
    "undefined": "2",
}


@dataclass(frozen=True)
class TableRow:
    """One cell as texts, in the order of the table's columns; `kind` is that of its verdict.

    The last text is the verdict in the first metric, `others` are those in the other metrics.
    """

    texts: tuple[str, ...]
    kind: VerdictKind | None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """Columns, each with an upper and a lower word, their alignment ("<" or ">"), and rows."""

    columns: tuple[tuple[str, str], ...]
    aligned: tuple[str, ...]
    rows: tuple[TableRow, ...]


def build_table(model: ChartModel) -> Table:
    """Every cell of the result as one row of texts, with the model's own numbers."""
    axis = model.axes[0]
    cpu = next((a for a in model.axes if a.metric == _CPU), None)
    left = (("", factor_label(model.row_factor)), _series_words(model.series_factor))
    right = (
        ("", "n"),
        (axis.metric, "median [95 % CI]"),
        ("ratio to baseline", "[95 % simultaneous CI]"),
        ("CPU", "µs/txn"),
        *((role, "cores") for role in _ROLES),
        *((("published", "ratio"),) if model.study else ()),
        ("", "proven"),
    )
    rows = tuple(_row(cell, axis, cpu, model.study is not None, model.axes[1:]) for cell in model.cells)
    return Table((*left, *right, ("", "verdict")), ("<", "<", *(">" for _ in right), "<"), rows)


def _series_words(factor: str) -> tuple[str, str]:
    """The two words above the series; that of userland-proxy is then the setting alone."""
    return ("userland", "proxy") if factor == "userland_proxy" else ("", factor_label(factor))


def _row(cell: ChartCell, axis: Axis, cpu: Axis | None, with_study: bool, others: Sequence[Axis]) -> TableRow:
    summary, comparison = cell.summaries[axis.metric], cell.comparisons.get(axis.metric)
    cores = {share.role: share.cores for share in cell.cpu}
    value = number(summary.median, axis.decimals) + between(summary.interval, axis.decimals)
    ratio = MISSING
    if comparison is not None:
        ratio = compared(comparison.ratio, comparison.interval, comparison.difference)
    published = number(cell.published.ratio, 3) if cell.published else MISSING
    seen = cell.evidence.proven + cell.evidence.not_proven + cell.evidence.contradicted
    texts = (
        *(
            cell.row,
            cell.series.removeprefix("userland-proxy "),
            str(summary.n),
            value,
            ratio,
            _cpu_total(cell, cpu),
        ),
        *(number(cores.get(role), 2) for role in _ROLES),
        *((published,) if with_study else ()),
        f"{cell.evidence.proven}/{seen}" if seen else MISSING,
        _verdict(cell, axis.metric),
    )
    return TableRow(texts, comparison.verdict if comparison else None, tuple(_others(cell, others)))


def _others(cell: ChartCell, axes: Sequence[Axis]) -> Iterator[str]:
    """The verdicts of a cell in the other metrics: "Retransmits: b is 1,096 segments higher"."""
    if cell.state in ("measured", "partial") and not cell.is_baseline:
        for axis in axes:
            found = cell.comparisons.get(axis.metric)
            if found is not None:
                title = axis.label[:1].upper() + axis.label[1:]
                yield message("reportTitled", title=title, text=found.sentence)


def _cpu_total(cell: ChartCell, axis: Axis | None) -> str:
    """CPU of the host for one transaction, all roles together."""
    if axis is None:
        return MISSING
    return number(cell.summaries[_CPU].median, axis.decimals)


def _verdict(cell: ChartCell, metric: str) -> str:
    if cell.state not in ("measured", "partial"):
        state = cell.state.replace("_", " ")
        return message("reportTitled", title=state, text=cell.reason) if cell.reason else cell.state
    if cell.is_baseline:
        return "baseline"
    return cell.comparisons[metric].sentence if metric in cell.comparisons else MISSING


def number(value: float | None, decimals: int) -> str:
    """A number with separators of thousands, or a dash where there is none."""
    return MISSING if value is None else f"{value:,.{decimals}f}"


def compared(ratio: float | None, interval: Interval | None, difference: Difference | None = None) -> str:
    """A ratio with its interval, "0.950 [0.940, 0.961]"; where there is none a difference, with its unit."""
    if difference is not None:
        ends = difference.interval
        value, *rest = signed_numbers((difference.value, *((ends.low, ends.high) if ends else ())))
        unit = "" if difference.unit == "1/s" else difference.unit
        shown = f"{value} {unit}".rstrip()
        return f"{shown} [{rest[0]}, {rest[1]}]" if rest else shown
    return MISSING if ratio is None else number(ratio, 3) + between(interval, 3)


def between(interval: Interval | None, decimals: int) -> str:
    """An interval behind its estimate, or nothing."""
    return f" [{number(interval.low, decimals)}, {number(interval.high, decimals)}]" if interval else ""


def text_table(model: ChartModel, colour: bool = False) -> str:
    """The result for a terminal of 120 columns: headline, two tables, checks, claims and warnings.

    The first table holds the comparison, with the verdict in each metric under its row; the second CPU by
    role.
    """
    table = build_table(model)
    cpu = [i for i, words in enumerate(table.columns) if words[0] in ("CPU", *_ROLES)]
    verdict = len(table.columns) - 1
    compared = [i for i in range(verdict) if i not in cpu]
    rows = []
    for line, row in zip(_block(table, compared), (None, None, None, *table.rows), strict=True):
        below = "\n    ".join((line, row.texts[verdict], *row.others)) if row else line
        rows.append(f"\x1b[{_COLOURS[row.kind]}m{below}\x1b[0m" if colour and row and row.kind else below)
    head = f"\x1b[1m{model.headline}\x1b[0m" if colour else model.headline
    parts = [model.title, head, "", *rows, "", *_block(table, [0, 1, *cpu]), "", *_notes(model)]
    return "\n".join(parts).rstrip() + "\n"


def _block(table: Table, chosen: list[int]) -> list[str]:
    """Some columns of a table: two lines of heading, a rule, and a line a row."""
    upper, lower = zip(*table.columns, strict=True)
    texts = [tuple(line[i] for i in chosen) for line in (upper, lower, *(row.texts for row in table.rows))]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    aligned = tuple(table.aligned[i] for i in chosen)
    heading, body = texts[:2], texts[2:]
    rule = "  ".join("─" * width for width in widths)
    return [
        *(_line(words, widths, aligned) for words in heading),
        rule,
        *(_line(words, widths, aligned) for words in body),
    ]


def _line(texts: tuple[str, ...], widths: list[int], aligned: tuple[str, ...]) -> str:
    padded = (f"{t:{side}{width}}" for t, side, width in zip(texts, aligned, widths, strict=True))
    return "  ".join(padded).rstrip()


def _notes(model: ChartModel) -> list[str]:
    notes = [group.sentence for group in model.best]
    notes += [check.sentence for check in model.duplicates if not check.suspect]
    notes += [check.sentence for check in model.drifts if not check.significant]
    notes += [
        part.sentence for part in (model.servers, model.interim_analyses, model.reduced) if part is not None
    ]
    labels = {cell.id: cell.label for cell in model.cells}
    for ladder in model.ladders:
        notes += [
            f"{ladder.title}: {labels[step.cell_id]} against {labels[step.from_id]}: {step.sentence}"
            for step in ladder.rungs
        ]
    notes += [f"{knee.title}: {knee.sentence}" if knee.title else knee.sentence for knee in model.knees]
    if model.study:
        notes += [f"Study: {model.study.citation}. {model.study.environment}."]
        notes += [f"Claim “{c.text}”: {claim_words(c)}. {c.detail}" for c in model.study.claims]
    return notes + [f"Warning: {text}" for text in (*model.warnings, *warning_summary(model.cells))]


def claim_words(claim: Claim) -> str:
    """ "direction reproduced, size not reproduced", or the outcome where no part was tested."""
    parts = (("direction", claim.direction), ("size", claim.size))
    texts = [f"{name} {outcome.replace('_', ' ')}" for name, outcome in parts if outcome is not None]
    return joined(texts, "comma") or claim.outcome


def _plain_row(row: TableRow) -> tuple[str, ...]:
    """The texts of a row, with the verdicts in all metrics in its last one."""
    *texts, verdict = map(plain, row.texts)
    return (*texts, "; ".join((verdict, *map(plain, row.others))))


def markdown_table(model: ChartModel) -> str:
    """The result's table in Markdown, with its headline above and its notes below; all of it plain text."""
    table = build_table(model)
    columns = tuple(" ".join(words).strip() for words in table.columns)
    rule = ["---:" if side == ">" else "---" for side in table.aligned]
    rows = [columns, tuple(rule), *(_plain_row(row) for row in table.rows)]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    rules = model.gate.rules if model.gate else ()
    thresholds = [
        f"Threshold {rule.threshold}: {rule.outcome.replace('_', ' ')}. {rule.sentence}" for rule in rules
    ]
    notes = [f"- {plain(note)}" for note in (*thresholds, *_notes(model))]
    return "\n".join([f"**{plain(model.headline)}**", "", *lines, "", *notes]).rstrip() + "\n"
