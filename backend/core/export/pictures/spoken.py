"""A picture's specification in the language of its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from backend.core.messages import language
from backend.core.messages.translation import said

_READ: Final = ("title", "subtitle", "text", "domain")
"""The properties whose texts a reader sees."""


def spoken(spec: dict[str, Any]) -> dict[str, Any]:
    """The specification with every text that a reader sees in the file's language; itself in English.

    Values are translated like the scale that they are on: the same text has the same translation.
    """
    return spec if language.current() == "en" else _walked(spec)


def _walked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _read(item) if name in _READ else _within(name, item) for name, item in value.items()}
    return [_walked(item) for item in value] if isinstance(value, list) else value


def _within(name: str, value: Any) -> Any:
    if name == "values" and isinstance(value, list):
        return [
            {field: _read(item) for field, item in row.items()} if isinstance(row, Mapping) else row
            for row in value
        ]
    return _walked(value)


def _read(value: Any) -> Any:
    if isinstance(value, str):
        return said(value)
    if isinstance(value, list | tuple):
        return [_read(item) for item in value]
    return _walked(value)
