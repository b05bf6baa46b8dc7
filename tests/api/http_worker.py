"""The worker of an enrolled host as tests play it: requests of the worker protocol, hand-made records."""

from __future__ import annotations

import gzip
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

from backend.core.plan.claimed import ClaimedTrial
from tests.records import trial_record

WORKER = "/api/v1/worker"
VERSION = {"Plimsoll-Worker": "0.1.0/1"}
SENT_AT = "2026-11-23T05:00:00Z"


def enrolment(api: TestClient, headers: dict[str, str], **body: Any) -> dict[str, Any]:
    """A new enrolment, made by an administrator of the installation with these headers."""
    answer = api.post("/api/v1/hosts/enrolments", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def join(api: TestClient, secret: str, name: str = "far-1", **body: Any) -> Response:
    """The response to a host that joins."""
    given = {
        "secret": secret,
        "name": name,
        "nonce": secrets.token_hex(16),
        "release": "0.1.0",
        "protocol": 1,
    }
    answer: Response = api.post(f"{WORKER}/enrolment", json=given | body)
    return answer


@dataclass
class HttpWorker:
    """The worker of an enrolled host."""

    api: TestClient
    token: str
    name: str
    host_id: str
    version: dict[str, str] = field(default_factory=lambda: dict(VERSION))

    @classmethod
    def joined(cls, api: TestClient, admin: dict[str, str], name: str = "far-1") -> HttpWorker:
        """A worker of a host that has joined and announced itself."""
        answer = join(api, enrolment(api, admin)["secret"], name)
        assert answer.status_code == 201, answer.text
        found = answer.json()
        worker = cls(api, found["token"], name, found["host_id"])
        assert worker.announce().status_code == 200
        return worker

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **self.version}

    def send(self, method: str, path: str, body: Any = None) -> Response:
        """The response to one operation below /worker."""
        given = {} if body is None else {"json": body}
        answer: Response = self.api.request(method, f"{WORKER}{path}", headers=self.headers, **given)
        return answer

    def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """The content of a response without error."""
        answer = self.send(method, path, body)
        assert answer.is_success, answer.text
        found: dict[str, Any] = answer.json() if answer.content else {}
        return found

    def announce(self, **capabilities: Any) -> Response:
        environment = {"kernel": "6.1", "host": self.name}
        body = {"capabilities": capabilities, "environment": environment, "install_id": "far"}
        return self.send("PUT", "/host", body)

    def claim(self, key: str | None = None, **body: Any) -> dict[str, Any]:
        """The answer to a claim, by default with a new key."""
        given = {"key": key or secrets.token_urlsafe(12), "environment": {"kernel": "6.1"}, "last": []}
        return self.ask("POST", "/claims", given | body)

    def must_claim(self, key: str | None = None) -> dict[str, Any]:
        trial: dict[str, Any] = self.claim(key)["trial"]
        assert trial is not None
        return trial

    def beat(self, trial: dict[str, Any]) -> str:
        path = f"/trials/{trial['trial_id']}/heartbeat"
        return str(self.ask("POST", path, {"fence": trial["fence"]})["beat"])

    def end(self, trial: dict[str, Any], kind: str, **body: Any) -> bool:
        given = {"fence": trial["fence"], "kind": kind, **body}
        return bool(self.ask("POST", f"/trials/{trial['trial_id']}/ending", given)["ended"])

    def record(self, trial: dict[str, Any], packed: bool = True, **body: Any) -> Response:
        """The response to a record of a trial."""
        given = record_of(trial) | body
        text = json.dumps(given).encode()
        headers = self.headers | {"Content-Type": "application/json"}
        if packed:
            text = gzip.compress(text)
            headers["Content-Encoding"] = "gzip"
        answer: Response = self.api.put(
            f"{WORKER}/trials/{trial['trial_id']}/record", content=text, headers=headers
        )
        return answer

    def outcome(self, trial: dict[str, Any], **body: Any) -> str:
        answer = self.record(trial, **body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["outcome"])


def record_of(trial: dict[str, Any], tps: float = 10_000.0) -> dict[str, Any]:
    """The body of a record of a claimed trial."""
    payload = trial_record(ClaimedTrial(**trial), tps)
    text = json.dumps(payload, sort_keys=True, allow_nan=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"fence": trial["fence"], "payload": payload, "sha256": digest, "failure": None}
