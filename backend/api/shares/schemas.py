"""Requests and responses of /shares."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr

from backend.api.schema import Body, Line, Timestamp
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.panels.panel_models import ResultPanels
from backend.core.definition.experiment import TITLE_PATTERN, one_line
from backend.store.repositories.shares import Kind, Mode

Title = Annotated[
    StrictStr, Field(min_length=1, max_length=200, pattern=TITLE_PATTERN), AfterValidator(one_line)
]


class ShareStart(Body):
    """A new link: its lifetime, who may see it and what it shows.

    `kind`: "private" has the token in the URL's fragment, which no server and no log receives; "unfurl" has
    it in the path, is meant to be posted, and chats show its title, verdict and picture. `mode`: "snapshot"
    shows the result as it is now, "live" as it is when the link is opened. `title` replaces the experiment's.
    """

    expires_in_days: Annotated[StrictInt, Field(ge=1, le=365)] = 30
    kind: Kind = "private"
    mode: Mode = "snapshot"
    title: Title | None = None


class Share(Body):
    """A link to one result. Only this response has the token; it is stored as a hash.

    `absolute_url` begins with the server's public URL.
    """

    id: str
    token: str
    url: str
    absolute_url: str
    expires_at: Timestamp
    kind: Kind
    mode: Mode
    title: str | None


class ShareEntry(Body):
    """A link in a list, without its token.

    `state` is "open" while it works, "expired" after `expires_at`, or "revoked". `created_by` is the name of
    an account, null where it is not known. `opens` counts how often its page was opened; `last_used_at` also
    counts previews and pictures, and is at most a minute too early.
    """

    id: str
    run_id: str
    run_title: Line
    kind: Kind
    mode: Mode
    title: str | None
    created_by: Line | None
    created_at: Timestamp
    expires_at: Timestamp
    state: Literal["open", "expired", "revoked"]
    last_used_at: Timestamp | None
    opens: int


class ShareList(Body):
    """The links of a run, newest first."""

    data: tuple[ShareEntry, ...]


class SharePage(Body):
    """One page of all links, newest first."""

    data: tuple[ShareEntry, ...]
    next_cursor: str | None


class ShareToken(Body):
    """The secret part of a link, taken from its fragment or its path.

    `again`: the page is open already and reads a live result once more; this is not counted as an opening.
    """

    token: Annotated[StrictStr, Field(min_length=1, max_length=128)]
    again: StrictBool = False


class ShareSeriesToken(Body):
    """The secret part of a link, and a cell of its result."""

    token: Annotated[StrictStr, Field(min_length=1, max_length=128)]
    cell_id: Annotated[StrictStr, Field(min_length=1, max_length=32)]


class SharedResult(Body):
    """The result of a link, without data that identifies the host, as it was at `as_of`.

    `panels` are null in a frozen link of an earlier release.
    `title` is the link's own, or null. `mode`: "snapshot" never changes.
    """

    chart: ChartModel
    panels: ResultPanels | None = None
    expires_at: Timestamp
    title: str | None
    mode: Mode
    as_of: Timestamp
