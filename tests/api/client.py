"""The API under test, with a stand-in for the worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.core.plan.claimed import ClaimedTrial
from backend.queue import connect, publish_events
from backend.settings import Settings
from backend.store import grants
from backend.store.repositories import hosts, interim_analyses, runs, trials
from backend.store.session import session_scope
from tests.records import trial_record
from tests.services import ROOT, as_role

DOCUMENT: dict[str, Any] = {
    "name": "two-cells",
    "title": "Two cells",
    "factors": {"path": ["same_container", "published_loopback"], "duration_s": 1, "warm_up_s": 0},
    "baseline": {"path": "same_container"},
    "rounds": 2,
    "seed": 7,
}
BASE = "http://127.0.0.1:8420"


@dataclass
class Worker:
    """Stands in for the worker of one host: the same calls of the store, hand-made records.

    `settings` are the API's; the worker's own calls have the worker's role.
    """

    settings: Settings
    host_id: str = ""

    @property
    def own(self) -> Settings:
        """The worker's settings."""
        return as_role(self.settings, grants.WORKER)

    def announce(self, name: str = "bench-1", **capabilities: Any) -> str:
        with session_scope(self.own) as session:
            self.host_id = hosts.announce(session, name, capabilities, {"kernel": "6.1", "host": name})
        return self.host_id

    def claim(self) -> ClaimedTrial:
        with session_scope(self.own) as session:
            claimed = trials.claim(session, self.host_id, "w1")
            assert claimed is not None
            runs.set_environment(session, claimed.run_id, {"kernel": "6.1", "cores": "2", "host": "bench-1"})
        publish_events(connect(self.own), claimed.run_id)
        return claimed

    def record(
        self,
        claimed: ClaimedTrial,
        tps: float = 10_000.0,
        quality: dict[str, Any] | None = None,
        metrics: dict[str, float] | None = None,
        **versions: str,
    ) -> None:
        server = f"server-{claimed.replica}/{claimed.block}"
        payload = trial_record(claimed, tps=tps) | {"server": server}
        payload["versions"] |= versions
        payload["metrics"] |= metrics or {}
        if quality is not None:
            payload["quality"] = (payload.get("quality") or {}) | quality
        with session_scope(self.own) as session:
            trials.record(session, claimed.trial_id, claimed.fence, payload, f"{claimed.trial_id}", None)
        with session_scope(self.own) as session:
            interim_analyses.run_due(session, claimed.run_id)
        publish_events(connect(self.own), claimed.run_id)

    def fail(self, claimed: ClaimedTrial) -> None:
        with session_scope(self.own) as session:
            trials.fail(session, claimed.trial_id, claimed.fence, "tool_failed", "exit code 1")

    def cancel(self, claimed: ClaimedTrial) -> None:
        """Somebody cancels, and the worker obeys."""
        with session_scope(self.settings) as session:
            runs.cancel(session, claimed.run_id)
        with session_scope(self.own) as session:
            trials.cancel_running(session, claimed.trial_id, claimed.fence)

    def damage(self) -> None:
        """Break an invariant behind the store's back."""
        with session_scope(self.settings) as session:
            session.execute(text("DELETE FROM trial WHERE state = 'queued'"))

    def finish(self) -> None:
        """Carry out everything that is queued."""
        while self.open():
            claimed = self.claim()
            self.record(claimed, 10_000.0 if claimed.levels["path"] == "same_container" else 8_000.0)

    def open(self) -> int:
        with session_scope(self.own) as session:
            return trials.claimable(session, self.host_id)


def start_run(api: TestClient, document: dict[str, Any] = DOCUMENT, **body: Any) -> dict[str, Any]:
    """Submit a document and start it; returns the run."""
    created = api.post("/api/v1/experiments", json=document)
    assert created.status_code in (200, 201), created.text
    answer = api.post(f"/api/v1/experiments/{created.json()['id']}/runs", json=body)
    assert answer.status_code == 202, answer.text
    run: dict[str, Any] = answer.json()
    return run


def problem_of(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem document of a refusal, its shape checked."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = answer.json()
    assert found["status"] == status
    if code == "invalid" and len(found["errors"]) == 1:
        code = found["errors"][0]["code"]
    assert found["code"] == code, found
    assert found["instance"] == f"/errors/{answer.headers['x-request-id']}"
    assert found["title"] and found["detail"]
    assert "Traceback" not in answer.text and "SELECT" not in answer.text and str(ROOT) not in answer.text
    return found
