"""The request and response of /retention."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from backend.api.schema import Body


class Retention(Body):
    """After how many days an ended run of the team is deleted; null: never. Starred runs are kept."""

    days: Annotated[StrictInt, Field(ge=1, le=36_500)] | None
