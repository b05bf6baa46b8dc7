"""A comparison of two runs as Vega-Lite: each cell's ratio of B to A around 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backend.core.chart.compare_runs.run_comparison_model import (
    RunComparison,
    RunComparisonRow,
    RunComparisonTable,
    RunSide,
)
from backend.core.chart.model.model_base import Interval
from backend.core.chart.text.table import between, number
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES, Theme, theme_named
from backend.core.export.pictures.frame import Heading, Spec, framed, layer, with_values
from backend.core.export.pictures.names import LINE, beside
from backend.core.messages.message import joined, message, with_parts
from backend.core.messages.translation import Written

WIDTH: Final = 460
ROW: Final = 22
MAX_ROWS: Final = 120


def ratios(model: RunComparison, theme: str) -> Spec:
    """The first table's ratios as dots with 95 % intervals; the band is the margin, the dashed rule is 1.

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
    all_ = [row for row in cross.rows if row.ratio is not None]
    rows = all_[:MAX_ROWS]
    lines = [*_lines(model, cross), *_left_out(cross, all_, rows)]
    lanes = [str(place) for place in range(len(rows))]
    y: Spec = {"field": "lane", "type": "nominal", "sort": None, "axis": None}
    y |= {"scale": {"domain": lanes, "padding": 0}}
    labels = [message("pictureIsBaseline", cell=row.label) if row.is_baseline else row.label for row in rows]
    named = dict(zip(lanes, labels, strict=True))
    names, most = beside(named, y, {"color": colours.ink, "fontSize": 11})
    height = max(1, len(rows)) * (ROW + (most - 1) * LINE)
    marks = with_values([*names, *_marks(dict(zip(lanes, rows, strict=True)), y, model, colours)])
    body: Spec = {"width": WIDTH, "height": height, "layer": marks}
    return framed(Heading(message("pictureRatioTitle", label=cross.label), lines), body, colours)


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


def _marks(rows: Mapping[str, RunComparisonRow], y: Spec, model: RunComparison, colours: Theme) -> list[Spec]:
    x: Spec = {"type": "quantitative", "scale": {"zero": False, "nice": True}}
    x |= {"axis": {"title": "ratio B ÷ A", "titleFontWeight": 500, "grid": True, "tickCount": 6}}
    points: list[Spec] = [{"lane": lane, "x": row.ratio} for lane, row in rows.items()]
    ends = [
        {"lane": lane, "x": row.interval.low, "x2": row.interval.high}
        for lane, row in rows.items()
        if row.interval is not None
    ]
    texts = [{"lane": lane, "text": _row_text(row)} for lane, row in rows.items()]
    band = [{"x": 1 / (1 + model.margin), "x2": 1 + model.margin}]
    text: Spec = {"type": "text", "fontSize": 10, "color": colours.ink_2, "align": "left"}
    dot: Spec = {"type": "point", "filled": True, "size": 60, "opacity": 1, "color": colours.series[0]}
    layers = [
        layer(band, {"type": "rect", "opacity": 0.14, "color": colours.accent}, x),
        layer([{"x": 1}], {"type": "rule", "strokeDash": [4, 3], "color": colours.ink_2}, x),
        layer(ends, {"type": "rule", "strokeWidth": 1.75, "color": colours.ink}, x, y),
        layer(points, dot | {"stroke": colours.background, "strokeWidth": 1}, x, y),
        layer(texts, text, None, y),
    ]
    layers[0]["encoding"] |= {"x2": {"field": "x2"}}
    layers[2]["encoding"] |= {"x2": {"field": "x2"}}
    layers[4]["encoding"] |= {"text": {"field": "text"}, "x": {"value": WIDTH + 8}}
    return layers


def _row_text(row: RunComparisonRow) -> str:
    return ratio_text(row.ratio, row.interval, row.p_adjusted, str(row.n))


def ratio_text(ratio: float | None, interval: Interval | None, p: float | None, n: str) -> str:
    """ "1.052× [1.03, 1.07], p (adjusted) = 0.012, n = 8"."""
    text = f"{number(ratio, 3)}×{between(interval, 3)}"
    if p is None:
        return message("pictureRatioText", ratio=text, n=n)
    return message("pictureRatioTextP", ratio=text, p=f"{p:.3g}", n=n)
