"""pg_dump and pg_restore, with the address of the database in their environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

from backend.core.errors import PlimsollError

INSTALLED: Final = Path("/usr/lib/postgresql")


class BackupFailed(PlimsollError):
    """A backup or restore was refused or has failed; the text is one sentence for the user."""

    code = "backup_failed"


def run(name: str, *arguments: str, database_url: str) -> None:
    """Run a program of PostgreSQL on a database. Raises BackupFailed with its last line."""
    argv = [_program(name), *arguments]
    done = subprocess.run(argv, env=_environment(database_url), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise BackupFailed(f"{name} failed: {lines[-1]}")


def _program(name: str) -> str:
    """The newest installed one: pg_dump refuses a server that is newer than itself."""
    majors = sorted(INSTALLED.glob(f"[0-9]*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    found = str(majors[-1]) if majors else shutil.which(name)
    if found is None:
        raise BackupFailed(f"{name} is not installed; it comes with PostgreSQL's client")
    return found


def _environment(database_url: str) -> dict[str, str]:
    """libpq's variables: a command line is visible to all users of the host, an environment is not."""
    url = make_url(database_url)
    values = {
        "PGHOST": url.host or url.query.get("host"),
        "PGPORT": None if url.port is None else str(url.port),
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        "PGREQUIREAUTH": url.query.get("require_auth"),
    }
    return os.environ | {name: str(value) for name, value in values.items() if value}
