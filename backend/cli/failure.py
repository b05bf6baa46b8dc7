"""Exit codes, and the exception that ends the command."""

from __future__ import annotations

from typing import Final

OK: Final = 0
API_ERROR: Final = 1
USAGE: Final = 2
INCOMPLETE: Final = 3
INCONCLUSIVE: Final = 4
NOT_COMPARABLE: Final = 5
THRESHOLD_FAILED: Final = 99
CANCELLED: Final = 130
INTERRUPTED: Final = 130
"""Ctrl-C ended the command, as shells give it; a run that it followed goes on."""

BY_STATE: Final = {"done": OK, "incomplete": INCOMPLETE, "cancelled": CANCELLED}
"""The exit code for the final state of a followed run."""


class Failure(Exception):
    """An error message and the exit code."""

    def __init__(self, message: str, code: int = API_ERROR) -> None:
        super().__init__(message)
        self.code = code
