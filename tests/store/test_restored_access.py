"""Access that ended after a backup stays ended where the server knows it; else it names what opens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from backend.api.app import create_app
from backend.cli import backups
from backend.settings import Settings
from backend.store.backup.backup import back_up
from backend.store.backup.restore import restore
from backend.store.secrets import digest
from backend.store.session import dispose, session_scope
from backend.worker_protocol import PROTOCOL, header, release
from tests.accounts import add_account, add_token, browser_headers, signed_in
from tests.api.client import BASE, Worker, start_run

pytestmark = pytest.mark.new_database  # a restore wants nobody connected


def join(api: TestClient, settings: Settings, name: str, secret: str | None = None) -> Any:
    """The response to a host that joins, with an enrolment of its own unless one is given."""
    secret = secret or enrolment(api, settings)
    body = {"secret": secret, "name": name, "nonce": name.ljust(32, "0")}
    return api.post("/api/v1/worker/enrolment", json=body | {"release": release(), "protocol": PROTOCOL})


def enrolment(api: TestClient, settings: Settings) -> str:
    admin = browser_headers(settings, add_account(settings, installation_admin=True))
    found: str = api.post("/api/v1/hosts/enrolments", json={}, headers=admin).json()["secret"]
    return found


def take_over(settings: Settings, token: str) -> int:
    """The status of a request of a host's worker."""
    with TestClient(create_app(settings), base_url=BASE) as api:
        headers = {"Authorization": f"Bearer {token}"} | header()
        return api.post("/api/v1/worker/take-over", headers=headers).status_code


def reads(settings: Settings, token: str) -> int:
    with TestClient(create_app(settings), base_url=BASE) as api:
        return api.get("/api/v1/runs", headers={"Authorization": f"Bearer {token}"}).status_code


@pytest.fixture
def hosts(settings: Settings, tmp_path: Path) -> dict[str, str]:
    """The tokens of two hosts in a backup `b.tar`, in which an enrolment is open and nothing is revoked."""
    with TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings)) as api:
        found = {name: join(api, settings, name).json()["token"] for name in ("rack-1", "rack-2")}
        found["enrolment"] = enrolment(api, settings)
    return found


def sql(settings: Settings, statement: str, **values: str) -> None:
    with session_scope(settings) as session:
        session.execute(text(statement), values)


def test_what_ended_after_the_backup_stays_ended_where_its_data_are_replaced(
    settings: Settings, tmp_path: Path, hosts: dict[str, str]
) -> None:
    worker = Worker(settings)
    worker.announce()
    leaves, deleted, stays, revoked = (add_account(settings) for _ in range(4))
    tokens = {account: add_token(settings, account) for account in (leaves, deleted, stays, revoked)}
    with TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings)) as api:
        run = start_run(api)["id"]
        worker.finish()
        links = [api.post(f"/api/v1/runs/{run}/shares", json={}).json() for _ in range(2)]
        back_up(settings, tmp_path / "b.tar")
        assert api.delete(f"/api/v1/shares/{links[0]['id']}").is_success
    sql(
        settings,
        "UPDATE host_token SET revoked_at = now() WHERE token_sha256 = :t",
        t=digest(hosts["rack-1"]),
    )
    sql(settings, "UPDATE api_token SET revoked_at = now() WHERE account_id = :a", a=revoked)
    sql(settings, "DELETE FROM membership WHERE account_id = :a", a=leaves)
    sql(settings, "DELETE FROM account WHERE id = :a", a=deleted)
    for used in (settings, worker.own):
        dispose(used)

    found = restore(settings, tmp_path / "b.tar", replace=True)
    assert (found.access.kept_ended, found.access.hosts, found.access.links) == (5, ("rack-2",), 1)
    assert take_over(settings, hosts["rack-1"]) == 401
    assert take_over(settings, hosts["rack-2"]) == 200
    statuses = {account: reads(settings, token) for account, token in tokens.items()}
    assert statuses[stays] == 200
    assert statuses[deleted] == statuses[revoked] == 401
    assert statuses[leaves] in (401, 403)
    with TestClient(create_app(settings), base_url=BASE) as api:
        opened = [api.post("/api/v1/shares:open", json={"token": link["token"]}) for link in links]
        assert [response.is_success for response in opened] == [False, True]


def test_an_enrolment_that_was_open_in_the_backup_lets_no_host_join(
    settings: Settings,
    elsewhere: Settings,
    tmp_path: Path,
    hosts: dict[str, str],
) -> None:
    back_up(settings, tmp_path / "b.tar")
    restore(elsewhere, tmp_path / "b.tar")
    with TestClient(create_app(elsewhere), base_url=BASE) as api:
        assert join(api, elsewhere, "rack-3", hosts["enrolment"]).status_code in (401, 403, 404, 410)


def test_elsewhere_the_restore_says_what_opens(
    settings: Settings,
    elsewhere: Settings,
    tmp_path: Path,
    hosts: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    add_token(settings, add_account(settings))
    back_up(settings, tmp_path / "b.tar")
    monkeypatch.setattr(backups, "owner_settings", lambda: elsewhere)
    backups.restore(tmp_path / "b.tar")
    said = capsys.readouterr().err
    assert "tokens of these hosts work: rack-1, rack-2; so do 1 API tokens and 0 links" in said
    assert "--revoke-tokens" in said
    assert take_over(elsewhere, hosts["rack-1"]) == 200


def test_all_tokens_can_be_revoked_with_the_restore(
    settings: Settings,
    elsewhere: Settings,
    tmp_path: Path,
    hosts: dict[str, str],
) -> None:
    token = add_token(settings, add_account(settings))
    back_up(settings, tmp_path / "b.tar")
    found = restore(elsewhere, tmp_path / "b.tar", revoke_tokens=True)
    assert (found.access.hosts, found.access.api_tokens) == ((), 0)
    assert take_over(elsewhere, hosts["rack-1"]) == 401
    assert reads(elsewhere, token) == 401
    with TestClient(create_app(elsewhere), base_url=BASE) as api:
        assert join(api, elsewhere, "rack-1").status_code == 201
