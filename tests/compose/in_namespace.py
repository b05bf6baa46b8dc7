"""Calls in another network namespace: a thread enters it, and its sockets are made there."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

CLONE_NEWNET = 0x40000000
P = ParamSpec("P")
T = TypeVar("T")


class NetworkNamespace:
    """One namespace, by its file; `close` ends the thread that is in it."""

    def __init__(self, file: Path) -> None:
        self._thread = ThreadPoolExecutor(1, initializer=_enter, initargs=(file,))

    def call(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """What the function returns there; its errors are raised here."""
        return self._thread.submit(function, *arguments, **options).result()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()


def _enter(file: Path) -> None:
    """Only this thread changes its namespace: setns(2)."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"{file} cannot be entered")
    finally:
        os.close(descriptor)
