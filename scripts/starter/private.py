"""Files that no other user of the host may read, and changes of modes that no link diverts.

Root follows a symbolic link wherever it writes or changes a mode by path. In a folder of another user, that
user could put one there at any time: so files are made, and modes are changed, by descriptor.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

UMASK: Final = 0o077
"""Of the starter and of every service but the worker, whose engines make files for containers."""

# Below these, images and engines keep file systems of containers, whose modes are part of them.
_OF_CONTAINERS: Final = ("engines", "images")


def write_private(path: Path, content: bytes, owner: tuple[int, int] | None = None) -> None:
    """Write a file that only its owner may read, in one step: readers find the old or the new one.

    What is there under its name or that of the unfinished file is replaced, and never written to.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        if owner is not None:
            os.fchown(descriptor, *owner)
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    new.replace(path)


def set_mode(name: str | Path, wanted: Callable[[int], int], directory: int | None = None) -> None:
    """Give a file the mode that `wanted` makes of its `st_mode`; a symbolic link is left alone.

    `directory` is the descriptor that a relative name starts from. Raises FileNotFoundError.
    """
    found = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    if stat.S_ISLNK(found) or wanted(found) == stat.S_IMODE(found):
        return
    descriptor = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=directory)
    try:
        found = os.fstat(descriptor).st_mode
        if not stat.S_ISLNK(found):
            Path(f"/proc/self/fd/{descriptor}").chmod(wanted(found))
    finally:
        os.close(descriptor)


def tighten(var: Path) -> None:
    """Take every access of group and others from the folder `var` and from what is below it.

    The folders of engines and images are closed themselves; the file systems in them stay as they are, also
    those of another installation below, such as that of the tests. So do the contents of another user's
    folder, which is closed itself.
    """
    set_mode(var, _closed)
    for _, folders, files, directory in os.fwalk(var):
        for name in (*folders, *files):
            set_mode(name, _closed, directory)
        folders[:] = [name for name in folders if _is_own(name, directory)]


def _is_own(name: str, directory: int) -> bool:
    """Whether a folder is entered: it is the caller's own, and holds no file systems of containers."""
    found = os.stat(name, dir_fd=directory, follow_symlinks=False)
    return name not in _OF_CONTAINERS and found.st_uid == os.geteuid()


def _closed(mode: int) -> int:
    return stat.S_IMODE(mode) & ~0o077
