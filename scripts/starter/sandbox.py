"""Run a server as its own unprivileged user on data that only root can reach by path.

The repository may be below /root, which the postgres user cannot enter. So root opens the data directory,
and the server uses that descriptor: /proc/self/fd/9 needs no permission for the directories above. Nothing
is mounted, and it also works in a chroot.
"""

from __future__ import annotations

import os
import pwd
import signal
from dataclasses import dataclass
from pathlib import Path

from scripts.starter.terminal import Refusal

DATA = "/proc/self/fd/9"
_OPEN_AND_RUN = 'exec 9<"$1" && cd / && shift && exec "$@"'


@dataclass(frozen=True)
class Account:
    """An unprivileged user of the host, created by its package."""

    name: str
    uid: int
    gid: int


def account(*names: str) -> Account:
    """The first of these users that exists. Raises Refusal."""
    for name in names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise Refusal(f"this host has no user {names[0]}, which its package should have created")


def as_user(
    user: Account, data: Path, argv: tuple[str, ...], orphan_signal: signal.Signals
) -> tuple[str, ...]:
    """The command line that runs `argv` as `user`, with the directory `data` at DATA.

    Every program of the chain calls exec, so that the pid stays; setpriv sets the parent-death signal last,
    because the kernel clears it when the user changes.
    """
    death = ("--pdeathsig", orphan_signal.name.removeprefix("SIG"))
    drop = ("setpriv", "--reuid", str(user.uid), "--regid", str(user.gid), "--init-groups", *death, "--")
    return ("sh", "-c", _OPEN_AND_RUN, "sh", str(data), *drop, *argv)


def api_uid(install_id: str) -> int:
    """The number of the API's user and group: of this installation alone, without an entry in /etc/passwd.

    From a range that neither Linux distributions nor systemd give to anyone (systemd's "Users, Groups, UIDs
    and GIDs on systemd Systems": 1879048192 to 2147483647 is unused).
    """
    return 0x7000_0000 + int(install_id, 16)


def own_directory(path: Path, user: Account, mode: int = 0o700, gid: int | None = None) -> Path:
    """Create a directory that belongs to the user, and to the group `gid`, by default the user's own."""
    path.mkdir(parents=True, exist_ok=True)
    os.chown(path, user.uid, user.gid if gid is None else gid)
    path.chmod(mode)
    return path
