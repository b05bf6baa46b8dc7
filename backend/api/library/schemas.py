"""Requests and responses of the library."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StrictBool, StrictStr
from pydantic_core import PydanticCustomError

from backend.api.annotations.schemas import Tags
from backend.api.library.query import MAX_LENGTH, ProblemCode
from backend.api.schema import Body, Line, PageQuery, Timestamp
from backend.core.chart.run_verdict import RunVerdict
from backend.core.definition.text import unprintable
from backend.core.messages.message import MessageParts, WithMessages
from backend.core.plan.states import Origin, RunState


class ExclusionReason(Body):
    """A reason for which trials of a run are excluded, and how many."""

    reason: str
    trials: int


class LibraryRun(Body):
    """A run in a list, with the verdict that was kept at its end.

    `author` is who started or imported it, empty where that is not known. `note` is the beginning of its
    note. `verdict` is null while the run has not ended, and until it was computed (`verdict_due`).
    """

    id: str
    experiment_id: str
    name: str
    title: Line
    host: str
    origin: Origin
    state: RunState
    created_at: Timestamp
    finished_at: Timestamp | None
    group_id: str | None
    author: str
    tags: tuple[str, ...]
    note: str
    starred: bool
    archived: bool
    verdict: RunVerdict | None
    verdict_due: bool = Field(description="Whether a verdict, or a newer one, will be computed.")
    exclusions: tuple[ExclusionReason, ...]


class LibraryQuery(PageQuery):
    """A search and a page of its matches. The grammar: `path:bridge_ip is:starred after:7d "two words"`."""

    q: Annotated[str, Field(max_length=MAX_LENGTH)] = ""


class TermProblem(WithMessages, Body):
    """A term of the query that was left out: why, and values or keys that would be understood."""

    term: str
    code: ProblemCode
    detail: str
    detail_message: MessageParts | None = None
    choices: tuple[str, ...]


class LibraryRunList(Body):
    """One page of the runs that match, newest first.

    `total` is the number of matches, counted up to 1,000; null on later pages. The other terms of the query
    apply where `problems` names one.
    """

    data: tuple[LibraryRun, ...]
    next_cursor: str | None
    total: int | None
    problems: tuple[TermProblem, ...]


class TermQuery(Body):
    """The term that is being typed."""

    part: Annotated[str, Field(max_length=100)] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class LibraryTerm(Body):
    """A term that completes the typed part; `runs` have it, null for a key or a fixed value."""

    term: str
    runs: int | None


class LibraryTermList(Body):
    """Completions of a term: keys and fixed values first, then terms of the team's runs."""

    data: tuple[LibraryTerm, ...]


RunId = Annotated[StrictStr, Field(min_length=1, max_length=64)]


class RunChanges(Body):
    """What to change in up to 200 runs; a field that is left out or null changes nothing."""

    runs: Annotated[tuple[RunId, ...], Field(min_length=1, max_length=200)]
    archived: StrictBool | None = None
    starred: StrictBool | None = None
    add_tags: Tags = ()
    remove_tags: Tags = ()


class ChangedRuns(Body):
    """How many runs the request named; all of them were changed."""

    runs: int


def _line(value: str) -> str:
    text = value.strip()
    found = unprintable(text)
    if found is not None:
        raise PydanticCustomError("unprintable", "contains {found}; remove it", {"found": found})
    if not text:
        raise PydanticCustomError("empty", "write at least one character")
    return text


ViewName = Annotated[StrictStr, Field(max_length=80), AfterValidator(_line)]
ViewQuery = Annotated[StrictStr, Field(max_length=MAX_LENGTH), AfterValidator(_line)]


class LibraryViewCreate(Body):
    """A search to save; `shared`: all members of the team see it."""

    name: ViewName
    query: ViewQuery
    shared: StrictBool = False


class LibraryViewPatch(Body):
    """The fields to replace; one that is left out stays as it is."""

    name: ViewName | None = None
    query: ViewQuery | None = None
    shared: StrictBool | None = None


class LibraryView(Body):
    """A saved search. `own`: the caller's account saved it, else `by` did."""

    id: str
    name: Line
    query: Line
    shared: bool
    own: bool
    by: Line
    created_at: Timestamp


class LibraryViewList(Body):
    """The account's own views and those of the team, by name."""

    data: tuple[LibraryView, ...]
