"""Leave the server: stop the worker, revoke its token, remove everything that is its own."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Final

from scripts.joining import worker
from scripts.joining.certificates import Trust
from scripts.joining.enrolment import FOLDER, Enrolled, EnrolmentFiles
from scripts.joining.run import RUNNER
from scripts.joining.server import NoAnswer, Server
from scripts.joining.unit import Unit
from scripts.starter import layout, leftovers, lock
from scripts.starter.layout import Layout
from scripts.starter.reach import LOOPBACK
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Refusal, Terminal
from scripts.starter.time_limits import limit

STOP_LIMIT: Final = 240.0
OWN: Final = (
    *("engines", "images", "spool", "ledger.jsonl", "absent-before", "log", "install-id", "lock"),
    *("join.lock", FOLDER),
)
"""What a worker has in its folder, the enrolment last; anything else there is not removed."""
PACKAGES: Final = "installed-packages"
FOR_WORKER: Final = "plimsoll-for-worker"
"""The file in a .venv that scripts/join made; scripts/leave removes that .venv at its end."""


def leave(root: Path, var: Path, discard: bool, terminal: Terminal, stop: Stop) -> int:
    """Leave; returns the exit code. May be repeated after a failure. Raises Refusal, Stopped."""
    files = EnrolmentFiles(var)
    enrolled = _readable(files, terminal)
    found = layout.prepare(root, var, LOOPBACK)
    packages = _installed(found.logs / PACKAGES)
    _check_records(var, discard)
    unit = Unit(found.install_id)
    unit.stop()
    if leftovers.end(found.runtime, RUNNER, signal.SIGTERM, limit(STOP_LIMIT), stop):
        terminal.say("leave", "stopped the worker")
    lock.hold(var / "lock", None)
    _check_records(var, discard)
    if enrolled is not None:
        _tell_server(enrolled, files, terminal)
    if unit.remove():
        terminal.say("leave", f"removed {unit.file}")
    _remove_from_host(found, enrolled, files, terminal)
    remove_installer(root)
    _remove_folder(var, terminal)
    if packages:
        terminal.say("leave", "Debian's packages stay; those that scripts/join installed are removed by")
        terminal.plain(f"        apt-get remove {' '.join(packages)}")
    return 0


def _readable(files: EnrolmentFiles, terminal: Terminal) -> Enrolled | None:
    try:
        return files.read()
    except Refusal as refusal:
        terminal.fail(f"{refusal}; the server is not informed: have the host revoked on its page Hosts")
        return None


def _check_records(var: Path, discard: bool) -> None:
    """Refuse while the server has not received what this host measured."""
    waiting = len(list((var / "spool").glob("*.json")))
    if waiting and not discard:
        raise Refusal(
            f"{waiting} records of trials have not reached the server: start the worker again until "
            f"they have, or give --discard to lose them ({var}/spool)"
        )


def _tell_server(enrolled: Enrolled, files: EnrolmentFiles, terminal: Terminal) -> None:
    """End the enrolment on the server; one that does not answer does not keep the worker here."""
    by_hand = f"an administrator can revoke {enrolled.host_name} on its page Hosts"
    try:
        certificate = files.certificate_file.read_text() if files.certificate_file.exists() else None
        trust = Trust(certificate, enrolled.fingerprint)
        server = Server(
            enrolled.server,
            trust.verified(enrolled.server).verify,
            files.token_file.read_text().strip(),
            allow_http=True,  # it was sent there before
            pause_s=1.0,
        )
        with closing(server):
            was_joined = server.leave()
        if was_joined:
            terminal.say("leave", f"{enrolled.server} has revoked the token of {enrolled.host_name}")
        else:
            terminal.say("leave", f"{enrolled.server} had revoked the token of {enrolled.host_name} before")
    except (NoAnswer, Refusal) as error:
        terminal.fail(f"the server was not informed, {by_hand}: {error}")


def _remove_from_host(
    found: Layout, enrolled: Enrolled | None, files: EnrolmentFiles, terminal: Terminal
) -> None:
    worker.reap(found, enrolled or Enrolled("https://localhost", "", "unknown"), files)
    for point in layout.remove_mounts(found):
        terminal.say("leave", f"unmounted {point}")
    layout.remove_runtime(found)
    layout.remove_noted(found.absent_note)


def remove_installer(root: Path) -> None:
    """Remove what scripts/join needed in `root`/var to install a .venv for a worker alone."""
    if not (root / ".venv" / FOR_WORKER).exists():
        return
    shutil.rmtree(root / "var" / "tools", ignore_errors=True)
    (root / "var" / "requirements.txt").unlink(missing_ok=True)


def _remove_folder(var: Path, terminal: Terminal) -> None:
    for name in OWN:
        path = var / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    others = sorted(entry.name for entry in var.iterdir())
    if others:
        terminal.say("leave", f"left in {var}, which is not the worker's: {', '.join(others)}")
        return
    try:
        var.rmdir()
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        terminal.say("leave", f"{var} is a mount point and stays, empty")


def _installed(note: Path) -> list[str]:
    """The noted packages that are still installed."""
    names = sorted(set(note.read_text().split())) if note.exists() else []
    query = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *names]
    if not names or shutil.which("dpkg-query") is None:
        return []
    done = subprocess.run(
        query, check=False, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    )
    pairs = [line.split() for line in done.stdout.splitlines()]
    return [pair[0] for pair in pairs if pair[1:] == ["installed"]]
