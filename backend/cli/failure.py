"""How the command ends when it cannot do what it was asked, or when the result says no."""

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

BY_STATE: Final = {"done": OK, "incomplete": INCOMPLETE, "cancelled": CANCELLED}
"""The exit code for the final state of a followed run."""


class Failure(Exception):
    """One clear sentence, or a few lines, and the exit code."""

    def __init__(self, message: str, code: int = API_ERROR) -> None:
        super().__init__(message)
        self.code = code
