"""Counts the API calls of every lab engine of an installation, which its daemon logs when it debugs."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.scripts.waiting import eventually

CALL = re.compile(r"Calling (GET|HEAD|POST|PUT|DELETE) ([^\"\s]+)")
LIMIT_S = 20.0


class EngineCalls:
    """The logs of these engines; `seen` is the calls since this object was made."""

    def __init__(self, runtime: Path, var: Path) -> None:
        self.settings = sorted(path.parent.name for path in (runtime / "engines").glob("*/docker.pid"))
        self.sockets = [runtime / "engines" / name / "docker.sock" for name in self.settings]
        self._logs = [var / "engines" / name / "dockerd.log" for name in self.settings]
        self._began = [log.stat().st_size for log in self._logs]

    def seen(self) -> list[str]:
        """Method and path of every call."""
        found: list[str] = []
        for log, began in zip(self._logs, self._began, strict=True):
            with log.open(encoding="utf-8", errors="replace") as file:
                file.seek(began)
                found += [" ".join(match.groups()) for match in CALL.finditer(file.read())]
        return found


def ping(socket: Path) -> None:
    """One call of an engine's API."""
    with httpx2.Client(
        transport=httpx2.HTTPTransport(uds=str(socket)), trust_env=False, timeout=60
    ) as client:
        assert client.get("http://engine/_ping").status_code == 200


@contextmanager
def logging_calls(runtime: Path, var: Path) -> Iterator[None]:
    """The daemons log every call; a daemon reads its file again at SIGHUP."""
    changed: list[tuple[Path, str, int]] = []
    for pidfile in (runtime / "engines").glob("*/docker.pid"):
        file, pid = pidfile.with_name("daemon.json"), int(pidfile.read_text())
        before = file.read_text()
        changed.append((file, before, pid))
        _reload(file, json.loads(before) | {"debug": True}, pid)
    try:
        for file, _, _ in changed:
            calls = EngineCalls(runtime, var)
            assert eventually(lambda file=file, calls=calls: _is_logged(file, calls), LIMIT_S), file  # type: ignore[misc]
        yield
    finally:
        for file, before, pid in changed:
            _reload(file, json.loads(before) | {"debug": False}, pid)
            file.write_text(before)


def _reload(file: Path, settings: dict[str, Any], pid: int) -> None:
    file.write_text(json.dumps(settings))
    os.kill(pid, signal.SIGHUP)


def _is_logged(file: Path, calls: EngineCalls) -> bool:
    ping(file.with_name("docker.sock"))
    return any(call.endswith("/_ping") for call in calls.seen())
