"""Glyphs of pictures: the fonts that are installed with the server have every character that it can draw."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path

from backend.core.export.pictures.frame import FONT
from backend.core.messages.catalog import TEMPLATES
from backend.core.messages.translation import CHINESE

FONTS = Path("/usr/share/fonts/truetype")
FILES = {"DejaVu Sans": "dejavu/DejaVuSans.ttf", "Droid Sans Fallback": "droid/DroidSansFallbackFull.ttf"}
"""The first two families of FONT, from the packages fonts-dejavu-core and fonts-droid-fallback."""


def characters(path: Path) -> set[int]:
    """The code points that a TrueType font has a glyph for (table "cmap", formats 4 and 12)."""
    data = path.read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    found = (struct.unpack_from(">4sIII", data, 12 + 16 * place) for place in range(tables))
    cmap = next(offset for tag, _, offset, _ in found if tag == b"cmap")
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    starts = {cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * place)[2] for place in range(count)}
    return {code for start in starts for code in _codes(data, start)}


def _codes(data: bytes, start: int) -> Iterator[int]:
    (form,) = struct.unpack_from(">H", data, start)
    if form == 4:
        (twice,) = struct.unpack_from(">H", data, start + 6)
        ends = struct.unpack_from(f">{twice // 2}H", data, start + 14)
        firsts = struct.unpack_from(f">{twice // 2}H", data, start + 16 + twice)
        for first, end in zip(firsts, ends, strict=True):
            yield from range(first, end + 1)
    elif form == 12:
        (groups,) = struct.unpack_from(">I", data, start + 12)
        for place in range(groups):
            first, end, _ = struct.unpack_from(">III", data, start + 16 + 12 * place)
            yield from range(first, end + 1)


def test_every_character_of_a_text_has_a_glyph() -> None:
    assert FONT.split(", ")[: len(FILES)] == list(FILES)
    known = {code for file in FILES.values() for code in characters(FONTS / file)}
    chinese = json.loads(CHINESE.read_text("utf-8"))
    pairs = [pair for texts in chinese.values() for pair in texts.values()]
    drawn = {
        char for text in (*TEMPLATES.values(), *(text for pair in pairs for text in pair)) for char in text
    }
    assert len(drawn) > 800 and {char for char in drawn if ord(char) not in known} == set()
