"""Requests and responses of /shares."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictInt, StrictStr

from backend.api.schema import Body, Timestamp
from backend.core.chart.model.chart_model import ChartModel


class ShareStart(Body):
    """The lifetime of a new link."""

    expires_in_days: Annotated[StrictInt, Field(ge=1, le=365)] = 30


class Share(Body):
    """A link to one finished result. Only this response has the token; it is stored as a hash."""

    id: str
    token: str
    url: str
    expires_at: Timestamp


class ShareEntry(Body):
    """A link of a run in a list, without its token.

    `state` is "open" while it works, "expired" after `expires_at`, or "revoked".
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
    """The result of a link, without data that identifies the host."""

    chart: ChartModel
    expires_at: Timestamp
