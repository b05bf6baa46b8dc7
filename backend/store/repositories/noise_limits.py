"""The limits of noise under which a run was measured, as a condition on runs.

A run under wider limits keeps trials that other runs would repeat or exclude, so that its spread says nothing
about theirs.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, Float, and_, case, cast, literal, select, true

from backend.core.definition.quality import DEFAULT, Quality
from backend.store.models import Experiment, Run

LIMITS: Final = ("max_other_cores", "max_steal")


def is_within(quality: Quality = DEFAULT) -> ColumnElement[bool]:
    """Whether a run was measured under these limits of noise, or narrower ones."""
    conditions = [_is_at_most(name, getattr(quality, name)) for name in LIMITS]
    return Run.experiment_id.in_(select(Experiment.id).where(and_(*conditions)))


def _is_at_most(name: str, limit: float | None) -> ColumnElement[bool]:
    """Whether one limit of a run's experiment is no wider; a definition leaves the default ones out."""
    if limit is None:
        return true()
    default = getattr(DEFAULT, name)
    quality = Experiment.definition["quality"]
    given = case(
        (quality.has_key(name), cast(quality[name].astext, Float)),
        else_=literal(default, Float),
    )
    return and_(given.is_not(None), given <= limit)
