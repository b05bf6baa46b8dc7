"""What goes in and out of /shares."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt, StrictStr

from backend.api.schema import Body, Timestamp
from backend.core.chart.model import ChartModel


class ShareStart(Body):
    """How long the link is to work."""

    expires_in_days: Annotated[StrictInt, Field(ge=1, le=365)] = 30


class Share(Body):
    """A link to one finished result. The token is shown here once and stored only as a hash."""

    id: str
    token: str
    url: str
    expires_at: Timestamp


class ShareToken(Body):
    """The secret part of a link, taken from its fragment."""

    token: Annotated[StrictStr, Field(min_length=1, max_length=128)]


class SharedResult(Body):
    """What a link shows: the result without anything that names the host."""

    chart: ChartModel
    expires_at: Timestamp
