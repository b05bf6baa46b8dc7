"""The export formats and their writers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.panels.build_panels import build_panels
from backend.core.export.colours import THEMES, theme_named
from backend.core.export.csv_long import csv_long
from backend.core.export.csv_wide import csv_wide
from backend.core.export.document import document
from backend.core.export.go_benchmark import go_benchmark
from backend.core.export.html import Figure, report
from backend.core.export.markdown import markdown
from backend.core.export.pictures.frame import Spec, within_report
from backend.core.export.pictures.kinds import Picture, captions, spec
from backend.core.export.pictures.panels import PANEL_KINDS, panel_picture
from backend.core.export.printed_report import RunFacts, printed_report
from backend.render import images

CLOSED: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of a file that a browser may show: it loads and runs nothing."""


@dataclass(frozen=True)
class Format:
    """One format; `policy` is its Content-Security-Policy, if a browser may show it."""

    extension: str
    media: str
    write: Callable[[ChartInput, Picture, RunFacts], bytes]
    inline: bool = False
    policy: str = ""

    @property
    def is_picture(self) -> bool:
        """Whether it is one picture."""
        return self.media.startswith("image/")


def full_chart(data: ChartInput) -> ChartModel:
    """The ChartModel without size limits."""
    return build_chart(data, complete=True)


def _spec(data: ChartInput, picture: Picture) -> Spec:
    if picture.kind in PANEL_KINDS:
        theme = theme_named(picture.theme)
        return panel_picture(full_chart(data), build_panels(data), picture.kind, theme, picture.metric)
    return spec(full_chart(data), picture)


def _svg(data: ChartInput, picture: Picture, _about: RunFacts) -> bytes:
    return images.draw([_spec(data, picture)], "svg")[0]


def _png(data: ChartInput, picture: Picture, _about: RunFacts) -> bytes:
    return images.draw([_spec(data, picture)], "png")[0]


def _json(data: ChartInput, _picture: Picture, _about: RunFacts) -> bytes:
    return json.dumps(document(data, full_chart(data)), ensure_ascii=False, allow_nan=False).encode()


def _html(data: ChartInput, _picture: Picture, _about: RunFacts) -> bytes:
    """The report, with every kind of picture that applies to the run, each in both themes."""
    model = full_chart(data)
    captions_by_kind = dict(captions(model))
    pictures = [Picture(kind=kind, theme=theme) for kind in captions_by_kind for theme in THEMES]
    specs = [within_report(spec(model, picture), model) for picture in pictures]
    drawn = [svg.decode() for svg in images.draw(specs, "svg")]
    figures = [
        Figure(caption, light, dark)
        for caption, light, dark in zip(captions_by_kind.values(), drawn[::2], drawn[1::2], strict=True)
    ]
    return report(model, figures).encode()


def _report(data: ChartInput, picture: Picture, about: RunFacts) -> bytes:
    """The report for paper, with every kind of picture that applies to the run, in the light theme."""
    model = full_chart(data)
    captions_by_kind = dict(captions(model))
    specs = [within_report(spec(model, Picture(kind=kind)), model) for kind in captions_by_kind]
    drawn = [svg.decode() for svg in images.draw(specs, "svg")]
    figures = [
        Figure(caption, svg, "") for caption, svg in zip(captions_by_kind.values(), drawn, strict=True)
    ]
    digest = hashlib.sha256(_json(data, picture, about)).hexdigest()
    return printed_report(model, data, figures, about, digest).encode()


FORMATS: Final[dict[str, Format]] = {
    "benchstat": Format("txt", "text/plain; charset=utf-8", lambda data, *_: go_benchmark(data).encode()),
    "csv-long": Format("csv", "text/csv; charset=utf-8", lambda data, *_: csv_long(data).encode()),
    "csv-wide": Format(
        "csv", "text/csv; charset=utf-8", lambda data, *_: csv_wide(full_chart(data)).encode()
    ),
    "json": Format("json", "application/json", _json),
    "markdown": Format(
        "md",
        "text/markdown; charset=utf-8",
        lambda data, *_: markdown(full_chart(data)).encode(),
        inline=True,
    ),
    "html": Format("html", "text/html; charset=utf-8", _html, inline=True, policy=CLOSED),
    "report": Format("html", "text/html; charset=utf-8", _report, inline=True, policy=CLOSED),
    "svg": Format("svg", "image/svg+xml", _svg, inline=True, policy=CLOSED),
    "png": Format("png", "image/png", _png, inline=True),
}
"""The formats by the name in the URL."""
