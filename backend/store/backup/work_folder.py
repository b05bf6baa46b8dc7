"""The folder for the dump while a backup is made or restored."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.store.backup.programs import BackupFailed


@contextmanager
def work_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `parent`, removed afterwards, by a path that stays the same. Raises BackupFailed.

    `parent` may belong to another user, who could put a link in the folder's place: root would write the dump
    into a file of that user's choice. So the folder is named by its descriptor.
    """
    with tempfile.TemporaryDirectory(prefix=prefix, dir=parent, ignore_cleanup_errors=True) as name:
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(descriptor).st_uid != os.geteuid():
                raise BackupFailed(f"somebody else has replaced {name}: choose a folder of your own")
            yield Path(f"/proc/{os.getpid()}/fd/{descriptor}")
        finally:
            os.close(descriptor)
