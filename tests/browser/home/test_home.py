"""Home of a server without any run in a real Chromium: the first thing that a new team sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM = Path(__file__).parent / "home.mjs"


def test_home_without_runs(settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    with served(settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=headers["Cookie"])
