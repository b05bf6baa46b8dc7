"""Reads figures from a tool's output; an error becomes Unparseable with its name."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from backend.core.errors import Unparseable

MAX_OUTPUT: Final = 1024 * 1024
WHOLE: Final = r"([0-9]{1,15})(?![0-9.])"
"""A count. At most 15 digits, so that it is exact as a float."""
NUMBER: Final = r"([0-9]{1,15}(?:\.[0-9]{1,15})?)(?![0-9.])"


class Outside(BaseModel):
    """Base of what a tool prints as JSON: exact types, no NaN; fields of other versions are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, allow_inf_nan=False)


Document = TypeVar("Document", bound=Outside)


def bounded(tool: str, limit: int, *texts: str) -> None:
    """Raise Unparseable if one of the texts is longer than `limit` characters."""
    if any(len(text) > limit for text in texts):
        raise Unparseable(f"{tool} printed more than {limit} characters")


def found(tool: str, pattern: re.Pattern[str], text: str, line: str) -> re.Match[str]:
    """The first match; Unparseable naming the line if there is none."""
    match = pattern.search(text)
    if match is None:
        raise Unparseable(f"{tool} printed no line '{line}'")
    return match


def document(tool: str, shape: type[Document], text: str) -> Document:
    """The JSON document as its shape; Unparseable naming the first field that is missing or wrong."""
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise Unparseable(f"{tool}: {field or 'the JSON report'}: {first['msg']}") from None
