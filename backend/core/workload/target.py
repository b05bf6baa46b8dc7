"""Where a server listens, as its client addresses it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A literal address and a port, or the path of a Unix socket as the client sees it.

    For PostgreSQL `socket` is the directory of the socket, for HTTP the socket itself.
    """

    address: str
    port: int
    socket: str | None = None

    @property
    def url_host(self) -> str:
        """Address and port as a URL spells them: an IPv6 address stands in brackets."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"
