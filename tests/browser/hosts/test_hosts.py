"""Hosts, a group of runs and the usage in a real Chromium, with a host that joins as scripts/join does."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE
from tests.api.running import running
from tests.browser.hosts.seeded import seed
from tests.services import ROOT

LIMIT_S = 300


def test_hosts_and_groups(settings: Settings) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    node = shutil.which("node")
    if chromium is None or node is None:
        pytest.skip("no Chromium, or no node")
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.skip("the page is not built; scripts/test browser builds it")
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
        groups = seed(api, settings)
    changes = {"page_dir": ROOT / "frontend" / "dist"}
    given = Settings(**settings.model_dump(exclude_unset=True) | changes)
    with running(server_config(create_app(given), given)) as base:
        story = subprocess.run(
            [node, "--test", "--test-reporter=spec", str(Path(__file__).parent / "hosts.mjs")],
            env=os.environ
            | {
                "PLIMSOLL_URL": base,
                "CHROMIUM": chromium,
                "COOKIE": headers["Cookie"],
                "GROUP": groups["ended"],
                "ACTIVE_GROUP": groups["active"],
            },
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
    print(story.stdout)
    assert story.returncode == 0, story.stdout + story.stderr
