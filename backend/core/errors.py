"""The tree of errors that Plimsoll raises.

    PlimsollError
    ├── Refused            the request is rejected; has Problems
    │   ├── Malformed      the document is not YAML or JSON, or not an object
    │   └── Invalid        a field is unknown, out of bounds, or contradicts another
    ├── NotFound           no such experiment, run, trial, host or share
    ├── Conflict           the object's state forbids it (a finished run cannot be cancelled)
    ├── InUse              another request with the same key is in progress; repeat it later
    ├── QuotaExceeded      a quota of the team is used up; repeat it later
    ├── Gone               a share link that was revoked or has expired
    ├── Unavailable        a required service does not answer; repeat later
    │   ├── QueryTimedOut      the database was too slow for one statement
    │   ├── Contended          a deadlock or a lock timeout; the call may be repeated at once
    │   ├── DatabaseFull       the database has no space left
    │   ├── DatabaseBusy       the database has no connection left
    │   ├── DatabaseReadOnly   the database is read-only
    │   └── NotMigrated        the database schema is of another version
    ├── WorkerRejected     the server accepts this worker no longer; it ends
    ├── Unparseable        the output of a tool does not fit its parser
    ├── TrialFailed        a trial ended without a sample; has a stable code
    └── HostFault          a fault of the measured host, not of the trial: the trial may be repeated
        ├── EngineUnavailable  a Docker daemon does not answer, or refuses
        ├── ServerLost         the measured server's process has ended
        ├── HostCommandFailed  one of the host's own tools failed
        ├── StorageFull        no space for a record
        ├── ProcessLost        another measured process has ended
        ├── HostSlept          the host was suspended during a trial
        ├── StoreAway          the database does not answer during a trial
        ├── Unexpected         any other exception
        └── AlreadyRunning     another worker of this installation runs

`backend.api.problem_details` maps them to HTTP status codes. Exceptions of libraries are mapped in one place
each: Docker's and requests' in `worker.engine.docker_errors`, SQLAlchemy's in
`backend.store.database_errors`, the kernel's (OSError) in `worker.trial.faults`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One invalid field.

    `pointer` is a JSON Pointer (RFC 6901) into the submitted document, "" for all of it;
    `code` is stable and machine-readable; `detail` is what is allowed or what to do.
    """

    pointer: str
    code: str
    detail: str


class PlimsollError(Exception):
    """Base of all errors."""

    code = "error"


class Refused(PlimsollError):
    """The request is rejected."""

    code = "refused"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{p.pointer or '/'}: {p.detail}" for p in problems))
        self.problems = problems

    @classmethod
    def at(cls, pointer: str, code: str, detail: str) -> Refused:
        """The error for a single field."""
        return cls((Problem(pointer, code, detail),))


class Malformed(Refused):
    """The document cannot be parsed."""

    code = "malformed"


class Invalid(Refused):
    """A field of the document is not allowed."""

    code = "invalid"


class NotFound(PlimsollError):
    """The object does not exist."""

    code = "not_found"


class Conflict(PlimsollError):
    """The object's state does not allow the request; `code` says why, where a client can act on it."""

    code = "conflict"

    def __init__(self, detail: str, code: str = code) -> None:
        super().__init__(detail)
        self.code = code


class InUse(PlimsollError):
    """Another request with the same key is in progress."""

    code = "in_use"


class QuotaExceeded(PlimsollError):
    """A quota of the team is used up; the request may be repeated after `retry_after_s` seconds."""

    code = "quota_exceeded"

    def __init__(self, detail: str, retry_after_s: int) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class Gone(PlimsollError):
    """The object existed and is no longer available."""

    code = "gone"


class Unavailable(PlimsollError):
    """A required service does not answer."""

    code = "unavailable"


class QueryTimedOut(Unavailable):
    """A statement exceeded the database's time limit."""

    code = "statement_timeout"


class Contended(Unavailable):
    """Two transactions conflicted; nothing was changed, and the call may be repeated."""

    code = "contention"


class DatabaseFull(Unavailable):
    """The database's disk is full."""

    code = "storage_full"


class DatabaseBusy(Unavailable):
    """No connection to the database is free."""

    code = "too_many_connections"


class DatabaseReadOnly(Unavailable):
    """The database is a standby or was set read-only."""

    code = "read_only"


class NotMigrated(Unavailable):
    """The database schema is of another version."""

    code = "not_migrated"


class WorkerRejected(PlimsollError):
    """The server accepts this worker no longer, until somebody acts: the text is what to do.

    `code` is `unauthenticated` (its token was revoked, or is another server's) or `worker_outdated`.
    """

    code = "unauthenticated"

    def __init__(self, detail: str, code: str = code) -> None:
        super().__init__(detail)
        self.code = code


class Unparseable(PlimsollError):
    """The output of a tool does not fit its parser; the text names the missing line."""

    code = "unparseable"


class TrialFailed(PlimsollError):
    """A trial ended without a sample.

    `code` is one of the stable codes stored with the trial, for example `tool_failed`, `timeout`,
    `unparseable`, `path_contradicted`, `engine_lost`, `storage_full`.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class HostFault(PlimsollError):
    """A fault of the measured host, not of the trial.

    `code` is stored with the attempt. `retry`: the trial may be repeated. `counts`: the attempt counts
    towards the trial's limit; False if the trial cannot have caused the fault. `lasting`: the next trial may
    have the same fault; several in a row pause claiming.
    """

    code = "host_fault"
    retry = True
    counts = True
    lasting = True


class EngineUnavailable(HostFault):
    """The Docker daemon does not answer, or refuses for a reason of its own."""

    code = "engine_lost"


class ServerLost(HostFault):
    """The measured server's process has ended. `before`: the trial had not used it yet."""

    code = "server_lost"

    def __init__(self, detail: str, before: bool = False) -> None:
        super().__init__(detail)
        self.counts = not before


class HostCommandFailed(HostFault):
    """A tool of the host failed, is missing or exceeded its time limit."""

    code = "host_command_failed"


class StorageFull(HostFault):
    """No space for a record: free space in the spool directory."""

    code = "storage_full"
    retry = False


class ProcessLost(HostFault):
    """A measured process other than the server (a client, a proxy) has ended."""

    code = "process_lost"


class HostSlept(HostFault):
    """The host was suspended during the trial, so that its window includes time in which nothing ran."""

    code = "host_slept"
    counts = False
    lasting = False


class StoreAway(HostFault):
    """The database did not answer during a trial."""

    code = "store_away"
    counts = False
    lasting = False


class Unexpected(HostFault):
    """Any other exception; the detail has its type and text, the log its traceback."""

    code = "unexpected"


class ClientHostLost(HostFault):
    """The host that runs a trial's client ended the session, or has not been heard of."""

    code = "client_host_lost"
    counts = False


class ClientHostBusy(HostFault):
    """The trial gives way: the client host measures, or waits for this host itself."""

    code = "client_host_busy"
    counts = False
    lasting = False


class AlreadyRunning(HostFault):
    """Another worker of this installation is running; the text names it."""

    code = "already_running"
    retry = False
