"""An HTTP client of the REST API, with the token in PLIMSOLL_TOKEN or that of this host's installation."""

from __future__ import annotations

import os

import httpx2

from backend.cli import local_access


def client(url: str, timeout: float) -> httpx2.Client:
    """The client of the installation at this URL; `timeout` in seconds. The caller closes it."""
    token = os.environ.get("PLIMSOLL_TOKEN") or local_access.token_for(url)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx2.Client(base_url=f"{url}/api/v1", timeout=timeout, trust_env=False, headers=headers)
