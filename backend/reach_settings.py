"""How a server is reached: the part of the settings that has addresses, TLS and proxies."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.host_names import free_host_name
from backend.web_address import (
    DEFAULT_PORTS,
    Networks,
    Origin,
    bracketed,
    is_address,
    is_loopback,
    is_wildcard,
    read_authority,
    read_networks,
    read_origin,
)


class ReachSettings(BaseSettings):
    """Addresses, TLS and proxies of a server. Raises pydantic's ValidationError for an unsafe combination."""

    model_config = SettingsConfigDict(env_prefix="PLIMSOLL_", extra="forbid", frozen=True)

    listen_host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8420
    public_url: str | None = None
    """Scheme, host and port under which browsers reach this server, where it differs from the address that it
    listens on: "https://plimsoll.example.org". Empty counts as not set."""
    allowed_hosts: str = ""
    """Further names under which browsers reach this server: "name, name:port, https://name"."""
    trusted_proxy: str = ""
    """Reverse proxies whose X-Forwarded-For is believed: "192.0.2.1, 2001:db8::/64"."""
    tls_cert: Path | None = None
    """The certificate with its chain, in PEM; with `tls_key`, the server itself speaks https."""
    tls_key: Path | None = None
    """The private key of `tls_cert`, in PEM, without a passphrase."""
    proxy_cert: Path | None = None
    """The certificate of the reverse proxy that ends TLS, in PEM: commands to join have its fingerprint
    where no authority signed it. There may be no such file."""
    tls_self_made: bool = False
    """The certificate is one that Plimsoll made: browsers warn of it, unless it was installed there."""
    plain_http: bool = False
    """Accepts that passwords and results cross a network unencrypted."""
    worker_redis_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """The port on which workers of enrolled hosts reach Redis by TLS; not set: they poll."""
    host_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")] = Field(
        default_factory=socket.gethostname, validate_default=True
    )

    @field_validator("host_name")
    @classmethod
    def _is_free(cls, value: str) -> str:
        return free_host_name(value)

    @field_validator("listen_host")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value != "localhost" and not is_address(value.strip("[]")):
            raise ValueError(
                f"{value!r} is not an address: --listen needs one of this host, such as 192.0.2.7, "
                "or 0.0.0.0 or :: for all of them"
            )
        return value

    @field_validator("public_url")
    @classmethod
    def _public_url_is_an_origin(cls, value: str | None) -> str | None:
        if value is None or not value.strip():
            return None
        try:
            return str(read_origin(value.strip().removesuffix("/")))
        except ValueError as error:
            raise ValueError(
                f"{error}; PLIMSOLL_PUBLIC_URL is scheme, host and port only, such as https://plimsoll.example.org"
            ) from None

    @field_validator("allowed_hosts")
    @classmethod
    def _names_readable(cls, value: str) -> str:
        read_names(value, "https", frozenset())
        return value

    @field_validator("trusted_proxy")
    @classmethod
    def _proxies_readable(cls, value: str) -> str:
        try:
            networks = read_networks(value)
        except ValueError as error:
            raise ValueError(f"{error}; PLIMSOLL_TRUSTED_PROXY is a list of addresses and networks") from None
        if any(network.prefixlen == 0 for network in networks):
            raise ValueError("PLIMSOLL_TRUSTED_PROXY must not contain every address: name the proxy's own")
        return value

    @property
    def trusted_proxies(self) -> Networks:
        """The networks of `trusted_proxy`."""
        return read_networks(self.trusted_proxy)

    @field_validator("tls_cert", "tls_key", "proxy_cert", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _encrypted_beyond_this_host(self) -> Self:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("a certificate needs its private key: give --tls-cert FILE and --tls-key FILE")
        if self.tls_cert is not None and self.public_url is not None and not self.is_https:
            raise ValueError("the server has a certificate, so --public-url begins with https://")
        if self.trusted_proxy and self.public_url is None:
            raise ValueError("--behind-proxy needs --public-url, the address that browsers use")
        if self.worker_redis_port is not None and self.tls_cert is None:
            raise ValueError(
                "--worker-redis needs a certificate of this server itself: --listen ADDRESS makes one, "
                "--tls-cert FILE and --tls-key FILE give one; without it, workers poll"
            )
        if self.worker_redis_port == self.port:
            raise ValueError("--worker-redis needs another port than --port")
        if not self.plain_http and (exposed := self._unencrypted) is not None:
            raise ValueError(
                f"{exposed} would send passwords and results over the network unencrypted: give a "
                "certificate (--tls-cert FILE --tls-key FILE), name the reverse proxy that ends TLS "
                "(--behind-proxy ADDRESS --public-url https://NAME), or accept it with --plain-http"
            )
        return self

    @property
    def strict_transport(self) -> bool:
        """Whether responses direct browsers to https only (HSTS).

        A browser applies that to every port of the host, and then lets nobody pass a certificate that it does
        not trust. So the host must be Plimsoll's alone, by its name on port 443, with a certificate of an
        authority.
        """
        named = not is_address(self.origin.host) and not is_loopback(self.origin.host)
        return (
            self.is_https and self.origin.port == DEFAULT_PORTS["https"] and named and not self.tls_self_made
        )

    @property
    def is_unencrypted(self) -> bool:
        """Whether other hosts reach this server by plain http, which `plain_http` accepted."""
        return self._unencrypted is not None

    @property
    def _unencrypted(self) -> Origin | None:
        """The origin that is reached by plain http from other hosts, if there is one."""
        by_proxy = bool(self.trusted_proxies) and self.is_https
        for origin, excused in ((self.origin, False), (self.listen_origin, by_proxy)):
            if origin.scheme == "http" and not is_loopback(origin.host) and not excused:
                return origin
        return None

    @property
    def listen_origin(self) -> Origin:
        """The origin of the listening socket; for all interfaces, with the name of this host."""
        host = self.host_name.lower() if is_wildcard(self.listen_host) else self.listen_host.strip("[]")
        scheme = "http" if self.tls_cert is None else "https"
        return read_origin(f"{scheme}://{bracketed(host)}:{self.port}")

    @property
    def origin(self) -> Origin:
        """The origin under which browsers reach this server."""
        return self.listen_origin if self.public_url is None else read_origin(self.public_url)

    @property
    def allowed_origins(self) -> frozenset[Origin]:
        """The origins of `allowed_hosts`; a name alone has the public, the own and the default port."""
        return read_names(self.allowed_hosts, self.origin.scheme, frozenset({self.origin.port, self.port}))

    @property
    def base_url(self) -> str:
        """The start of every absolute link, without a slash at its end; never taken from a request."""
        return str(self.origin)

    @property
    def is_https(self) -> bool:
        """Whether browsers reach this server by https."""
        return self.origin.scheme == "https"


def read_names(text: str, scheme: str, ports: frozenset[int]) -> frozenset[Origin]:
    """The origins of "name, name:port, https://name"; `scheme` and `ports` where a name has none.

    Raises ValueError with the invalid part.
    """
    found: set[Origin] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            if "://" in part:
                found.add(read_origin(part))
                continue
            authority = read_authority(part)
        except ValueError as error:
            raise ValueError(
                f"{error}; PLIMSOLL_ALLOWED_HOSTS is a list of names such as bench.example.org, "
                "bench.example.org:8443 or https://bench.example.org, without wildcards"
            ) from None
        own = ports | {DEFAULT_PORTS[scheme]} if authority.port is None else {authority.port}
        found |= {Origin(scheme, authority.host, port) for port in own}
    return frozenset(found)
