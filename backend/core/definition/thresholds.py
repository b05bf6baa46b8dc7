"""Thresholds: what a run's figures must reach, one line of text each.

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

from backend.core.definition.factors import FACTORS, Factor, Level
from backend.core.definition.metrics import METRICS

Operator = Literal[">=", ">", "<=", "<"]

_OPERATORS: Final[dict[str, Operator]] = {">=": ">=", ">": ">", "<=": "<=", "<": "<"}
_FORM: Final = "write METRIC >= NUMBER or ratio(METRIC, baseline) >= NUMBER, with one of >= > <= <"
_WHOLE: Final = re.compile(r"\s*(?P<left>[^<>=]*?)\s*(?P<operator>[<>=!~]+)\s*(?P<rest>.*)", re.DOTALL)
_RATIO: Final = re.compile(r"ratio\s*\(\s*(?P<metric>[^,()]*?)\s*(?:,\s*(?P<to>[^()]*?)\s*)?\)")
_FOR: Final = re.compile(r"(?P<number>.*?)(?:(?:^|\s+)for(?:\s+(?P<levels>.*))?)?\s*", re.DOTALL)
_NUMBER: Final = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
_NEXT_LEVEL: Final = re.compile(r"\s*,\s*(?=[^,=]*=)")
_SHOWN: Final = 60


@dataclass(frozen=True)
class Threshold:
    """One line as written, taken apart.

    `bound` is in the metric's unit, or a ratio to the baseline where `of_ratio`. `levels` are those that
    a cell must have to be held against it; empty for all cells.
    """

    text: str
    metric: str
    of_ratio: bool
    operator: Operator
    bound: float
    levels: Mapping[str, Level]

    @property
    def level_texts(self) -> tuple[str, ...]:
        """The levels as they are written."""
        return tuple(f"{name}={_written(level)}" for name, level in self.levels.items())

    def concerns(self, levels: Mapping[str, Level]) -> bool:
        """Whether a cell with these levels is held against it."""
        return all(name in levels and levels[name] == level for name, level in self.levels.items())

    def holds(self, value: float) -> bool:
        """Whether this value is on the right side."""
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
    """Take one line apart; raises ValueError with a sentence that names what is allowed."""
    whole = _WHOLE.fullmatch(text)
    if whole is None or not whole["left"]:
        raise ValueError(f"{_quoted(text)} is no threshold; {_FORM}")
    metric, of_ratio = _measured(whole["left"])
    operator = _OPERATORS.get(whole["operator"])
    if operator is None:
        raise ValueError(f"{_quoted(whole['operator'])} is no comparison; use one of >= > <= <")
    rest = _FOR.fullmatch(whole["rest"])
    assert rest is not None, "every text matches"
    bound = _bound(rest["number"], of_ratio)
    names_levels = len(rest["number"].rstrip()) < len(whole["rest"].rstrip())
    levels = parse_levels(rest["levels"] or "") if names_levels else {}
    return Threshold(text.strip(), metric, of_ratio, operator, bound, levels)


def _measured(text: str) -> tuple[str, bool]:
    """The metric on the left side, and whether its ratio to the baseline is meant."""
    ratio = _RATIO.fullmatch(text)
    if ratio is None:
        if text.startswith("ratio"):
            raise ValueError(f"{_quoted(text)} is no ratio; write ratio(METRIC, baseline)")
        return _known(text, "metric", METRICS), False
    metric = _known(ratio["metric"], "metric", METRICS)
    if ratio["to"] != "baseline":
        given = _quoted(ratio["to"] or "")
        raise ValueError(f"{given}: a ratio is taken to the baseline alone; write ratio({metric}, baseline)")
    return metric, True


def _known(name: str, noun: str, known: Mapping[str, object]) -> str:
    if name in known:
        return name
    near = difflib.get_close_matches(name[:_SHOWN], known, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the {noun}s are {', '.join(known)}"
    raise ValueError(f"unknown {noun} {_quoted(name)}; {hint}")


def _bound(text: str, of_ratio: bool) -> float:
    if "confidence" in text:
        raise ValueError("leave confidence out: thresholds are judged by the 95 % interval")
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"{_quoted(text)} is not a number; write a finite one without unit or thousands separator, "
            "for example 0.95 or 20000"
        )
    if of_ratio and value <= 0:
        raise ValueError(f"{text}: a ratio is above 0; 0.95 means at most 5 % less than the baseline")
    if value < 0:
        raise ValueError(f"{text}: no metric is ever below 0; write a number of 0 or more")
    return value


def parse_levels(text: str) -> dict[str, Level]:
    """Levels written as factor=level, factor=level; a comma within a level (a cpuset) belongs to it.

    Raises ValueError with what is allowed.
    """
    levels: dict[str, Level] = {}
    for part in _NEXT_LEVEL.split(text.strip()):
        name, equals, level = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ValueError(
                f"{_quoted(part)}: name levels as factor=level, for example path=published_loopback"
            )
        factor = FACTORS[_known(name, "factor", FACTORS)]
        if name in levels:
            raise ValueError(f"{name} stands here twice; a cell has one level of each factor")
        levels[name] = parse_level(factor, level)
    return levels


def parse_level(factor: Factor, text: str) -> Level:
    """A level from its text, true and false in words; raises ValueError with what is allowed."""
    if factor.choices:
        by_text = {_written(choice): choice for choice in factor.choices}
        if text not in by_text:
            raise ValueError(f"{_quoted(text)} is no level of {factor.name}; it has {', '.join(by_text)}")
        return by_text[text]
    if factor.pattern:
        if not re.fullmatch(factor.pattern, text):
            raise ValueError(f"{_quoted(text)} is no level of {factor.name}, which is {factor.about}")
        return text
    if not re.fullmatch(r"[0-9]{1,18}", text) or not factor.minimum <= int(text) <= factor.maximum:
        raise ValueError(
            f"{_quoted(text)} is no level of {factor.name}, a whole number "
            f"from {factor.minimum} to {factor.maximum}"
        )
    return int(text)


def _written(level: Level) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)


def _quoted(text: str) -> str:
    """A short quotation that any encoder accepts."""
    plain = text.strip().encode("utf-8", "replace").decode("utf-8")
    return f"“{plain}”" if len(plain) <= _SHOWN else f"“{plain[: _SHOWN - 1]}…”"
