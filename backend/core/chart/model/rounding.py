"""Rounds the numbers of a finished model to so many significant digits; exact ones are in the JSON export."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar, get_args

from backend.core.chart.model.model_base import Part
from backend.core.statistics.amounts import DIGITS

P = TypeVar("P", bound=Part)


def rounded(part: P, digits: int = DIGITS) -> P:
    """The same part with every float in it, at any depth, to `digits` significant digits.

    The part is changed in place, so the caller must be its only owner: a copy of the 40,000 parts of a large
    run takes half as long as its analysis.
    """
    fields = part.__dict__
    for name in _with_floats(type(part)):
        value = fields[name]
        fields[name] = significant(value, digits) if type(value) is float else _inside(value, digits)
    return part


@cache
def _with_floats(kind: type[Part]) -> tuple[str, ...]:
    """The fields that can hold a float or another part, so that no others are gone through."""
    return tuple(
        name
        for name, field in kind.model_fields.items()
        if any(t is float or (isinstance(t, type) and issubclass(t, Part)) for t in _types(field.annotation))
    )


def _types(annotation: Any) -> Iterator[Any]:
    """An annotation and everything that is named within it."""
    yield annotation
    for inner in get_args(annotation):
        yield from _types(inner)


def significant(value: float, digits: int = DIGITS) -> float:
    """A finite number to so many significant digits, to the nearest."""
    return float(f"{value:.{digits}g}")


def _inside(value: Any, digits: int) -> Any:
    if isinstance(value, Part):
        rounded(value, digits)
    elif isinstance(value, float):
        return significant(value, digits)
    elif isinstance(value, tuple):
        return tuple([_inside(item, digits) for item in value])
    elif isinstance(value, dict):
        return {key: _inside(item, digits) for key, item in value.items()}
    return value
