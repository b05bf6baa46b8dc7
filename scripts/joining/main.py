"""The actions of this package and their options."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from scripts.joining import join, leave, run, worker
from scripts.starter.private import UMASK
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal, Terminal

EXIT_INTERRUPTED = 130
URL_VARIABLE = "PLIMSOLL_JOIN_URL"
"""Where scripts/join passes the URL, whose secret no list of processes must show."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.joining", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    for name in ("join", "run", "reap", "leave"):
        action = actions.add_parser(name)
        action.add_argument("--root", type=Path, required=True)
        action.add_argument("--var", type=Path, required=True)
        action.add_argument("--elapsed", type=float, default=0.0)
        action.add_argument("--lock-fd", type=int)
        if name == "join":
            action.add_argument("--name", default="")
            action.add_argument("--fingerprint", default="")
            action.add_argument("--cacert", type=Path)
            action.add_argument("--foreground", action="store_true")
            action.add_argument("--no-start", action="store_true")
        if name == "leave":
            action.add_argument("--discard", action="store_true")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Perform one action; returns the exit code."""
    given = _parser().parse_args(arguments)
    root, var = given.root.resolve(), given.var.resolve()
    terminal, stop = Terminal(given.elapsed), Stop()
    stop.install()
    os.umask(UMASK)
    url = os.environ.pop(URL_VARIABLE, "")
    try:
        if given.action == "run":
            return run.run(root, var, terminal, stop)
        if given.action == "reap":
            found = run.installation(root, var)
            worker.reap(found.layout, found.enrolled, found.files)
            return 0
        if given.action == "leave":
            return leave.leave(root, var, given.discard, terminal, stop)
        options = join.Options(
            root=root,
            var=var,
            url=url,
            name=given.name,
            fingerprint=given.fingerprint,
            cacert=given.cacert,
            foreground=given.foreground,
            start=not given.no_start,
            lock_fd=given.lock_fd,
        )
        return join.join(options, terminal, stop)
    except Stopped:
        return EXIT_INTERRUPTED
    except Refusal as refusal:
        terminal.fail(str(refusal))
        return 1
