"""The `plimsoll` command, run in this process."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from backend.cli import main
from tests.api.client import Worker


class Command:
    """Runs the command; `err` is what the last call wrote to standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._patch = monkeypatch
        self.err = ""

    def __call__(self, *arguments: str, code: int = 0) -> str:
        self._patch.setattr(sys, "argv", ["plimsoll", *arguments])
        self._capsys.readouterr()
        try:
            main.main()
            ended: Any = 0
        except SystemExit as exit_:
            ended = exit_.code or 0
        out, self.err = self._capsys.readouterr()
        assert ended == code, f"{ended}: {out}{self.err}"
        return out


def play(worker: Worker, end: Any) -> threading.Thread:
    """Carry out the run that is started next, in the background."""

    def work() -> None:
        while not worker.open():
            pass
        end()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
