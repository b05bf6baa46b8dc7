"""The command line of the API: its own user without privileges, on code that it cannot change.

The repository may be below /root, which that user cannot enter, and anyone may have cloned it with a
restrictive umask. So root binds the code, read-only into a mount namespace of the API's own;
on the host nothing is mounted. What the API needs beside them: the sockets of PostgreSQL and Redis, whose
directories its group may enter, and the system's libraries and fonts.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from scripts.starter.layout import Layout
from scripts.starter.private import set_mode
from scripts.starter.sandbox import api_uid

PARTS = ("backend", "migrations", "alembic.ini", ".venv", "frontend/dist")
"""What the API reads of the repository: its code, and the migrations that its database needs."""

# The tmpfs holds mount points only. A bind mount is made read-only by a second mount (mount(8), "bind").
_MOUNT = """
set -eu
root=$1 code=$2
umask 022
mount -t tmpfs -o mode=0755,size=64k,nosuid,nodev plimsoll-code "$code"
for part in $3; do
    if [ -d "$root/$part" ]; then mkdir -p "$code/$part"
    elif [ -e "$root/$part" ]; then : >"$code/$part"
    else continue; fi
    mount --bind "$root/$part" "$code/$part"
    mount -o remount,bind,ro,nosuid,nodev "$code/$part"
done
mount -o remount,ro "$code"
cd "$code"
shift 3
umask 077
exec "$@"
"""
_LIMITED = (
    *("--clear-groups", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"),
    *("--no-new-privs", "--pdeathsig", "TERM"),
)


def confined(layout: Layout, argv: tuple[str, ...]) -> tuple[str, ...]:
    """The command line that runs Python with these arguments as the API's user; the pid stays.

    setpriv sets the parent-death signal last, because the kernel clears it when the user changes.
    """
    user = str(api_uid(layout.install_id))
    python = str(layout.code / ".venv/bin/python")
    limited = ("setpriv", "--reuid", user, "--regid", user, *_LIMITED, "--", python, *argv)
    mounted = ("sh", "-c", _MOUNT, "sh", str(layout.root), str(layout.code), " ".join(PARTS), *limited)
    return ("unshare", "--mount", "--propagation", "private", "--", *mounted)


def prepare(layout: Layout) -> None:
    """Create the mount point, and let every user read the code where a restrictive umask prevents it."""
    layout.code.mkdir(mode=0o755, exist_ok=True)
    layout.code.chmod(0o755)
    for part in PARTS:
        if (layout.root / part).exists():
            _open_to_readers(layout.root / part)


def _open_to_readers(path: Path) -> None:
    """As `chmod -R go+rX`: the code holds no secret, and the folders above it keep their modes."""
    with contextlib.suppress(FileNotFoundError):
        set_mode(path, _readable)
    for _, names, files, directory in os.fwalk(path):
        for name in (*names, *files):
            with contextlib.suppress(FileNotFoundError):  # the build of the page moves its files
                set_mode(name, _readable, directory)


def _readable(mode: int) -> int:
    return stat.S_IMODE(mode) | 0o044 | (0o011 if mode & 0o100 else 0)
