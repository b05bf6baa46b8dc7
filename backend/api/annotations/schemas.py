"""Requests and responses of notes, tags and stars."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field, StrictStr
from pydantic_core import PydanticCustomError

from backend.api.schema import Body
from backend.core.definition.text import unprintable

MAX_NOTE_BYTES: Final = 10_000
MAX_TAGS: Final = 20
TAG: Final = r"^[a-z0-9][a-z0-9._:/-]{0,39}$"


def _note(value: str) -> str:
    """The note, with line feeds and tabs as its only control characters."""
    text = value.replace("\r\n", "\n")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_NOTE_BYTES:
        raise PydanticCustomError("too_long", "a note has at most {most} bytes", {"most": MAX_NOTE_BYTES})
    found = unprintable(text.replace("\n", " ").replace("\t", " "))
    if found is not None:
        raise PydanticCustomError("unprintable", "contains {found}; remove it", {"found": found})
    return text


def _tags(value: tuple[str, ...]) -> tuple[str, ...]:
    """The tags in alphabetical order, each once."""
    return tuple(sorted(set(value)))


Note = Annotated[StrictStr, Field(max_length=MAX_NOTE_BYTES), AfterValidator(_note)]
Tags = Annotated[
    tuple[Annotated[StrictStr, Field(pattern=TAG)], ...],
    Field(max_length=MAX_TAGS),
    AfterValidator(_tags),
]


class AnnotationPatch(Body):
    """The fields to replace; one that is left out stays as it is. The last write of a field wins.

    `note` is text, in which the page shows Markdown as written. Tags have up to 40 characters: a-z, 0-9 and
    ._:/- after the first.
    """

    note: Note | None = None
    tags: Tags | None = None


class Annotation(Body):
    """The note and the tags of a run or an experiment."""

    id: str
    note: str
    tags: tuple[str, ...]


class Stars(Body):
    """The runs and experiments of the team that the caller starred, newest star first."""

    runs: tuple[str, ...]
    experiments: tuple[str, ...]
