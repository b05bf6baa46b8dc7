"""What goes in and out of /shares."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictInt, StrictStr

from backend.api.schema import Body, Timestamp
from backend.core.chart.model.chart_model import ChartModel


class ShareStart(Body):
    """How long the link is to work."""

    expires_in_days: Annotated[StrictInt, Field(ge=1, le=365)] = 30


class Share(Body):
    """A link to one finished result. The token is shown here once and stored only as a hash."""

    id: str
    token: str
    url: str
    expires_at: Timestamp


class ShareEntry(Body):
    """A link of a run as it is listed: its token is never shown again.

    `state` is "open" while it works, "expired" after `expires_at`, "revoked" where somebody ended it.
    """

    id: str
    created_at: Timestamp
    expires_at: Timestamp
    state: Literal["open", "expired", "revoked"]


class ShareList(Body):
    """The links of a run, newest first."""

    data: tuple[ShareEntry, ...]


class ShareToken(Body):
    """The secret part of a link, taken from its fragment."""

    token: Annotated[StrictStr, Field(min_length=1, max_length=128)]


class SharedResult(Body):
    """What a link shows: the result without anything that names the host."""

    chart: ChartModel
    expires_at: Timestamp
