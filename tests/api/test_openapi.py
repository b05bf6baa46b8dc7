"""The description of the API, and its checked-in copy."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from backend.api.access.rules import RULES
from backend.api.app import create_app
from backend.api.description.document import dump
from backend.api.description.operation_groups import GROUPS
from backend.settings import Settings
from tests.services import ROOT


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dump(create_app(Settings())))
    return found


def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation
        for path in described["paths"].values()
        for operation in path.values()
    }


def test_the_checked_in_copy_is_current() -> None:
    current = dump(create_app(Settings()))
    assert (ROOT / "docs" / "openapi.json").read_text() == current, (
        "run: python -m backend.api.openapi > docs/openapi.json"
    )


def test_it_is_served(api: TestClient, described: dict[str, Any]) -> None:
    assert api.get("/api/v1/openapi.json").json() == described


def test_every_operation_has_an_id_a_summary_and_problems(described: dict[str, Any]) -> None:
    assert len(operations(described)) == len(RULES)
    for identity, operation in operations(described).items():
        assert identity.isidentifier() and operation["description"] and operation["tags"]
        for status in ("404", "422", "503"):
            assert "application/problem+json" in operation["responses"][status]["content"]


def test_operations_are_grouped_by_the_tags_in_their_order(described: dict[str, Any]) -> None:
    assert [each["name"] for each in described["tags"]] == [group.name for group in GROUPS]
    assert all(each["description"].endswith(".") for each in described["tags"])
    tag_of = {identity: group.name for group in GROUPS for identity in group.summaries}
    assert sum(len(group.summaries) for group in GROUPS) == len(tag_of) == len(RULES)
    for identity, operation in operations(described).items():
        assert operation["tags"] == [tag_of[identity]]


def test_summaries_are_short_phrases_that_differ_within_a_group() -> None:
    for group in GROUPS:
        assert len(set(group.summaries.values())) == len(group.summaries)
        for summary in group.summaries.values():
            assert summary[0].isupper() and not summary.endswith(".") and len(summary) <= 56, summary


def test_an_operation_names_the_scope_that_a_token_needs(described: dict[str, Any]) -> None:
    for identity, operation in operations(described).items():
        rule = RULES[identity]
        is_named = rule.admits_tokens and rule.permission != "public"
        assert ("x-token-scope" in operation) == is_named, identity
        assert operation.get("x-token-scope") == (rule.needed_scope if is_named else None)


def test_examples_of_requests_fit_their_schemas(described: dict[str, Any]) -> None:
    found = 0
    for identity, operation in operations(described).items():
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        if "example" in content:
            schema = {**content["schema"], "components": described["components"]}
            errors = [error.message for error in jsonschema_rs.iter_errors(schema, content["example"])]
            assert errors == [], identity
            found += 1
    assert found > 30


def test_every_reference_leads_somewhere(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    text = json.dumps(described)
    for part in text.split('"#/components/schemas/')[1:]:
        assert part.split('"')[0] in schemas
    assert {"ProblemDocument", "ChartModel", "TrialRecord", "LiveEvent", "TrialEvent", "Run"} <= set(schemas)
    assert not {"HTTPValidationError", "ValidationError"} & set(schemas)


def test_documents_have_the_presets_as_examples(described: dict[str, Any], api: TestClient) -> None:
    for identity in ("previewPlan", "createExperiment"):
        for media, content in operations(described)[identity]["requestBody"]["content"].items():
            for example in content["examples"].values():
                value = example["value"]
                text = value if isinstance(value, str) else json.dumps(value)
                answer = api.post("/api/v1/plans", content=text, headers={"Content-Type": media})
                assert answer.status_code == 200, answer.text


LONGEST_REQUEST_LINE = 64 * 1024
"""What the server reads of a request line and its headers (h11)."""
OF_ASCII, OF_ANY = 3, 12
"""Bytes of one character in an address, as %2C and as the escapes of four bytes."""


def longest(schema: dict[str, Any]) -> int:
    """The most bytes that a valid value takes in an address."""
    if "anyOf" in schema:
        return max(longest(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return int(schema["maxItems"]) * longest(schema["items"])
    if (
        schema.get("type") != "string"
        or {"format", "enum"} & schema.keys()
        or "}$" in schema.get("pattern", "")
    ):
        return 64 * OF_ASCII  # one of few, or of a pattern with a length of its own
    return int(schema["maxLength"]) * (
        OF_ASCII if schema.get("pattern", "").startswith(("^[0-9A", "^[ -~]")) else OF_ANY
    )


def test_every_valid_query_fits_into_a_request(described: dict[str, Any]) -> None:
    for identity, operation in operations(described).items():
        queries = [each["schema"] for each in operation.get("parameters", ()) if each["in"] == "query"]
        names = described["components"]["schemas"]
        schemas = [names[each["$ref"].rsplit("/")[-1]] if "$ref" in each else each for each in queries]
        assert sum(map(longest, schemas)) < LONGEST_REQUEST_LINE - 8_000, identity
