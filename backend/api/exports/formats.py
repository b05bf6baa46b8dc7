"""The formats of an export: one row a format, and the function that writes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from backend.core.chart.build import build_chart
from backend.core.chart.inputs import ChartInput
from backend.core.chart.model import ChartModel
from backend.core.errors import Invalid
from backend.core.export import vega, vega_knee, vega_ladder
from backend.core.export.colours import THEMES, ThemeName
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_wide import csv_wide
from backend.core.export.document import document
from backend.core.export.go_benchmark import go_benchmark
from backend.core.export.html import Figure, report
from backend.core.export.markdown import markdown
from backend.core.export.vega_frame import Spec
from backend.render import images

_CLOSED = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
KINDS: Final = ("dots", "roles", "ladder", "knee")
_LADDERLESS = (
    "this run has no ladder; it takes at least two measured cells that differ in nothing but path and proxy, "
    "so vary path or userland_proxy, or ask for kind=dots"
)
_KNEELESS = (
    "this run has no knee; sweep rate with a latency_limit_ms, or clients with a new connection for each "
    "transaction, or ask for kind=dots"
)


@dataclass(frozen=True)
class Picture:
    """What a picture shows: a metric of the run ("" is its first), the kind of chart, the theme."""

    metric: str = ""
    kind: str = "dots"
    theme: str = "light"


@dataclass(frozen=True)
class Format:
    """One format. `policy` is the Content-Security-Policy of what a browser may open by itself."""

    extension: str
    media: str
    write: Callable[[ChartInput, Picture], bytes]
    inline: bool = False
    policy: str = ""


def whole(data: ChartInput) -> ChartModel:
    """The ChartModel with nothing left out, however large the run."""
    return build_chart(data, whole=True)


def spec(model: ChartModel, picture: Picture) -> Spec:
    """The picture's specification. Raises Invalid naming the parameter that is not possible."""
    metrics = [axis.metric for axis in model.axes]
    metric = picture.metric or metrics[0]
    themes: dict[str, ThemeName] = {name: name for name in THEMES}
    for name, given, possible in (
        ("metric", metric, metrics),
        ("kind", picture.kind, KINDS),
        ("theme", picture.theme, tuple(themes)),
    ):
        if given not in possible:
            raise Invalid.at(f"/{name}", f"unknown_{name}", f"{name} is one of {', '.join(possible)}")
    if picture.kind == "ladder" and not model.ladders:
        raise Invalid.at("/kind", "no_ladder", _LADDERLESS)
    if picture.kind == "knee" and not model.knees:
        raise Invalid.at("/kind", "no_knee", _KNEELESS)
    theme = themes[picture.theme]
    drawn: dict[str, Callable[[], Spec]] = {
        "dots": lambda: vega.dots(model, metric, theme),
        "roles": lambda: vega.roles(model, theme),
        "ladder": lambda: vega_ladder.ladder(model, theme),
        "knee": lambda: vega_knee.knee(model, theme),
    }
    return drawn[picture.kind]()


def _svg(data: ChartInput, picture: Picture) -> bytes:
    return images.draw([spec(whole(data), picture)], "svg")[0]


def _png(data: ChartInput, picture: Picture) -> bytes:
    return images.draw([spec(whole(data), picture)], "png")[0]


def _json(data: ChartInput, _picture: Picture) -> bytes:
    return json.dumps(document(data, whole(data)), ensure_ascii=False, allow_nan=False).encode()


def _captions(model: ChartModel) -> Iterator[tuple[str, str]]:
    """The kinds that this run has a picture of, each with what is drawn."""
    first = model.axes[0]
    yield "dots", f"{first.label}, {first.unit}: every trial, median and 95 % interval of each cell."
    if any(cell.cpu for cell in model.cells):
        yield "roles", "CPU of the host by role, in cores, medians over the trials."
    if model.ladders:
        yield "ladder", "Price of each hop: paired by round, with 95 % intervals."
    if model.knees:
        yield "knee", f"Where each sweep bends: medians with 95 % intervals. {vega_knee.legend(model.knees)}"


def _html(data: ChartInput, _picture: Picture) -> bytes:
    """Dots of the first metric and, where the run has them, the other kinds; each in both themes."""
    model = whole(data)
    captions = dict(_captions(model))
    pictures = [Picture(kind=kind, theme=theme) for kind in captions for theme in THEMES]
    # The report has its own heading, so that its pictures need none.
    specs = [{k: v for k, v in spec(model, picture).items() if k != "title"} for picture in pictures]
    drawn = [svg.decode() for svg in images.draw(specs, "svg")]
    figures = [
        Figure(caption, light, dark)
        for caption, light, dark in zip(captions.values(), drawn[::2], drawn[1::2], strict=True)
    ]
    return report(model, figures).encode()


FORMATS: Final[dict[str, Format]] = {
    "benchstat": Format("txt", "text/plain; charset=utf-8", lambda data, _: go_benchmark(data).encode()),
    "csv-long": Format("csv", "text/csv; charset=utf-8", lambda data, _: csv_long(data).encode()),
    "csv-wide": Format("csv", "text/csv; charset=utf-8", lambda data, _: csv_wide(whole(data)).encode()),
    "json": Format("json", "application/json", _json),
    "markdown": Format(
        "md", "text/markdown; charset=utf-8", lambda data, _: markdown(whole(data)).encode(), inline=True
    ),
    "html": Format("html", "text/html; charset=utf-8", _html, inline=True, policy=_CLOSED),
    "svg": Format("svg", "image/svg+xml", _svg, inline=True, policy=_CLOSED),
    "png": Format("png", "image/png", _png, inline=True),
}
"""Every format by the name in its address."""
