"""Parts of the preparation that still run when the services start: the page, and the image.

`scripts/up` has begun them as children of this process (scripts/setup/parts.bash); each writes its progress
lines and its message of failure to files below the logs.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scripts.starter.terminal import Refusal, Terminal

FOLDER: Final = "parts"
PAGE: Final = "page"
MESSAGE: Final = "plimsoll: "


@dataclass
class Part:
    """One of them; `printed` of its progress lines are on the terminal already."""

    name: str
    pid: int
    printed: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """The part of an option `NAME PID PRINTED`."""
        name, pid, printed = text.split()
        return cls(name, int(pid), int(printed))


@dataclass
class Parts:
    """Order: `watch` again and again, and always `end`."""

    logs: Path
    terminal: Terminal
    running: list[Part] = field(default_factory=list)

    def runs(self, name: str) -> bool:
        """Whether this part is not ready yet."""
        return any(part.name == name for part in self.running)

    def watch(self) -> None:
        """Print new progress lines. Raises Refusal with its message where a part has failed."""
        for part in tuple(self.running):
            code = self._exit_code(part)
            self._print(part)
            if code is None:
                continue
            self.running.remove(part)
            if code != 0:
                raise Refusal(self._message(part, code))
            self.terminal.say(part.name, "ready")

    def end(self) -> None:
        """End the parts that run, and wait for them; repeatable."""
        for part in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(part.pid, signal.SIGTERM)
        for part in self.running:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(part.pid, 0)
        if self.running:
            names = " ".join(part.name for part in self.running)
            self.terminal.fail(f"not ready: {names}; the next start goes on from here")
        self.running.clear()

    def _exit_code(self, part: Part) -> int | None:
        """None while it runs. Of one that was reaped before this program began, a file says how it ended."""
        try:
            ended, status = os.waitpid(part.pid, os.WNOHANG)
        except ChildProcessError:
            return 0 if (self.logs / FOLDER / f"{part.name}.done").exists() else 1
        return os.waitstatus_to_exitcode(status) if ended else None

    def _print(self, part: Part) -> None:
        lines = _complete_lines(self.logs / FOLDER / f"{part.name}.out")
        for line in lines[part.printed :]:
            self.terminal.plain(line)
        part.printed = max(part.printed, len(lines))

    def _message(self, part: Part, code: int) -> str:
        """The sentence of its failure, and after it the end of its log."""
        lines = _complete_lines(self.logs / FOLDER / f"{part.name}.error")
        sentences = [line.removeprefix(MESSAGE) for line in lines if line.startswith(MESSAGE)]
        others = [line for line in lines if not line.startswith(MESSAGE)]
        return "\n".join((*(sentences or [f"{part.name} ended with exit code {code}"]), *others))


def parse(options: Iterable[str]) -> list[Part]:
    """The parts of the options."""
    return [Part.parse(text) for text in options]


def _complete_lines(file: Path) -> list[str]:
    text = file.read_text(errors="replace") if file.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()
