"""Passwords in a real Chromium: invitation, sign-in, pause after wrong ones, reset by a one-time link."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM = Path(__file__).parent / "passwords.mjs"
EMAIL = "grace@example.org"
PASSWORD, NEW_PASSWORD = "violet anvil under seven moons", "copper lantern, nine quiet rivers"


def test_people_choose_and_reset_passwords(settings: Settings) -> None:
    # The links of the server have its port.
    with served(settings, socket.create_server(("127.0.0.1", 0))) as (base, given):
        admin = browser_headers(given, add_account(given, installation_admin=True))
        run_program(
            PROGRAM,
            base,
            ADMIN_HEADERS=json.dumps(admin),
            EMAIL=EMAIL,
            PASSWORD=PASSWORD,
            NEW_PASSWORD=NEW_PASSWORD,
        )
