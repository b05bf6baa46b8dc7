"""One command as a child process of the worker, which waits at its gate."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence


class ChildExecution:
    """A command that reads one line before it begins; implements the Execution protocol."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=None if environment is None else dict(environment),
        )
        assert self._process.stdout is not None and self._process.stderr is not None
        self._open = {self._process.stdout.fileno(): "stdout", self._process.stderr.fileno(): "stderr"}
        self.pid = self._process.pid
        for descriptor in self._open:
            # A program of another user may open its output again by name (ab -e /dev/stdout). In a
            # container runc changes the owner of the pipes (fixStdioPermissions); here they become writable.
            os.fchmod(descriptor, 0o622)  # a pipe, no file  # nosec B103

    def release(self) -> None:
        """Open the gate: the command starts now; its standard input ends."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended already; its exit code gives the reason
            self._process.stdin.write(b"go\n")
            self._process.stdin.close()

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Wait for output: (stream, bytes) pairs, an empty list on timeout, None at the end."""
        if not self._open:
            return None
        ready, _, _ = select.select(list(self._open), [], [], timeout_s)
        frames = []
        for descriptor in ready:
            if chunk := os.read(descriptor, 65536):
                frames.append((self._open[descriptor], chunk))
            else:
                del self._open[descriptor]
        return frames

    def exit_code(self) -> int:
        """The exit code, after `read` has returned None; 128 + the signal's number where one ended it."""
        code = self._process.wait()
        self._close()
        return code if code >= 0 else 128 - code

    def kill(self) -> None:
        """End the command and what it started; already ended is fine."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._open = {}
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
