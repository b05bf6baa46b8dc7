"""Sign-in in a real Chromium: with a real Dex, with a second factor, and with a provider that is silent."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from backend.api.identity.provider import redirect_uri
from backend.api.passwords import hashing
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts, passwords
from backend.store.session import session_scope
from tests.browser.program import run_program, served
from tests.dex import CLIENT_ID, PASSWORD, SECRET, running_dex

pytestmark = pytest.mark.dex
PROGRAM = Path(__file__).parent / "sign_in.mjs"
EMAIL, OTHER_EMAIL = "grace@example.org", "alan@elsewhere.test"
OWN_EMAIL, OWN_PASSWORD = "ada@example.net", "correct-horse-battery-staple-41"


def provider(issuer: str) -> dict[str, str]:
    """The settings of a server with this provider."""
    return {
        "oidc_issuer": issuer,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": SECRET,
        "oidc_name": "Example login",
        "oidc_allowed_domains": "example.org",
    }


def add_person(settings: Settings) -> None:
    """An account that signs in by password."""
    with session_scope(settings) as session:
        account_id = accounts.add(session, "Ada", OWN_EMAIL)
        accounts.join(session, account_id, DEFAULT_TEAM, "admin")
        passwords.store(session, account_id, hashing.hashed(OWN_PASSWORD))


def test_people_sign_in(settings: Settings, tmp_path: Path) -> None:
    add_person(settings)
    own, other, silent = (socket.create_server(("127.0.0.1", 0)) for _ in range(3))
    back = f"http://127.0.0.1:{own.getsockname()[1]}/api/v1/sign-in/oidc/callback"
    with (
        silent,
        running_dex(tmp_path, back, (EMAIL, OTHER_EMAIL)) as dex,
        served(settings, own, **provider(dex.issuer)) as (base, given),
        served(settings, other, **provider(f"http://127.0.0.1:{silent.getsockname()[1]}")) as (unanswered, _),
    ):
        assert redirect_uri(given) == back
        run_program(
            PROGRAM,
            base,
            SILENT_URL=unanswered,
            DEX_URL=dex.issuer,
            DEX_PASSWORD=PASSWORD,
            EMAIL=EMAIL,
            OTHER_EMAIL=OTHER_EMAIL,
            OWN_EMAIL=OWN_EMAIL,
            OWN_PASSWORD=OWN_PASSWORD,
        )
