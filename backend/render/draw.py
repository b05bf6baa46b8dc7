"""`python -m backend.render.draw`: specifications as JSON on stdin, pictures as JSON on stdout.

One process per call: the JavaScript engine's memory is freed after each, and a slow one can be killed.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import vl_convert

from backend.core.export.pictures.card_svg import Card, composed

VEGA_LITE = "5.21"
SCALE = 2.0
"""Pixels of a PNG per unit of the picture, for high-density screens."""


def draw(spec: dict[str, Any], form: str, card: Card | None = None) -> bytes:
    """One picture: SVG text in UTF-8, or PNG; with a card, the picture is below its texts."""
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    if card is not None:
        svg = composed(svg, card)
    if form == "svg":
        return svg.encode()
    png: bytes = vl_convert.svg_to_png(svg, scale=SCALE if card is None else 1.0)
    return png


def main() -> None:
    """Draw the requested pictures, in order."""
    wanted = json.load(sys.stdin)
    card = Card.read(wanted["card"]) if wanted["card"] else None
    drawn = [base64.b64encode(draw(spec, wanted["form"], card)).decode() for spec in wanted["specs"]]
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    main()
