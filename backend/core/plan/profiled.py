"""Which cells of an ended run are profiled, and how long each profile takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from backend.core.definition.factors import Level
from backend.core.plan.model import DUPLICATE

MAX_PROFILES: Final = 20
"""Cells of a run that are profiled."""
WARM_UP_S: Final = 5
"""Longest warm-up before samples are taken, in seconds."""
SAMPLED_S: Final = 10
"""Longest time in which samples are taken, in seconds."""
MARGIN_S: Final = 2
"""Seconds for which the client runs on: the profiler takes a moment to start."""
READING_S: Final = 3.0
"""Seconds to read one profile: symbols are looked up after the trial."""

ProfileState = Literal["waiting", "running", "taken", "not_taken"]
ATTEMPTS: Final = 2
"""How often a profile is tried: again only where the worker ended meanwhile."""
NO_PROFILE: Final = "no_profile"
"""The key of a host's capabilities with the reason why it takes no profiles; null where it does."""


@dataclass(frozen=True)
class ProfileRequest:
    """A cell of an ended run that a worker should profile; `fence` identifies the attempt."""

    run_id: str
    cell_id: str
    fence: int
    levels: dict[str, Any]
    replica: int


def warm_up_seconds(levels: Mapping[str, Level]) -> int:
    """The seconds of load before samples are taken."""
    return min(WARM_UP_S, int(levels["warm_up_s"]))


def sampled_seconds(levels: Mapping[str, Level]) -> int:
    """The seconds in which samples are taken: the cell's window, at most SAMPLED_S."""
    return min(SAMPLED_S, int(levels["duration_s"]))


def profile_seconds(levels: Mapping[str, Level]) -> float:
    """The seconds of the extra trial of one cell, with reading its profile."""
    return warm_up_seconds(levels) + sampled_seconds(levels) + MARGIN_S + READING_S


def chosen_cells(cells: Sequence[tuple[str, bool]]) -> list[str]:
    """The ids of the cells to profile, in this order: baselines, then the others, at most MAX_PROFILES.

    `cells` are ids in the plan's order, each with whether it is a baseline. A/A duplicates are left out.
    """
    own = [(id_, is_baseline) for id_, is_baseline in cells if not id_.endswith(DUPLICATE)]
    baselines = [id_ for id_, is_baseline in own if is_baseline]
    return (baselines + [id_ for id_, is_baseline in own if not is_baseline])[:MAX_PROFILES]
