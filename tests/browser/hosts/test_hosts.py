"""Hosts, a group of runs and the usage in a real Chromium, with a host that joins as scripts/join does."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE
from tests.browser.hosts.seeded import seed
from tests.browser.program import run_program, served

PROGRAM = Path(__file__).parent / "hosts.mjs"


def test_hosts_and_groups(settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
        groups = seed(api, settings)
    with served(settings) as (base, _):
        known = {"GROUP": groups["ended"], "ACTIVE_GROUP": groups["active"]}
        run_program(PROGRAM, base, COOKIE=headers["Cookie"], **known)
