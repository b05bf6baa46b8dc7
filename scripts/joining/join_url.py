"""The URL of an enrolment: the server's address, and in its fragment the one-time secret.

Browsers and proxies do not send a fragment (RFC 9110, 7.1), so that it is in no log of a server.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import httpx2

from backend.client.address import origin_of
from backend.client.errors import Misconfigured
from scripts.starter.terminal import Refusal

PAGE: Final = "/join"
LONGEST_SECRET: Final = 200


@dataclass(frozen=True)
class JoinUrl:
    """A server's URL, and the secret of an enrolment on it."""

    server: str
    secret: str = field(repr=False)


def read_join_url(text: str) -> JoinUrl:
    """The parts of such a URL. Raises Refusal, whose text does not contain the secret."""
    address, _, secret = text.strip().partition("#")
    if not (
        0 < len(secret) <= LONGEST_SECRET and secret.isascii() and secret.isprintable() and " " not in secret
    ):
        raise Refusal(
            f"{address or 'the URL'} has no secret of an enrolment behind a #: copy the URL whole from the "
            "page Hosts of the server"
        )
    try:
        server = origin_of(address)
    except Misconfigured as error:
        raise Refusal(str(error)) from None
    if not 0 < (httpx2.URL(server).port or 443) < 65536:
        raise Refusal(f"{address} has no port from 1 to 65535")
    return JoinUrl(server.removesuffix(PAGE), secret)
