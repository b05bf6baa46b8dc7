"""The base class of all request and response bodies, and types that several features share."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Self

from fastapi import Query
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)

from backend.core.definition.text import printable
from backend.core.messages.message import MessageParts, WithMessages, messages_of


def rfc3339(value: datetime) -> str:
    """A time in UTC with milliseconds, as the API writes it."""
    return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")


Timestamp = Annotated[AwareDatetime, PlainSerializer(rfc3339, return_type=str, when_used="json")]
"""A time in UTC, serialised as RFC 3339."""


class Body(BaseModel):
    """Base of every request and response body: unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, from_attributes=True)


class PageQuery(Body):
    """The cursor and the page size of a list."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: Annotated[str, Field(max_length=200)] | None = None


Paging = Annotated[PageQuery, Query()]


Line = Annotated[str, AfterValidator(printable)]
"""A stored text on one line; characters that are no longer allowed are replaced by U+FFFD."""


class WithTexts(Body):
    """Base of responses with many sentences: `messages` has the id and figures of each, by its text."""

    messages: dict[str, MessageParts] = {}

    @model_validator(mode="after")
    def _add_messages(self) -> Self:
        self.__dict__["messages"] = messages_of(self.sentences())
        return self

    def sentences(self) -> Iterable[str | None]:
        """The sentences of this response."""
        return ()


class FieldProblem(WithMessages, Body):
    """One invalid field; `pointer` is a JSON Pointer (RFC 6901) into the body.

    `detail_message` is the detail's id and figures, for pages in another language; null where it has none.
    """

    pointer: str
    code: str
    detail: str
    detail_message: MessageParts | None = None


class ProblemDocument(WithMessages, Body):
    """RFC 9457 problem details, `application/problem+json`; `detail_message` as in `errors`."""

    type: str
    title: str
    status: int
    detail: str
    detail_message: MessageParts | None = None
    instance: str
    code: str
    errors: tuple[FieldProblem, ...] = ()
