"""The phases of a client session: which side enters each, in which order (docs/decisions/0049)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from backend.core.errors import Conflict

Side = Literal["server", "client"]
Phase = Literal[
    "requested", "accepted", "offered", "ready", "warming", "armed", "measuring", "measured", "collecting",
    "collected", "ended",
]  # fmt: skip

PHASES: Final[tuple[Phase, ...]] = (
    *("requested", "accepted", "offered", "ready", "warming", "armed"),
    *("measuring", "measured", "collecting", "collected", "ended"),
)
"""In order. The sides take turns, the server's first; either may end the session in any phase."""
ENDED: Final = "ended"
SILENT_S: Final = 20
"""A side that has not been heard of for so many seconds ends the session."""


@dataclass(frozen=True)
class ClientSession:
    """What one side sees of a session: its phase, and what the side that entered it has said.

    `reason` is why it ended. `must_yield`: another host, which goes first, waits for this one.
    """

    phase: Phase
    document: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    must_yield: bool = False


@dataclass(frozen=True)
class ClientRequest:
    """A session that waits for this host's client: the trial, its fence, what to run, the trial's host."""

    trial_id: str
    fence: int
    document: Mapping[str, Any]
    host: str = ""


def side_of(phase: Phase) -> Side:
    """The side that enters a phase; "ended" may be entered by both."""
    return "server" if PHASES.index(phase) % 2 == 0 else "client"


def moves(current: Phase, wanted: Phase, side: Side) -> bool:
    """Whether a session goes on to the wanted phase; False where it is there already, or has ended.

    Raises Conflict for the other side's phase, and for one that is not the next.
    """
    if current == ENDED:
        return False
    if wanted == ENDED:
        return True
    if side_of(wanted) != side:
        raise Conflict(f"the {side}'s host cannot enter the phase {wanted}")
    step = PHASES.index(wanted) - PHASES.index(current)
    if step > 1:
        raise Conflict(f"the session is {current}; {wanted} is not its next phase")
    return step == 1
