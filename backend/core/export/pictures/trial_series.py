"""One trial over its time as Vega-Lite: the tool's rate, CPU by role, and where all of the CPU went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from backend.core.definition.metrics import METRICS, RATES, Metric
from backend.core.export.colours import THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import Heading, Spec, framed, layer
from backend.core.messages.message import key, message, named
from backend.core.sample.record import CpuByRole, CpuPoint, SecondPoint

WIDTH: Final = 560
HEIGHT: Final = 220
MAX_POINTS: Final = 600
_STACK: Final = ("client", "server", "proxy", "kernel", "other", "unattributed", "steal", "idle")


def rate(
    points: Sequence[SecondPoint], metrics: dict[str, float], heading: Heading, theme: ThemeName
) -> Spec:
    """The tool's own rate as it reported it, second by second; in the unit of the rate among `metrics`."""
    colours = THEMES[theme]
    metric = METRICS[next((name for name in RATES.values() if name in metrics), "tps")]
    values = _thinned([{"x": p.t, "y": p.rate} for p in points])
    x, y = _time(max((p.t for p in points), default=1)), value_axis(_rate_title(metric))
    color = colours.series[0]
    layers = [
        layer(values, {"type": "line", "strokeWidth": 1.75, "color": color}, x, y),
        layer(values, {"type": "point", "filled": True, "size": 26, "opacity": 1, "color": color}, x, y),
    ]
    return framed(heading, {"width": WIDTH, "height": HEIGHT, "layer": layers}, colours)


def cpu(points: Sequence[CpuPoint], heading: Heading, theme: ThemeName) -> Spec:
    """CPU in cores by role, stacked, as the sampler read it; a reading holds for the time before it."""
    colours = THEMES[theme]
    roles = [role for role in _STACK if any(p.cores.get(role, 0) > 0 for p in points)]
    samples: list[Spec] = [
        {"x": p.t, **{role: max(0.0, p.cores.get(role, 0)) for role in roles}} for p in points
    ]
    thin = _thinned(samples)
    if thin and thin[0]["x"] > 0:
        thin = [thin[0] | {"x": 0.0}, *thin]
    values = [
        {"x": sample["x"], "role": role, "cores": sample[role], "order": order}
        for sample in thin
        for order, role in enumerate(roles)
    ]
    area = layer(values, {"type": "area", "interpolate": "step-before", "opacity": 0.9}, _time(_last(thin)))
    area["encoding"] |= {
        "y": value_axis("cores") | {"field": "cores", "stack": "zero"},
        "order": {"field": "order"},
    }
    area["encoding"] |= {"color": _by_role(roles, colours)}
    return framed(heading, {"width": WIDTH, "height": HEIGHT, "layer": [area]}, colours)


def capacity(cpu: CpuByRole, heading: Heading, theme: ThemeName) -> Spec:
    """Where the host's CPU went in the window: one bar in core-seconds that ends at all that the host had."""
    colours = THEMES[theme]
    spent: dict[str, float] = dict(cpu.roles.items())
    spent |= {"unattributed": cpu.unattributed, "steal": cpu.steal, "idle": cpu.idle}
    roles = [role for role in _STACK if spent.get(role, 0) > 0]
    names = [_share(role, spent[role] / cpu.capacity) for role in roles]
    values: list[Spec] = [
        {"role": name, "used": spent[role], "order": order}
        for order, (role, name) in enumerate(zip(roles, names, strict=True))
    ]
    bar = layer(values, {"type": "bar", "height": 34}, None)
    axis = {"title": "core-seconds", "titleFontWeight": 500, "tickCount": 6, "grid": True}
    scale = {"domain": [0, cpu.capacity], "nice": False}
    used = {"field": "used", "type": "quantitative", "stack": "zero"}
    bar["encoding"] |= {"x": used | {"axis": axis, "scale": scale}, "order": {"field": "order"}}
    bar["encoding"] |= {"color": _by_role(roles, colours, names)}
    return framed(heading, {"width": WIDTH, "height": 44, "layer": [bar]}, colours)


def _rate_title(metric: Metric) -> str:
    return message("comma", first=named(key("metric", metric.name), metric.label), second=metric.unit)


def _share(role: str, share: float) -> str:
    return message("pictureRoleShare", role=named(key("role", role), role), percent=f"{100 * share:.1f}")


def _by_role(roles: Sequence[str], colours: Theme, names: Sequence[str] | None = None) -> Spec:
    """Roles by colour; `names` say more than the roles' own."""
    tints = [colours.roles.get(role, colours.line) for role in roles]
    scale = {"domain": [*(names or roles)], "range": tints}
    legend = {"title": None, "columns": 4}
    return {"field": "role", "type": "nominal", "scale": scale, "legend": legend}


def _time(seconds: float) -> Spec:
    axis = {"title": "seconds", "titleFontWeight": 500, "grid": False, "tickCount": 8}
    return {"type": "quantitative", "axis": axis, "scale": {"domain": [0, seconds], "nice": False}}


def value_axis(title: str) -> Spec:
    """The upright axis, from zero, of the field "y"."""
    axis = {"title": title, "titleFontWeight": 500, "grid": True, "domain": False, "ticks": False}
    axis |= {"tickCount": 4, "format": ",~r"}
    return {"field": "y", "type": "quantitative", "scale": {"zero": True, "nice": True}, "axis": axis}


def _last(samples: Sequence[Spec]) -> float:
    return max((float(sample["x"]) for sample in samples), default=1.0) or 1.0


def _thinned(points: Sequence[Spec]) -> list[Spec]:
    """At most MAX_POINTS: means over equal buckets, so that the area under a curve stays what it is."""
    if len(points) <= MAX_POINTS:
        return [*points]
    size = -(-len(points) // MAX_POINTS)
    return [_mean(points[start : start + size]) for start in range(0, len(points), size)]


def _mean(bucket: Sequence[Spec]) -> Spec:
    """The bucket's last time, since a reading holds for the time before it, and the means of all else."""
    means = {name: sum(p[name] for p in bucket) / len(bucket) for name in bucket[0] if name != "x"}
    return {"x": bucket[-1]["x"], **means}
