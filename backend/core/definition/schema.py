"""The document as a JSON Schema (draft 7), for editors.

Draft 7, because yaml-language-server supports no later one. It is generated from the same tables and bounds
as the model. `definition.submitted` remains the authority: it also checks what a schema cannot express, such
as that the baseline is one of the levels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from backend.core.definition.experiment import (
    API_VERSION,
    MAX_LATENCY_MS,
    MAX_LEVELS,
    MAX_MINUTES,
    MAX_ROUNDS,
    MAX_RULES,
    MAX_SEED,
    NAME_PATTERN,
    TITLE_PATTERN,
    Experiment,
    Stopping,
)
from backend.core.definition.factors import FACTORS, LONGEST_TEXT, Factor, Level
from backend.core.definition.metrics import METRICS
from backend.core.definition.quality import quality_schema
from backend.core.definition.studies import STUDIES

Schema = dict[str, Any]

_EXAMPLE: Final[Schema] = {
    "api_version": API_VERSION,
    "name": "proxy-by-clients",
    "title": "docker-proxy with more and more clients",
    "factors": {
        "path": ["same_container", "published_loopback"],
        "userland_proxy": [True, False],
        "clients": [1, 4, 16],
    },
    "rounds": 10,
    "baseline": {"path": "same_container", "userland_proxy": True},
    "metrics": ["tps", "cpu_us_per_txn"],
}


def json_schema() -> Schema:
    """The JSON Schema (draft 7) of an experiment document."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "/schema/experiment.v1.json",
        "title": "Plimsoll experiment",
        "description": "An experiment: factors, metrics, rounds, seed, and what is compared.",
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "title"],
        "properties": _heading() | _question() | _design(),
        "examples": [_EXAMPLE],
    }


def _heading() -> Schema:
    return {
        "api_version": {
            "description": "The version of this format.",
            "const": API_VERSION,
            "default": API_VERSION,
        },
        "name": {
            "description": "A short name in lower case, used in URLs and file names.",
            "type": "string",
            "pattern": NAME_PATTERN,
            "examples": ["pachot-2019"],
        },
        "title": {
            "description": "One line that describes the question.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "pattern": TITLE_PATTERN,
        },
        "study": {
            "description": "A published study whose figures are shown beside the measured ones.",
            "enum": [*STUDIES, None],
            "default": None,
        },
    }


def _question() -> Schema:
    return {
        "factors": {
            "description": (
                "The levels of every factor; an omitted factor has its default level where it applies. "
                "Images and commands are set by the worker."
            ),
            "type": "object",
            "additionalProperties": False,
            "properties": {factor.name: _levels(factor) for factor in FACTORS.values()},
        },
        "exclude": {
            "description": (
                "Rules: a cell of the product that has one of the levels of every factor of a rule is left "
                "out. Exclusions are applied before include rules."
            ),
            **_rules(_listed),
            "examples": [[{"path": "same_container", "userland_proxy": False}]],
        },
        "include": {
            "description": (
                "Rules: each adds the product of its levels with the experiment's own levels of every factor "
                "that it does not name. Applied after exclusions, so that an included cell is never excluded."
            ),
            **_rules(_swept),
            "examples": [[{"path": "bare_host", "clients": [1, 64]}]],
        },
        "compare": {
            "description": (
                "The factor whose levels are compared with each other, everything else equal: userland_proxy "
                "compares on with off on each path, any other factor each level with its first one. Default, "
                "without a baseline: userland_proxy where it varies, otherwise the first factor that varies."
            ),
            "enum": list(FACTORS),
            "examples": ["userland_proxy"],
        },
        "baseline": {
            "description": (
                "In place of compare: levels of one or more factors. A cell is compared with the cell that "
                "has these levels and its own levels of every factor not named here."
            ),
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "properties": {factor.name: _level(factor) for factor in FACTORS.values()},
            "examples": [_EXAMPLE["baseline"]],
        },
    }


def _rules(levels: Callable[[Factor], Schema]) -> Schema:
    return {
        "type": "array",
        "maxItems": MAX_RULES,
        "items": {
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "properties": {factor.name: levels(factor) for factor in FACTORS.values()},
        },
        "default": [],
    }


def _design() -> Schema:
    fields = Experiment.model_fields
    return {
        "rounds": {
            "description": "Randomised passes over all cells: the number of trials of each cell.",
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_ROUNDS,
            "default": fields["rounds"].default,
        },
        "stopping": _stopping(),
        "quality": quality_schema(),
        "profile": {
            "description": "Take a CPU profile of each cell, in an extra trial after the measured ones that "
            "is itself not measured; of at most 20 cells. A host that cannot do so runs everything else.",
            "type": "boolean",
            "default": fields["profile"].default,
        },
        "seed": {
            "description": "The seed of the order of trials; the same seed gives the same order. "
            "Without one, each run draws its own.",
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": MAX_SEED,
            "default": fields["seed"].default,
        },
        "metrics": {
            "description": "The metrics to compare, the main one first. Default: the rate of the first tool.",
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {"enum": list(METRICS)},
            "default": list(fields["metrics"].default),
        },
        "margin": {
            "description": "The equivalence margin: smaller differences count as equivalent; 0.05 is 5 %.",
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": 0.5,
            "default": fields["margin"].default,
        },
        "thresholds": {
            "description": (
                "What the run must reach, decided by the 95 % interval: METRIC OP NUMBER or ratio(METRIC, "
                "baseline) OP NUMBER with one of >= > <= <; add for factor=level to select cells."
            ),
            "type": "array",
            "maxItems": 100,
            "uniqueItems": True,
            "items": {"type": "string", "minLength": 1, "maxLength": 200},
            "default": [],
            "examples": [["ratio(tps, baseline) >= 0.95", "cpu_us_per_txn < 30 for path=bare_host"]],
        },
        "latency_limit_ms": {
            "description": (
                "The largest open-loop latency in milliseconds at which an offered rate counts as sustained. "
                "Needs cells with a rate above 0."
            ),
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_LATENCY_MS},
                {"type": "null"},
            ],
            "default": None,
        },
    }


def _stopping() -> Schema:
    """The field `stopping`: interim analyses after which decided cells get no further rounds."""
    return {
        "description": (
            "Interim analyses after rounds, then every so many rounds, the last after at_most. Cells whose "
            "comparison is decided get no further rounds; p-values and intervals are corrected for all "
            "interim analyses."
        ),
        "anyOf": [
            {
                "type": "object",
                "additionalProperties": False,
                "required": ["at_most"],
                "properties": {
                    "every": {
                        "description": "Rounds between two interim analyses.",
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 100,
                        "default": Stopping.model_fields["every"].default,
                    },
                    "at_most": {
                        "description": "The last round; above rounds.",
                        "type": "integer",
                        "minimum": 2,
                        "maximum": MAX_ROUNDS,
                    },
                    "budget_minutes": {
                        "description": "No further rounds begin that would end later than this.",
                        "anyOf": [
                            {"type": "integer", "minimum": 1, "maximum": MAX_MINUTES},
                            {"type": "null"},
                        ],
                        "default": None,
                    },
                },
            },
            {"type": "null"},
        ],
        "default": None,
    }


def _level(factor: Factor) -> Schema:
    """One level of a factor."""
    if factor.choices:
        return {"enum": list(factor.choices)}
    if factor.pattern:
        return {"type": "string", "pattern": factor.pattern, "maxLength": LONGEST_TEXT}
    return {"type": "integer", "minimum": factor.minimum, "maximum": factor.maximum}


def _listed(factor: Factor) -> Schema:
    """A level, or a list of levels."""
    level = _level(factor)
    many = {"type": "array", "items": level, "minItems": 1, "maxItems": MAX_LEVELS, "uniqueItems": True}
    return {"anyOf": [level, many]}


def _swept(factor: Factor) -> Schema:
    """A level, a list of levels, or where they are numbers a range of them."""
    listed = _listed(factor)
    if factor.choices or factor.pattern:
        return listed
    level = _level(factor)
    ways = {"step": {"type": "integer", "minimum": 1}, "times": {"type": "integer", "minimum": 2}}
    ranges = [
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["from", "to", name],
            "properties": {"from": level, "to": level, name: by},
        }
        for name, by in ways.items()
    ]
    return {"anyOf": [*listed["anyOf"], *ranges]}


def _levels(factor: Factor) -> Schema:
    """The levels of a factor, described."""
    unit = f", in {factor.unit}" if factor.unit else ""
    about = f" ({factor.about})" if factor.about else ""
    needs = " and ".join(f"{n.factor} is {' or '.join(map(_word, n.levels))}" for n in factor.needs)
    where = f" Only where {needs}." if needs else ""
    text = f"{factor.label}{unit}{about}: one level, a list of levels, or a range of numbers.{where}"
    return {"description": text, **_swept(factor), "default": factor.default}


def _word(level: Level) -> str:
    return str(level).lower() if isinstance(level, bool) else str(level)
