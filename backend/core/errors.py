"""The one tree of errors that Plimsoll raises on purpose.

    PlimsollError
    ├── Refused            the request cannot be carried out as asked; carries Problems
    │   ├── Malformed      the document is not YAML or JSON, or not an object
    │   └── Invalid        a field is unknown, out of bounds, or contradicts another
    ├── NotFound           no such experiment, run, trial, host or share
    ├── Conflict           the object's state forbids it (a finished run cannot be cancelled)
    ├── InUse              another request holds what this one needs; the same one may be sent again soon
    ├── Gone               a share link that was revoked or has expired
    ├── Unavailable        a service that is needed does not answer; try again later
    │   ├── QueryTimedOut      the database was too slow for one statement
    │   ├── Contended          a deadlock or a lock that did not come free; the call may be repeated at once
    │   ├── DatabaseFull       the database has no room left
    │   ├── DatabaseBusy       the database has no connection left
    │   ├── DatabaseReadOnly   the database takes no changes
    │   └── NotMigrated        the database has another version's tables
    ├── Unparseable        a tool printed something its parser does not accept
    ├── TrialFailed        a trial ended without a sample for its own reason; carries a stable code
    └── HostFault          the measured host failed, not the trial: the trial may be tried again
        ├── EngineUnavailable  a Docker daemon does not answer, or refuses
        ├── ServerLost         the measured server's process has ended
        ├── HostCommandFailed  one of the host's own tools failed
        ├── StorageFull        no room for a record
        ├── ProcessLost        another process that was measured has ended
        ├── HostSlept          the host was suspended during a trial
        ├── StoreAway          the database does not answer in the middle of a trial
        ├── Unexpected         an error that nothing above foresaw
        └── AlreadyRunning     another worker of this installation runs

Nothing here knows HTTP: one table in `backend.api.problem_details` maps these to status codes. Foreign errors
are mapped in one place each: Docker's and requests' in `worker.engine.docker_errors`, SQLAlchemy's in
`backend.store.session`, the kernel's (OSError) in `worker.trial.faults`.
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


class InUse(PlimsollError):
    """Another request, still under way, holds what this one needs."""

    code = "in_use"


class Gone(PlimsollError):
    """The object existed and is no longer available."""

    code = "gone"


class Unavailable(PlimsollError):
    """A service that is needed does not answer."""

    code = "unavailable"


class QueryTimedOut(Unavailable):
    """The database took too long for one statement."""

    code = "statement_timeout"


class Contended(Unavailable):
    """Two transactions were in each other's way; nothing was changed, and the call may be repeated."""

    code = "contention"


class DatabaseFull(Unavailable):
    """The database cannot store anything until there is room on its disk."""

    code = "storage_full"


class DatabaseBusy(Unavailable):
    """No connection to the database came free."""

    code = "too_many_connections"


class DatabaseReadOnly(Unavailable):
    """The database takes no changes: a standby, or one that was set read-only."""

    code = "read_only"


class NotMigrated(Unavailable):
    """The database's tables are of another version."""

    code = "not_migrated"


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


class HostFault(PlimsollError):
    """The measured host failed, not the trial.

    `code` is kept with the attempt. `retry`: the trial may be tried again. `counts`: the attempt counts
    against the trial's limit; False where the trial cannot have caused the fault. `lasting`: the next trial
    may meet the same fault, so that several in a row stop the worker from claiming.
    """

    code = "host_fault"
    retry = True
    counts = True
    lasting = True


class EngineUnavailable(HostFault):
    """The engine does not answer, or refuses for a reason that is not the caller's."""

    code = "engine_lost"


class ServerLost(HostFault):
    """The measured server's process has ended. `before`: the trial had not used it yet."""

    code = "server_lost"

    def __init__(self, detail: str, before: bool = False) -> None:
        super().__init__(detail)
        self.counts = not before


class HostCommandFailed(HostFault):
    """A tool of the host ended with an error, was missing or took too long."""

    code = "host_command_failed"


class StorageFull(HostFault):
    """There is no room for a record; free space under the spool's folder."""

    code = "storage_full"
    retry = False


class ProcessLost(HostFault):
    """A process that was measured beside the server (a client, a proxy) has ended."""

    code = "process_lost"


class HostSlept(HostFault):
    """The host was suspended during the trial, so that its window holds time in which nothing ran."""

    code = "host_slept"
    counts = False
    lasting = False


class StoreAway(HostFault):
    """The database did not answer in the middle of a trial."""

    code = "store_away"
    counts = False
    lasting = False


class Unexpected(HostFault):
    """An error that nothing foresaw; its type and text are in the detail, its traceback in the log."""

    code = "unexpected"


class AlreadyRunning(HostFault):
    """Another worker of this installation runs; the text names it."""

    code = "already_running"
    retry = False
