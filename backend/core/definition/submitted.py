"""Reads a submitted document: text to a validated Experiment, with every problem at its JSON Pointer."""

from __future__ import annotations

from itertools import chain, islice
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from backend.core.definition.checks import (
    allowed,
    contradictions,
    has_long_lists,
    listed,
    pointer,
    shown,
    unknown,
    wrong_level,
)
from backend.core.definition.document_parser import Media, parse_document
from backend.core.definition.experiment import Experiment, Factors, Stopping
from backend.core.definition.factors import FACTORS
from backend.core.definition.metric_applicability import inapplicable
from backend.core.definition.quality import MAX_CORES, MAX_RETAKES, MAX_WAIT_S, Quality
from backend.core.definition.studies import STUDIES
from backend.core.definition.sweeps import write_out
from backend.core.errors import Invalid, Malformed, Problem, Refused

MAX_PROBLEMS: Final = 100
"""Problems of one kind that are reported at once."""

_FIELDS: dict[tuple[str, ...], tuple[str, ...]] = {
    (): tuple(Experiment.model_fields),
    ("factors",): tuple(Factors.model_fields),
    ("stopping",): tuple(Stopping.model_fields),
    ("quality",): tuple(Quality.model_fields),
}


def read_submitted(text: str | bytes, media: Media) -> Experiment:
    """The experiment of a submitted text. Raises Malformed for the text and Invalid for its fields."""
    return validate_document(parse_document(text, media))


def validate_document(document: object) -> Experiment:
    """The experiment of a parsed document. Raises Invalid with every problem, each at its JSON Pointer."""
    if not isinstance(document, dict):
        detail = f"the document must be an object with fields, not {_kind(document)}"
        raise Malformed.at("", "not_an_object", detail)
    plain = write_out(document)
    problems: list[Problem] = []
    experiment: Experiment | None = None
    try:
        experiment = Experiment.model_validate(plain.document)
    except ValidationError as error:
        errors = error.errors(include_url=False)[:MAX_PROBLEMS]
        problems += [p for e in errors if (p := _problem(e, plain.document)) is not None]
    refused = {problem.pointer for problem in problems}
    # The levels of an invalid sweep are unknown, and with them which metrics apply.
    metrics = () if plain.stand_ins else inapplicable(plain.document)
    # Lists that are too long are refused above; comparing them with each other would take too long.
    found = () if has_long_lists(plain.document) else chain(contradictions(plain.document), metrics)
    problems += [p for p in islice(found, MAX_PROBLEMS) if p.pointer not in refused]
    problems = [p for p in problems if not plain.stand_ins & set(p.pointer.split("/"))]
    problems += plain.problems[:MAX_PROBLEMS]
    if problems or experiment is None:
        raise Invalid(tuple(sorted(dict.fromkeys(problems), key=lambda p: _place(p, document))))
    return experiment


def refusal(document: object) -> str | None:
    """Why this version would refuse a stored document if it were submitted now; None where it would not."""
    try:
        validate_document(document)
    except Refused as error:
        return str(error)
    return None


def _kind(value: object) -> str:
    kinds = {list: "a list", str: "a text", bool: "true or false", type(None): "empty"}
    return kinds.get(type(value), "a number")


def _place(problem: Problem, document: dict[str, object]) -> tuple[int, str]:
    """Sort key of a problem: by the order of the document's fields."""
    first = problem.pointer.split("/")[1] if problem.pointer else ""
    fields = list(Experiment.model_fields)
    return (fields.index(first) if first in fields else len(fields), problem.pointer)


def _path(location: tuple[int | str, ...], document: object) -> tuple[int | str, ...]:
    """Pydantic's location as a path in the document, where a single level has no index."""
    node: object = document
    path: list[int | str] = []
    for part in location:
        if isinstance(node, dict) and isinstance(part, str):
            path.append(part)
            node = node.get(part)
        elif isinstance(node, list) and isinstance(part, int):
            path.append(part)
            node = node[part] if part < len(node) else None
        else:
            break
    return tuple(path)


def _problem(error: ErrorDetails, document: dict[str, object]) -> Problem | None:
    """The problem of one of Pydantic's errors; None where `contradictions` reports a better one."""
    path = _path(error["loc"], document)
    if path[:1] == ("baseline",) and len(path) > 1:
        return None
    in_rule = path[:1] in (("exclude",), ("include",)) and len(path) > 2
    if in_rule and error["type"] not in ("too_short", "too_long"):
        return None
    if error["type"] == "too_short" and error["input"]:
        return None  # the list has items, and each of them has its own problem
    if error["type"] == "extra_forbidden":
        return _unknown_field(path)
    if error["type"] == "missing":
        return Problem(pointer(*path), "missing", _rule(path, "this field is required"))
    if path[:1] == ("factors",) and len(path) > 1 and error["type"] not in ("too_short", "too_long"):
        return Problem(pointer(*path), *wrong_level(FACTORS[str(path[1])], error["input"]))
    fallback = "wrong_type" if error["type"].endswith("_type") else "invalid"
    return Problem(pointer(*path), _CODES.get(error["type"], fallback), _detail(error, path))


def _unknown_field(path: tuple[int | str, ...]) -> Problem:
    parents = tuple(str(p) for p in path[:-1])
    known = _FIELDS.get(parents, ())
    noun = "factor" if parents == ("factors",) else "field"
    if path == ("workload",):
        detail = "tool, service and script are factors: name them under factors"
        return Problem(pointer(*path), "unknown_field", detail)
    return Problem(pointer(*path), f"unknown_{noun}", unknown(noun, path[-1], known))


_CODES: dict[str, str] = {
    "too_short": "empty",
    "too_long": "too_many",
    "string_too_short": "empty",
    "string_too_long": "too_long",
    "greater_than": "out_of_bounds",
    "greater_than_equal": "out_of_bounds",
    "less_than": "out_of_bounds",
    "less_than_equal": "out_of_bounds",
    "literal_error": "unknown_value",
    "string_pattern_mismatch": "bad_form",
    "value_error": "bad_form",
}

_FIELD_RULES: dict[tuple[int | str, ...], str] = {
    ("api_version",): "must be plimsoll/v1",
    ("name",): "must be 1 to 63 characters of a-z, 0-9, dot, hyphen and underscore, starting with a-z or 0-9",
    ("title",): (
        "must be one line of 1 to 200 characters, without control characters, bidirectional formatting "
        "characters and noncharacters like U+FFFE"
    ),
    ("study",): f"must be omitted or name one of the studies: {listed(STUDIES)}",
    ("rounds",): "must be a whole number from 1 to 1000",
    ("seed",): "must be omitted (each run then draws its own) or a whole number from 0 to 9007199254740991",
    ("compare",): "must be omitted or name a factor whose levels are compared, for example userland_proxy",
    ("baseline",): "must name the level of at least one factor, for example {path: same_container}",
    ("metrics",): "must be a list of one to a hundred metric names",
    ("margin",): "must be a number above 0 and at most 0.5 (0.05 means 5 %)",
    ("factors",): "must be an object that names one to a hundred levels for each factor",
    ("exclude",): "must be a list of at most a hundred rules, each with the levels of one or more factors",
    ("include",): "must be a list of at most a hundred rules, each with the levels of one or more factors",
    ("stopping",): "must be an object with at_most, for example {every: 4, at_most: 24}",
    ("stopping", "every"): "must be a whole number of rounds from 1 to 100",
    ("stopping", "at_most"): "must be a whole number of rounds above rounds, at most 1000",
    ("stopping", "budget_minutes"): "must be a whole number of minutes from 1 to 1440",
    ("quality",): "must be an object, for example {wait_for_quiet_s: 30, max_other_cores: 0.5}",
    ("quality", "wait_for_quiet_s"): f"must be a whole number of seconds from 0 to {MAX_WAIT_S}",
    ("quality", "max_other_cores"): f"must be a number of cores above 0 and at most {MAX_CORES}, or null",
    ("quality", "max_steal"): "must be a share above 0 and at most 1 (0.05 means 5 %), or null",
    ("quality", "retakes"): f"must be a whole number from 0 to {MAX_RETAKES}",
    ("thresholds",): "must be a list of at most a hundred texts like ratio(tps, baseline) >= 0.95",
    ("profile",): "must be true or false; true takes a CPU profile of each cell after the measured trials",
    ("latency_limit_ms",): "must be a number of milliseconds above 0 and at most 60000",
}


def _rule(path: tuple[int | str, ...], otherwise: str) -> str:
    """The sentence of what a field must be."""
    return _FIELD_RULES.get(path) or _FIELD_RULES.get(path[:1], otherwise)


def _detail(error: ErrorDetails, path: tuple[int | str, ...]) -> str:
    rule = _rule(path, error["msg"])
    if error["type"] == "too_short" and path[:1] == ("factors",) and len(path) > 1:
        return f"name at least one level; {allowed(FACTORS[str(path[1])])}"
    value = error["input"]
    return f"{shown(value)}: {rule}" if isinstance(value, str | int | float | None) else rule
