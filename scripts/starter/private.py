"""Files of an installation that no other user of the host may read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

UMASK = 0o077
"""Of the starter and of every service but the worker, whose engines make files for containers."""

# Below these, images and engines keep file systems of containers, whose modes are part of them.
_OF_CONTAINERS = ("engines", "images")


def tighten(var: Path) -> None:
    """Take every access of group and others from the folder `var` and from what is below it.

    The folders of engines and images are closed themselves; the file systems in them stay as they are, also
    those of another installation below, such as that of the tests.
    """
    _close(var)
    for path in _below(var):
        _close(path)


def _below(folder: Path) -> Iterator[Path]:
    for entry in os.scandir(folder):
        if entry.is_symlink():
            continue
        yield Path(entry.path)
        if entry.is_dir() and entry.name not in _OF_CONTAINERS:
            yield from _below(Path(entry.path))


def _close(path: Path) -> None:
    mode = stat.S_IMODE(path.lstat().st_mode)
    if mode & 0o077:
        path.chmod(mode & ~0o077)
