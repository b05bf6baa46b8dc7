"""A service's log file of bounded size."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TextIO

LIMIT = 8 * 1024 * 1024
"""Bytes after which a log begins anew."""
KEPT = 2
"""Number of older files: `.log.1` is the newer one."""


def rotate(path: Path) -> None:
    """Rename a log to `.log.1`, and that one to `.log.2`; the oldest is overwritten."""
    for number in range(KEPT, 0, -1):
        older = path if number == 1 else path.with_suffix(f".log.{number - 1}")
        if older.exists():
            older.replace(path.with_suffix(f".log.{number}"))


class LogFile:
    """Appends lines to a file that only its owner can read; rotates it before it exceeds `limit` bytes."""

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        self._path = path
        self._limit = limit
        self._file: TextIO = self._open()

    def _open(self) -> TextIO:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8")

    def write(self, line: str) -> None:
        """Append one line and flush it."""
        size = self._file.tell()
        if size and size + len(line.encode()) >= self._limit:
            self._file.close()
            rotate(self._path)
            self._file = self._open()
        self._file.write(line + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
