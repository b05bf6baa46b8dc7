"""Passwords and settings of the services of compose.yaml: `python -m scripts.compose.prepare`.

Each service gets a volume with its own settings only. Passwords and the id of the installation are made once
and kept in a volume that no other service has.
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from backend.store import grants
from backend.store.role_url import DATABASE, REQUIRED_AUTH, role_url
from scripts.starter import postgres, redis_users
from scripts.starter.private import write_private
from scripts.starter.secret_files import secret

API: Final = 10420
"""The user of the API's container; `user:` of compose.yaml."""
SERVER: Final = 999
"""The user of PostgreSQL and the one of Redis, each in its own image; `user:` of compose.yaml."""
SECRETS: Final = Path("/secrets")
SETTINGS: Final = Path("/settings")
SOCKETS: Final = Path("/sockets")
REDIS_SOCKET: Final = "/run/redis/redis.sock"
POSTGRES_SOCKET: Final = "/run/postgresql"
INSTALL_ID: Final = "install-id"


def main() -> None:
    """Write everything; existing passwords stay."""
    host = os.environ["PLIMSOLL_HOST_NAME"]
    passwords = {name: secret(SECRETS, f"redis_{name}") for name in redis_users.ALL}
    write(SETTINGS / "redis", "users.acl", redis_users.rules(passwords, host), SERVER)
    for name, text in (
        ("pg_hba.conf", postgres.HBA),
        ("pg_ident.conf", postgres.IDENT),
        ("superuser", secret(SECRETS, "postgres") + "\n"),
    ):
        write(SETTINGS / "postgres", name, text, SERVER)
    for name, role, owner in (
        ("api", grants.API, API),
        ("worker", grants.WORKER, 0),
        ("migrate", grants.MIGRATE, 0),
    ):
        settings = _of_database(role) | _of_installation()
        if name in passwords:
            settings["PLIMSOLL_REDIS_URL"] = f"unix://{name}:{passwords[name]}@{REDIS_SOCKET}"
        write(SETTINGS / name, "environment", exports(settings), owner)
    os.chown(SOCKETS / "redis", SERVER, API)
    (SOCKETS / "redis").chmod(0o710)
    # Of root, so that the image's entry point, which runs as the server, cannot open it to everyone again.
    os.chown(SOCKETS / "postgres", 0, SERVER)
    (SOCKETS / "postgres").chmod(0o771)


def _of_database(role: str) -> dict[str, str]:
    """The database for one of its roles, also as psql reads it."""
    password = secret(SECRETS, role)
    return {
        "PLIMSOLL_DATABASE_URL": role_url(role, password, POSTGRES_SOCKET),
        "PGHOST": POSTGRES_SOCKET,
        "PGDATABASE": DATABASE,
        "PGUSER": role,
        "PGPASSWORD": password,
        "PGREQUIREAUTH": REQUIRED_AUTH,
    }


def _of_installation() -> dict[str, str]:
    """Its id, which distinguishes its engines, namespaces and cgroups from those of others on the host."""
    path = SECRETS / INSTALL_ID
    if not path.exists():
        new = path.with_suffix(".new")
        new.write_text(secrets.token_hex(3) + "\n", encoding="ascii")
        new.replace(path)
    install_id = path.read_text(encoding="ascii").strip()
    return {"PLIMSOLL_INSTALL_ID": install_id, "PLIMSOLL_RUNTIME_DIR": f"/run/plimsoll-{install_id}"}


def exports(settings: Mapping[str, str]) -> str:
    """The lines that a shell reads with `.` to set these variables."""
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in settings.items())


def write(folder: Path, name: str, text: str, owner: int) -> None:
    """Write a file, with its folder, that only `owner` can read."""
    folder.mkdir(exist_ok=True)
    write_private(folder / name, text.encode(), (owner, owner))
    os.chown(folder, owner, owner)
    folder.chmod(0o700)


if __name__ == "__main__":
    main()
