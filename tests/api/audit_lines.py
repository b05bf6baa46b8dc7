"""What the audit log must have of a request, by the rule of its operation."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import text

from backend.api.access.rules import RULES
from backend.settings import Settings
from backend.store.ids import ID_PATTERN
from backend.store.secrets import SHOWN
from backend.store.session import session_scope

DENIED: Final = (401, 403, 404, 429)
CREATED: Final = (201, 202)


def check_audit(
    settings: Settings,
    operation: str,
    method: str,
    url: str,
    caller: str,
    headers: dict[str, str],
    answer: Any,
) -> None:
    """Assert that the request left one complete line, or none if it changed nothing and was not denied."""
    query = text("SELECT * FROM audit WHERE request_id = :id")
    with session_scope(settings) as session:
        lines = session.execute(query, {"id": answer.headers["x-request-id"]}).all()
    where = (operation, caller, answer.status_code)
    assert len(lines) == is_audited(operation, method, answer.status_code, caller != "anonymous"), where
    for line in lines:
        problem = answer.json() if answer.status_code >= 400 else {}
        assert (line.action, line.status, line.code) == (operation, answer.status_code, problem.get("code"))
        assert line.address == "testclient"
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        # A public operation asks nobody who they are, and one of a worker asks for hosts only.
        unasked = RULES[operation].permission in ("public", "worker")
        assert line.token_prefix == (None if unasked else token[:SHOWN] or None), where
        unknown = caller == "anonymous" or unasked
        assert (line.actor == "anonymous") == (line.account_id is None) == unknown, where
        named = ids_of(url)
        host = "bench-1" if "/hosts/bench-1" in url else None
        assert line.object in named if named else line.object in (None, line.created, host), where
        if answer.status_code in CREATED and "id" in answer.json():
            assert line.created == answer.json()["id"], where


def is_audited(operation: str, method: str, status: int, has_credentials: bool) -> bool:
    """Whether a request has a line: one that may change something, and every denial of somebody."""
    if method == "GET":
        return status in DENIED and has_credentials
    return RULES[operation].changes or status >= 400


def ids_of(url: str) -> set[str]:
    """The ids of objects that a URL names."""
    parts = url.replace("?", "/").replace("&", "/").replace("=", "/").replace(":", "/").split("/")
    return {part for part in parts if re.fullmatch(ID_PATTERN, part)}
