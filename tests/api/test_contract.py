"""The contract of REST v1: everything in tests/api/v1_contract.json is still in docs/openapi.json.

The file is the OpenAPI document of the first release of v1, reduced by `python -m tests.api.contract`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.contract import Comparison, reduced
from tests.services import ROOT

V1: dict[str, Any] = json.loads((ROOT / "tests" / "api" / "v1_contract.json").read_text())


def test_nothing_of_v1_is_missing() -> None:
    current = reduced(json.loads((ROOT / "docs" / "openapi.json").read_text()))
    assert list(Comparison(V1, current).missing()) == []


def test_a_contract_lacks_nothing_of_itself() -> None:
    assert list(Comparison(V1, V1).missing()) == []


def start_run(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["operations"]["POST /api/v1/experiments/{experiment_id}/runs"]
    return found


def run_schema(document: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = start_run(document)["responses"]["202"]["application/json"]
    found: dict[str, Any] = document["schemas"][schema["$ref"]]
    return found


def lose_a_method(new: dict[str, Any]) -> None:
    del new["operations"]["GET /api/v1/runs"]


def lose_a_parameter(new: dict[str, Any]) -> None:
    del start_run(new)["parameters"]["header idempotency-key"]


def lose_a_status(new: dict[str, Any]) -> None:
    del start_run(new)["responses"]["409"]


def lose_a_media_type(new: dict[str, Any]) -> None:
    del start_run(new)["request"]["application/json"]


def lose_a_field(new: dict[str, Any]) -> None:
    del run_schema(new)["properties"]["host"]


def change_a_type(new: dict[str, Any]) -> None:
    run_schema(new)["properties"]["seed"] = {"type": "string"}


def lose_null(new: dict[str, Any]) -> None:
    run_schema(new)["properties"]["finished_at"] = {"type": "string"}


def lose_an_enum_value(new: dict[str, Any]) -> None:
    run_schema(new)["properties"]["state"]["enum"].remove("incomplete")


def make_a_response_field_optional(new: dict[str, Any]) -> None:
    run_schema(new)["required"].remove("host")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lose_a_method, "GET /api/v1/runs: missing"),
        (lose_a_parameter, "parameter header idempotency-key is missing"),
        (lose_a_status, "runs: status 409 is missing"),
        (lose_a_media_type, "request: application/json is missing"),
        (lose_a_field, ".host: missing"),
        (change_a_type, ".seed: integer became string"),
        (lose_null, ".finished_at: null became string"),
        (lose_an_enum_value, ".state: of the enum"),
        (make_a_response_field_optional, ".host: is no longer required"),
    ],
)
def test_what_is_lost_is_named(change: Callable[[dict[str, Any]], None], line: str) -> None:
    new = copy.deepcopy(V1)
    change(new)
    assert any(line in found for found in Comparison(V1, new).missing())


def test_additions_are_allowed() -> None:
    new = copy.deepcopy(V1)
    new["operations"]["GET /api/v1/more"] = {"parameters": {}, "request": {}, "responses": {}}
    start_run(new)["parameters"]["query more"] = {"required": False, "schema": {"type": "string"}}
    run_schema(new)["properties"]["more"] = {"type": "string"}
    run_schema(new)["properties"]["state"]["enum"].append("paused")
    assert list(Comparison(V1, new).missing()) == []
