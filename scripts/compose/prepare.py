"""Passwords and settings of the services of compose.yaml: `python -m scripts.compose.prepare`.

Each service gets a volume with its own settings only. Passwords are made once and kept in a volume that no
other service has.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from backend.store import grants
from scripts.starter import redis_users
from scripts.starter.secret_files import secret

API: Final = 10420
"""The user of the API's container; `user:` of compose.yaml."""
REDIS: Final = 999
"""The user of Redis in its image."""
SECRETS: Final = Path("/secrets")
SETTINGS: Final = Path("/settings")
SOCKETS: Final = Path("/sockets")
REDIS_SOCKET: Final = "/run/redis/redis.sock"


def main() -> None:
    """Write everything; existing passwords stay."""
    host = os.environ["PLIMSOLL_HOST_NAME"]
    passwords = {name: secret(SECRETS, f"redis_{name}") for name in redis_users.ALL}
    write(SETTINGS / "redis", "users.acl", redis_users.rules(passwords, host), REDIS)
    for name, role, owner in (
        ("api", grants.API, API),
        ("worker", grants.WORKER, 0),
        ("migrate", grants.MIGRATE, 0),
    ):
        url = f"postgresql+psycopg://{role}:{secret(SECRETS, role)}@/plimsoll?host=%2Frun%2Fpostgresql"
        settings = {"PLIMSOLL_DATABASE_URL": url}
        if name in passwords:
            settings["PLIMSOLL_REDIS_URL"] = f"unix://{name}:{passwords[name]}@{REDIS_SOCKET}"
        write(SETTINGS / name, "environment", exports(settings), owner)
    os.chown(SOCKETS / "redis", REDIS, API)
    (SOCKETS / "redis").chmod(0o710)


def exports(settings: Mapping[str, str]) -> str:
    """The lines that a shell reads with `.` to set these variables."""
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in settings.items())


def write(folder: Path, name: str, text: str, owner: int) -> None:
    """Write a file, with its folder, that only `owner` can read."""
    folder.mkdir(exist_ok=True)
    new = folder / f"{name}.new"
    new.unlink(missing_ok=True)
    new.touch(mode=0o400)
    new.write_text(text)
    for path in (folder, new):
        os.chown(path, owner, owner)
    folder.chmod(0o700)
    new.replace(folder / name)


if __name__ == "__main__":
    main()
