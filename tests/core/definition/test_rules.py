"""Include rules, interim analyses, thresholds and limits: canonical form, and the pointer of each problem."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.experiment import Experiment
from backend.core.definition.presets import presets
from backend.core.definition.submitted import read_submitted, validate_document
from tests.core.definition.documents import SMALL, problems

NEW_FIELDS = ("compare", "include", "stopping", "seed", "thresholds", "latency_limit_ms")


def test_documents_without_the_newer_fields_keep_their_digest() -> None:
    """Stored experiments are found again by their digest, with the seed that each of them has."""
    by_name = {preset.name: preset.experiment for preset in presets()}
    baseline = {"path": "same_container", "userland_proxy": True}
    older = by_name["pachot-2019"].model_copy(update={"compare": None, "baseline": baseline})

    def with_seed(experiment: Experiment, seed: int) -> str:
        return digest(experiment.model_copy(update={"seed": seed}))

    assert digest(validate_document(SMALL | {"seed": 1})).startswith("11c26f6c2e76a826")
    assert with_seed(older, 2019).startswith("7635ef2b2859293f")
    assert with_seed(by_name["host-paths"], 1).startswith("b562f70c7b63344e")
    assert not set(NEW_FIELDS) & set(canonical(validate_document(SMALL)))
    unset = {"include": [], "stopping": None, "seed": None, "thresholds": [], "latency_limit_ms": None}
    assert digest(validate_document(SMALL | unset)) == digest(validate_document(SMALL))


def test_the_newer_fields_are_part_of_the_question() -> None:
    asked: dict[str, Any] = {
        "include": [{"clients": 64, "path": "bare_host"}],
        "stopping": {"at_most": 24},
        "thresholds": ["ratio(tps, baseline) >= 0.95"],
    }
    experiment = validate_document(SMALL | asked)
    found = canonical(experiment)
    assert found["include"] == [{"path": ["bare_host"], "clients": [64]}]
    assert list(found["include"][0]) == ["path", "clients"]
    assert found["stopping"] == {"every": 4, "at_most": 24, "budget_minutes": None}
    assert validate_document(found) == experiment
    digests = {digest(validate_document(SMALL | {name: value})) for name, value in asked.items()}
    assert len(digests | {digest(validate_document(SMALL))}) == 4


def test_a_limit_is_the_same_however_it_is_written() -> None:
    levels = {"factors": SMALL["factors"] | {"rate": [0, 500]}}
    whole, broken = ({"latency_limit_ms": limit} for limit in (5, 5.0))
    assert digest(validate_document(SMALL | levels | whole)) == digest(
        validate_document(SMALL | levels | broken)
    )
    assert digest(validate_document(SMALL | levels | whole)) != digest(validate_document(SMALL | levels))


@pytest.mark.parametrize(
    ("rules", "pointer", "code"),
    [
        ([{"colour": "red"}], "/include/0/colour", "unknown_factor"),
        ([{"path": "bare_host"}, {"path": ["wormhole"]}], "/include/1/path/0", "unknown_level"),
        ([{"clients": [8, 0]}], "/include/0/clients/1", "out_of_bounds"),
        ([{"clients": "8"}], "/include/0/clients", "wrong_type"),
        ([{"clients": [16, True]}], "/include/0/clients/1", "wrong_type"),
        ([{"server_cpuset": "a"}], "/include/0/server_cpuset", "bad_form"),
        ([{"clients": [16, 32, 16]}], "/include/0/clients/2", "duplicate_level"),
        ([{"gomaxprocs": 1}], "/include/0/gomaxprocs", "inapplicable_factor"),
        ([{"path": "bare_host", "front_workers": 2}], "/include/0/front_workers", "inapplicable_factor"),
        ([{"path": []}], "/include/0/path", "empty"),
        ([{}], "/include/0", "empty"),
        ([3], "/include/0", "wrong_type"),
        ({"path": "bare_host"}, "/include", "wrong_type"),
        ([{"clients": list(range(1, 102))}], "/include/0/clients", "too_many"),
        ([{"clients": 16}] * 101, "/include", "too_many"),
    ],
)
def test_a_wrong_rule_is_refused_at_its_place(rules: Any, pointer: str, code: str) -> None:
    found = problems(include=rules)
    assert found[pointer][0] == code
    assert ";" in found[pointer][1] or "must" in found[pointer][1]


def test_what_a_rule_brings_along_applies() -> None:
    rules = [{"path": "nginx_stream", "front_workers": [1, 4]}, {"tool": "wrk", "gomaxprocs": 2}]
    experiment = validate_document(SMALL | {"include": rules, "metrics": ["tps", "rps"]})
    assert experiment.include[1] == {"tool": ("wrk",), "gomaxprocs": (2,)}
    assert experiment.factors.levels("front_workers") == ()


def test_the_baseline_may_be_an_included_level_and_nothing_else() -> None:
    rule = {"include": [{"path": "bare_host"}]}
    assert validate_document(SMALL | rule | {"baseline": {"path": "bare_host"}}).baseline == {
        "path": "bare_host"
    }
    code, detail = problems(**rule, baseline={"path": "overlay"})["/baseline/path"]
    assert code == "baseline_not_in_levels"
    assert detail.endswith("levels: same_container, published_loopback, bare_host")


def test_excluded_levels_are_those_of_the_product() -> None:
    found = problems(include=[{"path": "bare_host"}], exclude=[{"path": "bare_host"}])
    assert found["/exclude/0/path"][0] == "exclude_not_in_levels"


@pytest.mark.parametrize(
    ("stopping", "pointer", "code", "expected"),
    [
        (3, "/stopping", "wrong_type", "at_most"),
        ({}, "/stopping/at_most", "missing", "above rounds"),
        ({"at_most": 10}, "/stopping/at_most", "out_of_bounds", "set at_most to 11 or more"),
        ({"at_most": 1001}, "/stopping/at_most", "out_of_bounds", "at most 1000"),
        ({"at_most": 24.0}, "/stopping/at_most", "wrong_type", "whole number"),
        ({"at_most": 24, "every": 0}, "/stopping/every", "out_of_bounds", "from 1 to 100"),
        ({"at_most": 31, "every": 1}, "/stopping/every", "too_many_looks", "22 interim analyses, at most 20"),
        ({"at_most": 24, "budget_minutes": 0}, "/stopping/budget_minutes", "out_of_bounds", "1 to 1440"),
        ({"at_most": 24, "budget_minutes": 1441}, "/stopping/budget_minutes", "out_of_bounds", "1 to 1440"),
        ({"at_most": 24, "evry": 2}, "/stopping/evry", "unknown_field", "did you mean every?"),
    ],
)
def test_a_wrong_rule_for_stopping(stopping: Any, pointer: str, code: str, expected: str) -> None:
    found = problems(stopping=stopping)
    assert found[pointer][0] == code
    assert expected in found[pointer][1]


def test_the_remedy_for_too_many_interim_analyses_is_enough() -> None:
    detail = problems(stopping={"at_most": 1000, "every": 7})["/stopping/every"][1]
    every = int(detail.split("set every to ")[1].split(" ")[0])
    stopping = {"at_most": 1000, "every": every}
    assert validate_document(SMALL | {"stopping": stopping}).stopping is not None
    assert "/stopping/every" in problems(stopping=stopping | {"every": every - 1})


@pytest.mark.parametrize(
    ("thresholds", "pointer", "code", "expected"),
    [
        (["tps ≥ 5"], "/thresholds/0", "bad_threshold", "one of >= > <= <"),
        (["tps > 5", "tsp > 5"], "/thresholds/1", "bad_threshold", "did you mean tps"),
        (["latency_avg_ms < 5"], "/thresholds/0", "metric_not_listed", "add it to metrics"),
        (["tps > 5 for clients=7"], "/thresholds/0", "threshold_not_in_levels", "it has 1, 8"),
        (["tps > 5 for gomaxprocs=2"], "/thresholds/0", "threshold_not_in_levels", "applies to none"),
        (["tps > 5", "tps > 5"], "/thresholds/1", "duplicate_threshold", "once"),
        ([""], "/thresholds/0", "empty", "must be"),
        ([5], "/thresholds/0", "wrong_type", "must be"),
        (["x" * 201], "/thresholds/0", "too_long", "must be"),
        ("tps > 5", "/thresholds", "wrong_type", "must be"),
    ],
)
def test_a_wrong_threshold(thresholds: Any, pointer: str, code: str, expected: str) -> None:
    found = problems(thresholds=thresholds)
    assert found[pointer][0] == code
    assert expected in found[pointer][1]


def test_thresholds_may_name_included_levels() -> None:
    text = """
    name: a
    title: a
    factors: {path: [same_container, published_loopback]}
    include: [{path: bare_host}]
    baseline: {path: same_container}
    thresholds: ["ratio(tps, baseline) >= 0.9 for path=bare_host", "cpu_us_per_txn < 90"]
    """
    assert len(read_submitted(text, "yaml").thresholds) == 2


@pytest.mark.parametrize("limit", [0, -1, 60_001, "5", True, float("inf")])
def test_a_wrong_limit(limit: Any) -> None:
    levels = SMALL["factors"] | {"rate": 100}
    assert (
        "above 0 and at most 60000"
        in problems(factors=levels, latency_limit_ms=limit)["/latency_limit_ms"][1]
    )


def test_a_limit_and_open_latency_need_an_offered_rate() -> None:
    asked = {"latency_limit_ms": 5.0, "metrics": ["tps", "open_latency_p99_ms"]}
    found = problems(**asked)
    assert found["/latency_limit_ms"][0] == "limit_without_rate"
    assert found["/metrics/1"][0] == "metric_needs_rate"
    assert all("rate a level above 0" in detail for _, detail in found.values())
    for offered in ({"factors": SMALL["factors"] | {"rate": [0, 500]}}, {"include": [{"rate": 500}]}):
        assert validate_document(SMALL | asked | offered).latency_limit_ms == 5.0
    http = {"path": ["same_container"], "tool": ["wrk"]}
    assert "/latency_limit_ms" in problems(factors=http, latency_limit_ms=5.0)
