"""Stored documents of another version are shown and evaluated, whatever this version would say to them."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.canonical import canonical
from backend.core.definition.experiment import Experiment
from backend.core.definition.presets import presets
from backend.core.definition.stored import from_store
from backend.core.definition.submitted import refusal, validate_document
from tests.core.definition.documents import SMALL


def test_what_this_version_stored_is_read_as_it_was_checked() -> None:
    for preset in presets():
        kept = canonical(preset.experiment)
        assert from_store(kept) == preset.experiment and refusal(kept) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"factors": {"path": ["carrier_pigeon"], "clients": [5000]}},
        {"factors": {"no_such_factor": [1], "path": ["unix_socket"]}},
        {"factors": {"clients": "many"}},
        {"factors": None},
        {"metrics": ["no_such_metric"]},
        {"metrics": ["no_such_metric", "tps"]},
        {"metrics": []},
        {"title": "x" * 500},
        {"title": "a\u202eb"},
        {"rounds": 100_000, "margin": 3.0, "seed": -1},
        {"stopping": {"at_most": 1, "of_old": True}},
        {"exclude": [{"path": "carrier_pigeon"}], "include": "everything"},
        {"a_field_of_old": {"b": 1}},
        {"baseline": {}},
        {"baseline": {"no_such_factor": 1}},
        {"api_version": "plimsoll/v0"},
    ],
)
def test_what_is_refused_now_is_still_read(changes: dict[str, Any]) -> None:
    stored = canonical(validate_document(SMALL)) | changes
    assert refusal(stored)
    found = from_store(stored)
    assert isinstance(found, Experiment)
    assert found.model_dump(mode="json")["name"] == stored["name"]
    assert set(found.metrics) <= {"tps", "cpu_us_per_txn"} and found.metrics


@pytest.mark.parametrize("nothing", [None, [], "text", 3, {}])
def test_what_is_not_a_document_is_named_unreadable(nothing: object) -> None:
    assert from_store(nothing).name == "unreadable"
    assert refusal(nothing)
