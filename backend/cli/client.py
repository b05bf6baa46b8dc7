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
from backend.client.transport import Transport
from backend.client.trust import trust

DEFAULT_URL: Final = "http://127.0.0.1:8420"
_INVALID: Final = (400, 413, 415, 422)


def server_url() -> str:
    """The address of the server: PLIMSOLL_URL, or this machine's."""
    return os.environ.get("PLIMSOLL_URL") or DEFAULT_URL


def allows_http() -> bool:
    """Whether the user allowed plain http beyond this machine: PLIMSOLL_ALLOW_HTTP=1."""
    return os.environ.get("PLIMSOLL_ALLOW_HTTP") == "1"


def trusted(url: str) -> ssl.SSLContext | bool:
    """What is trusted in place of the usual certificates: the file PLIMSOLL_CA_FILE, or this host's own."""
    return trust(os.environ.get("PLIMSOLL_CA_FILE") or local_access.certificate_for(url))


@contextmanager
def connect() -> Iterator[Transport]:
    """A connection to the Plimsoll at PLIMSOLL_URL, with PLIMSOLL_TOKEN or a stored token of that server.

    Raises Failure for everything that the server refuses.
    """
    with failures():
        url = server_url()
        token = os.environ.get("PLIMSOLL_TOKEN") or Credentials().token(url) or local_access.token_for(url)
        with Transport(url, token, allow_http=allows_http(), verify=trusted(url)) as transport:
            yield transport


@contextmanager
def failures() -> Iterator[None]:
    """Turns an error of the client into a Failure with its exit code."""
    try:
        yield
    except PlimsollError as error:
        usage = isinstance(error, Misconfigured) or (isinstance(error, Refused) and error.status in _INVALID)
        raise Failure(str(error), USAGE if usage else API_ERROR) from error
