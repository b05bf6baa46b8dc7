"""The trials of a cell over their time as Vega-Lite: rate above CPU, the warm-up shaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from backend.core.chart.cell_series.series_models import CellSeries, SeriesTrial
from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import Invalid
from backend.core.export.colours import THEMES, Theme, ThemeName
from backend.core.export.pictures.frame import Spec, axis_title, framed, layer, of_run, with_values
from backend.core.messages.message import joined, message

KIND: Final = "series"
WIDTH: Final = 560
HEIGHT: Final = 190
_ROLE_ALL: Final = "all"


def cell_series(model: ChartModel, series: CellSeries, role: str, theme: ThemeName) -> Spec:
    """The picture of one cell; `role` is that whose CPU is drawn, "" for the sum of all.

    Raises Invalid where the cell has nothing over time, or no CPU of this role.
    """
    role = role or _ROLE_ALL
    if role != _ROLE_ALL and role not in series.cpu:
        detail = f"cell {series.cell_id} has CPU over time of {', '.join(series.cpu) or 'no role'}"
        raise Invalid.at("/role", "unknown_role", detail)
    panels = list(_panels(series, role, THEMES[theme]))
    if not panels:
        detail = f"no trial of cell {series.cell_id} has a rate or CPU over time; use kind=dots"
        raise Invalid.at("/kind", "no_series", detail)
    about = message("pictureSeries", cell=series.label, count=len(series.trials))
    unused = any(not trial.used for trial in series.trials)
    grey = message("pictureSeriesUnused") if unused else ""
    seconds = f"{series.warm_up_s:g}"
    warm_up = message("pictureSeriesWarmUp", seconds=seconds) if series.warm_up_s else ""
    lines = [joined((about, warm_up, grey))]
    return framed(of_run(model, lines), {"vconcat": panels, "spacing": 24}, THEMES[theme])


def _panels(series: CellSeries, role: str, colours: Theme) -> Iterator[Spec]:
    if series.rate is not None:
        rows = [row for trial in series.trials for row in _rates(trial)]
        yield _panel(series, series.rate, rows, colours)
    if role in series.cpu:
        rows = [row for trial in series.trials for row in _cpu(trial, role)]
        yield _panel(series, series.cpu[role], rows, colours)


def _rates(trial: SeriesTrial) -> Iterator[Spec]:
    """Warm-up and window are two loads, so that no line joins them."""
    for part, points in (("warm-up", trial.warm_up), ("window", trial.rate)):
        for t, value in zip(points.t, points.values, strict=True):
            yield _row(trial, part, t, value)


def _cpu(trial: SeriesTrial, role: str) -> Iterator[Spec]:
    for t, value in zip(trial.cpu.t, trial.cpu.cores.get(role, ()), strict=False):
        yield _row(trial, "window", t, value)


def _row(trial: SeriesTrial, part: str, t: float, value: float) -> Spec:
    return {"x": t, "y": value, "line": f"{trial.round} {part}", "used": trial.used}


def _panel(series: CellSeries, axis: Axis, rows: Sequence[Spec], colours: Theme) -> Spec:
    x: Spec = {"type": "quantitative", "scale": {"domain": [0, series.seconds], "nice": False}}
    x |= {"axis": {"title": message("pictureSinceLoad"), "grid": False, "tickCount": 8}}
    title = {"title": axis_title(axis), "grid": True, "tickCount": 4, "titleLimit": 260, "format": ",~r"}
    scale = {"domain": list(axis.domain), "nice": False}
    y: Spec = {"field": "y", "type": "quantitative", "scale": scale, "axis": title}
    layers = [
        layer(_shade(series), {"type": "rect", "color": colours.line, "opacity": 0.6}, x),
        *(_lines(rows, used, x, y, colours) for used in (True, False)),
    ]
    layers[0]["encoding"]["x2"] = {"field": "x2"}
    return {"width": WIDTH, "height": HEIGHT, "layer": with_values(layers)}


def _shade(series: CellSeries) -> list[Spec]:
    return [{"x": 0, "x2": series.warm_up_s}] if series.warm_up_s > 0 else []


def _lines(rows: Sequence[Spec], used: bool, x: Spec, y: Spec, colours: Theme) -> Spec:
    mark: Spec = {"type": "line", "strokeWidth": 1.25, "opacity": 0.75}
    mark |= {"color": colours.series[0]} if used else {"color": colours.ink_2, "strokeDash": [4, 3]}
    drawn = layer([row for row in rows if row["used"] is used], mark, x, y)
    drawn["encoding"]["detail"] = {"field": "line", "type": "nominal"}
    return drawn
