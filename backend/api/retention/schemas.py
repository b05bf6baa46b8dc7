"""The request and response of /retention."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StrictInt

from backend.api.schema import Body, Timestamp

MAX_DAYS: Final = 36_500


class Retention(Body):
    """After how many days an ended run of the team is deleted; null: never. Starred runs are kept."""

    days: Annotated[StrictInt, Field(ge=1, le=MAX_DAYS)] | None


class Due(Body):
    """What a retention would delete now: runs, the bytes that they store, and the end of the oldest.

    `starred_runs` are as old and would be kept.
    """

    runs: int
    stored_bytes: int
    oldest_finished_at: Timestamp | None
    starred_runs: int
