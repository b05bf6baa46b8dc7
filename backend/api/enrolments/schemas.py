"""Requests and responses of /hosts/enrolments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictInt, StrictStr

from backend.api.schema import Body, Line, Timestamp
from backend.api.worker.schemas import HostName
from backend.core.definition.experiment import TITLE_PATTERN, one_line

LONGEST_HOURS = 24 * 14
Note = Annotated[StrictStr, Field(max_length=120, pattern=rf"{TITLE_PATTERN}|^$"), AfterValidator(one_line)]


class EnrolmentStart(Body):
    """A new enrolment: for how long, what it is for, and the only host name that may use it (null: any)."""

    expires_in_hours: Annotated[StrictInt, Field(ge=1, le=LONGEST_HOURS)] = 24
    note: Note = ""
    host_name: HostName | None = None


class NewEnrolment(Body):
    """A new enrolment. Only this response has its secret.

    `url` is the URL for scripts/join, which ends in the secret; `command` the whole command, with the name,
    and with the fingerprint of a certificate that no authority signed. `container_command` is the same as a
    `docker run`, for a host whose Docker has the image `plimsoll`.
    """

    id: str
    secret: str
    url: str
    command: str
    container_command: str
    expires_at: Timestamp


class EnrolmentEntry(Body):
    """An enrolment without its secret, of which `prefix` are the first characters.

    `host_name` is the only name that may use it, `used_by` the name of the host that joined with it.
    """

    id: str
    prefix: str
    note: Line
    host_name: str | None
    created_by: Line | None
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Timestamp | None
    used_by: str | None
    state: Literal["open", "used", "expired", "revoked"]


class EnrolmentList(Body):
    """The newest enrolments, newest first."""

    data: tuple[EnrolmentEntry, ...]
