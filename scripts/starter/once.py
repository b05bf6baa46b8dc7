"""Commands that run to their end: initdb, the migration, the reaper."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from scripts.starter import time_limits
from scripts.starter.stopping import Stop, Stopped
from scripts.starter.terminal import Refusal
from scripts.starter.time_limits import advice

TAIL_LINES = 12


def run_once(
    name: str,
    argv: tuple[str, ...],
    environment: Mapping[str, str],
    log: Path,
    limit: float,
    *,
    cwd: Path | None = None,
    stop: Stop | None = None,
) -> str:
    """Run a command, returning its output, which is appended to `log`; it is killed after `limit` seconds,
    and later on a slow host.

    With `stop`, a stop request ends it and raises Stopped; without, it always runs to its end.
    Raises Refusal with the log's last lines if it fails.
    """
    allowed = time_limits.limit(limit)
    log.touch(mode=0o600)
    with log.open("ab") as file:
        start = file.tell()
        child = subprocess.Popen(
            argv,
            env=dict(environment),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o022,  # compiled modules, which the API reads, too
        )
        try:
            code = _finish(child, allowed, stop)
        except (Stopped, subprocess.TimeoutExpired) as error:
            child.kill()
            child.wait()
            if isinstance(error, Stopped):
                raise
            raise Refusal(f"{name} took longer than {allowed:g} s; see {log}, and {advice()}") from None
    output = log.read_bytes()[start:].decode(errors="replace")
    if code != 0:
        tail = "\n".join(f"    {line}" for line in output.splitlines()[-TAIL_LINES:])
        raise Refusal(f"{name} failed with exit code {code}; see {log}\n{tail}")
    return output


def _finish(child: subprocess.Popen[bytes], limit: float, stop: Stop | None) -> int:
    if stop is None:
        return child.wait(limit)
    if not stop.until(lambda: child.poll() is not None, limit, interval=0.05):
        raise subprocess.TimeoutExpired(child.args, limit)
    return child.wait()
