"""Settings of sign-in by an OpenID Connect provider (`PLIMSOLL_OIDC_…`)."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

from backend.web_address import is_loopback

TeamRole = Literal["viewer", "runner", "admin"]
TEAM_ROLES: Final[tuple[TeamRole, ...]] = ("viewer", "runner", "admin")


class IdentitySettings(BaseSettings):
    """How people prove who they are. Without `oidc_issuer` there is no sign-in by a provider."""

    oidc_issuer: str | None = None
    """The provider's issuer identifier, as its discovery document spells it."""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr | None = None
    oidc_client_secret_file: Path | None = None
    """A file with the client secret, instead of `oidc_client_secret`."""
    oidc_scopes: str = "openid profile email"
    oidc_name: str = Field(default="your organisation", min_length=1, max_length=40)
    """The provider's name on the page: "Sign in with …"."""
    oidc_allowed_domains: str = ""
    """Domains whose verified addresses get an account at the first sign-in: "example.org, example.com"."""
    oidc_trust_email: bool = False
    """Whether an address counts as verified where the issuer says nothing of it, as Entra ID."""
    oidc_default_role: TeamRole = "viewer"
    """The role of such an account in the default team."""
    oidc_group_roles: str = ""
    """Roles by the claim `groups` at the first sign-in, the highest counts: "bench=runner, ops=admin"."""

    @field_validator("oidc_issuer")
    @classmethod
    def _https_issuer(cls, value: str | None) -> str | None:
        if value is None or not value.strip():
            return None
        parts = urlsplit(value)
        local = parts.scheme == "http" and is_loopback(parts.hostname or "")
        if not (parts.scheme == "https" or local) or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("PLIMSOLL_OIDC_ISSUER is an https URL without query, as the provider states it")
        return value

    @field_validator("oidc_group_roles")
    @classmethod
    def _roles_readable(cls, value: str) -> str:
        read_group_roles(value)
        return value

    @field_validator("oidc_scopes")
    @classmethod
    def _has_openid(cls, value: str) -> str:
        if "openid" not in value.split():
            raise ValueError("PLIMSOLL_OIDC_SCOPES must contain openid")
        return value

    @model_validator(mode="after")
    def _client_named(self) -> Self:
        if self.oidc_issuer is not None and not self.oidc_client_id:
            raise ValueError("PLIMSOLL_OIDC_ISSUER needs PLIMSOLL_OIDC_CLIENT_ID")
        if self.oidc_client_secret is not None and self.oidc_client_secret_file is not None:
            raise ValueError("set PLIMSOLL_OIDC_CLIENT_SECRET or PLIMSOLL_OIDC_CLIENT_SECRET_FILE, not both")
        return self

    @property
    def oidc_secret(self) -> str | None:
        """The client secret; None for a public client. Raises OSError for a file that cannot be read."""
        if self.oidc_client_secret_file is not None:
            return self.oidc_client_secret_file.read_text().strip()
        return None if self.oidc_client_secret is None else self.oidc_client_secret.get_secret_value()

    @property
    def oidc_domains(self) -> frozenset[str]:
        """The domains of `oidc_allowed_domains` in lower case."""
        return frozenset(
            filter(None, (part.strip().lower() for part in self.oidc_allowed_domains.split(",")))
        )


def read_group_roles(text: str) -> dict[str, TeamRole]:
    """Parses "group=role, group=role" into roles by group. Raises ValueError with the invalid part."""
    found: dict[str, TeamRole] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        group, _, role = part.rpartition("=")
        if not group or role not in TEAM_ROLES:
            raise ValueError(f"{part!r} is not group=role; the roles are {', '.join(TEAM_ROLES)}")
        found[group] = role
    return found
