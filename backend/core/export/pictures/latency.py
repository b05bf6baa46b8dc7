"""One trial's latency as Vega-Lite: by the tool's own classes, and by percentile where the loop was open."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from backend.core.export.colours import THEMES, ThemeName
from backend.core.export.pictures.frame import Heading, Spec, framed, layer, with_values
from backend.core.export.pictures.trial_series import HEIGHT, WIDTH, value_axis

Histogram = Sequence[tuple[int, int]]
"""(upper bound in microseconds, count), as a record has it."""

MAX_BARS: Final = 48
REPORTED: Final = {
    "open_latency_p50_ms": 50.0,
    "open_latency_p90_ms": 90.0,
    "open_latency_p99_ms": 99.0,
    "open_latency_p999_ms": 99.9,
}
_TICKS: Final = (50.0, 90.0, 99.0, 99.9, 99.99, 99.999)


def histogram(bins: Histogram, heading: Heading, theme: ThemeName) -> Spec:
    """Per cent of all operations in each class up to its upper bound; neighbours merged until they fit."""
    colours, bars = THEMES[theme], _bars(bins)
    labels = _durations([high for high, _ in bars])
    values: list[Spec] = [{"x": label, "y": share} for label, (_, share) in zip(labels, bars, strict=True)]
    axis = {"title": "latency at most", "titleFontWeight": 500, "labelAngle": 0, "labelOverlap": "greedy"}
    x: Spec = {"type": "ordinal", "sort": None, "scale": {"domain": labels}, "axis": axis}
    bar = layer(values, {"type": "bar", "color": colours.series[0]}, x, value_axis("% of all operations"))
    return framed(heading, {"width": WIDTH, "height": HEIGHT, "layer": with_values([bar])}, colours)


def percentiles(bins: Histogram, metrics: dict[str, float], heading: Heading, theme: ThemeName) -> Spec:
    """Latency by percentile, each nine as wide as the next; dots are the percentiles among `metrics`."""
    colours = THEMES[theme]
    reported: list[Spec] = [
        {"x": _nines(percent), "y": metrics[name]} for name, percent in REPORTED.items() if name in metrics
    ]
    curve = _curve(bins)
    end = max([1.0, *(point["x"] for point in (*reported, *curve))])
    ticks = [percent for percent in _TICKS if _nines(percent) <= end + 1e-9]
    axis = {"values": [_nines(p) for p in ticks], "labels": False, "title": None, "grid": True}
    x: Spec = {"type": "quantitative", "scale": {"domain": [0, end], "nice": False}, "axis": axis}
    names = [{"x": _nines(p), "text": f"p{p:g}"} for p in ticks]
    line: Spec = {
        "type": "line",
        "strokeWidth": 1.75,
        "color": colours.series[0],
        "interpolate": "step-before",
    }
    y = value_axis("ms from when each was due")
    layers = [
        layer(curve if len(curve) > 1 else reported, line, x, y),
        layer(
            reported, {"type": "point", "filled": True, "size": 44, "opacity": 1, "color": colours.ink}, x, y
        ),
        layer(names, {"type": "text", "color": colours.ink, "fontSize": 11}, x),
    ]
    layers[2]["encoding"] |= {"text": {"field": "text"}, "y": {"value": HEIGHT + 14}}
    return framed(heading, {"width": WIDTH, "height": HEIGHT, "layer": with_values(layers)}, colours)


def _bars(bins: Histogram) -> list[tuple[int, float]]:
    """(upper bound, per cent of all), each bound once, without the empty ends."""
    counts: Counter[int] = Counter()
    for upper, count in bins:
        counts[upper] += count
    ordered = sorted(counts.items())
    filled = [place for place, (_, count) in enumerate(ordered) if count > 0]
    if not filled:
        return []
    kept = ordered[filled[0] : filled[-1] + 1]
    all_, size = sum(count for _, count in kept), -(-len(kept) // MAX_BARS)
    parts = (kept[start : start + size] for start in range(0, len(kept), size))
    return [(part[-1][0], 100 * sum(count for _, count in part) / all_) for part in parts]


def _curve(bins: Histogram) -> list[Spec]:
    """From the fastest class at 0; the slowest operation is drawn where one of so many is beyond."""
    filled = [(upper, count) for upper, count in sorted(bins) if count > 0]
    all_, below = sum(count for _, count in filled), 0
    points: list[Spec] = [{"x": 0.0, "y": upper / 1000} for upper, _ in filled[:1]]
    for upper, count in filled:
        below += count
        points.append({"x": -math.log10(1 - min(below / all_, 1 - 1 / (all_ + 1))), "y": upper / 1000})
    return points


def _nines(percent: float) -> float:
    """p90 is 1, p99 is 2."""
    return -math.log10(1 - percent / 100)


def _durations(bounds: Sequence[int]) -> list[str]:
    """Labels of different bounds, with as many digits as it takes to tell them apart.

    Equal ones would be one place on the axis, where stacked bars would be a false peak.
    """
    for digits in range(3, 15):
        labels = [_duration(bound, digits) for bound in bounds]
        if len({*labels}) == len(labels):
            break
    return labels


def _duration(micros: int, digits: int) -> str:
    """ "850 µs", "1.25 ms", "2 s"."""
    divisor, unit = (1, "µs") if micros < 1e3 else (1e3, "ms") if micros < 1e6 else (1e6, "s")
    # Twice, because .3g alone writes a thousand as 1e+03.
    return f"{float(f'{micros / divisor:.{digits}g}'):.15g} {unit}"
