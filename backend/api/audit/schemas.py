"""Responses of /audit."""

from __future__ import annotations

from backend.api.schema import Body, Line, Timestamp


class AuditLine(Body):
    """One request that changed something or was refused; `status` and `code` are those of its response.

    `actor` is the account's name, `token_prefix` the first characters of the API token it used, if any.
    """

    id: str
    at: Timestamp
    actor: Line
    account_id: str | None
    token_prefix: str | None
    action: str
    object: str | None
    status: int
    code: str | None
    address: str
    request_id: str


class AuditLog(Body):
    """One page of the audit log, newest first."""

    data: tuple[AuditLine, ...]
    next_cursor: str | None
