"""Who calls: found by few statements, with the time of use written once a minute."""

from __future__ import annotations

import pytest

from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import callers
from backend.store.secrets import digest
from backend.store.session import session_scope
from tests.accounts import add_account, add_token, browser_headers
from tests.statements import statements


@pytest.mark.parametrize("kind", ["session", "token"])
def test_the_time_of_use_is_written_once_a_minute(settings: Settings, kind: str) -> None:
    account = add_account(settings)
    if kind == "token":
        secret, find = add_token(settings, account, DEFAULT_TEAM), callers.by_token
    else:
        secret = browser_headers(settings, account)["Cookie"].partition("=")[2]
        find = callers.by_session
        with session_scope(settings) as session:
            session.execute(callers.update(callers.BrowserSession).values(last_used_at="2026-01-01"))
    written = []
    for _ in range(2):
        with statements() as sent, session_scope(settings) as session:
            found = find(session, digest(secret))
        assert found is not None and found.account_id == account
        written.append([statement.split()[0] for statement in sent])
    assert written == [["SELECT", "UPDATE", "SELECT"], ["SELECT", "SELECT"]]
