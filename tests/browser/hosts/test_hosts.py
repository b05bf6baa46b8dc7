"""Hosts, a group of runs and the usage in a real Chromium, with a host that joins as scripts/join does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Seeded
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM = Path(__file__).parent / "hosts.mjs"


def test_hosts_and_groups(seeded: Seeded) -> None:
    groups = {"GROUP": seeded.addresses["groupId"], "ACTIVE_GROUP": seeded.addresses["activeGroupId"]}
    with served(seeded.settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=seeded.cookie, **groups)
