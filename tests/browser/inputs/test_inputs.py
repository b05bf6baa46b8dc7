"""Bad input and lost servers in a real Chromium: each has an answer, and nothing that was typed is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.access.authentication import CSRF_HEADER
from backend.api.app import create_app
from backend.settings import Settings
from backend.store.session import session_scope
from tests.accounts import add_account, browser_headers
from tests.api.client import BASE, DOCUMENT, Worker, start_run
from tests.browser.program import run_program, served

pytestmark = pytest.mark.full
PROGRAM: Final = Path(__file__).parent / "inputs.mjs"
HOST: Final = "bench-1"
MARKUP: Final = '<img src=x onerror="window.executed = 1"><script>window.executed = 1</script> & {{t}} ${1}'
TITLES: Final = {
    "markup": MARKUP,
    "rightToLeft": "השוואת נתיבים (docker-proxy) مقارنة المسارات 2 < 3!",
    "unbroken": "unbroken" * 25,
}
NOTE: Final = (
    f"{MARKUP}\n\n[link](javascript:window.executed=1) ![picture](https://example.org/x.png)\n\n"
    f"{'w' * 300}\n\nהערה (docker) ملاحظة!\n\n| a | b |\n|---|---|\n| {'c' * 120} | 2 |\n"
)
TAGS: Final = ["t" * 40, *(f"tag-{number:02}-{'x' * 30}" for number in range(10))]


def test_bad_inputs(settings: Settings) -> None:
    headers = browser_headers(settings, add_account(settings, installation_admin=True))
    with TestClient(create_app(settings), base_url=BASE, headers=headers) as api:
        known = _seed(api, settings)
    with served(settings) as (base, _):
        run_program(
            PROGRAM,
            base,
            COOKIE=headers["Cookie"],
            CSRF=headers[CSRF_HEADER],
            KNOWN=json.dumps(known),
        )


def _seed(api: TestClient, settings: Settings) -> dict[str, Any]:
    """Finished runs with hostile titles, notes and tags; a run of which trials failed; links that ended."""
    worker = Worker(settings)
    worker.announce(HOST, paths=["same_container", "published_loopback"], engines=["on", "off"], cores=2)
    document = DOCUMENT | {"rounds": 4, "seed": 1}
    named = {}
    for key, title in TITLES.items():
        run = start_run(api, document | {"name": f"bad-{key.lower()}", "title": title})
        worker.finish()
        api.patch(f"/api/v1/runs/{run['id']}", json={"note": NOTE, "tags": TAGS}).raise_for_status()
        named[key] = {"run": run["id"], "experiment": run["experiment_id"], "title": title}
    partly = start_run(api, document | {"name": "partly", "title": "Partly failed"})
    while worker.open():
        claimed = worker.claim()
        (worker.fail if str(claimed.levels["path"]) == "published_loopback" else worker.record)(claimed)
    links = {
        state: api.post(f"/api/v1/runs/{named['markup']['run']}/shares", json={"kind": kind, "title": title})
        .raise_for_status()
        .json()
        for state, kind, title in (
            ("open", "private", TITLES["rightToLeft"]),
            ("revoked", "private", None),
            ("expired", "unfurl", TITLES["unbroken"]),
        )
    }
    api.delete(f"/api/v1/shares/{links['revoked']['id']}").raise_for_status()
    with session_scope(settings) as session:
        session.execute(
            text("UPDATE share SET expires_at = now() - interval '1 minute' WHERE id = :id"),
            {"id": links["expired"]["id"]},
        )
    active = start_run(api, document | {"name": "active", "title": "Active"})
    return {
        "named": named,
        "partly": partly["id"],
        "active": active["id"],
        "links": {state: link["token"] for state, link in links.items()},
    }
