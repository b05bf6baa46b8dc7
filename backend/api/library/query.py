"""The grammar of a search of the library. Pure.

A query is a list of terms, all of which must hold:

    proxy "chatty database"    the text contains these
    path:nginx_stream          a cell has this level; so for every factor (clients:16)
    host:bench-*               * is any text
    verdict:worse,failed       one of these
    -tag:ci                    does not hold
    after:2026-05-01 before:7d start of the run: a date in UTC, or so many hours, days or weeks ago

What is not understood is a problem that names the term; the rest of the query applies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, get_args

from backend.core.definition.catalog import PATH_NAMES
from backend.core.definition.factors import FACTORS
from backend.core.plan.states import RunState
from backend.store.repositories.library import Condition, Field

MAX_LENGTH: Final = 500
MAX_TERMS: Final = 30
IS: Final = ("starred", "archived", "imported", "measured", "grouped", "excluded", "active", "ended")
HAS: Final = ("note", "tag", "verdict")
VERDICTS: Final = ("better", "worse", "equal", "no-answer", "failed", "suspect", "threshold-failed")
STATES: Final[tuple[str, ...]] = get_args(RunState)
CHOICES: Final[dict[str, tuple[str, ...]]] = {"is": IS, "has": HAS, "state": STATES, "verdict": VERDICTS}
"""The keys with a fixed list of values."""
KEYS: Final = (*CHOICES, "host", "author", "tag", "after", "before", "group", "experiment", *FACTORS)
ProblemCode = Literal["unknown_key", "unknown_value", "bad_date", "empty_value", "open_quote", "too_many"]

_TOKEN: Final = re.compile(r"""(-?)([A-Za-z_]+):(?=\s|$)|(-?)(?:([A-Za-z_]+):)?("[^"]*"?|[^\s"]+)""")
_AGO: Final = re.compile(r"(\d{1,4})([hdw])")
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}
_LEVELS: Final = {"on": "true", "off": "false"}
_EARLIER_WORDS: Final = {"equivalent": "equal", "unclear": "no-answer"}
"""Values of `verdict` in searches that were saved with the words of earlier releases."""


@dataclass(frozen=True)
class TermProblem:
    """A term that was not understood, why, and what would be."""

    term: str
    code: ProblemCode
    detail: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parsed:
    """The conditions of a query, and the problems of the terms that were left out."""

    conditions: tuple[Condition, ...]
    problems: tuple[TermProblem, ...]


def parse(query: str, now: datetime) -> Parsed:
    """The conditions of a query; `now` is the time that ages count from."""
    conditions: list[Condition] = []
    problems: list[TermProblem] = []
    for found in _TOKEN.finditer(query):
        term = found[0]
        minus, key, value = found[1] or found[3] or "", found[2] or found[4], found[5] or ""
        if len(conditions) + len(problems) >= MAX_TERMS:
            detail = f"a query has at most {MAX_TERMS} terms; this one and those after it are left out"
            problems.append(TermProblem(term, "too_many", detail))
            break
        one = _condition(term, None if key is None else key.lower(), value, minus == "-", now)
        if isinstance(one, TermProblem):
            problems.append(one)
        else:
            conditions.append(one)
    return Parsed(tuple(conditions), tuple(problems))


def _condition(
    term: str, key: str | None, value: str, negated: bool, now: datetime
) -> Condition | TermProblem:
    quoted = value.startswith('"')
    if quoted and (len(value) < 2 or not value.endswith('"')):
        return TermProblem(term, "open_quote", 'the text has no closing quotation mark: add "')
    text = value.strip('"').lower() if quoted else value.lower()
    if not text:
        return TermProblem(term, "empty_value", "a value is missing", CHOICES.get(key or "", ()))
    if key is None:
        return Condition("text", (text,), negated)
    if key not in KEYS:
        detail = f'there is no key "{key}"; for text with a colon, use quotation marks'
        return TermProblem(term, "unknown_key", detail, _near(key))
    if key in ("after", "before"):
        return _time(term, key, text, negated, now)
    values = (text,) if quoted else tuple(part for part in text.split(",") if part)
    return _keyed(term, key, values, negated)


def _keyed(term: str, key: str, values: tuple[str, ...], negated: bool) -> Condition | TermProblem:
    if not values:
        return TermProblem(term, "empty_value", "a value is missing", CHOICES.get(key, ()))
    if key == "verdict":
        values = tuple(_EARLIER_WORDS.get(value, value) for value in values)
    choices = PATH_NAMES if key == "path" else CHOICES.get(key)
    wrong = [value for value in values if choices and "*" not in value and value not in choices]
    if wrong and choices:
        detail = f'"{wrong[0]}" is no value of {key}'
        return TermProblem(term, "unknown_value", detail, choices)
    field = _FIELDS.get(key)
    if field is not None:
        return Condition(field, values, negated)
    # Stored levels are JSON values as text; off and on are the words of the page.
    levels = tuple(_LEVELS.get(value, value) for value in values)
    return Condition("term", tuple(f"{key}:{level}" for level in levels), negated)


_FIELDS: Final[dict[str, Field]] = {
    "is": "is",
    "has": "has",
    "state": "state",
    "author": "author",
    "group": "group",
    "experiment": "experiment",
}


def _time(term: str, key: str, text: str, negated: bool, now: datetime) -> Condition | TermProblem:
    ago = _AGO.fullmatch(text)
    try:
        if ago is not None:
            at = now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        else:
            at = datetime.fromisoformat(text)
            at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        detail = "write a date such as 2026-05-01, or an age such as 12h, 7d or 4w"
        return TermProblem(term, "bad_date", detail)
    after = (key == "after") != negated
    return Condition("after" if after else "before", (), at=at)


def _near(key: str) -> tuple[str, ...]:
    """The keys that begin like an unknown one, or contain it; else the general ones."""
    found = [name for name in KEYS if name.startswith(key[:3]) or key in name]
    return tuple(f"{name}:" for name in found[:8] or KEYS[:9])
