"""The two requests of a host to its server outside the worker: to join, and to leave."""

from __future__ import annotations

import ssl
import time
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from backend.client.address import check_token
from backend.client.environment import open_client
from backend.client.errors import Misconfigured, Refused, refusal
from backend.worker_protocol import PROTOCOL, header, release
from scripts.starter.terminal import Refusal
from scripts.starter.time_limits import limit

TIMEOUT_S: Final = 20.0
TRIES: Final = 4
PAUSE_S: Final = 2.0
REMEDIES: Final = {
    "enrolment_used": "if this host did not use it, have the host that did revoked on the page Hosts",
    "enrolment_of_another_name": "give --name",
    "host_name_taken": "give --name, or have that host revoked on the page Hosts",
    "rate_limited": "wait a minute and repeat the command",
}


class NoAnswer(Exception):
    """The server did not answer; the text is a sentence for the user."""


@dataclass(frozen=True)
class Joined:
    """The server's answer to an enrolment. `redis` is {"url", "ca"} or None; `release` may be empty."""

    host_id: str
    host_name: str
    token: str = field(repr=False)
    redis: dict[str, Any] | None = field(default=None, repr=False)
    release: str = ""


class Server:
    """One server, until `close`. `pause_s` is the time between two tries while it does not answer."""

    def __init__(
        self,
        url: str,
        verify: ssl.SSLContext | bool = True,
        token: str | None = None,
        allow_http: bool = False,
        pause_s: float | None = None,
        installed: str = "",
    ) -> None:
        """Raises Refusal where a secret would cross a network unencrypted, and for unusable proxies."""
        try:
            check_token(url, token or "plm", allow_http)
        except Misconfigured as error:
            raise Refusal(str(error)) from None
        self._url = url
        self._pause_s = PAUSE_S if pause_s is None else pause_s
        headers = header(installed)
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        try:
            self._http = open_client(
                url,
                base_url=f"{url}/api/v1",
                headers=headers,
                timeout=limit(TIMEOUT_S),
                follow_redirects=False,
                verify=verify,
            )
        except Misconfigured as error:
            raise Refusal(str(error)) from None

    def close(self) -> None:
        """End the connection: a server that stops would wait for it."""
        self._http.close()

    def enrol(self, secret: str, name: str, nonce: str) -> Joined:
        """Use up an enrolment. With the same nonce it may be repeated. Raises Refusal, NoAnswer."""
        body = {
            "secret": secret,
            "name": name,
            "nonce": nonce,
            "release": release(),
            "protocol": PROTOCOL,
        }
        found = self._send("POST", "/worker/enrolment", body)
        try:
            return Joined(
                host_id=str(found["host_id"]),
                host_name=str(found["host_name"]),
                token=str(found["token"]),
                redis=found.get("redis"),
                release=str(found.get("release") or ""),
            )
        except (KeyError, TypeError, AttributeError):
            raise Refusal(
                f"{self._url} gave an answer that is no enrolment's: is it a Plimsoll server?"
            ) from None

    def leave(self) -> bool:
        """End this host's enrolment; False if its token was revoked before. Raises Refusal, NoAnswer."""
        try:
            self._send("DELETE", "/worker/host")
        except _Unauthenticated:
            return False
        return True

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        for left in range(TRIES - 1, -1, -1):
            try:
                answer = self._http.request(method, path, json=body)
            except httpx2.TransportError as error:
                if left == 0 or "CERTIFICATE_VERIFY_FAILED" in str(error):
                    raise NoAnswer(self._silence(error)) from None
            else:
                if answer.is_success:
                    return self._content(answer)
                if answer.status_code < 500 or left == 0:
                    raise self._refused(refusal(answer))
            time.sleep(self._pause_s)
        raise AssertionError("the last try returns or raises")

    def _content(self, answer: httpx2.Response) -> Any:
        try:
            return answer.json() if answer.content else None
        except ValueError:
            return None

    def _silence(self, error: Exception) -> str:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return (
                f"the certificate of {self._url} is not trusted ({error}): if no authority signed it, add "
                "--fingerprint with the SHA-256 that the server prints at its start, or --cacert FILE"
            )
        return (
            f"{self._url} does not answer ({error}): check address and port, its firewall, and that it runs"
        )

    def _refused(self, error: Refused) -> Exception:
        fields = "; ".join(f"{pointer}: {sentence}" for pointer, sentence in error.fields)
        text = ": ".join(filter(None, (error.title, fields or error.detail))).rstrip(".")
        remedy = REMEDIES.get(error.code)
        sentence = f"{self._url} refused: {text}" + (f"; {remedy}" if remedy else "")
        if error.status == 401:
            return _Unauthenticated(sentence)
        return NoAnswer(sentence) if error.status >= 500 else Refusal(sentence)


class _Unauthenticated(Refusal):
    """The token or the secret is unknown, revoked or expired."""
