"""How this installation is reached: the options of `scripts/up`, checked as the API checks its settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from backend.reach_settings import ReachSettings
from backend.web_address import bracketed, is_loopback, is_wildcard
from scripts.starter.terminal import Refusal

MADE_LATER = "made-at-the-start.pem"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Reach:
    """The address that the API listens on, and the one that browsers use.

    `tls_cert` and `tls_key` are files of the administrator; `made` says that Plimsoll makes its own pair;
    `worker_redis` is the port of Redis for enrolled hosts.
    """

    listen: str = "127.0.0.1"
    port: int = 8420
    public_url: str = ""
    allowed_hosts: str = ""
    behind_proxy: str = ""
    plain_http: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    made: bool = False
    worker_redis: int | None = None

    @property
    def has_tls(self) -> bool:
        """Whether the listening socket speaks TLS."""
        return self.made or self.tls_cert is not None

    @property
    def local_url(self) -> str:
        """The address of the API for programs of this host."""
        host = "127.0.0.1" if is_wildcard(self.listen) else self.listen.strip("[]")
        return f"{'https' if self.has_tls else 'http'}://{bracketed(host)}:{self.port}"

    def environment(self, pair: Path | None = None) -> dict[str, str]:
        """The API's settings, without prefix; `pair` is the file with certificate and key."""
        found = {
            "LISTEN_HOST": self.listen,
            "PORT": str(self.port),
            "PUBLIC_URL": self.public_url,
            "ALLOWED_HOSTS": self.allowed_hosts,
            "TRUSTED_PROXY": self.behind_proxy,
            "PLAIN_HTTP": "1" if self.plain_http else "",
            "WORKER_REDIS_PORT": str(self.worker_redis or ""),
        }
        if self.has_tls:
            found |= {"TLS_CERT": str(pair), "TLS_KEY": str(pair), "TLS_SELF_MADE": "1" if self.made else ""}
        return {name: value for name, value in found.items() if value}

    def hosts(self, host_name: str) -> frozenset[str]:
        """The names and addresses that a certificate made here is for."""
        settings = self.settings(host_name)
        origins = {settings.origin, settings.listen_origin, *settings.allowed_origins}
        return frozenset({*LOCAL_HOSTS, host_name.lower(), *(origin.host for origin in origins)})

    def settings(self, host_name: str) -> ReachSettings:
        """The API's view of these options. Raises Refusal if it does not accept them."""
        pair = Path(MADE_LATER) if self.made else None
        try:
            return ReachSettings(
                listen_host=self.listen,
                port=self.port,
                public_url=self.public_url,
                allowed_hosts=self.allowed_hosts,
                trusted_proxy=self.behind_proxy,
                plain_http=self.plain_http,
                tls_cert=pair or self.tls_cert,
                tls_key=pair or self.tls_key,
                tls_self_made=self.made,
                worker_redis_port=self.worker_redis,
                host_name=host_name,
            )
        except ValidationError as error:
            first = error.errors()[0]
            raise Refusal(str(first.get("ctx", {}).get("error") or first["msg"])) from None


LOOPBACK = Reach()


def choose(given: Reach, host_name: str) -> Reach:
    """The options with the decision about TLS, checked. Raises Refusal.

    An address beyond this host has TLS: by the given certificate, at the named proxy, or by a certificate
    made here. Only `plain_http` leaves it out.
    """
    if given.plain_http and given.tls_cert is not None:
        raise Refusal("--plain-http and --tls-cert exclude each other: remove one of them")
    beyond = not is_loopback(given.listen)
    made = beyond and not (given.plain_http or given.behind_proxy or given.tls_cert or given.tls_key)
    chosen = replace(given, made=made)
    chosen.settings(host_name)
    return chosen
