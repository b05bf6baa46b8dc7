"""The kinds of picture, and the specification of a requested one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from backend.core.chart.model.cell_models import Axis
from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import Invalid
from backend.core.export.colours import ThemeName, theme_named
from backend.core.export.pictures.dots import dots
from backend.core.export.pictures.facets import facets
from backend.core.export.pictures.frame import Spec
from backend.core.export.pictures.heatmap import heatmap
from backend.core.export.pictures.joint import joint
from backend.core.export.pictures.knee import knee, legend
from backend.core.export.pictures.ladder import ladder
from backend.core.export.pictures.pivot import ROLES, factor_roles, varied_factors
from backend.core.export.pictures.roles import UNITS, roles
from backend.core.messages.language import Language
from backend.core.messages.message import key, message, named

SCALES: Final = ("same", "own")
_NAMED_BY_DOTS: Final = 2
"""The number of factors in the names of the dots' rows: row and series."""
_PIVOTS: Final = ("heatmap", "facets")
_LANES: Final = ("joint", "dots", "roles")
_CPULESS = (
    "this run has no CPU by role: no trial has been measured yet, or it was imported without "
    "CPU; use kind=dots"
)
_LADDERLESS = (
    "this run has no ladder; at least two measured cells must differ in path or proxy only; "
    "vary path or userland_proxy, or use kind=dots"
)
_KNEELESS = (
    "this run has no knee; sweep rate with a latency_limit_ms, or clients with a new connection for each "
    "transaction, or use kind=dots"
)


@dataclass(frozen=True)
class Picture:
    """What a picture shows: a metric of the run ("" is its first), the kind of chart, theme and language.

    `unit` is for roles, `cells` for joint, dots and roles: ids between commas, "" for all of them; for
    series: one id, "" for the first cell. `role` is for series: whose CPU, "" for the sum. `ladder` is for
    ladder: the id of the cell that it begins with, "" for all ladders. The rest is for heatmap and facets:
    the factor of each role ("" for the page's default, "none" for none), and for facets whether all charts
    have the "same" scale or each its "own".
    """

    metric: str = ""
    kind: str = "dots"
    theme: str = "light"
    rows: str = ""
    columns: str = ""
    panels: str = ""
    color: str = ""
    scale: str = "same"
    unit: str = "cores"
    cells: str = ""
    ladder: str = ""
    role: str = ""
    language: Language = "en"


_Draw = Callable[[ChartModel, Picture, Axis, ThemeName], Spec]

_DRAWN: Final[dict[str, _Draw]] = {
    "joint": lambda model, wanted, axis, theme: joint(model, axis.metric, theme, _ids(wanted)),
    "dots": lambda model, wanted, axis, theme: dots(model, axis.metric, theme, _ids(wanted)),
    "roles": lambda model, wanted, _, theme: roles(model, theme, wanted.unit, _ids(wanted)),
    "ladder": lambda model, wanted, _, theme: ladder(model, theme, wanted.ladder),
    "knee": lambda model, _, __, theme: knee(model, theme),
    "heatmap": lambda model, wanted, axis, theme: heatmap(
        model, factor_roles(model, _places(wanted)), axis, theme
    ),
    "facets": lambda model, wanted, axis, theme: facets(
        model, factor_roles(model, _places(wanted)), axis, wanted.scale == "same", theme
    ),
}
KINDS: Final = tuple(_DRAWN)


def spec(model: ChartModel, picture: Picture) -> Spec:
    """The picture's specification. Raises Invalid naming the parameter that is not possible."""
    axes = {axis.metric: axis for axis in model.axes}
    metric = picture.metric or next(iter(axes))
    theme = theme_named(picture.theme)
    for name, given, possible in (
        ("metric", metric, (*axes,)),
        ("kind", picture.kind, KINDS),
        ("scale", picture.scale, SCALES),
        ("unit", picture.unit, UNITS),
    ):
        if given not in possible:
            raise Invalid.at(f"/{name}", f"unknown_{name}", f"{name} is one of {', '.join(possible)}")
    if picture.kind not in _PIVOTS:
        for name, given in _places(picture).items():
            if given:
                raise Invalid.at(f"/{name}", "no_place", f"{name} is for kind {' and '.join(_PIVOTS)}")
    if picture.kind not in _LANES and picture.cells:
        raise Invalid.at("/cells", "no_lanes", f"cells is for kind {' and '.join(_LANES)}")
    if picture.kind == "roles" and not any(cell.cpu for cell in model.cells):
        raise Invalid.at("/kind", "no_cpu", _CPULESS)
    if picture.kind == "ladder" and not model.ladders:
        raise Invalid.at("/kind", "no_ladder", _LADDERLESS)
    if picture.ladder:
        _known_ladder(model, picture)
    if picture.kind == "knee" and not model.knees:
        raise Invalid.at("/kind", "no_knee", _KNEELESS)
    return _DRAWN[picture.kind](model, picture, axes[metric], theme)


def _known_ladder(model: ChartModel, picture: Picture) -> None:
    """Raises Invalid where a ladder is named that is not there, or for another kind."""
    if picture.kind != "ladder":
        raise Invalid.at("/ladder", "no_ladder", "ladder is for kind ladder")
    bases = [each.base_id for each in model.ladders]
    if picture.ladder not in bases:
        detail = f"ladder is the first cell of one: {', '.join(bases)}; all ladders if empty"
        raise Invalid.at("/ladder", "unknown_ladder", detail)


def _ids(picture: Picture) -> tuple[str, ...]:
    return tuple(filter(None, (id_.strip() for id_ in picture.cells.split(","))))


def _places(picture: Picture) -> dict[str, str]:
    factors = {"rows": picture.rows, "columns": picture.columns}
    factors |= {"panels": picture.panels, "color": picture.color}
    return {name: factors[name] for name in ROLES}


def captions(model: ChartModel) -> Iterator[tuple[str, str]]:
    """The kinds that a report of this run shows, each with what is drawn."""
    first = model.axes[0]
    metric = named(key("metric", first.metric), first.label)
    has_cpu = any(cell.cpu for cell in model.cells)
    if has_cpu:
        yield "joint", message("captionJoint", metric=metric, unit=first.unit)
    yield "dots", message("captionDots", metric=metric, unit=first.unit)
    if has_cpu:
        yield "roles", message("captionRoles")
    if len(varied_factors(model)) > _NAMED_BY_DOTS:
        yield "heatmap", message("captionHeatmap", metric=metric)
    if model.ladders:
        yield "ladder", message("captionLadder")
    if model.knees:
        yield "knee", message("captionKnee", marks=legend(model.knees))
