"""The one tree of errors that Plimsoll raises on purpose.

    PlimsollError
    ├── Refused            the request cannot be carried out as asked; carries Problems
    │   ├── Malformed      the document is not YAML or JSON, or not an object
    │   └── Invalid        a field is unknown, out of bounds, or contradicts another
    ├── NotFound           no such experiment, run, trial, host or share
    ├── Conflict           the object's state forbids it (a finished run cannot be cancelled)
    ├── Gone               a share link that was revoked or has expired
    ├── Unavailable        a service that is needed does not answer; try again later
    ├── Unparseable        a tool printed something its parser does not accept
    └── TrialFailed        a trial ended without a sample; carries a short stable code

Nothing here knows HTTP: one table in `backend.api.problems` maps these to status codes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with one field.

    `pointer` is a JSON Pointer (RFC 6901) into the submitted document, "" for the whole of it;
    `code` is stable and machine-readable; `detail` says what is allowed or what to do.
    """

    pointer: str
    code: str
    detail: str


class PlimsollError(Exception):
    """Base of every error raised on purpose."""

    code = "error"


class Refused(PlimsollError):
    """The request cannot be carried out as asked."""

    code = "refused"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{p.pointer or '/'}: {p.detail}" for p in problems))
        self.problems = problems

    @classmethod
    def at(cls, pointer: str, code: str, detail: str) -> Refused:
        """Refuse for a single field."""
        return cls((Problem(pointer, code, detail),))


class Malformed(Refused):
    """The document cannot be read at all."""

    code = "malformed"


class Invalid(Refused):
    """The document was read, and something in it is not allowed."""

    code = "invalid"


class NotFound(PlimsollError):
    """No such object."""

    code = "not_found"


class Conflict(PlimsollError):
    """The object's present state forbids the request."""

    code = "conflict"


class Gone(PlimsollError):
    """The object existed and is no longer available."""

    code = "gone"


class Unavailable(PlimsollError):
    """A service that is needed does not answer."""

    code = "unavailable"


class Unparseable(PlimsollError):
    """A tool's output is not what its parser accepts; the text says which line is missing."""

    code = "unparseable"


class TrialFailed(PlimsollError):
    """A trial ended without a sample.

    `code` is one of the stable words kept with the trial, for example `tool_failed`, `timeout`,
    `unparseable`, `path_contradicted`, `engine_lost`, `storage_full`.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
