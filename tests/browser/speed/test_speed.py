"""Requests until the first chart and shifts of the layout in a real Chromium; times are in scripts/bench."""

from __future__ import annotations

import json
import re
from pathlib import Path

from scripts.benchmark.page import first_view
from tests.browser.conftest import Seeded
from tests.browser.program import built_page, run_program, served

PROGRAM = Path(__file__).parent / "speed.mjs"
FIRST_VIEW_KB = 170
"""JavaScript of the first view, gzipped."""


def test_requests_and_layout_shift(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, KNOWN=json.dumps(seeded.addresses))


def test_the_size_of_the_first_view() -> None:
    page = built_page()
    assert re.search(r'src="/assets/index-', (page / "index.html").read_text(encoding="utf-8"))
    assert 100 < first_view(page)["first_view_kb_gzipped"] <= FIRST_VIEW_KB
