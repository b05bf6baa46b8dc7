"""Parses thresholds: conditions on a run's metrics, one line of text each.

tps >= 20000
cpu_us_per_txn < 30 for path=published_loopback, userland_proxy=true
ratio(tps, baseline) >= 0.95
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from backend.core.definition.factors import FACTORS, LONGEST_TEXT, Factor, Level
from backend.core.definition.metrics import METRICS

Operator = Literal[">=", ">", "<=", "<"]

_OPERATORS: Final[dict[str, Operator]] = {">=": ">=", ">": ">", "<=": "<=", "<": "<"}
_FORM: Final = "write METRIC >= NUMBER or ratio(METRIC, baseline) >= NUMBER, with one of >= > <= <"
_NUMBER: Final = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_COMPARING: Final = frozenset("<>=!~")
MAX_LENGTH: Final = 200
"""Characters of a threshold."""
MAX_LEVELS_LENGTH: Final = 4000
"""Characters of the levels of one cell, with every factor named."""
_SHOWN: Final = 60
LAST_DIGITS: Final = 1e-9
"""Ratios that differ by this share are equal: they come from logarithms in units of 1e-12."""


@dataclass(frozen=True)
class Threshold:
    """One parsed threshold.

    `bound` is in the metric's unit, or a ratio to the baseline where `of_ratio`. It concerns the cells that
    have `levels`; all cells where that is empty.
    """

    text: str
    metric: str
    of_ratio: bool
    operator: Operator
    bound: float
    levels: Mapping[str, Level]

    @property
    def level_texts(self) -> tuple[str, ...]:
        """The levels as text: factor=level."""
        return tuple(f"{name}={_written(level)}" for name, level in self.levels.items())

    def concerns(self, levels: Mapping[str, Level]) -> bool:
        """Whether the threshold concerns a cell with these levels."""
        return all(name in levels and levels[name] == level for name, level in self.levels.items())

    def holds(self, value: float) -> bool:
        """Whether this value meets the threshold."""
        if self.of_ratio and math.isclose(value, self.bound, rel_tol=LAST_DIGITS):
            value = self.bound
        match self.operator:
            case ">=":
                return value >= self.bound
            case ">":
                return value > self.bound
            case "<=":
                return value <= self.bound
            case "<":
                return value < self.bound


def parse_threshold(text: str) -> Threshold:
    """The threshold of one line. Raises ValueError with a sentence that names what is allowed."""
    if len(text) > MAX_LENGTH:
        raise ValueError(f"{_quoted(text)} has {len(text):,} characters, a threshold {MAX_LENGTH} at most")
    left, written, rest = _sides(text)
    if not written or not left:
        raise ValueError(f"{_quoted(text)} is not a threshold; {_FORM}")
    metric, of_ratio = _measured(left)
    operator = _OPERATORS.get(written)
    if operator is None:
        raise ValueError(f"{_quoted(written)} is not a comparison operator; use one of >= > <= <")
    number, named = _apart_from_levels(rest)
    bound = _bound(number, of_ratio)
    levels = {} if named is None else parse_levels(named)
    return Threshold(text.strip(), metric, of_ratio, operator, bound, levels)


def _sides(text: str) -> tuple[str, str, str]:
    """The text before the first operator, the operator ("" if there is none), and the text after it."""
    start = next((at for at, character in enumerate(text) if character in _COMPARING), len(text))
    end = start
    while end < len(text) and text[end] in _COMPARING:
        end += 1
    return text[:start].strip(), text[start:end], text[end:].strip()


def _apart_from_levels(rest: str) -> tuple[str, str | None]:
    """The text before the first word "for", and the text after it; None without that word."""
    at = rest.find("for")
    while at >= 0:
        before, after = rest[:at], rest[at + len("for") :]
        if (not before or before[-1].isspace()) and (not after or after[0].isspace()):
            return before.rstrip(), after.lstrip()
        at = rest.find("for", at + 1)
    return rest, None


def _measured(text: str) -> tuple[str, bool]:
    """The metric on the left side, and whether it is a ratio to the baseline."""
    if not text.startswith("ratio"):
        return _known(text, "metric", METRICS), False
    inner = text.removeprefix("ratio").lstrip()
    if inner[:1] != "(" or inner[-1:] != ")" or any(bracket in inner[1:-1] for bracket in "()"):
        raise ValueError(f"{_quoted(text)} is not a ratio; write ratio(METRIC, baseline)")
    named, _, to = (part.strip() for part in inner[1:-1].partition(","))
    metric = _known(named, "metric", METRICS)
    if to != "baseline":
        given = _quoted(to)
        raise ValueError(f"{given}: a ratio is always to the baseline; write ratio({metric}, baseline)")
    return metric, True


def _known(name: str, noun: str, known: Mapping[str, object]) -> str:
    if name in known:
        return name
    near = difflib.get_close_matches(name[:_SHOWN], known, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the {noun}s are {', '.join(known)}"
    raise ValueError(f"unknown {noun} {_quoted(name)}; {hint}")


def _bound(text: str, of_ratio: bool) -> float:
    if "confidence" in text:
        raise ValueError("remove confidence: thresholds are decided by the 95 % interval")
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"{_quoted(text)} is not a number; write a finite one without unit or thousands separator, "
            "for example 0.95 or 20000"
        )
    if of_ratio and value <= 0:
        raise ValueError(f"{text}: a ratio must be above 0; 0.95 means at most 5 % less than the baseline")
    if value < 0:
        raise ValueError(f"{text}: metrics are never below 0; write a number of 0 or more")
    return value


def parse_levels(text: str) -> dict[str, Level]:
    """The levels of the text "factor=level, factor=level"; a level may contain commas (a cpuset).

    Raises ValueError with a sentence that names what is allowed.
    """
    if len(text) > MAX_LEVELS_LENGTH:
        raise ValueError(
            f"{_quoted(text)} has {len(text):,} characters, "
            f"the levels of a cell {MAX_LEVELS_LENGTH:,} at most"
        )
    levels: dict[str, Level] = {}
    for part in _parts(text.strip()):
        name, equals, level = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(
                f"{_quoted(part)}: name levels as factor=level, for example path=published_loopback"
            )
        factor = FACTORS[_known(name, "factor", FACTORS)]
        if name in levels:
            raise ValueError(f"{name} occurs twice; a cell has one level of each factor")
        levels[name] = parse_level(factor, level)
    return levels


def _parts(text: str) -> list[str]:
    """The text split at each comma that is followed by "=" before the next comma."""
    parts: list[list[str]] = [[]]
    for piece in text.split(","):
        if "=" in piece and parts[-1]:
            parts.append([])
        parts[-1].append(piece)
    return [",".join(pieces).strip() for pieces in parts]


def parse_level(factor: Factor, text: str) -> Level:
    """The level of a text; booleans are "true" and "false". Raises ValueError naming what is allowed."""
    if factor.choices:
        by_text = {_written(choice): choice for choice in factor.choices}
        if text not in by_text:
            raise ValueError(
                f"{_quoted(text)} is not a level of {factor.name}; use one of {', '.join(by_text)}"
            )
        return by_text[text]
    if factor.pattern:
        if len(text) > LONGEST_TEXT or not re.fullmatch(factor.pattern, text):
            raise ValueError(f"{_quoted(text)} is not a level of {factor.name}: {factor.about}")
        return text
    if not re.fullmatch(r"[0-9]{1,18}", text) or not factor.minimum <= int(text) <= factor.maximum:
        raise ValueError(
            f"{_quoted(text)} is not a level of {factor.name}, "
            f"which is a whole number from {factor.minimum} to {factor.maximum}"
        )
    return int(text)


def _written(level: Level) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)


def _quoted(text: str) -> str:
    """The text in quotation marks, at most 60 characters, that any encoder accepts."""
    plain = text.strip().encode("utf-8", "replace").decode("utf-8")
    return f"“{plain}”" if len(plain) <= _SHOWN else f"“{plain[: _SHOWN - 1]}…”"
