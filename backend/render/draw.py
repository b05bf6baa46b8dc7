"""`python -m backend.render.draw`: specifications as JSON on stdin, pictures as JSON on stdout.

One process per call: the JavaScript engine's memory is freed after each, and a slow one can be killed.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import vl_convert

VEGA_LITE = "5.21"
SCALE = 2.0
"""Pixels of a PNG per unit of the picture, for high-density screens."""


def draw(spec: dict[str, Any], form: str) -> bytes:
    """One picture: SVG text in UTF-8, or PNG."""
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    if form == "svg":
        return svg.encode()
    png: bytes = vl_convert.svg_to_png(svg, scale=SCALE)
    return png


def main() -> None:
    """Draw the requested pictures, in order."""
    wanted = json.load(sys.stdin)
    drawn = [base64.b64encode(draw(spec, wanted["form"])).decode() for spec in wanted["specs"]]
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    main()
