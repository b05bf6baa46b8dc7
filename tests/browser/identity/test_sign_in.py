"""Sign-in in a real Chromium: with a real Dex, with a second factor, and with a provider that is silent."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from backend.api.app import create_app
from backend.api.identity.provider import redirect_uri
from backend.api.passwords import hashing
from backend.api.serve import server_config
from backend.settings import Settings
from backend.store.models import DEFAULT_TEAM
from backend.store.repositories import accounts, passwords
from backend.store.session import session_scope
from tests.api.running import running
from tests.dex import CLIENT_ID, PASSWORD, SECRET, running_dex
from tests.services import ROOT

EMAIL, OTHER_EMAIL = "grace@example.org", "alan@elsewhere.test"
OWN_EMAIL, OWN_PASSWORD = "ada@example.net", "correct-horse-battery-staple-41"
LIMIT_S = 420


@contextmanager
def served(settings: Settings, issuer: str | None, listener: socket.socket) -> Iterator[str]:
    """An API with the built page, whose port is known before: the provider has to know it."""
    given = Settings(
        **settings.model_dump(exclude_unset=True)
        | {"page_dir": ROOT / "frontend" / "dist", "port": listener.getsockname()[1]},
        oidc_issuer=issuer,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=SECRET,
        oidc_name="Example login",
        oidc_allowed_domains="example.org",
    )
    with running(server_config(create_app(given), given), listener=listener) as base:
        assert redirect_uri(given).startswith(base)
        yield base


def add_person(settings: Settings) -> None:
    """An account that signs in by password."""
    with session_scope(settings) as session:
        account_id = accounts.add(session, "Ada", OWN_EMAIL)
        accounts.join(session, account_id, DEFAULT_TEAM, "admin")
        passwords.store(session, account_id, hashing.hashed(OWN_PASSWORD))


def test_people_sign_in(settings: Settings, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    node = shutil.which("node")
    if chromium is None or node is None:
        pytest.skip("no Chromium, or no node")
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.skip("the page is not built; scripts/test browser builds it")
    add_person(settings)
    own, other, silent = (socket.create_server(("127.0.0.1", 0)) for _ in range(3))
    back = f"http://127.0.0.1:{own.getsockname()[1]}/api/v1/sign-in/oidc/callback"
    with (
        silent,
        running_dex(tmp_path, back, (EMAIL, OTHER_EMAIL)) as dex,
        served(settings, dex.issuer, own) as base,
        served(settings, f"http://127.0.0.1:{silent.getsockname()[1]}", other) as base_of_silent,
    ):
        story = subprocess.run(
            [node, "--test", "--test-reporter=spec", str(Path(__file__).parent / "sign_in.mjs")],
            env=os.environ
            | {
                "PLIMSOLL_URL": base,
                "SILENT_URL": base_of_silent,
                "CHROMIUM": chromium,
                "DEX_URL": dex.issuer,
                "DEX_PASSWORD": PASSWORD,
                "EMAIL": EMAIL,
                "OTHER_EMAIL": OTHER_EMAIL,
                "OWN_EMAIL": OWN_EMAIL,
                "OWN_PASSWORD": OWN_PASSWORD,
            },
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
    print(story.stdout)
    assert story.returncode == 0, story.stdout + story.stderr
