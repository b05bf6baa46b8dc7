"""The colour's factor of a pivot: one colour and one shape a level, with their legend."""

from __future__ import annotations

from backend.core.export.colours import SHAPES, Theme
from backend.core.export.pictures.frame import Spec
from backend.core.export.pictures.pivot import Pivot


def shade_scales(found: Pivot, colours: Theme) -> Spec:
    """Colour and shape by the field "level", with one legend for both."""
    names = [shade.label for shade in found.shades]
    legend = {"title": None, "columns": 4}
    tints = [colours.series[shade.color % len(colours.series)] for shade in found.shades]
    shapes = [SHAPES[shade.shape % len(SHAPES)] for shade in found.shades]
    return {
        "color": {"field": "level", "type": "nominal", "legend": legend}
        | {"scale": {"domain": names, "range": tints}},
        "shape": {"field": "level", "type": "nominal", "legend": legend}
        | {"scale": {"domain": names, "range": shapes}},
    }
