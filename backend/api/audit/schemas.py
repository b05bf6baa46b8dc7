"""Responses of /audit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from backend.api.schema import Body, Line, PageQuery, Timestamp

Outcome = Literal["done", "refused", "failed"]


class AuditQuery(PageQuery):
    """A page of the audit log, optionally only entries that match all of these.

    `action` is an operation id, such as startRun. `outcome`: "done" (status below 400), "refused" (400 to
    499) or "failed" (500 and above). Times are those of the entries: from `since`, before `until`.
    """

    action: Annotated[str, Field(pattern=r"^[A-Za-z]{1,64}$")] | None = None
    outcome: Outcome | None = None
    account_id: Annotated[str, Field(pattern=r"^acc_[0-9a-z]{16}$")] | None = None
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


class AuditLine(Body):
    """One request that changed something or was refused; `status` and `code` are those of its response.

    `actor` is the account's name, `token_prefix` the first characters of the API token it used, if any.
    `object` is the id that the request names, or else of what it created; `created` that of what it created,
    or of the message that it queued.
    """

    id: str
    at: Timestamp
    actor: Line
    account_id: str | None
    token_prefix: str | None
    action: str
    object: str | None
    created: str | None
    status: int
    code: str | None
    address: str
    request_id: str


class AuditLog(Body):
    """One page of the audit log, newest first."""

    data: tuple[AuditLine, ...]
    next_cursor: str | None


class InstallationAuditQuery(AuditQuery):
    """As for a team's log; `team_id` limits it to the entries of one team."""

    team_id: Annotated[str, Field(pattern=r"^tem_[0-9a-z]{16}$")] | None = None


class InstallationAuditLine(AuditLine):
    """An entry with its team; null: about no single team, such as an account."""

    team_id: str | None


class InstallationAuditLog(Body):
    """One page of the installation's audit log, newest first."""

    data: tuple[InstallationAuditLine, ...]
    next_cursor: str | None
