"""The address of a server as its client uses it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A literal address and a port, or the path of a Unix socket in the client's container.

    For PostgreSQL `socket` is the directory of the socket, for HTTP the socket itself.
    """

    address: str
    port: int
    socket: str | None = None

    @property
    def url_host(self) -> str:
        """Address and port in URL syntax, with an IPv6 address in brackets."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"
