"""The environment of each process: only the secrets that are its own."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from pathlib import Path

from backend.settings import Settings
from backend.store import grants
from backend.store.role_url import role_url
from scripts.starter import redis_users
from scripts.starter.layout import Layout
from scripts.starter.secret_files import secret

OF_THE_HOST = ("HOST_DOCKER_SOCKET", "PROXY_PROGRAMS", "TIME_FACTOR")
"""Settings of the host's engines, which the starter passes on to the worker unchanged."""
OF_THE_OPERATOR = (
    *("LOG_FORMAT", "LOG_LEVEL", "METRICS_ADDRESS", "METRICS_PORT", "WORKER_METRICS_PORT"),
    "WEBHOOK_ALLOW",
)
"""Settings of logs, metrics and webhooks, which the starter passes on to API and worker unchanged."""
OF_LIMITS = tuple(name.upper() for name in Settings.model_fields if name.startswith(("rate_", "quota_")))
"""Limits of requests and of teams (docs/limits.md), which the starter passes on to the API unchanged."""

HARMLESS = re.compile(
    r"LANG|LC_[A-Z]+|TZ|(http|https|no|all)_proxy|(HTTP|HTTPS|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)"
)
"""Variables of root that the API inherits."""
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
OF_THE_PROVIDER = (
    *("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_SCOPES", "OIDC_NAME"),
    *("OIDC_ALLOWED_DOMAINS", "OIDC_TRUST_EMAIL", "OIDC_DEFAULT_ROLE", "OIDC_GROUP_ROLES"),
)
"""Settings of sign-in by an OpenID Connect provider, which the starter passes on to the API unchanged."""


def database_url(layout: Layout, role: str) -> str:
    """The address of the database for one of its roles, with that role's password."""
    return role_url(role, secret(layout.secrets, role), str(layout.postgres_socket))


def passwords(layout: Layout, with_keeper: bool = False) -> dict[str, str]:
    """The passwords of Redis's users; the keeper of hosts' users is one of them where hosts use Redis."""
    names = (*redis_users.ALL, *((redis_users.KEEPER,) if with_keeper else ()))
    return {name: secret(layout.secrets, f"redis_{name}") for name in names}


def redis_url(layout: Layout, user: str) -> str:
    """The address of Redis for one of its users."""
    return f"unix://{user}:{secret(layout.secrets, f'redis_{user}')}@{layout.redis_socket}"


def of_api(layout: Layout) -> dict[str, str]:
    """The API's environment; of root's variables it gets only harmless ones."""
    settings = _plimsoll(
        layout,
        {
            "DATABASE_URL": database_url(layout, grants.API),
            "REDIS_URL": redis_url(layout, redis_users.API),
            **layout.reach.environment(layout.tls_pair),
            "PORT": str(layout.port),
            "PAGE_DIR": str(layout.code / "frontend" / "dist"),
            **_passed_on(OF_THE_OPERATOR + OF_THE_PROVIDER + OF_LIMITS),
            **_client_secret(),
        },
    )
    inherited = {name: value for name, value in os.environ.items() if HARMLESS.fullmatch(name)}
    # The code is read-only, and the user has no home.
    limited = {"PATH": SYSTEM_PATH, "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    return inherited | limited | {"PYTHONUNBUFFERED": "1"} | settings


def _client_secret() -> dict[str, str]:
    """The provider's client secret from its file, which the API's own user need not be able to read."""
    path = os.environ.get("PLIMSOLL_OIDC_CLIENT_SECRET_FILE")
    return {"OIDC_CLIENT_SECRET": Path(path).read_text().strip()} if path else {}


def of_worker(layout: Layout) -> dict[str, str]:
    """The environment of worker and reaper."""
    return _environment(
        layout,
        {
            "DATABASE_URL": database_url(layout, grants.WORKER),
            "REDIS_URL": redis_url(layout, redis_users.WORKER),
            "VAR_DIR": str(layout.var),
            "RUNTIME_DIR": str(layout.runtime),
            **_passed_on(OF_THE_HOST + OF_THE_OPERATOR),
        },
    )


def of_joined_worker(layout: Layout, settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of worker and reaper on a host that has joined a server, with these settings."""
    own = {"VAR_DIR": str(layout.var), "RUNTIME_DIR": str(layout.runtime)}
    return _environment(layout, own | _passed_on(OF_THE_HOST + OF_THE_OPERATOR) | dict(settings))


def _passed_on(names: tuple[str, ...]) -> dict[str, str]:
    return {name: os.environ[f"PLIMSOLL_{name}"] for name in names if f"PLIMSOLL_{name}" in os.environ}


def of_migration(layout: Layout) -> dict[str, str]:
    """The migration's environment."""
    return _environment(layout, {"DATABASE_URL": database_url(layout, grants.MIGRATE)})


def host_name() -> str:
    """The name of this host: PLIMSOLL_HOST_NAME, or the kernel's."""
    return os.environ.get("PLIMSOLL_HOST_NAME") or socket.gethostname()


def _environment(layout: Layout, settings: dict[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
    inherited["PATH"] = f"{layout.root}/.venv/bin:{inherited.get('PATH', '')}:/usr/sbin:/sbin"
    inherited["PYTHONUNBUFFERED"] = "1"
    return inherited | _plimsoll(layout, settings)


def _plimsoll(layout: Layout, settings: dict[str, str]) -> dict[str, str]:
    common = {"INSTALL_ID": layout.install_id, "HOST_NAME": host_name()}
    return {f"PLIMSOLL_{name}": value for name, value in (common | settings).items()}
