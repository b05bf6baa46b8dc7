"""What an identity provider gives and is given: in no dump of the stores and in no line of the log."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url

from backend.api.app import create_app
from backend.api.identity.provider import Provider, redirect_uri
from backend.settings import Settings
from tests.api.attacks.test_secrets import logging_to
from tests.api.client import BASE
from tests.api.test_provider import EMAILS, back, begin, settings_with
from tests.dex import SECRET, Dex, running_dex
from tests.services import PostgresServer, RedisServer


@pytest.fixture
def dex(tmp_path: Any) -> Iterator[Dex]:
    with running_dex(tmp_path, redirect_uri(Settings()), EMAILS) as made:
        yield made


def test_no_secret_of_a_sign_in_by_a_provider_is_kept(
    settings: Settings,
    dex: Dex,
    postgres: PostgresServer,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    id_tokens: list[str] = []
    decoded = Provider._decoded

    async def kept(self: Provider, token: str, renewed: bool) -> Any:
        id_tokens.append(token)
        return await decoded(self, token, renewed)

    monkeypatch.setattr(Provider, "_decoded", kept)
    configured = settings_with(settings, dex.issuer)
    with (
        logging_to(io.StringIO()) as logged,
        TestClient(create_app(configured), base_url=BASE, follow_redirects=False) as browser,
    ):
        url = begin(browser)
        answer = browser.get(back(came_back := dex.sign_in(url, EMAILS[0])))
        assert answer.headers["location"] == "/runs/run_1", answer.headers
        cookies = [value for value in browser.cookies.values() if value]
        browser.get(back(came_back))  # a replay
    sent, returned = parse_qs(urlsplit(url).query), parse_qs(urlsplit(came_back).query)
    secrets = [SECRET, *id_tokens, *cookies, *returned["code"], *returned["state"], *sent["nonce"]]
    secrets += [part for token in id_tokens for part in token.split(".")]
    assert len(id_tokens) == 1 and len(secrets) >= 9
    name = make_url(settings.database_url).database
    argv = ["pg_dump", "-h", str(postgres.home), "-U", postgres.user, str(name)]
    redis = redis_server.client()
    searched = {
        "database": subprocess.run(argv, check=True, capture_output=True, text=True).stdout,
        "Redis": repr([(key, redis.dump(key)) for key in redis.scan_iter()]),
        "log": logged.getvalue(),
    }
    assert EMAILS[0] in searched["database"] and "/api/v1/sign-in/oidc/callback" in searched["log"]
    for place, shown in searched.items():
        assert [secret for secret in secrets if secret in shown] == [], place
