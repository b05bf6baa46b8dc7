"""`python -m backend.render.draw`: specifications as JSON on stdin, pictures as JSON on stdout.

A process a call: it holds the JavaScript engine's memory no longer than it draws, and can be ended.
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import vl_convert

VEGA_LITE = "5.21"
SCALE = 2.0
"""Pixels of a PNG for each of the picture's own: sharp on dense screens."""


def draw(spec: dict[str, Any], form: str) -> bytes:
    """One picture: SVG text in UTF-8, or PNG."""
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    if form == "svg":
        return svg.encode()
    png: bytes = vl_convert.svg_to_png(svg, scale=SCALE)
    return png


def main() -> None:
    """Draw all that was asked for, in order."""
    wanted = json.load(sys.stdin)
    drawn = [base64.b64encode(draw(spec, wanted["form"])).decode() for spec in wanted["specs"]]
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    main()
