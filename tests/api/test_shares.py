"""What a link shows of a run: no failure's words, no folder of the host."""

from __future__ import annotations

from fastapi.testclient import TestClient

from backend.api.shares.public import _PATH
from backend.settings import Settings
from backend.store.repositories import trials
from backend.store.session import session_scope
from tests.api.client import Worker, start_run
from tests.hostile import superlinear

DETAIL = "pgbench: could not open /home/alice/plimsoll/var/run/pg.sock as user alice on rack7.example"


def test_a_link_carries_no_failure_details(api: TestClient, worker: Worker, settings: Settings) -> None:
    run = start_run(api)["id"]
    claimed = worker.claim()
    with session_scope(settings) as session:
        trials.fail(session, claimed.trial_id, claimed.fence, "tool_failed", DETAIL)
    worker.finish()
    assert DETAIL in api.get(f"/api/v1/runs/{run}/result").text
    share = api.post(f"/api/v1/runs/{run}/shares", json={}).json()
    opened = api.post("/api/v1/shares:open", json={"token": share["token"]})
    assert opened.status_code == 200
    assert "trials failed: tool_failed" in opened.text
    for word in ("alice", "/home", "pg.sock", "rack7", "could not open"):
        assert word not in opened.text


def test_paths_are_found_in_texts_and_nothing_else() -> None:
    shown = _PATH.sub(
        "#", "at /var/lib/x.sock, (/run/user/1000/a) but 3 req/s, on/off, http://a.b/c/d and 1/2/3"
    )
    assert shown == "at #, (#) but 3 req/s, on/off, http://a.b/c/d and 1/2/3"
    assert superlinear(lambda text: _PATH.sub("#", text), 256 * 1024, heads=("", "/", "/a")) == []
