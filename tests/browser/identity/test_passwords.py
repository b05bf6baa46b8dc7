"""Passwords in a real Chromium: invitation, sign-in, pause after wrong ones, reset by a one-time link."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.running import running
from tests.services import ROOT

EMAIL = "grace@example.org"
PASSWORD, NEW_PASSWORD = "violet anvil under seven moons", "copper lantern, nine quiet rivers"
LIMIT_S = 300


def test_people_choose_and_reset_passwords(settings: Settings) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    node = shutil.which("node")
    if chromium is None or node is None:
        pytest.skip("no Chromium, or no node")
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.skip("the page is not built; scripts/test browser builds it")
    listener = socket.create_server(("127.0.0.1", 0))
    changed = {"page_dir": ROOT / "frontend" / "dist", "port": listener.getsockname()[1]}
    given = Settings(**settings.model_dump(exclude_unset=True) | changed)
    admin = browser_headers(given, add_account(given, installation_admin=True))
    with running(server_config(create_app(given), given), listener=listener) as base:
        story = subprocess.run(
            [node, "--test", "--test-reporter=spec", str(Path(__file__).parent / "passwords.mjs")],
            env=os.environ
            | {
                "PLIMSOLL_URL": base,
                "CHROMIUM": chromium,
                "ADMIN_HEADERS": json.dumps(admin),
                "EMAIL": EMAIL,
                "PASSWORD": PASSWORD,
                "NEW_PASSWORD": NEW_PASSWORD,
            },
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
    print(story.stdout)
    assert story.returncode == 0, story.stdout + story.stderr
