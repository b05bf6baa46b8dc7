"""Alembic runs at a start where sources or database differ from what it last left, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.starter import migration
from scripts.starter.layout import Layout
from scripts.starter.migration import Migration, forget
from scripts.starter.stopping import Stop


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    monkeypatch.setattr(migration, "run_once", lambda name, *_, **__: names.append(name))
    monkeypatch.setattr(migration.environment, "of_migration", lambda _layout: {})
    for name in ("migrations/env.py", "migrations/versions/one.py", "backend/store/grants.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("pass\n")
    (tmp_path / "var/log").mkdir(parents=True)
    return names


def test_alembic_runs_only_where_sources_or_database_are_others(tmp_path: Path, calls: list[str]) -> None:
    layout = Layout(tmp_path, tmp_path / "var", tmp_path / "run", "abc123", 8420)
    revision: list[str | None] = [None]

    def runs() -> int:
        before = len(calls)
        Migration(layout, lambda: revision[0]).run(Stop())
        return len(calls) - before

    assert runs() == 1, "a new installation"
    assert runs() == 0
    (tmp_path / "migrations/versions/two.py").write_text("pass\n")
    assert runs() == 1, "a new migration"
    (tmp_path / "backend/store/grants.py").write_text("ROLES = ()\n")
    assert (runs(), runs()) == (1, 0)
    revision[0] = "older"
    assert (runs(), runs()) == (1, 0)
    forget(layout)
    assert runs() == 1, "after a restore"
