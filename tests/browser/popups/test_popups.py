"""Menus, lists, dialogs and tips of the pages in a real Chromium: their width, place and focus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Seeded
from tests.browser.program import run_program, served

PROGRAM = Path(__file__).parent / "popups.mjs"


def test_popups_of_some_pages(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, KNOWN=json.dumps(seeded.addresses))


@pytest.mark.full
def test_popups_of_every_page(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, KNOWN=json.dumps(seeded.addresses), EVERY="1")
