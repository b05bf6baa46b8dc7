"""The document as a JSON Schema, for editors. The loader stays the authority.

Draft 7, because yaml-language-server reads no later one. Written from the same tables and bounds as
the model; what a schema cannot say (a baseline must be one of the levels) only the loader checks.
"""

from __future__ import annotations

from typing import Any, Final

from backend.core.definition.experiment import (
    API_VERSION,
    MAX_LEVELS,
    MAX_ROUNDS,
    MAX_SEED,
    NAME_PATTERN,
    TITLE_PATTERN,
    Experiment,
    Workload,
)
from backend.core.definition.factors import FACTORS, Factor
from backend.core.definition.metrics import METRICS
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
    "seed": 1,
    "baseline": {"path": "same_container", "userland_proxy": True},
    "metrics": ["tps", "cpu_us_per_txn"],
}


def json_schema() -> Schema:
    """The JSON Schema (draft 7) of an experiment document."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "/schema/experiment.v1.json",
        "title": "Plimsoll experiment",
        "description": "One question: factors, workload, metrics, rounds, seed and baseline.",
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "title", "baseline"],
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
            "description": "A short name in lower case, used in addresses and file names.",
            "type": "string",
            "pattern": NAME_PATTERN,
            "examples": ["pachot-2019"],
        },
        "title": {
            "description": "One line that says what is asked.",
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
        "workload": {
            "description": "What is run against what. Images and commands belong to the worker.",
            "type": "object",
            "additionalProperties": False,
            "properties": {
                name: {"const": field.default, "default": field.default}
                for name, field in Workload.model_fields.items()
            },
        },
        "factors": {
            "description": "The levels of every factor; a factor left out has its default level.",
            "type": "object",
            "additionalProperties": False,
            "properties": {factor.name: _levels(factor) for factor in FACTORS.values()},
        },
        "baseline": {
            "description": (
                "Levels of one or more factors. A cell is compared with the cell that has these levels "
                "and its own levels of every factor not named here."
            ),
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "properties": {factor.name: _level(factor) for factor in FACTORS.values()},
            "examples": [_EXAMPLE["baseline"]],
        },
    }


def _design() -> Schema:
    fields = Experiment.model_fields
    return {
        "rounds": {
            "description": "Shuffled passes over all cells: the number of independent values of each cell.",
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_ROUNDS,
            "default": fields["rounds"].default,
        },
        "seed": {
            "description": "The seed of the order of trials; the same seed gives the same order.",
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_SEED,
            "default": fields["seed"].default,
        },
        "metrics": {
            "description": "What to compare; the first metric gives the headline.",
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {"enum": list(METRICS)},
            "default": list(fields["metrics"].default),
        },
        "margin": {
            "description": "Differences smaller than this count as equivalent; 0.05 means 5 %.",
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": 0.5,
            "default": fields["margin"].default,
        },
    }


def _level(factor: Factor) -> Schema:
    """One level of a factor."""
    if factor.choices:
        return {"enum": list(factor.choices)}
    return {"type": "integer", "minimum": factor.minimum, "maximum": factor.maximum}


def _levels(factor: Factor) -> Schema:
    """A level, or a list of levels to sweep."""
    level = _level(factor)
    swept = {"type": "array", "items": level, "minItems": 1, "maxItems": MAX_LEVELS, "uniqueItems": True}
    unit = f", in {factor.unit}" if factor.unit else ""
    return {
        "description": f"{factor.label}{unit}: one level, or a list of levels to sweep.",
        "anyOf": [level, swept],
        "default": factor.default,
    }
