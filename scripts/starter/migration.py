"""The database's schema and the privileges of its roles, as this program needs them."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.starter import environment
from scripts.starter.layout import Layout
from scripts.starter.once import run_once
from scripts.starter.stopping import Stop

LIMIT: Final = 300.0
SOURCES: Final = ("migrations/env.py", "migrations/versions/*.py", "backend/store/grants.py")
STAMP: Final = "migrated"


def forget(layout: Layout) -> None:
    """Run Alembic at the next call, whatever it left."""
    (layout.var / STAMP).unlink(missing_ok=True)


@dataclass(frozen=True)
class Migration:
    """`revision` returns the revision of the database, None without a schema."""

    layout: Layout
    revision: Callable[[], str | None]

    def run(self, stop: Stop) -> None:
        """Bring the database up to date. Raises Refusal, Stopped.

        Alembic and all tables take two seconds to import, so it is not run for a database that it has left
        with this revision, by these sources.
        """
        if self._stamp().exists() and self._stamp().read_text() == self._state():
            return
        argv = (sys.executable, "-m", "alembic", "upgrade", "head")
        run_once(
            "migrate",
            argv,
            environment.of_migration(self.layout),
            self.layout.logs / "migrate.log",
            LIMIT,
            cwd=self.layout.root,
            stop=stop,
        )
        self._stamp().write_text(self._state())

    def _stamp(self) -> Path:
        return self.layout.var / STAMP

    def _state(self) -> str:
        """The sources and the database's revision."""
        digest = hashlib.sha256()
        for file in sorted(file for pattern in SOURCES for file in self.layout.root.glob(pattern)):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        return f"{digest.hexdigest()} {self.revision()}\n"
