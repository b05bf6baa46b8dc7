"""What every part of a model is made of: the frozen base, and intervals."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from backend.core.statistics.ratio_estimate import Bounds

ServedBy = Literal["shared", "own"]
"""Whether one running server serves both cells of a comparison, or each cell has a server of its own."""


class Part(BaseModel):
    """Base of every part: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Interval(Part):
    """A 95 % interval; null where the number of rounds allows none."""

    low: float
    high: float


class Difference(Part):
    """A difference in the metric's unit, of a comparison that has no ratio because a value is zero.

    `interval` and `interval_unadjusted` are as those of the comparison's ratio, but around 0: no difference.
    """

    value: float
    interval: Interval | None
    interval_unadjusted: Interval | None = None
    unit: str


def as_interval(bounds: Bounds | None) -> Interval | None:
    """Bounds of a ratio or difference as an Interval of the model."""
    return None if bounds is None else Interval(low=bounds[0], high=bounds[1])
