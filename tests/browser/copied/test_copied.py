"""What the page copies for curl and Python, run in a shell against the API that serves the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.browser.conftest import Seeded
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM: Final = Path(__file__).parent / "copied.mjs"


def test_copied_commands(seeded: Seeded) -> None:
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, KNOWN=json.dumps(seeded.addresses))
