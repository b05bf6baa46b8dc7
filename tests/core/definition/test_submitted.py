"""Documents to experiments: every refusal at its pointer, saying what is allowed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.factors import FACTORS
from backend.core.definition.submitted import read_submitted, validate_document
from backend.core.errors import Invalid, Malformed, Refused
from tests.core.definition.documents import SMALL, factors, needed_by, problems

NUMERIC = [(name, factor) for name, factor in FACTORS.items() if not factor.choices and not factor.pattern]
PATTERNS = [name for name, factor in FACTORS.items() if factor.pattern]


def test_defaults_and_single_levels() -> None:
    experiment = validate_document(SMALL | {"factors": {"path": "same_container", "clients": 8}})
    assert experiment.factors.levels("path") == ("same_container",)
    assert experiment.factors.levels("clients") == (8,)
    assert experiment.factors.levels("protocol") == ("prepared",)
    assert (experiment.rounds, experiment.margin, experiment.metrics) == (10, 0.05, ("tps", "cpu_us_per_txn"))


def test_yaml_and_json_agree() -> None:
    text = """
    name: small
    title: A small one
    factors: {path: [same_container, published_loopback], clients: [1, 8], userland_proxy: on}
    baseline: {path: same_container}
    """
    assert read_submitted(text, "yaml") == validate_document(SMALL)
    assert read_submitted(json.dumps(SMALL).encode(), "json") == validate_document(SMALL)


def test_unknown_factor_lists_the_factors() -> None:
    code, detail = factors(clents=[1])["/factors/clents"]
    assert code == "unknown_factor"
    assert all(name in detail for name in FACTORS)
    assert detail.endswith("did you mean clients?")


def test_unknown_level_lists_the_levels() -> None:
    code, detail = factors(path=["same_container", "wormhole"])["/factors/path/1"]
    assert code == "unknown_level"
    assert "“wormhole” is not allowed" in detail
    assert "published_host_address" in detail


def test_a_single_level_has_no_index() -> None:
    assert factors(clients=0)["/factors/clients"] == (
        "out_of_bounds",
        "0 is not allowed; clients must be a whole number from 1 to 200",
    )


@pytest.mark.parametrize("value", [True, "8", 1.5, 8.0, None, [8], {"a": 1}])
def test_counts_are_whole_numbers_only(value: Any) -> None:
    code, detail = factors(clients=[4, value])["/factors/clients/1"]
    assert code == "wrong_type"
    assert "clients must be a whole number from 1 to 200" in detail


@pytest.mark.parametrize(("name", "value"), [(n, f.minimum - 1) for n, f in NUMERIC])
def test_below_the_bounds(name: str, value: int) -> None:
    assert factors(**needed_by(name), **{name: [value]})[f"/factors/{name}/0"][0] == "out_of_bounds"


@pytest.mark.parametrize(("name", "value"), [(n, f.maximum + 1) for n, f in NUMERIC])
def test_above_the_bounds(name: str, value: int) -> None:
    found = factors(**needed_by(name), **{name: [value]})
    assert str(FACTORS[name].maximum) in found[f"/factors/{name}/0"][1]


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("value", ["../etc/passwd", "a b", "0;id", "x" * 100, "é", "-1", "1\n"])
def test_free_words_have_a_pattern(name: str, value: str) -> None:
    code, detail = factors(**needed_by(name), **{name: [value]})[f"/factors/{name}/0"]
    assert code == "bad_form"
    assert FACTORS[name].pattern in detail


def test_yaml_no_is_not_a_path() -> None:
    with pytest.raises(Invalid) as caught:
        read_submitted("name: a\ntitle: a\nbaseline: {path: no}\nfactors: {path: no}", "yaml")
    found = {p.pointer: p.detail for p in caught.value.problems}
    assert "unquoted yes, no, on or off" in found["/factors/path"]
    assert found["/baseline/path"].startswith("false is not allowed; the levels of path are same_container")


def test_one_is_not_true() -> None:
    assert factors(userland_proxy=[1])["/factors/userland_proxy/0"][0] == "unknown_level"
    assert problems(baseline={"userland_proxy": 1})["/baseline/userland_proxy"][0] == "unknown_level"


def test_duplicate_levels() -> None:
    assert factors(clients=[1, 8, 1])["/factors/clients/2"] == (
        "duplicate_level",
        "the level 1 occurs twice; name each level once",
    )


def test_empty_and_endless_levels() -> None:
    assert factors(clients=[])["/factors/clients"][0] == "empty"
    assert factors(clients=list(range(1, 102)))["/factors/clients"][0] == "too_many"


def test_baseline() -> None:
    assert problems(baseline={"pth": "same_container"})["/baseline/pth"][0] == "unknown_factor"
    assert problems(baseline={"path": "sibling_container"})["/baseline/path"] == (
        "baseline_not_in_levels",
        "the baseline must be one of the experiment's levels: same_container, published_loopback",
    )
    assert problems(baseline={"clients": 5})["/baseline/clients"][0] == "baseline_not_in_levels"
    assert problems(baseline={"scale": 6})["/baseline/scale"][0] == "baseline_not_in_levels"
    assert problems(baseline={})["/baseline"][0] == "empty"
    assert problems(baseline=[])["/baseline"][0] == "wrong_type"
    assert validate_document(SMALL | {"baseline": {"scale": 5}}).baseline == {"scale": 5}


def test_metrics() -> None:
    code, detail = problems(metrics=["tps", "tsp"])["/metrics/1"]
    assert code == "unknown_metric"
    assert detail.endswith("did you mean tps?")
    assert problems(metrics=["tps", "tps"])["/metrics/1"][0] == "duplicate_metric"
    assert problems(metrics=[])["/metrics"][0] == "empty"


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "Big Name", "bad_form"),
        ("name", 3, "wrong_type"),
        ("title", "two\nlines", "bad_form"),
        ("title", "", "empty"),
        ("title", "x" * 201, "too_long"),
        ("rounds", 0, "out_of_bounds"),
        ("rounds", 1001, "out_of_bounds"),
        ("rounds", True, "wrong_type"),
        ("seed", -1, "out_of_bounds"),
        ("seed", 2**53, "out_of_bounds"),
        ("margin", 0, "out_of_bounds"),
        ("margin", 0.6, "out_of_bounds"),
        ("margin", "0.1", "wrong_type"),
        ("study", "pachot-2018", "unknown_value"),
        ("api_version", "plimsoll/v2", "unknown_value"),
        ("factors", None, "wrong_type"),
    ],
)
def test_fields(field: str, value: Any, code: str) -> None:
    found, detail = problems(**{field: value})[f"/{field}"]
    assert found == code
    assert "must" in detail


def test_missing_fields() -> None:
    with pytest.raises(Invalid) as caught:
        validate_document({})
    found = [(p.pointer, p.code) for p in caught.value.problems]
    assert found == [("/name", "missing"), ("/title", "missing")]


def test_unknown_fields_and_escaped_pointers() -> None:
    found = problems(**{"a/b~c": 1, "image": "evil", "workload": {"tool": "pgbench"}})
    assert found["/a~1b~0c"][0] == found["/image"][0] == "unknown_field"
    assert found["/workload"] == (
        "unknown_field",
        "tool, service and script are factors: name them under factors",
    )


def test_all_problems_are_reported_in_the_order_of_the_document() -> None:
    found = problems(rounds=0, metrics=["x"], factors={"clients": [0, 3, 3]}, baseline={"y": 1})
    assert list(found) == ["/factors/clients/0", "/factors/clients/2", "/rounds", "/baseline/y", "/metrics/0"]


def test_half_a_surrogate_pair_can_be_reported() -> None:
    with pytest.raises(Invalid) as caught:
        read_submitted(
            '{"name": "\\ud800", "title": "\\ud800", "\\ud800": 1, "baseline": {"\\udfff": 1}}', "json"
        )
    for problem in caught.value.problems:
        (problem.pointer + problem.detail).encode("utf-8")


def test_a_flood_of_problems_is_cut_short() -> None:
    found = problems(**{f"field{n}": 1 for n in range(5_000)}, metrics=[f"m{n}" for n in range(5_000)])
    assert len(found) <= 200


@pytest.mark.parametrize("document", [None, [], "text", 3, True])
def test_not_an_object(document: object) -> None:
    with pytest.raises(Malformed, match="must be an object"):
        validate_document(document)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(
    ["name", "title", "factors", "baseline", "metrics", "rounds", "margin", "exclude", "x"]
)


@given(st.dictionaries(fields, plain, max_size=6))
def test_any_document_is_read_or_refused(changes: dict[str, Any]) -> None:
    try:
        validate_document(SMALL | changes)
    except Refused as refused:
        assert refused.problems
        assert all(p.detail and p.code for p in refused.problems)
