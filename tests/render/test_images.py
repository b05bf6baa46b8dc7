"""Pictures drawn by vl-convert: their content, and every limit."""

from __future__ import annotations

import html
import re
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from backend.core.chart.build import build_chart
from backend.core.errors import Unavailable
from backend.core.export.pictures.dots import dots
from backend.core.export.pictures.kinds import Picture, spec
from backend.core.export.pictures.roles import roles
from backend.render import images
from tests.core.chart.runs import made_up, study_experiment
from tests.core.export.runs import HOSTILE, hostile_run

CHINESE = "代理的代价"


def glyph(char: str) -> bytes:
    """The pixels of a picture that holds one character and nothing else."""
    spec: dict[str, Any] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": 40,
        "height": 40,
        "data": {"values": [{}]},
        "mark": {"type": "text", "text": char, "fontSize": 30},
        "config": {"font": "DejaVu Sans, Droid Sans Fallback", "view": {"stroke": None}},
    }
    return pixels(images.draw([spec], "png")[0])


def pixels(png: bytes) -> bytes:
    """The unpacked image data of a PNG."""
    found, place = b"", 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            found += png[place + 8 : place + 8 + length]
        place += 12 + length
    return zlib.decompress(found)


def test_a_chinese_title_is_kept_as_text_and_drawn_with_its_glyphs() -> None:
    model = build_chart(made_up(study_experiment(title=CHINESE)), complete=True)
    svg = images.draw([dots(model, "tps", "light")], "svg")[0].decode()
    assert CHINESE in svg
    drawn = {glyph(char) for char in (*CHINESE[:2], "\U0010fffd")}
    assert len(drawn) == 3, "two characters and one that no font has: three different pictures"


def test_svg_holds_no_script_no_link_and_no_id() -> None:
    model = build_chart(hostile_run(), complete=True)
    for theme in ("light", "dark"):
        for svg in images.draw([dots(model, "tps", theme), roles(model, theme)], "svg"):
            text = svg.decode()
            assert text.startswith("<svg") and "<script" not in text
            assert not re.search(r'<[^>]*\s(on\w+|\S*href|id|style)="', text)
            assert "&lt;script&gt;" in text and HOSTILE.split()[-2] in text


def test_long_names_are_drawn_up_to_where_they_differ() -> None:
    """Vega cuts at the right what is wider than its limit, where these names differ."""
    cpus = [f"0-1,2-3,4-5,6-7,8-9,10-11,12-13,14-15,16-{last}" for last in (17, 18)]
    factors = {"path": ["same_container", "published_host_address"], "client_cpuset": cpus}
    base = {"path": "same_container", "client_cpuset": cpus[0]}
    experiment = study_experiment(study=None, rounds=2, factors=factors, baseline=base)
    model = build_chart(made_up(experiment), complete=True)
    pictures = [Picture(kind=kind) for kind in ("dots", "roles", "ladder")]
    pictures += [Picture(kind=kind, rows="path", columns="client_cpuset") for kind in ("heatmap", "facets")]
    pictures.append(Picture(kind="heatmap", rows="client_cpuset", columns="path"))
    specs = [spec(model, picture) for picture in pictures]
    for found, svg in zip(specs, images.draw(specs, "svg"), strict=True):
        drawn = {html.unescape(text) for text in re.findall(r">([^<>]+)<", svg.decode())}
        lines = set(_texts(found))
        assert len(lines) > 1 and lines <= drawn, lines - drawn


def _texts(part: Any) -> Iterator[str]:
    """Every line of every text mark's values."""
    if isinstance(part, dict) and part.get("mark", {}).get("type") == "text":
        for row in part["data"]["values"]:
            yield from row["text"] if isinstance(row["text"], list) else [row["text"]]
    elif isinstance(part, dict):
        for name in ("layer", "hconcat", "vconcat", "concat"):
            yield from (text for each in part.get(name, ()) for text in _texts(each))


def test_png_is_twice_as_dense() -> None:
    model = build_chart(made_up(), complete=True)
    svg = images.draw([dots(model, "tps", "light")], "svg")[0].decode()
    png = images.draw([dots(model, "tps", "light")], "png")[0]
    assert png.startswith(b"\x89PNG")
    width = float(svg.split('width="')[1].split('"')[0])
    assert abs(struct.unpack(">I", png[16:20])[0] - 2 * width) <= 2


def test_a_drawing_beyond_the_time_limit_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(images, "LIMIT_S", 0.2)
    with pytest.raises(Unavailable, match=r"longer than 0\.2 s"):
        images.draw([{}], "svg")


def test_an_invalid_picture_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="could not be drawn") as refused:
        images.draw([{"mark": "nonsense"}], "svg")
    assert "nonsense" not in str(refused.value)


def test_the_number_of_waiting_drawings_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.BoundedSemaphore(1)
    monkeypatch.setattr(images, "_waiting", gate)
    with gate, pytest.raises(Unavailable, match="too many"):
        images.draw([{}], "svg")
    monkeypatch.setattr(images, "_drawing", threading.BoundedSemaphore(1))
    assert images.draw([], "svg") == []
