"""Where sweeps bend as Vega-Lite: a small panel a knee, its loads equally far apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.cell_models import ChartCell, Summary
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.sweep_models import Knee
from backend.core.definition.metrics import METRICS
from backend.core.export.colours import SHAPES, THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import HIDDEN, Spec, framed, layer, of_run, with_values, wrapped
from backend.core.messages.message import key, message, named
from backend.core.plan.labels import factor_label

WIDTH: Final = 340
HEIGHT: Final = 190
COLUMNS: Final = 2
MAX_PANELS: Final = 24
LOG_FROM: Final = 40
"""Largest ÷ smallest beyond which the small values of a linear axis could not be distinguished."""
_WRAP: Final = 56


@dataclass(frozen=True)
class _Load:
    """One cell of the sweep: its level, and its summary of the knee's metric where it may be drawn."""

    level: float
    cell: ChartCell
    summary: Summary | None


def knee(model: ChartModel, theme: ThemeName) -> Spec:
    """Medians of the knee's metric over the sweep with 95 % intervals, the limit as a dashed rule.

    The vertical rule is the knee, the band its interval; what is outside the sweep is at its end.
    The y axis is logarithmic where the figures span more than LOG_FROM. The model must have a knee.
    """
    colours, shown = THEMES[theme], model.knees[:MAX_PANELS]
    left_out = len(model.knees) - len(shown)
    more = [legend(shown), *([_first(shown, model.knees)] if left_out else [])]
    sentences = [_sentence_lines(each) for each in shown]
    lines = max(len(each) for each in sentences)
    panels = [
        # As many lines everywhere, so that the panels of a row are aligned.
        _panel(_loads(model, each), each, [*words, *[""] * (lines - len(words))], colours)
        for each, words in zip(shown, sentences, strict=True)
    ]
    return framed(of_run(model, more), {"concat": panels, "columns": COLUMNS, "spacing": 36}, colours)


def _first(shown: Sequence[Knee], all_: Sequence[Knee]) -> str:
    return message("pictureFirstSweeps", n=str(len(shown)), of=str(len(all_)))


def legend(knees: Sequence[Knee]) -> str:
    """What the marks are, for those who see the picture without the page."""
    limited = any(knee.limit_ms is not None for knee in knees)
    return message("pictureKneeLimit" if limited else "pictureKneeMarks")


def _loads(model: ChartModel, knee: Knee) -> list[_Load]:
    cells = {cell.id: cell for cell in model.cells}
    found = [
        _Load(
            float(cell.levels[knee.factor]),
            cell,
            None if cell.state in HIDDEN else cell.summaries.get(knee.metric),
        )
        for cell in (cells[id_] for id_ in knee.cells)
    ]
    return sorted(found, key=lambda load: load.level)


def _sentence_lines(knee: Knee) -> list[str]:
    """What a panel says above its plot: the knee in words, and what its y is."""
    metric = METRICS.get(knee.metric)
    return [
        *wrapped(knee.sentence, _WRAP),
        *wrapped(named(key("metric", metric.name), metric.label) if metric else knee.metric, _WRAP),
    ]


def _panel(loads: Sequence[_Load], knee: Knee, sentence: Sequence[str], colours: Theme) -> Spec:
    x, y = _x(loads, knee), _y(loads, knee)
    color = colours.series[loads[0].cell.color % len(colours.series)]
    shape = SHAPES[loads[0].cell.shape % len(SHAPES)]
    medians = [{"x": at.level, "y": s.median} for at in loads if (s := at.summary) and s.median is not None]
    point: Spec = {"type": "point", "filled": True, "size": 50, "opacity": 1, "shape": shape, "color": color}
    limit = [] if knee.limit_ms is None else [{"y": knee.limit_ms}]
    layers = [
        layer(_band(loads, knee), {"type": "rect", "opacity": 0.14, "color": colours.accent}, x),
        layer(limit, {"type": "rule", "strokeDash": [5, 4], "color": colours.bad}, None, y),
        layer(_level(loads, knee), {"type": "rule", "strokeWidth": 2, "color": colours.accent}, x),
        layer(medians, {"type": "line", "strokeWidth": 1.5, "color": color}, x, y),
        layer(medians, point | {"stroke": colours.background, "strokeWidth": 1}, x, y),
        layer(_ends(loads), {"type": "rule", "strokeWidth": 1.75, "color": colours.ink}, x, y),
        layer(
            [] if medians else _missing(loads, knee),
            {"type": "text", "color": colours.ink_2, "fontSize": 11},
            None,
        ),
    ]
    layers[0]["encoding"] |= {"x2": {"field": "x2"}}
    layers[5]["encoding"] |= {"y2": {"field": "y2"}}
    layers[6]["encoding"] |= {
        "text": {"field": "text"},
        "x": {"value": WIDTH / 2},
        "y": {"value": HEIGHT / 2},
    }
    title: Spec = {"text": wrapped(knee.title, _WRAP - 12), "subtitle": list(sentence), "anchor": "start"}
    title |= {"fontSize": 13, "offset": 10, "frame": "group"}
    return {"width": WIDTH, "height": HEIGHT, "title": title, "layer": with_values(layers)}


def _x(loads: Sequence[_Load], knee: Knee) -> Spec:
    counts = sorted({at.summary.n for at in loads if at.summary is not None and at.summary.n})
    words = factor_label(knee.factor)
    counted = message("pictureCount", n=str(sum(counts)))
    if len(counts) > 1:
        counted = message("pictureCounts", low=str(counts[0]), high=str(counts[-1]))
    axis = {
        "title": message("pictureEach", factor=words, counted=counted),
        "labelAngle": 0,
        "labelOverlap": "greedy",
    }
    axis |= {"titleFontWeight": 500}
    axis |= {"format": ",", "formatType": "number", "grid": False}
    scale = {"type": "point", "domain": [at.level for at in loads], "padding": 0.4}
    return {"type": "ordinal", "sort": None, "scale": scale, "axis": axis}


def _y(loads: Sequence[_Load], knee: Knee) -> Spec:
    """The axis of the knee's metric: from zero, or the powers of ten around all that is drawn."""
    metric = METRICS.get(knee.metric)
    unit = metric.unit if metric else ""
    axis: Spec = {"title": unit, "titleFontWeight": 500, "grid": True, "domain": False, "ticks": False}
    found = [v for at in loads if at.summary is not None for v in _numbers(at.summary)]
    found += [] if knee.limit_ms is None else [knee.limit_ms]
    scale: Spec = {"zero": True, "nice": True}
    axis |= {"tickCount": 4, "format": ",~r"}
    if found and min(found) > 0 and max(found) / min(found) > LOG_FROM:
        powers = range(math.floor(math.log10(min(found))), math.ceil(math.log10(max(found))) + 1)
        ticks = [10.0**power for power in powers]
        scale = {"type": "log", "base": 10, "domain": [ticks[0], ticks[-1]], "nice": False}
        axis |= {"values": ticks, "title": message("pictureLogarithmic", unit=unit)}
    return {"field": "y", "type": "quantitative", "scale": scale, "axis": axis}


def _numbers(summary: Summary) -> list[float]:
    ends = [] if summary.interval is None else [summary.interval.low, summary.interval.high]
    return [*([] if summary.median is None else [summary.median]), *ends]


def _ends(loads: Sequence[_Load]) -> list[Spec]:
    return [
        {"x": at.level, "y": s.interval.low, "y2": s.interval.high}
        for at in loads
        if (s := at.summary) and s.interval is not None
    ]


def _level(loads: Sequence[_Load], knee: Knee) -> list[Spec]:
    return [] if knee.level is None else [{"x": _at(loads, knee.level)}]


def _band(loads: Sequence[_Load], knee: Knee) -> list[Spec]:
    """The knee's interval, where it spans more than one load."""
    if knee.level is None or knee.interval is None:
        return []
    low, high = _at(loads, knee.interval.low), _at(loads, knee.interval.high)
    return [{"x": low, "x2": high}] if low < high else []


def _at(loads: Sequence[_Load], level: float) -> float:
    """The highest load that is at most this one; the lowest where none is."""
    return max((at.level for at in loads if at.level <= level), default=loads[0].level)


def _missing(loads: Sequence[_Load], knee: Knee) -> list[Spec]:
    """Why there is nothing to see: a knee may be of a metric that the experiment does not show."""
    shown = any(knee.metric in at.cell.summaries for at in loads)
    no_metric = message("pictureNotAMetric", metric=knee.metric)
    return [{"text": message("pictureNoFigure") if shown else no_metric}]
