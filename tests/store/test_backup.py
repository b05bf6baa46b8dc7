"""A backup restored elsewhere has the same data: links open, counts are equal, nothing is lost."""

from __future__ import annotations

import io
import json
import stat
import tarfile
from pathlib import Path

import pytest
from alembic import command
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from backend.api.app import create_app
from backend.settings import Settings
from backend.store import invariants, migrations
from backend.store.backup import archive, programs
from backend.store.backup.backup import back_up, count_rows
from backend.store.backup.programs import BackupFailed
from backend.store.backup.restore import restore
from backend.store.models import Base
from backend.store.session import session_scope
from tests.accounts import signed_in, token_headers
from tests.api.client import BASE, Worker, start_run

pytestmark = pytest.mark.new_database  # a restore wants nobody connected

NOBODY_SIGNED_IN = {"browser_session": 0, "one_time_link": 0, "device_authorization": 0}


def after(rows: dict[str, int]) -> dict[str, int]:
    """The rows after a restore: nobody is signed in, and the audit log has an entry of it."""
    return rows | NOBODY_SIGNED_IN | {"audit": rows["audit"] + 1}


def rows_of(settings: Settings) -> dict[str, int]:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        found = count_rows(connection)
    engine.dispose()
    return found


def fill(settings: Settings) -> dict[str, str]:
    """An ended run with a link, and a run of which one trial runs; returns ids and the link's token."""
    worker = Worker(settings)
    worker.announce()
    with TestClient(create_app(settings), base_url=BASE, headers=signed_in(settings)) as api:
        ended = start_run(api)["id"]
        worker.finish()
        token = api.post(f"/api/v1/runs/{ended}/shares", json={}).json()["token"]
        running = start_run(api)["id"]
        worker.claim()
        result = api.get(f"/api/v1/runs/{ended}/result").text
        opened = api.post("/api/v1/shares:open", json={"token": token}).text
    return {"ended": ended, "running": running, "token": token, "result": result, "opened": opened}


@pytest.mark.parametrize("action", ["backup", "restore"])
def test_a_folder_of_another_user_diverts_no_file(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """Root backs up into a folder of a user, who could put a link in place of the dump at any time."""
    victim, own = tmp_path / "victim", tmp_path / "own"
    victim.write_text("of root")
    own.mkdir()
    run = programs.run

    def swapped(name: str, *arguments: str, **given: str) -> None:
        (folder,) = own.glob(".plimsoll-*")
        folder.rename(own / "moved")
        folder.mkdir()
        (folder / archive.DUMP).symlink_to(victim)
        run(name, *arguments, **given)

    if action == "restore":
        back_up(settings, own / "b.tar")
    monkeypatch.setattr(programs, "run", swapped)
    if action == "backup":
        back_up(settings, own / "b.tar")
    else:
        restore(settings, own / "b.tar", replace=True)
    assert victim.read_text() == "of root"


def test_a_restored_installation_has_everything(
    settings: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    made = fill(settings)
    file = tmp_path / "plimsoll.tar"
    manifest = back_up(settings, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name or "partial" in path.name] == []
    assert manifest.revision == migrations.head() and manifest.rows["run"] == 2

    found = restore(elsewhere, file)
    assert rows_of(elsewhere) == after(manifest.rows)
    assert (found.interrupted, found.waiting, found.violations) == (1, {"bench-1": 6}, [])
    with TestClient(create_app(elsewhere), base_url=BASE, headers=signed_in(elsewhere)) as api:
        assert api.get(f"/api/v1/runs/{made['ended']}/result").text == made["result"]
        assert api.post("/api/v1/shares:open", json={"token": made["token"]}).text == made["opened"]
        assert api.get("/readyz").json()["checks"]["migration"] == "ok"


def test_tokens_open_after_a_restore_and_nobody_is_signed_in(
    settings: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    cookie, token = signed_in(settings), token_headers(settings)
    back_up(settings, tmp_path / "b.tar")
    restore(elsewhere, tmp_path / "b.tar")
    with TestClient(create_app(elsewhere), base_url=BASE) as client:
        assert client.get("/api/v1/runs", headers=token).status_code == 200
        assert client.get("/api/v1/runs", headers=cookie).status_code == 401


def test_trials_that_were_running_are_claimed_again(
    settings: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    made = fill(settings)
    back_up(settings, tmp_path / "b.tar")
    restore(elsewhere, tmp_path / "b.tar")
    worker = Worker(elsewhere)
    worker.announce()
    worker.finish()
    with session_scope(elsewhere) as session:
        assert invariants.violations(session) == []
        outcomes = session.execute(text("SELECT outcome FROM attempt WHERE outcome = 'lost'")).all()
        state = session.execute(
            text("SELECT state FROM run WHERE id = :id"), {"id": made["running"]}
        ).scalar()
    assert (len(outcomes), state) == (1, "done")


def test_a_backup_is_one_snapshot_while_trials_are_recorded(
    settings: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(settings)
    worker = Worker(settings)
    worker.announce()
    original = programs.run

    def record_meanwhile(name: str, *arguments: str, database_url: str) -> None:
        if name == "pg_dump":
            worker.record(worker.claim())
        original(name, *arguments, database_url=database_url)

    monkeypatch.setattr(programs, "run", record_meanwhile)
    manifest = back_up(settings, tmp_path / "b.tar")
    assert rows_of(settings)["result"] == manifest.rows["result"] + 1
    restore(elsewhere, tmp_path / "b.tar")
    assert rows_of(elsewhere) == after(manifest.rows)


def test_data_are_replaced_only_with_the_flag(
    settings: Settings, elsewhere: Settings, tmp_path: Path
) -> None:
    fill(settings)
    back_up(settings, tmp_path / "b.tar")
    restore(elsewhere, tmp_path / "b.tar")
    with pytest.raises(BackupFailed, match=r"has data .*--replace"):
        restore(elsewhere, tmp_path / "b.tar")
    restore(elsewhere, tmp_path / "b.tar", replace=True)
    assert rows_of(elsewhere) == after(rows_of(settings))


def test_a_failed_restore_leaves_the_earlier_data(
    settings: Settings, elsewhere: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(settings)
    back_up(settings, tmp_path / "b.tar")
    restore(elsewhere, tmp_path / "b.tar")
    before = rows_of(elsewhere)

    def fails(*_: object) -> None:
        raise BackupFailed("no")

    monkeypatch.setattr(migrations, "upgrade", fails)
    with pytest.raises(BackupFailed, match="no"):
        restore(elsewhere, tmp_path / "b.tar", replace=True)
    assert rows_of(elsewhere) == before


def test_a_database_in_use_is_refused(settings: Settings, tmp_path: Path, elsewhere: Settings) -> None:
    back_up(settings, tmp_path / "b.tar")
    with session_scope(elsewhere) as session:
        session.execute(text("SELECT 1"))
        with pytest.raises(BackupFailed, match="1 other connections: stop API and worker"):
            restore(elsewhere, tmp_path / "b.tar")


def test_a_connection_that_is_being_closed_is_waited_for(
    settings: Settings, tmp_path: Path, elsewhere: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL's process ends a moment after its client, which `docker compose stop api` has ended."""
    back_up(settings, tmp_path / "b.tar")
    engine = create_engine(elsewhere.database_url, poolclass=NullPool)
    closing = engine.connect()
    monkeypatch.setattr("backend.store.backup.restore.sleep", lambda _: closing.close())
    assert restore(elsewhere, tmp_path / "b.tar").violations == []
    assert closing.closed


def rewritten(file: Path, change: dict[str, object], dump: bytes | None = None) -> Path:
    """A copy of a backup with another manifest, and with another dump."""
    with tarfile.open(file) as archived:
        contents = {m.name: archived.extractfile(m).read() for m in archived.getmembers()}  # type: ignore[union-attr]
    contents[archive.MANIFEST] = json.dumps(json.loads(contents[archive.MANIFEST]) | change).encode()
    contents[archive.DUMP] = contents[archive.DUMP] if dump is None else dump
    made = file.with_name("changed.tar")
    with tarfile.open(made, "w") as archived:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archived.addfile(member, io.BytesIO(content))
    return made


def test_a_newer_backup_is_refused(settings: Settings, elsewhere: Settings, tmp_path: Path) -> None:
    back_up(settings, tmp_path / "b.tar")
    newer = rewritten(tmp_path / "b.tar", {"revision": "ffffffffffff", "program": "9.0"})
    with pytest.raises(BackupFailed, match=r"newer version \(9\.0, revision f+\)"):
        restore(elsewhere, newer)
    assert rows_of(elsewhere) == {}


def test_an_older_backup_is_migrated(settings: Settings, elsewhere: Settings, tmp_path: Path) -> None:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        config = migrations.config()
        config.attributes["connection"] = connection
        command.downgrade(config, "-1")
        connection.commit()
    engine.dispose()
    assert back_up(settings, tmp_path / "b.tar").revision != migrations.head()
    restore(elsewhere, tmp_path / "b.tar")
    assert set(Base.metadata.tables) < set(rows_of(elsewhere))


@pytest.mark.parametrize(
    ("change", "dump", "words"),
    [
        ({}, b"PGDMP something else", "checksum"),
        ({"format": 2}, None, "another version of Plimsoll: format"),
        ({"extra": 1}, None, "another version of Plimsoll: extra"),
    ],
)
def test_a_changed_file_is_refused(
    settings: Settings,
    elsewhere: Settings,
    tmp_path: Path,
    change: dict[str, object],
    dump: bytes | None,
    words: str,
) -> None:
    back_up(settings, tmp_path / "b.tar")
    with pytest.raises(BackupFailed, match=words):
        restore(elsewhere, rewritten(tmp_path / "b.tar", change, dump))


def test_another_file_is_refused(elsewhere: Settings, tmp_path: Path) -> None:
    for content in (b"", b"not a tar file" * 100):
        (tmp_path / "x.tar").write_bytes(content)
        with pytest.raises(BackupFailed, match="not a backup"):
            restore(elsewhere, tmp_path / "x.tar")


def test_a_backup_overwrites_nothing(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "b.tar").write_text("precious")
    with pytest.raises(BackupFailed, match="never overwrites"):
        back_up(settings, tmp_path / "b.tar")
    assert (tmp_path / "b.tar").read_text() == "precious"
