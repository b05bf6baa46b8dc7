"""The host names and origins of this server, from its settings.

A Host header is compared with the names, and an Origin header with the origins. Neither list is extended by
what a client sends: a page whose name resolves to this server (DNS rebinding) sends its own name in both.
"""

from __future__ import annotations

from dataclasses import dataclass

from backend.settings import Settings
from backend.web_address import (
    DEFAULT_PORTS,
    Origin,
    is_loopback,
    is_wildcard,
    read_authority,
    read_host,
    read_origin,
)


@dataclass(frozen=True)
class OwnAddresses:
    """Names and origins under which this server is reached.

    `public` is the origin of the public URL, `scheme` the one of the listening socket. `loopback`: every
    loopback name with any port is an own name, for programs on this host and for SSH tunnels. `wildcard`: the
    server listens on all interfaces, so the literal address of a connection is an own name.
    """

    public: Origin | None
    origins: frozenset[Origin]
    scheme: str
    loopback: bool
    wildcard: bool

    @staticmethod
    def of(settings: Settings) -> OwnAddresses:
        """The addresses of a server with these settings."""
        listens, wildcard = settings.listen_origin, is_wildcard(settings.listen_host)
        return OwnAddresses(
            public=None if settings.public_url is None else settings.origin,
            origins=frozenset({settings.origin, listens, *settings.allowed_origins}),
            scheme=listens.scheme,
            loopback=wildcard or is_loopback(settings.listen_host),
            wildcard=wildcard,
        )

    def serves(self, host: str, reached: str | None) -> bool:
        """Whether a Host header names this server; `reached` is the local address of the connection."""
        try:
            name = read_authority(host).host
        except ValueError:
            return False
        return any(origin.host == name for origin in self.origins) or self._is_local(name, reached)

    def is_own_origin(self, origin: str, host: str, reached: str | None) -> bool:
        """Whether a browser's page of this origin comes from this server.

        The origin of the public URL always does: a reverse proxy may send another Host header. Every other
        one must be an own origin and the one that the request itself is addressed to.
        """
        try:
            given, authority = read_origin(origin), read_authority(host)
        except ValueError:
            return False
        if given == self.public:
            return True
        if (given.host, given.port) != (authority.host, authority.port or DEFAULT_PORTS[given.scheme]):
            return False
        return given in self.origins or (given.scheme == self.scheme and self._is_local(given.host, reached))

    def _is_local(self, name: str, reached: str | None) -> bool:
        if self.loopback and is_loopback(name):
            return True
        return self.wildcard and reached is not None and name == read_host(reached)
