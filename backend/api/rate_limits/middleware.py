"""Limits requests per client address, before anything is read from the database."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final, Literal

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.api.client_address import client_address
from backend.api.problem_details import add_header, problem, request_id
from backend.api.rate_limits.address import is_local, network_of
from backend.api.rate_limits.limiter import Allowance, Limiter, refusal
from backend.api.rate_limits.secret_routes import has_failed, secret_kind

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
NEVER_LIMITED: Final = frozenset({"/healthz"})
WORKERS: Final = "/api/v1/worker/"
"""Many hosts may report from one address, several times a second."""


class AddressLimits:
    """Answers 429 to an address that sent too many requests, or presented too many wrong secrets.

    Requests of programs of the same host have no budget as an address; wrong secrets count for every address.
    Whoever comes through an SSH tunnel has this host's address too: there, beyond the budget, an attempt is
    still made, and only a wrong secret gets 429. An event stream is one request, for as long as it is open.
    """

    def __init__(self, app: ASGIApp, limiter: Limiter) -> None:
        self.app = app
        self._limiter = limiter
        self._pending: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse a request."""
        if scope["type"] != "http" or scope["path"] in NEVER_LIMITED:
            await self.app(scope, receive, send)
            return
        address = client_address(scope)
        client = network_of(address)
        found = None if is_local(address) else self._limiter.take(_budget(scope), client)
        if found is not None and not found.allowed:
            await _refuse(scope, receive, send, found)
            return
        kind = secret_kind(scope["method"], scope["path"])
        if kind is None:
            await self.app(scope, receive, send if found is None else _with_headers(send, found))
        elif is_local(address):
            await self._serve_local_secret(f"{kind}:{client}", scope, receive, send)
        else:
            await self._serve_secret(f"{kind}:{client}", scope, receive, send)

    async def _serve_secret(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an attempt with a secret; one that fails is counted. Attempts in progress count as failed."""
        found = self._limiter.check("secret-guesses", key)
        if found is not None and found.remaining <= self._pending[key]:
            await _refuse(scope, receive, send, replace(found, allowed=False))
            return

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start" and has_failed(scope, message["status"]):
                self._limiter.take("secret-guesses", key)
            await send(message)

        self._pending[key] += 1
        try:
            await self.app(scope, receive, count)
        finally:
            self._pending[key] -= 1
            if not self._pending[key]:
                del self._pending[key]

    async def _serve_local_secret(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an attempt of this host; the response to a wrong secret beyond the budget is 429."""
        is_replaced = False

        async def replace_refused(message: Message) -> None:
            nonlocal is_replaced
            if message["type"] == "http.response.start" and has_failed(scope, message["status"]):
                found = self._limiter.take("secret-guesses", key)
                if found is not None and not found.allowed:
                    is_replaced = True
                    await _refuse(scope, receive, send, found)
            if not is_replaced:
                await send(message)

        await self.app(scope, receive, replace_refused)


def _budget(scope: Scope) -> Literal["address-reads", "address-writes", "worker-requests"]:
    if scope["path"].startswith(WORKERS):
        return "worker-requests"
    return "address-reads" if scope["method"] in SAFE_METHODS else "address-writes"


def _with_headers(send: Send, found: Allowance) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            for name, value in found.headers().items():
                add_header(message, name, value)
        await send(message)

    return with_headers


async def _refuse(scope: Scope, receive: Receive, send: Send, found: Allowance) -> None:
    detail = refusal(found)
    title = "Too many requests"
    answer = problem(request_id(scope), 429, "rate_limited", title, detail, (), found.headers())
    await answer(scope, receive, send)
