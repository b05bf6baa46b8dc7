"""The API page in a real Chromium: the viewer under the page's policy, an operation that is tried, axe."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Seeded
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM = Path(__file__).parent / "api_docs.mjs"


def test_the_api_page(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie)
