"""The certificates that a joining host trusts: the usual ones, those of a file, or one by its fingerprint."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

from backend.client.errors import PlimsollError, Unreachable
from backend.client.trust import fingerprint, has_fingerprint, presented, read_file, trust_text
from scripts.joining.server import NoAnswer
from scripts.starter.terminal import Refusal


@dataclass(frozen=True)
class Verified:
    """The `verify` of an HTTP client, and the only certificates (PEM) that it trusts, or None."""

    verify: ssl.SSLContext | bool
    certificates: str | None


@dataclass(frozen=True)
class Trust:
    """Only `certificate` (PEM), or the one with SHA-256 `pinned`, is trusted; without both the usual ones."""

    certificate: str | None = None
    pinned: str = ""

    @property
    def is_own(self) -> bool:
        """Whether anything else than the usual certificates is trusted."""
        return self.certificate is not None or bool(self.pinned)

    def verified(self, server: str) -> Verified:
        """What an HTTP client of this server trusts. Raises Refusal, NoAnswer.

        A certificate with another fingerprint is refused before anything is sent. One with this fingerprint
        is trusted whatever name it has.
        """
        try:
            if not self.pinned:
                return Verified(trust_text(self.certificate, "the file of --cacert"), self.certificate)
            found = presented(server)
            context = trust_text(found)
        except Unreachable as error:
            raise NoAnswer(str(error)) from None
        except PlimsollError as error:
            raise Refusal(str(error)) from None
        if not has_fingerprint(found, self.pinned):
            raise Refusal(
                f"{server} has a certificate with another fingerprint, {fingerprint(found)}: nothing was "
                "sent. Compare it with the one that the server printed at its last start; if they differ, "
                "somebody is between this host and the server"
            )
        assert isinstance(context, ssl.SSLContext)
        context.check_hostname = False
        return Verified(context, found)


def read_trust(cacert: Path | None, pinned: str) -> Trust:
    """The trust that the options name. Raises Refusal for a file that cannot be read."""
    try:
        return Trust(read_file(str(cacert)) if cacert is not None else None, pinned.strip().upper())
    except PlimsollError as error:
        raise Refusal(str(error)) from None
