"""`plimsoll admin`: links and the token of this host, straight from the database."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from backend.cli import local_access, main
from backend.settings import Settings
from backend.store.repositories import accounts, callers
from backend.store.secrets import digest, new_secret
from backend.store.session import session_scope
from tests.accounts import add_account


@pytest.fixture
def run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """The command with the API's access to the database."""
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", settings.database_url)

    def call(*arguments: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["plimsoll", "admin", *arguments])
        try:
            main.main()
            ended = 0
        except SystemExit as exit_:
            ended = int(exit_.code or 0)
        assert ended == code
        return capsys.readouterr().out.strip()

    return call


def account_of(settings: Settings, link: str) -> str:
    with session_scope(settings) as session:
        return accounts.use_sign_in_link(session, digest(link.partition("#")[2]))


def test_a_link_signs_the_named_account_in(run: Callable[..., str], settings: Settings) -> None:
    grace = add_account(settings, "viewer")
    with session_scope(settings) as session:
        session.execute(text("UPDATE account SET email = 'Grace@example.org'"))
    first = account_of(settings, run("link"))
    assert first != grace
    assert account_of(settings, run("link")) == first
    assert account_of(settings, run("link", "grace@EXAMPLE.org")) == grace
    assert account_of(settings, run("link", grace)) == grace
    run("link", "nobody@example.org", code=2)


def test_the_token_of_this_host_replaces_the_one_before(
    run: Callable[..., str], settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "access.json"
    run("local-access", str(file))
    first = local_access.read(file)
    run("local-access", str(file))
    second = local_access.read(file)
    assert first is not None and second is not None and first.token != second.token
    assert file.stat().st_mode & 0o777 == 0o600
    with session_scope(settings) as session:
        assert callers.by_token(session, digest(first.token)) is None
        found = callers.by_token(session, digest(second.token))
    assert found is not None and found.roles


def test_accounts_are_listed_disabled_and_enabled(run: Callable[..., str], settings: Settings) -> None:
    root = add_account(settings, "admin", name="Root", installation_admin=True)
    grace = add_account(settings, "viewer", name="Grace")
    secret = new_secret()
    with session_scope(settings) as session:
        session.execute(text("UPDATE account SET email = 'grace@example.org' WHERE name = 'Grace'"))
        callers.add_session(session, grace, digest(secret), "link", "127.0.0.1", "test", 1)
    assert run("accounts", "GRACE") == (
        f"{grace}  Grace <grace@example.org>: viewer in Team; signs in by links"
    )
    assert run("disable", "grace@example.org") == "grace@example.org is disabled"
    with session_scope(settings) as session:
        assert callers.by_session(session, digest(secret)) is None
    (listed,) = json.loads(run("accounts", "Grace", "--json"))["data"]
    assert listed["disabled"] and listed["teams"][0]["role"] == "viewer"
    run("enable", grace)
    with session_scope(settings) as session:
        assert callers.by_session(session, digest(secret)) is None
        lines = session.execute(text("SELECT actor, object FROM audit WHERE action = 'setAccountAccess'"))
        assert lines.all() == [("command on the server", grace)] * 2
    run("disable", root, code=2)
    run("disable", "nobody", code=2)
    assert "disabled" not in run("accounts")
    assert run("accounts", "nobody") == "no account matches"


def test_an_administrator_of_the_server_gives_an_account_its_address(
    run: Callable[..., str], settings: Settings
) -> None:
    grace, ada = add_account(settings, "viewer", name="Grace"), add_account(settings, "viewer", name="Ada")
    assert run("email", grace, "grace@example.org") == f"{grace} has the address grace@example.org"
    run("email", ada, "GRACE@example.org", code=2)
    for wrong in ("grace", "a@b\n", "\u202ea@b.org"):
        run("email", ada, wrong, code=2)
    with session_scope(settings) as session:
        found = dict(
            session.execute(
                text("SELECT name, email FROM account WHERE id IN (:a, :b)"), {"a": ada, "b": grace}
            ).all()
        )
        audited = session.execute(text("SELECT action, object, actor FROM audit")).all()
    assert found == {"Grace": "grace@example.org", "Ada": None}
    assert audited == [("updateAccount", grace, "command on the server")]
