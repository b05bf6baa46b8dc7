"""The server of an enrolled host: the part of the settings that only a worker of such a host has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.client.address import is_loopback, origin_of
from backend.client.errors import Misconfigured

FINGERPRINT = r"^(?:[0-9A-Fa-f]{2}:?){32}$"


class JoinedSettings(BaseSettings):
    """Where the server is, and how its worker proves who it is. Raises pydantic's ValidationError."""

    model_config = SettingsConfigDict(env_prefix="PLIMSOLL_", extra="forbid", frozen=True)

    server_url: str | None = None
    """The server of which this host's worker takes trials, over HTTPS: it has no database. Not set: the
    worker uses the database of this host."""
    host_token_file: Path | None = None
    """The file with the token that this host got when it was enrolled."""
    server_ca_file: Path | None = None
    """The only certificates to trust for the server, in PEM; one may be the server's own."""
    server_fingerprint: Annotated[str, Field(pattern=FINGERPRINT)] | None = None
    """SHA-256 of the server's own certificate, the only one to trust."""
    installed: str = ""
    """How this program was installed, so that the server can name the command that updates it."""
    allow_http: bool = False
    """Accepts that the token and the results cross a network unencrypted."""

    @field_validator("server_url", "server_fingerprint", "server_ca_file", "host_token_file", mode="before")
    @classmethod
    def _empty_counts_as_not_set(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("server_url")
    @classmethod
    def _is_a_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            return origin_of(value)
        except Misconfigured as error:
            raise ValueError(f"PLIMSOLL_SERVER_URL: {error}") from None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.server_url is None:
            return self
        if self.host_token_file is None:
            raise ValueError("PLIMSOLL_SERVER_URL needs PLIMSOLL_HOST_TOKEN_FILE, which scripts/join writes")
        if self.server_ca_file is not None and self.server_fingerprint is not None:
            raise ValueError("choose one of PLIMSOLL_SERVER_CA_FILE and PLIMSOLL_SERVER_FINGERPRINT")
        if self.server_url.startswith("http:") and not is_loopback(self.server_url) and not self.allow_http:
            raise ValueError(
                f"{self.server_url} would carry this host's token over the network unencrypted: use https, "
                "or set PLIMSOLL_ALLOW_HTTP=1 where the network is trusted"
            )
        return self
