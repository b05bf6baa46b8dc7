"""The reverse proxy of compose.yaml that ends TLS: `python -m scripts.compose.front`.

nginx in front of the API, on the port of PLIMSOLL_PUBLIC_URL. The certificate is the administrator's, or one
that is made here; both are read again once a minute, and nginx then loads the new one.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Final

from pydantic import ValidationError

from backend.reach_settings import ReachSettings
from scripts.starter import certificate
from scripts.starter.certificate import Pair
from scripts.starter.private import write_private
from scripts.starter.terminal import Refusal

GIVEN: Final = ("fullchain.pem", "privkey.pem")
"""The administrator's certificate with its chain, and key, in the volume."""
PUBLISHED: Final = Path("/front/certificate.pem")
"""Where the API reads it: PLIMSOLL_PROXY_CERT of compose.yaml."""
REFRESH_S: Final = 60.0
IPV6: Final = Path("/proc/net/if_inet6")


class Front:
    """The certificate in `volume`, delivered with nginx's configuration to `folder`, alone to `published`."""

    def __init__(self, reach: ReachSettings, volume: Path, folder: Path, published: Path) -> None:
        if not reach.is_https:
            raise Refusal(
                "PLIMSOLL_PUBLIC_URL is the address that browsers use, such as https://plimsoll.example.org"
            )
        self._reach = reach
        self._volume = volume
        self._folder = folder
        self.published = published
        self._pair: Pair | None = None
        self._complaint = ""

    @property
    def configuration(self) -> Path:
        """nginx's configuration."""
        return self._folder / "nginx.conf"

    def refresh(self) -> bool:
        """Deliver the pair if it is new; returns whether it was. The first one raises Refusal if unusable."""
        try:
            pair, made = self._read()
        except Refusal as refusal:
            if self._pair is None:
                raise
            if str(refusal) != self._complaint:
                self._complaint = str(refusal)
                print(f"the certificate in use stays: {refusal}", flush=True)
            return False
        self._complaint = ""
        if pair == self._pair:
            return False
        write_private(self._folder / "pair.pem", pair.chain + b"\n" + pair.key)
        self._publish(pair)
        self.configuration.write_text(nginx(self._reach, self._folder, made))
        self._pair = pair
        kind = "made here: browsers warn of it; compare its fingerprint" if made else "of the administrator"
        ends = pair.certificate.not_valid_after_utc
        print(f"certificate {kind}; valid to {ends:%Y-%m-%d}; SHA-256 {pair.fingerprint}", flush=True)
        return True

    def _publish(self, pair: Pair) -> None:
        """The certificate for the API, which names it in the command to join; it is no secret."""
        new = self.published.with_suffix(".new")
        new.write_bytes(pair.chain)
        new.chmod(0o644)
        new.replace(self.published)

    def _read(self) -> tuple[Pair, bool]:
        now = datetime.now(UTC)
        chain, key = (self._volume / name for name in GIVEN)
        if chain.exists() or key.exists():
            return certificate.given(chain, key, now), False
        origins = (self._reach.origin, *self._reach.allowed_origins)
        return certificate.self_made(self._volume, {origin.host for origin in origins}, now), True


def nginx(reach: ReachSettings, folder: Path, made: bool) -> str:
    """nginx's configuration; as in docs/server.md, with everything that it writes in `folder`."""
    port = reach.origin.port
    listen = [f"listen {port} ssl;", *([f"listen [::]:{port} ssl;"] if IPV6.exists() else [])]
    # A browser that has seen this header lets nobody pass a certificate that no authority has signed.
    hidden = "proxy_hide_header Strict-Transport-Security;" if made else ""
    places = "\n    ".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""\
user www-data;
worker_processes 1;
pid {folder / "nginx.pid"};
error_log stderr warn;
events {{
    worker_connections 4096;
}}
http {{
    access_log off;
    server_tokens off;
    {places}
    server {{
        {" ".join(listen)}
        ssl_certificate {folder / "pair.pem"};
        ssl_certificate_key {folder / "pair.pem"};
        ssl_protocols TLSv1.2 TLSv1.3;
        client_max_body_size 8m;
        location / {{
            proxy_pass http://127.0.0.1:{reach.port};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_read_timeout 60s;
            {hidden}
        }}
    }}
}}
"""


def main() -> int:
    """Serve until SIGTERM; returns the exit code."""
    folder = Path("/tmp/front")
    folder.mkdir(mode=0o711, exist_ok=True)
    try:
        front = Front(ReachSettings(), Path("/tls"), folder, PUBLISHED)
        front.refresh()
    except (Refusal, ValidationError) as error:
        print(f"plimsoll: {error}", file=sys.stderr)
        return 1
    server = subprocess.Popen(
        ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(front.configuration), "-g", "daemon off;"]
    )

    def stop(number: int, _frame: FrameType | None) -> None:
        server.send_signal(number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        return _serve(front, server)
    finally:
        PUBLISHED.unlink(missing_ok=True)


def _serve(front: Front, server: subprocess.Popen[bytes]) -> int:
    while True:
        try:
            return server.wait(REFRESH_S)
        except subprocess.TimeoutExpired:
            if front.refresh():
                server.send_signal(signal.SIGHUP)


if __name__ == "__main__":
    sys.exit(main())
