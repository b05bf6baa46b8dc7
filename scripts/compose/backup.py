"""Backups of compose.yaml at intervals, the newest ones kept: `python -m scripts.compose.backup`."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Self

from backend.core.errors import PlimsollError
from backend.settings import Settings
from backend.store.backup.backup import back_up

FOLDER: Final = Path("/backups")
NAME: Final = re.compile(r"plimsoll-(\d{4}-\d{2}-\d{2}T\d{6}Z)\.tar")
TIME: Final = "%Y-%m-%dT%H%M%SZ"
DUE: Final = Path("/tmp/backup-due")
"""Until when the newest backup is new enough, in seconds since 1970: scripts/compose/backup-due reads it."""
GRACE: Final = timedelta(hours=1)
"""How long a backup may take."""
RETRY: Final = timedelta(minutes=5)
NICE: Final = 19


@dataclass(frozen=True)
class Schedule:
    """One backup every `every`; the `keep` newest stay."""

    every: timedelta
    keep: int

    @classmethod
    def from_environment(cls) -> Self:
        """PLIMSOLL_BACKUP_HOURS and PLIMSOLL_BACKUP_KEEP. Raises ValueError with one sentence."""
        try:
            hours = float(os.environ["PLIMSOLL_BACKUP_HOURS"])
            keep = int(os.environ["PLIMSOLL_BACKUP_KEEP"])
        except ValueError as error:
            raise ValueError(f"PLIMSOLL_BACKUP_HOURS and PLIMSOLL_BACKUP_KEEP are numbers: {error}") from None
        if not (0 < hours <= 24 * 366 and keep >= 1):
            raise ValueError(
                "PLIMSOLL_BACKUP_HOURS is above 0 and at most a year, PLIMSOLL_BACKUP_KEEP at least 1"
            )
        return cls(timedelta(hours=hours), keep)

    def wait(self, made: Sequence[Path], now: datetime) -> timedelta:
        """Time to the next backup: none where there is none yet."""
        if not made:
            return timedelta()
        return max(timedelta(), made_at(made[-1]) + self.every - now)

    def expired(self, made: Sequence[Path]) -> Sequence[Path]:
        """The oldest, beyond the number that is kept."""
        return made[: -self.keep]


def backups(folder: Path) -> list[Path]:
    """The backups that this service made, oldest first; other files are not its own."""
    return sorted(path for path in folder.glob("plimsoll-*.tar") if NAME.fullmatch(path.name))


def made_at(path: Path) -> datetime:
    """When a backup was made, by its name: the file may have been copied since."""
    found = NAME.fullmatch(path.name)
    assert found is not None
    return datetime.strptime(found[1], TIME).replace(tzinfo=UTC)


def turn(settings: Settings, schedule: Schedule, folder: Path, now: datetime) -> timedelta:
    """Make a backup if one is due, then remove the expired; returns the time to the next turn."""
    if (wait := schedule.wait(backups(folder), now)) > timedelta():
        return wait
    path = folder / f"plimsoll-{now.strftime(TIME)}.tar"
    try:
        manifest = back_up(settings, path)
    except (PlimsollError, OSError) as error:
        print(f"no backup was made: {error}; the next try is in {RETRY}", file=sys.stderr, flush=True)
        return RETRY
    print(f"{path}: {manifest.rows.get('run', 0)} runs, {manifest.dump_bytes:,} bytes", flush=True)
    for old in schedule.expired(backups(folder)):
        old.unlink()
        print(f"{old}: removed, {schedule.keep} newer ones are kept", flush=True)
    return schedule.wait(backups(folder), now)


def report(made: Sequence[Path], schedule: Schedule, file: Path) -> None:
    """Write until when the newest backup is new enough."""
    if made:
        due = made_at(made[-1]) + schedule.every + GRACE
        new = file.with_suffix(".new")
        new.write_text(f"{due.timestamp():.0f}\n")
        new.replace(file)


def main() -> int:
    """Make backups until SIGTERM; returns the exit code."""
    try:
        settings, schedule = Settings(), Schedule.from_environment()
    except ValueError as error:
        print(f"plimsoll: {error}", file=sys.stderr)
        return 1
    os.nice(NICE)
    os.umask(0o077)
    for unfinished in FOLDER.glob(".plimsoll-backup-*"):
        shutil.rmtree(unfinished)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    while True:
        wait = turn(settings, schedule, FOLDER, datetime.now(UTC))
        report(backups(FOLDER), schedule, DUE)
        time.sleep(wait.total_seconds())


if __name__ == "__main__":
    sys.exit(main())
