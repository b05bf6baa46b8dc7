"""The JSON Schema accepts and refuses what the model does."""

from __future__ import annotations

import json

from backend.core.definition.experiment import Experiment, Factors, Stopping
from backend.core.definition.factors import FACTORS
from backend.core.definition.metrics import METRICS
from backend.core.definition.schema import json_schema
from backend.core.definition.submitted import validate_document


def test_fields_are_those_of_the_model() -> None:
    schema = json_schema()
    properties = schema["properties"]
    assert set(properties) == set(Experiment.model_fields)
    assert set(properties["factors"]["properties"]) == set(Factors.model_fields) == set(FACTORS)
    assert set(properties["exclude"]["items"]["properties"]) == set(FACTORS)
    assert set(properties["include"]["items"]["properties"]) == set(FACTORS)
    assert set(properties["stopping"]["anyOf"][0]["properties"]) == set(Stopping.model_fields)
    assert properties["metrics"]["items"]["enum"] == list(METRICS)
    needed = [name for name, field in Experiment.model_fields.items() if field.is_required()]
    assert [*schema["required"], "baseline"] == needed  # made from compare where the document has none


def test_it_is_draft_7_and_self_contained() -> None:
    text = json.dumps(json_schema())
    assert json_schema()["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert "$defs" not in text
    assert "$ref" not in text


def test_defaults_are_those_of_the_model() -> None:
    experiment = validate_document({"name": "a", "title": "a", "baseline": {"path": "published_loopback"}})
    for name, property_ in json_schema()["properties"]["factors"]["properties"].items():
        assert experiment.factors.levels(name) in ((property_["default"],), ())
        assert (experiment.factors.levels(name) == ()) <= bool(FACTORS[name].needs)
        assert all(need.factor in property_["description"] for need in FACTORS[name].needs)


def test_every_field_is_described_and_the_example_loads() -> None:
    schema = json_schema()
    assert all(p["description"] for p in schema["properties"].values())
    for example in schema["examples"]:
        assert validate_document(example).name == example["name"]


def test_ranges_are_offered_where_they_are_read() -> None:
    properties = json_schema()["properties"]
    for name, factor in FACTORS.items():
        forms = [
            [form["type"] for form in rule["anyOf"] if form.get("type") in ("array", "object")]
            for rule in (
                properties["factors"]["properties"][name],
                properties["include"]["items"]["properties"][name],
                properties["exclude"]["items"]["properties"][name],
            )
        ]
        swept = ["array"] if factor.choices or factor.pattern else ["array", "object", "object"]
        assert forms == [swept, swept, ["array"]]
