"""Every page in a real Chromium: axe, width, headings, message ids and console, in themes and languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Seeded
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM = Path(__file__).parent / "pages.mjs"


def test_every_page(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, KNOWN=json.dumps(seeded.addresses))
