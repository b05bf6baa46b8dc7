"""A comparison of two runs as Vega-Lite: each cell's ratio of B to A around 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.chart.compare_runs.run_comparison_model import (
    RunComparison,
    RunComparisonRow,
    RunComparisonTable,
    RunSide,
)
from backend.core.chart.model.model_base import Difference, Interval
from backend.core.chart.text.table import between, compared, number
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES, Theme, theme_named
from backend.core.export.pictures.frame import Heading, Spec, framed, with_values
from backend.core.export.pictures.interval_panel import (
    WIDTH,
    Scale,
    beside_panel,
    difference_scale,
    interval_layers,
    mark_of,
    ratio_scale,
    stacked,
)
from backend.core.export.pictures.names import LINE, beside
from backend.core.messages.message import joined, message, with_parts
from backend.core.messages.translation import Written

ROW: Final = 22
MAX_ROWS: Final = 120


def ratios(model: RunComparison, theme: str) -> Spec:
    """The first table's ratios as dots with 95 % intervals; the band is the margin, the dashed rule is 1.

    Where no ratio exists because a value is zero, differences are below them, on an axis in their unit.

    Raises Invalid where the comparison is refused or has no metric, or there is no such theme.
    """
    if model.refused:
        detail = f"the two are not comparable: {' '.join(model.reasons)}"
        if model.overridable:
            detail += " Give override=true to draw them anyway."
        raise Invalid.at("/override" if model.overridable else "/b", "not_comparable", detail)
    if not model.tables:
        raise Invalid.at("/metric", "no_metric", "the two have no metric in common; name one that both have")
    cross, colours = model.tables[0], THEMES[theme_named(theme)]
    all_ = [row for row in cross.rows if row.ratio is not None or row.difference is not None]
    rows = all_[:MAX_ROWS]
    lines = [*_lines(model, cross), *_left_out(cross, all_, rows)]
    by_ratio = [row for row in rows if row.ratio is not None]
    by_difference = [row for row in rows if row.ratio is None]
    of_ratios = ratio_scale(message("pictureRatioAxis"), model.margin)
    own = "pictureOwnDifferenceAxis" if model.basis == "ratios" else "pictureDifferenceAxis"
    parts = ((by_ratio, of_ratios), (by_difference, difference_scale(own, cross.unit)))
    panels = [_panel(found, scale, colours) for found, scale in parts if found]
    body = stacked(panels or [_panel([], of_ratios, colours)])
    return framed(Heading(message("pictureRatioTitle", label=cross.label), lines), body, colours)


def _panel(rows: Sequence[RunComparisonRow], scale: Scale, colours: Theme) -> Spec:
    """Rows with one axis, their labels at the left and their figures at the right."""
    lanes = [str(place) for place in range(len(rows))]
    y: Spec = {"field": "lane", "type": "nominal", "sort": None, "axis": None}
    y |= {"scale": {"domain": lanes, "padding": 0}}
    labels = [message("pictureIsBaseline", cell=row.label) if row.is_baseline else row.label for row in rows]
    named = dict(zip(lanes, labels, strict=True))
    names, most = beside(named, y, {"color": colours.ink, "fontSize": 11})
    marks = [mark_of(lane, r.ratio, r.interval, r.difference) for lane, r in zip(lanes, rows, strict=True)]
    texts: list[Spec] = [
        {"lane": lane, "text": _row_text(row)} for lane, row in zip(lanes, rows, strict=True)
    ]
    point: Spec = {"color": colours.series[0], "stroke": colours.background, "strokeWidth": 1}
    layers = [*names, *interval_layers(marks, y, scale, point, colours), beside_panel(texts, y, colours)]
    height = max(1, len(rows)) * (ROW + (most - 1) * LINE)
    return {"width": WIDTH, "height": height, "layer": with_values(layers)}


def _lines(model: RunComparison, cross: RunComparisonTable) -> Iterator[str]:
    yield with_parts(cross.headline, cross.headline_message)
    if model.overridden:
        yield message("pictureOverridden", reasons=joined(model.reasons))
    for name, side in (("A", model.a), ("B", model.b)):
        yield message("reportTitled", title=name, text=_side(side))
    better = message(f"picture{cross.better.title()}", label=cross.label, unit=cross.unit)
    note = "pictureRatiosNote" if model.basis == "ratios" else "pictureRatioNote"
    yield message(note, better=better, margin=f"{model.margin * 100:g}")


def _side(side: RunSide) -> str:
    started = side.started_at[:16].replace("T", " ") if side.started_at else message("pictureNoStart")
    return message(
        "pictureSideImported" if side.origin == "imported" else "pictureSide",
        title=Written(side.title),
        host=Written(side.host),
        start=started,
        rounds=str(side.rounds),
        run=side.run_id,
    )


def _left_out(
    cross: RunComparisonTable, all_: Sequence[RunComparisonRow], rows: Sequence[RunComparisonRow]
) -> Iterator[str]:
    if len(all_) > len(rows):
        yield message("pictureFirstCells", n=str(len(rows)), of=str(len(all_)))
    if len(cross.rows) > len(all_):
        yield message("pictureWithoutRatio", n=str(len(cross.rows) - len(all_)))


def _row_text(row: RunComparisonRow) -> str:
    return ratio_text(row.ratio, row.interval, row.difference, row.p_adjusted, str(row.n))


def ratio_text(
    ratio: float | None, interval: Interval | None, difference: Difference | None, p: float | None, n: str
) -> str:
    """ "1.052× [1.03, 1.07], p (adjusted) = 0.012, n = 8"; a difference has its unit."""
    text = f"{number(ratio, 3)}×{between(interval, 3)}"
    if difference is not None:
        text = compared(None, None, difference)
    if p is None:
        return message("pictureRatioText", ratio=text, n=n)
    return message("pictureRatioTextP", ratio=text, p=f"{p:.3g}", n=n)
