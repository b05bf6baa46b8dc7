"""Menus, lists, dialogs and tips of the pages in a real Chromium: their width, place and focus."""

from __future__ import annotations

import json
from pathlib import Path

from tests.browser.conftest import Seeded
from tests.browser.program import run_program, served

PROGRAM = Path(__file__).parent / "popups.mjs"
"""By hand, EVERY=1 takes every route at three widths and in both themes, in more than ten minutes."""


def test_popups_of_some_pages(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, KNOWN=json.dumps(seeded.addresses))
