"""The formats of an export: one row a format, and the function that writes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.model.chart_model import ChartModel
from backend.core.export.colours import THEMES
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_wide import csv_wide
from backend.core.export.document import document
from backend.core.export.go_benchmark import go_benchmark
from backend.core.export.html import Figure, report
from backend.core.export.markdown import markdown
from backend.core.export.pictures.frame import within_report
from backend.core.export.pictures.kinds import Picture, captions, spec
from backend.render import images

CLOSED: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of a file that a browser may open by itself: it loads and runs nothing."""


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
    return build_chart(data, complete=True)


def _svg(data: ChartInput, picture: Picture) -> bytes:
    return images.draw([spec(whole(data), picture)], "svg")[0]


def _png(data: ChartInput, picture: Picture) -> bytes:
    return images.draw([spec(whole(data), picture)], "png")[0]


def _json(data: ChartInput, _picture: Picture) -> bytes:
    return json.dumps(document(data, whole(data)), ensure_ascii=False, allow_nan=False).encode()


def _html(data: ChartInput, _picture: Picture) -> bytes:
    """Dots of the first metric and, where the run has them, the other kinds; each in both themes."""
    model = whole(data)
    said = dict(captions(model))
    pictures = [Picture(kind=kind, theme=theme) for kind in said for theme in THEMES]
    specs = [within_report(spec(model, picture), model) for picture in pictures]
    drawn = [svg.decode() for svg in images.draw(specs, "svg")]
    figures = [
        Figure(caption, light, dark)
        for caption, light, dark in zip(said.values(), drawn[::2], drawn[1::2], strict=True)
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
    "html": Format("html", "text/html; charset=utf-8", _html, inline=True, policy=CLOSED),
    "svg": Format("svg", "image/svg+xml", _svg, inline=True, policy=CLOSED),
    "png": Format("png", "image/png", _png, inline=True),
}
"""Every format by the name in its address."""
