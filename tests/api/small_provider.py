"""A small OpenID Connect provider on loopback, whose answers a test chooses; no real one has all dialects."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from joserfc import jwt
from joserfc.jwk import RSAKey

from backend.api.identity.attempt import Attempt

CLIENT_ID: Final = "plimsoll"
SUBJECT: Final = "00u1abc"
_KEY: Final = RSAKey.generate_key(2048, {"kid": "one"})


class SmallProvider:
    """`id_token` and `userinfo` are the claims beside the necessary ones; `answers` replaces a whole answer.

    An answer is a status, a content type and a body; `delays` are seconds before an answer. `asked` lists the
    paths of the requests.
    """

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.id_token: dict[str, Any] = {}
        self.userinfo: dict[str, Any] | None = {}
        self.answers: dict[str, tuple[int, str, bytes]] = {}
        self.delays: dict[str, float] = {}
        self.asked: list[str] = []
        self.nonce = ""

    def begin(self, attempt: Attempt) -> None:
        """The next ID token is for this attempt."""
        self.nonce = attempt.nonce

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Status, content type and body for a path."""
        self.asked.append(path)
        time.sleep(self.delays.get(path, 0))  # an answer that is late on purpose
        if path in self.answers:
            return self.answers[path]
        document = self._document(path)
        if document is None:
            return 404, "text/plain", b"no such thing"
        return 200, "application/json", json.dumps(document).encode()

    def _document(self, path: str) -> dict[str, Any] | None:
        match path:
            case "/.well-known/openid-configuration":
                found = {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/keys",
                }
                return (
                    found
                    if self.userinfo is None
                    else found | {"userinfo_endpoint": f"{self.issuer}/userinfo"}
                )
            case "/keys":
                return {"keys": [_KEY.as_dict(private=False, use="sig", alg="RS256")]}
            case "/token":
                return {"access_token": "secret", "token_type": "Bearer", "id_token": self._signed()}
            case "/userinfo":
                return None if self.userinfo is None else {"sub": SUBJECT, **self.userinfo}
        return None

    def _signed(self) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": SUBJECT,
            "iat": now,
            "exp": now + 300,
            "nonce": self.nonce,
            **self.id_token,
        }
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, _KEY)


@contextmanager
def small_provider() -> Iterator[SmallProvider]:
    """A running provider."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, media, body = provider.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: pytest shows what matters."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = SmallProvider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
