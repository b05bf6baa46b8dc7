"""The connection of a command to its server, and the exit codes of what the server refuses."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from backend.cli import local_access
from backend.cli.failure import API_ERROR, USAGE, Failure
from backend.client.credentials import Credentials
from backend.client.errors import Misconfigured, PlimsollError, Refused
from backend.client.transport import TIMEOUT_S, Transport
from backend.client.trust import trust, trust_text

DEFAULT_URL: Final = "http://127.0.0.1:8420"
_INVALID: Final = (400, 413, 415, 422)


def server_url() -> str:
    """The address of the server: PLIMSOLL_URL, else that of the last sign-in, else this machine's.

    Raises Misconfigured if the credentials file cannot be used.
    """
    return os.environ.get("PLIMSOLL_URL") or Credentials().default() or DEFAULT_URL


def allows_http() -> bool:
    """Whether the user allowed plain http beyond this machine: PLIMSOLL_ALLOW_HTTP=1."""
    return os.environ.get("PLIMSOLL_ALLOW_HTTP") == "1"


def trusted(url: str) -> ssl.SSLContext | bool:
    """What is trusted in place of the usual certificates.

    The file PLIMSOLL_CA_FILE, else the certificate of the sign-in, else this host's own.
    """
    if named := os.environ.get("PLIMSOLL_CA_FILE"):
        return trust(named)
    if stored := Credentials().certificate(url):
        return trust_text(stored)
    return trust(local_access.certificate_for(url))


def token_of(url: str) -> tuple[str | None, str]:
    """The token for a server, and where it is from: PLIMSOLL_TOKEN, the credentials file, this host's own."""
    if named := os.environ.get("PLIMSOLL_TOKEN"):
        return named, "PLIMSOLL_TOKEN"
    credentials = Credentials()
    if stored := credentials.token(url):
        return stored, str(credentials.path)
    return local_access.token_for(url), "the Plimsoll of this host"


@contextmanager
def connect(timeout_s: float = TIMEOUT_S) -> Iterator[Transport]:
    """A connection to the server with its token. Raises Failure for everything that the server refuses."""
    with failures():
        url = server_url()
        token, _ = token_of(url)
        with Transport(url, token, True, allows_http(), trusted(url), timeout_s) as transport:
            yield transport


@contextmanager
def failures() -> Iterator[None]:
    """Turns an error of the client into a Failure with its exit code."""
    try:
        yield
    except PlimsollError as error:
        usage = isinstance(error, Misconfigured) or (isinstance(error, Refused) and error.status in _INVALID)
        raise Failure(str(error), USAGE if usage else API_ERROR) from error
