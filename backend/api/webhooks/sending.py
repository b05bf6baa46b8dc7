"""One attempt to deliver a message: bounded in time and size, to the resolved address, without redirects."""

from __future__ import annotations

import asyncio
import ssl
import time
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import httpx2

from backend.api.webhooks.destination import Blocked, Resolve, destination, resolve_name
from backend.api.webhooks.signature import signed_headers
from backend.web_address import Networks

TIMEOUT_S: Final = 15.0
"""For the whole attempt; the specification advises 15 to 30 s."""
KEPT_BYTES: Final = 1024
"""How much of the receiver's answer is read, for the log."""


@dataclass(frozen=True)
class Message:
    """A message to one receiver; `id` stays the same in every attempt."""

    id: str
    url: str
    secret: str
    body: bytes


ErrorKind = Literal["blocked", "timeout", "tls", "connection"]


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended: the receiver's status and the beginning of its answer, or an error in words."""

    status: int | None
    answer: str
    error: str | None
    seconds: float
    error_kind: ErrorKind | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver took the message: any status of the 200s."""
        return self.status is not None and 200 <= self.status < 300


class Sender:
    """Sends messages. `allowed` are networks beside the public internet."""

    def __init__(
        self, allowed: Networks, resolve: Resolve = resolve_name, verify: ssl.SSLContext | None = None
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._given = verify

    @cached_property
    def _verify(self) -> ssl.SSLContext:
        """The certificates to trust, read for the first message: most servers send none."""
        return self._given or ssl.create_default_context()

    async def send(self, message: Message, timeout_s: float = TIMEOUT_S) -> Outcome:
        """The outcome of one attempt; never raises for anything that the receiver does."""
        began = time.monotonic()
        status, answer, error = None, "", None
        kind: ErrorKind | None = None
        try:
            async with asyncio.timeout(timeout_s):
                status, answer = await self._post(message)
        except Blocked as blocked:
            error, kind = str(blocked), "blocked"
        except TimeoutError:
            error, kind = f"no answer within {timeout_s:g} s", "timeout"
        except (httpx2.HTTPError, ssl.SSLError, OSError) as failure:
            error, kind = f"{type(failure).__name__}: {failure}"[:KEPT_BYTES], _kind(failure)
        return Outcome(status, answer, error, time.monotonic() - began, kind)

    async def _post(self, message: Message) -> tuple[int, str]:
        found = await destination(message.url, self._allowed, self._resolve)
        headers = signed_headers(message.secret, message.id, int(time.time()), message.body)
        # The name is for TLS and the receiver's virtual hosts; the connection goes to the checked address.
        headers["Host"] = found.url.netloc.decode("ascii")
        request = httpx2.Request(
            "POST",
            found.pinned,
            headers=headers,
            content=message.body,
            extensions={"sni_hostname": found.url.host},
        )
        async with httpx2.AsyncClient(
            verify=self._verify, trust_env=False, follow_redirects=False, timeout=TIMEOUT_S
        ) as client:
            response = await client.send(request, stream=True)
            try:
                return response.status_code, await _beginning(response)
            finally:
                await response.aclose()


def _kind(failure: BaseException) -> ErrorKind:
    """The kind of a failed connection; libraries chain TLS errors to their own."""
    chain: BaseException | None = failure
    while chain is not None:
        if isinstance(chain, ssl.SSLError):
            return "tls"
        chain = chain.__cause__ or chain.__context__
    return "timeout" if isinstance(failure, httpx2.TimeoutException) else "connection"


async def _beginning(response: httpx2.Response) -> str:
    """The first bytes of the answer as text; the rest is not read."""
    kept = b""
    # Raw: a small answer could unpack into a large one.
    async for chunk in response.aiter_raw(KEPT_BYTES):
        kept += chunk
        if len(kept) >= KEPT_BYTES:
            break
    return kept[:KEPT_BYTES].decode("utf-8", "replace")
