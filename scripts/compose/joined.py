"""The container of another server's worker: `plimsoll join` is its process, `plimsoll leave` runs beside it.

Docker starts a container again when it ends. So a start that no repetition can mend says why, once, and waits
until the container is stopped.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from backend.worker_container import NAME
from backend.worker_protocol import EXIT_REJECTED
from scripts.joining import join, leave, run, tree
from scripts.joining.enrolment import FOLDER
from scripts.joining.environment import of_worker
from scripts.joining.join import Options, Unanswered
from scripts.joining.run import Installation
from scripts.starter import lock
from scripts.starter.private import UMASK
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal, Terminal

ROOT: Final = Path(__file__).resolve().parents[2]
CHECKS: Final = ROOT / "scripts/compose/host-checks"
VAR: Final = "/var/lib/plimsoll"
LOCK: Final = "join.lock"
"""Of scripts/join and scripts/leave: only one of both works on a folder."""
INTERVAL_S: Final = 1.0


def joined(options: Options, terminal: Terminal, stop: Stop) -> int:
    """Join, and run the worker until the container is stopped; returns the exit code. Raises Stopped."""
    try:
        found = _enrolled(options, terminal)
    except Unanswered as unanswered:
        terminal.fail(str(unanswered))
        return 1
    except Refusal as refusal:
        terminal.fail(str(refusal))
        return _stay("the worker is not started", terminal, stop)
    # The room for the image is waited for, not tried again and again.
    child("worker.images.room", of_worker(found.layout, found.enrolled, found.files), stop)
    where = ("--root", str(options.root), "--var", str(options.var))
    code = child("scripts.joining", os.environ, stop, "run", *where)
    if code == EXIT_REJECTED:
        return _stay("the server accepts this worker no longer", terminal, stop)
    if code == 0 and _has_left(options.var, stop):
        return _stay("this host has left its server", terminal, stop)
    return code or 1


def _enrolled(options: Options, terminal: Terminal) -> Installation:
    """The host, checked, and its enrolment, made where there is none yet. Raises Refusal, Unanswered."""
    options.var.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = lock.hold(options.var / LOCK, None)
    try:
        check_host(options.var)
        join.enrol(options, terminal)
        return run.installation(options.root, options.var)
    finally:
        os.close(descriptor)  # `plimsoll leave` may end the worker from now on


def check_host(var: Path) -> None:
    """Raise Refusal with the reason where this host's kernel cannot run a worker's engines."""
    done = subprocess.run([CHECKS, str(var)], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refusal(done.stderr.strip().removeprefix("plimsoll: ") or f"{CHECKS} failed")


def child(module: str, environment: Mapping[str, str], stop: Stop, *arguments: str) -> int:
    """Run a module until it ends; returns its exit code. Raises Stopped after it was stopped by a request."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env=dict(environment), cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        stop.until(lambda: process.poll() is not None, math.inf, INTERVAL_S)
    except Stopped:
        process.terminate()
        process.wait()
        raise
    return process.returncode


def _has_left(var: Path, stop: Stop) -> bool:
    """Whether `plimsoll leave`, which has ended the worker, also ended the enrolment."""
    stop.until(lambda: not (var / FOLDER).exists() or _is_free(var / LOCK), math.inf, INTERVAL_S)
    return not (var / FOLDER).exists()


def _is_free(path: Path) -> bool:
    """Whether nobody holds this lock; False where `plimsoll leave` has removed its file, near its end."""
    if not path.exists():
        return False
    try:
        os.close(lock.hold(path, None))
    except Refusal:
        return False
    return True


def _stay(why: str, terminal: Terminal, stop: Stop) -> int:
    terminal.say("join", f"{why}; this container only waits now: docker rm --force {NAME}")
    while not stop.wait(3600.0):
        continue
    return 0


def left(root: Path, var: Path, discard: bool, terminal: Terminal, stop: Stop) -> int:
    """Leave the server; returns the exit code. Raises Refusal, Stopped."""
    if not (var / FOLDER).exists():
        raise Refusal(f"no worker has joined from {var}; nothing was removed")
    descriptor = lock.hold(var / LOCK, None)
    try:
        code = leave.leave(root, var, discard, terminal, stop)
    finally:
        os.close(descriptor)
    terminal.say(
        "leave", f"left; remove its container and volume: docker rm --force {NAME} && docker volume rm {NAME}"
    )
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="plimsoll", description="A worker of another server, in a container"
    )
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("join", help="join a server, or start the worker of a host that has joined")
    action.add_argument("url", nargs="?", default="", help="of an enrolment: https://SERVER/join#SECRET")
    action.add_argument("--name", default="", help="of this host on the server")
    trust = action.add_mutually_exclusive_group()
    trust.add_argument("--fingerprint", default="", help="of a certificate that no authority signed")
    trust.add_argument("--cacert", type=Path, help="the only certificates to trust, in PEM")
    action = actions.add_parser("leave", help="revoke the token of this host, and remove all of the worker")
    action.add_argument(
        "--discard", action="store_true", help="lose records that the server has not received"
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Join or leave; returns the exit code."""
    given = _parser().parse_args(arguments)
    var = Path(os.environ.get("PLIMSOLL_VAR_DIR", VAR))
    os.environ[tree.IN_CONTAINER] = "1"
    os.umask(UMASK)
    terminal, stop = Terminal(), Stop()
    stop.install()
    try:
        if given.action == "leave":
            return left(ROOT, var, given.discard, terminal, stop)
        chosen = {name: getattr(given, name) for name in ("url", "name", "fingerprint", "cacert")}
        return joined(Options(root=ROOT, var=var, **chosen), terminal, stop)
    except Stopped:
        return 0
    except Refusal as refusal:
        terminal.fail(str(refusal))
        return 1


if __name__ == "__main__":
    sys.exit(main())
