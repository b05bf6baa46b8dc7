"""The page of a new experiment in a real Chromium: clicks, keys, the bar that stays, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.core.definition.catalog import PATH_NAMES
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, start_run
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM: Final = Path(__file__).parent / "experiments.mjs"
HOSTS: Final = ("bench-1", "bench-2")
TITLE: Final = "השוואת נתיבים (docker-proxy) مقارنة المسارات 2 < 3!"


def test_new_experiments(settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
        known = _seed(api, settings)
    with served(settings) as (base, _):
        run_program(PROGRAM, base, COOKIE=headers["Cookie"], KNOWN=json.dumps(known))


def _seed(api: TestClient, settings: Settings) -> dict[str, Any]:
    """Two hosts that support every path, a run of all of them, and stored experiments with many cells and a
    hostile title."""
    worker = Worker(settings)
    for name in HOSTS:
        worker.announce(name, paths=list(PATH_NAMES), engines=["on", "off", "host"], cores=8)
    presets = {each["name"]: each["definition"] for each in api.get("/api/v1/presets").json()["data"]}
    every_path = start_run(api, presets["host-paths-quick"], host=HOSTS[-1])["id"]
    worker.finish()
    local = [name for name in PATH_NAMES if not name.endswith("_remote") and not name.startswith("overlay")]
    many = {
        "name": "many",
        "title": TITLE,
        "factors": {"path": local[:10], "clients": [*range(1, 26)], "userland_proxy": [True, False]},
        "baseline": {"path": local[0], "clients": 1, "userland_proxy": True},
    }
    stored = {
        name: api.post("/api/v1/experiments", json=DOCUMENT | document).raise_for_status().json()["id"]
        for name, document in {"many": many, "small": {"name": "small"}}.items()
    }
    return {"experiments": stored, "title": TITLE, "paths": len(PATH_NAMES), "everyPath": every_path}
