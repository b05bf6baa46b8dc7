"""Every page in a real Chromium: axe, width, headings, message ids and console, in themes and languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.settings import Settings
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE
from tests.browser.hosts.seeded import NAMES, seed
from tests.browser.program import run_program, served

PROGRAM = Path(__file__).parent / "pages.mjs"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page(settings: Settings, language: str) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
        known = _addresses(api, seed(api, settings))
    with served(settings) as (base, _):
        run_program(
            PROGRAM,
            base,
            COOKIE=headers["Cookie"],
            KNOWN=json.dumps(known),
            ONLY_LANGUAGE=language,
        )


def _addresses(api: TestClient, groups: dict[str, str]) -> dict[str, str]:
    """The ids in addresses: of finished and active runs, a trial, an experiment, groups and links."""
    ended, active = (
        [
            each["run_id"]
            for each in api.get(f"/api/v1/run-groups/{group}").raise_for_status().json()["members"]
        ]
        for group in (groups["ended"], groups["active"])
    )
    run = api.get(f"/api/v1/runs/{ended[0]}").raise_for_status().json()
    trial = api.get(f"/api/v1/runs/{run['id']}/trials").raise_for_status().json()["data"][0]
    private, posted = (
        api.post(f"/api/v1/runs/{run['id']}/shares", json={"kind": kind}).raise_for_status().json()["token"]
        for kind in ("private", "unfurl")
    )
    schedule = api.post(
        f"/api/v1/experiments/{run['experiment_id']}/schedules",
        json={"cron": "0 2 * * *", "time_zone": "UTC", "hosts": [NAMES[-1]]},
    )
    return {
        "scheduleId": schedule.raise_for_status().json()["id"],
        "runId": run["id"],
        "cellId": trial["cell_id"],
        "round": str(trial["round"]),
        "trialId": trial["id"],
        "otherRunId": ended[1],
        "activeRunId": active[0],
        "groupId": groups["ended"],
        "activeGroupId": groups["active"],
        "experimentId": run["experiment_id"],
        "host": NAMES[-1],
        "token": private,
        "posted": posted,
    }
