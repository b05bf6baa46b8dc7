"""One command in a container of a Docker Engine, attached by a hijacked HTTP connection."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

from backend.core.errors import EngineUnavailable
from worker.engine.docker_errors import docker_errors
from worker.host.processes import children_of
from worker.host.time_limits import limit

START_LIMIT_S = 20.0
FRAME = struct.Struct(">BxxxL")
STREAMS = {1: "stdout", 2: "stderr"}
GATE = 'read -r _ && exec "$@"'
"""A shell program that waits for a line and then becomes the command."""


class DockerExecution:
    """One Docker exec; implements the Execution protocol."""

    def __init__(self, api: Any, exec_id: str, stream: Any) -> None:
        self._api = api
        self._id = exec_id
        self._stream = stream  # keeps the response, and with it the socket, open
        self._socket: socket.socket = stream._sock
        self._buffer = b""
        self.pid = self._await_pid()

    def _await_pid(self) -> int:
        deadline = time.monotonic() + limit(START_LIMIT_S)
        while True:
            state = self._inspect()
            if state["Pid"]:
                return int(state["Pid"])
            if state["ExitCode"] is not None or time.monotonic() > deadline:
                raise EngineUnavailable("a command in a container did not start")
            time.sleep(0.005)  # the engine offers no event for this; bounded by the deadline

    def release(self) -> None:
        """Open the gate: the command starts now."""
        with docker_errors("starting a command"):
            self._socket.sendall(b"go\n")

    def read(self, timeout_s: float) -> list[tuple[str, bytes]] | None:
        """Wait for output: (stream, bytes) pairs, an empty list on timeout, None at the end."""
        with docker_errors("reading a command's output"):
            ready, _, _ = select.select([self._socket], [], [], timeout_s)
            chunk = self._socket.recv(65536) if ready else None
        if chunk is None:
            return []
        if not chunk:
            self._close()
            return None
        self._buffer += chunk
        return list(self._frames())

    def _close(self) -> None:
        """Close the whole response: since Python 3.13 one whose socket alone was closed complains later."""
        getattr(self._stream, "_response", self._stream).close()

    def _frames(self) -> Iterator[tuple[str, bytes]]:
        while len(self._buffer) >= FRAME.size:
            kind, length = FRAME.unpack_from(self._buffer)
            end = FRAME.size + length
            if len(self._buffer) < end:
                return
            yield STREAMS.get(kind, "stdout"), self._buffer[FRAME.size : end]
            self._buffer = self._buffer[end:]

    def exit_code(self) -> int:
        """The exit code, after `read` has returned None."""
        deadline = time.monotonic() + limit(START_LIMIT_S)
        while (code := self._inspect()["ExitCode"]) is None:
            if time.monotonic() > deadline:
                raise EngineUnavailable("the engine does not report how a command ended")
            time.sleep(0.005)  # the engine stores the exit code a moment after the stream closes; bounded
        return int(code)

    def _inspect(self) -> dict[str, Any]:
        with docker_errors("reading the state of a command"):
            state: dict[str, Any] = self._api.exec_inspect(self._id)
        return state

    def kill(self) -> None:
        """End the command and what it started; already ended is fine."""
        for pid in [*children_of(self.pid), self.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
