"""The certificate and key of the API: delivered to its user, renewed while it runs, trusted by probes."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from scripts.starter import certificate
from scripts.starter.certificate import Pair
from scripts.starter.layout import Layout
from scripts.starter.private import write_private
from scripts.starter.terminal import Refusal, Terminal

SOON_DAYS: Final = 14
REFRESH_S: Final = 60.0


class ServerCertificate:
    """One certificate of one start: `prepare` before the API starts, then `refresh` now and then.

    The API reads `layout.tls_pair`, certificate and key in one file,
    so that it never finds one without the other; programs of this host trust what is in `layout.tls_pins`.
    `renewed` is called after another pair than the first was delivered.
    """

    def __init__(
        self,
        layout: Layout,
        host_name: str,
        terminal: Terminal,
        renewed: Callable[[], None] = lambda: None,
    ) -> None:
        self._renewed = renewed
        self._layout = layout
        self._reach = layout.reach
        self._host_name = host_name
        self._made = layout.var / "tls"
        self._terminal = terminal
        self._pair: Pair | None = None
        self._pins: list[str] = []
        self._complaint = ""
        self._due = 0.0
        self._owner: tuple[int, int] | None = None

    def prepare(self, owner: tuple[int, int] | None = None) -> None:
        """Read or make the pair, deliver it to its user, and print its fingerprint. Raises Refusal."""
        if self._reach.has_tls:
            self._owner = owner
            self._layout.tls_pair.parent.mkdir(mode=0o711, exist_ok=True)
            self._layout.tls_pair.parent.chmod(0o711)
            self._deliver(self._read())

    def refresh(self) -> None:
        """Deliver the pair again if it has changed; a new one that cannot be used is reported once."""
        if self._pair is None or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + REFRESH_S
        try:
            pair = self._read()
        except Refusal as refusal:
            if str(refusal) != self._complaint:
                self._complaint = str(refusal)
                self._terminal.say("tls", f"the certificate in use stays: {refusal}")
            return
        self._complaint = ""
        if pair != self._pair:
            self._deliver(pair)
            self._renewed()

    def _read(self) -> Pair:
        now = datetime.now(UTC)
        if self._reach.made:
            return certificate.self_made(self._made, self._reach.hosts(self._host_name), now)
        assert self._reach.tls_cert is not None and self._reach.tls_key is not None
        return certificate.given(self._reach.tls_cert, self._reach.tls_key, now)

    def _deliver(self, pair: Pair) -> None:
        write_private(self._layout.tls_pair, pair.key + b"\n" + pair.chain, self._owner)
        self._pair = pair
        self._pins.append(ssl.DER_cert_to_PEM_cert(pair.der))
        self._layout.tls_pins.write_text("".join(self._pins))
        self._layout.tls_pins.chmod(0o644)
        self._announce(pair)

    def _announce(self, pair: Pair) -> None:
        ends = pair.certificate.not_valid_after_utc
        kind = "made here" if self._reach.made else f"from {self._reach.tls_cert}"
        self._terminal.say("tls", f"certificate {kind}, valid to {ends:%Y-%m-%d}, SHA-256 {pair.fingerprint}")
        if self._reach.made:
            file = self._made / certificate.CERTIFICATE
            self._terminal.say("tls", f"browsers warn of it: compare the fingerprint, or install {file}")
        elif (ends - datetime.now(UTC)).days < SOON_DAYS:
            self._terminal.say(
                "tls", f"the certificate ends on {ends:%Y-%m-%d}; a new one in its place is used at once"
            )
        host = self._reach.settings(self._host_name).origin.host
        if not pair.covers(host):
            self._terminal.say("tls", f"the certificate is not for {host}; browsers will refuse it")
