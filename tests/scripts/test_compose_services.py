"""What the services of compose.yaml do: the schedule of backups, and the reverse proxy's certificate."""

from __future__ import annotations

import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from backend.reach_settings import ReachSettings
from backend.settings import Settings
from backend.store.backup.programs import BackupFailed
from scripts.compose import backup, front
from scripts.compose.backup import RETRY, Schedule
from scripts.starter import certificate
from scripts.starter.terminal import Refusal
from tests.scripts.shell import ROOT

NOW = datetime(2026, 11, 23, 2, 30, tzinfo=UTC)
DAILY = Schedule(timedelta(hours=24), keep=2)


class Manifest:
    """The part of a manifest that is printed."""

    rows: ClassVar = {"run": 3}
    dump_bytes = 1000


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The backups that were made, as empty files."""
    paths: list[Path] = []

    def back_up(_settings: Settings, path: Path) -> Manifest:
        path.touch()
        paths.append(path)
        return Manifest()

    monkeypatch.setattr(backup, "back_up", back_up)
    return paths


def test_the_first_backup_is_made_at_once_and_the_next_after_the_interval(
    made: list[Path], tmp_path: Path
) -> None:
    assert backup.turn(Settings(), DAILY, tmp_path, NOW) == DAILY.every
    assert [path.name for path in made] == ["plimsoll-2026-11-23T023000Z.tar"]
    later = NOW + timedelta(hours=23)
    assert backup.turn(Settings(), DAILY, tmp_path, later) == timedelta(hours=1)
    assert len(made) == 1, "a restart of the service makes no further one"
    backup.turn(Settings(), DAILY, tmp_path, NOW + timedelta(days=30))
    assert len(made) == 2, "one that was missed while the service was down is made at once"


def test_the_newest_are_kept_and_files_of_others_stay(made: list[Path], tmp_path: Path) -> None:
    for name in ("plimsoll-2026-11-22.tar", "plimsoll-mine.tar", "notes.txt"):
        (tmp_path / name).touch()
    for days in range(4):
        backup.turn(Settings(), DAILY, tmp_path, NOW + timedelta(days=days))
    assert backup.backups(tmp_path) == made[-2:]
    assert {path.name for path in tmp_path.iterdir()} - {path.name for path in made} == {
        *("plimsoll-2026-11-22.tar", "plimsoll-mine.tar", "notes.txt"),
    }


def test_a_backup_that_fails_removes_nothing_and_is_tried_again(
    made: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for days in range(2):
        backup.turn(Settings(), DAILY, tmp_path, NOW + timedelta(days=days))

    def fail(_settings: Settings, _path: Path) -> None:
        raise BackupFailed("the database could not be read: gone")

    monkeypatch.setattr(backup, "back_up", fail)
    assert backup.turn(Settings(), DAILY, tmp_path, NOW + timedelta(days=9)) == RETRY
    assert backup.backups(tmp_path) == made
    assert "no backup was made: the database could not be read: gone" in capsys.readouterr().err


def test_the_service_is_healthy_while_the_newest_backup_is_new_enough(tmp_path: Path) -> None:
    """A backup that fails again and again makes it unhealthy, also where earlier ones were made."""
    due, check = tmp_path / "due", (ROOT / "scripts/compose/backup-due").read_text()
    script = check.replace(str(backup.DUE), str(due))
    assert script != check

    def healthy(age: timedelta) -> bool:
        made = tmp_path / f"plimsoll-{(datetime.now(UTC) - age).strftime(backup.TIME)}.tar"
        backup.report([made], DAILY, due)
        return subprocess.run(["sh", "-c", script], check=False, stderr=subprocess.DEVNULL).returncode == 0

    assert healthy(timedelta(0)) and healthy(DAILY.every + backup.GRACE / 2)
    assert not healthy(DAILY.every + 2 * backup.GRACE)
    due.unlink()
    backup.report([], DAILY, due)
    assert not due.exists(), "none was made yet"
    assert subprocess.run(["sh", "-c", script], check=False, stderr=subprocess.DEVNULL).returncode != 0


@pytest.mark.parametrize(
    ("hours", "keep"), [("0", "1"), ("24", "0"), ("daily", "1"), ("nan", "1"), ("24", "")]
)
def test_a_schedule_that_cannot_be_meant_is_refused(
    hours: str, keep: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIMSOLL_BACKUP_HOURS", hours)
    monkeypatch.setenv("PLIMSOLL_BACKUP_KEEP", keep)
    with pytest.raises(ValueError, match="PLIMSOLL_BACKUP_HOURS"):
        Schedule.from_environment()


def reach(url: str | None = "https://plimsoll.example.org:8443", **more: str) -> ReachSettings:
    return ReachSettings(public_url=url, trusted_proxy="127.0.0.1" if url else "", **more)  # type: ignore[arg-type]


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    folder = tmp_path / "tls"
    folder.mkdir()
    return folder


def test_without_a_certificate_one_is_made_once_for_the_names_of_the_server(
    volume: Path, tmp_path: Path
) -> None:
    made = front.Front(reach(allowed_hosts="bench"), volume, tmp_path, tmp_path / "published.pem")
    assert made.refresh() is True and made.refresh() is False
    pair = (tmp_path / "pair.pem").read_bytes()
    known = certificate.Pair((volume / "certificate.pem").read_bytes(), (volume / "key.pem").read_bytes())
    assert known.covers("plimsoll.example.org") and known.covers("bench")
    text = made.configuration.read_text()
    assert "listen 8443 ssl;" in text and "proxy_pass http://127.0.0.1:8420;" in text
    assert "proxy_hide_header Strict-Transport-Security;" in text
    assert made.published.read_bytes() == known.chain, "for the API: the certificate without its key"
    assert stat.S_IMODE(made.published.stat().st_mode) == 0o644
    front.Front(reach(allowed_hosts="bench"), volume, tmp_path, tmp_path / "published.pem").refresh()
    assert (tmp_path / "pair.pem").read_bytes() == pair, "another start has the same certificate"


def test_a_certificate_of_the_administrator_is_used_and_its_successor_too(
    volume: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def give() -> bytes:
        pair = certificate.make(["plimsoll.example.org"], datetime.now(UTC))
        (volume / "fullchain.pem").write_bytes(pair.chain)
        (volume / "privkey.pem").touch(mode=0o600)
        (volume / "privkey.pem").write_bytes(pair.key)
        return pair.chain

    first = give()
    served = front.Front(reach(), volume, tmp_path, tmp_path / "published.pem")
    assert served.refresh() is True and first in (tmp_path / "pair.pem").read_bytes()
    assert "proxy_hide_header" not in served.configuration.read_text()
    (volume / "privkey.pem").write_bytes(b"half of a")
    assert served.refresh() is False and served.refresh() is False
    assert capsys.readouterr().out.count("the certificate in use stays") == 1
    second = give()
    assert served.refresh() is True and second in (tmp_path / "pair.pem").read_bytes()


def test_a_certificate_that_cannot_be_used_at_the_start_is_refused(volume: Path, tmp_path: Path) -> None:
    (volume / "fullchain.pem").write_text("no certificate")
    with pytest.raises(Refusal):
        front.Front(reach(), volume, tmp_path, tmp_path / "published.pem").refresh()


def test_the_public_url_is_needed(volume: Path, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="PLIMSOLL_PUBLIC_URL"):
        front.Front(reach(None), volume, tmp_path, tmp_path / "published.pem")
