"""The expansion of sweeps, and the refusal of invalid ones at their field."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.factors import FACTORS
from backend.core.definition.nesting import united
from backend.core.definition.submitted import read_submitted, validate_document
from backend.core.errors import Invalid
from tests.core.definition.documents import SMALL, factors, problems


def swept(**levels: Any) -> Any:
    return validate_document(SMALL | {"factors": SMALL["factors"] | levels})


@pytest.mark.parametrize(
    ("sweep", "levels"),
    [
        ({"from": 10, "to": 40, "step": 10}, (10, 20, 30, 40)),
        ({"from": 10, "to": 45, "step": 10}, (10, 20, 30, 40)),
        ({"from": 1, "to": 64, "times": 2}, (1, 2, 4, 8, 16, 32, 64)),
        ({"from": 3, "to": 100, "times": 3}, (3, 9, 27, 81)),
        ({"from": 1, "to": 100, "step": 1}, tuple(range(1, 101))),
        ({"from": 1, "to": 2, "step": 50}, (1,)),
    ],
)
def test_a_sweep_is_expanded_to_its_levels(sweep: dict[str, int], levels: tuple[int, ...]) -> None:
    experiment = swept(clients=sweep)
    assert experiment.factors.levels("clients") == levels
    assert canonical(experiment)["factors"]["clients"] == list(levels)
    assert digest(experiment) == digest(swept(clients=list(levels)))


def test_sweeps_are_read_from_yaml_and_in_rules() -> None:
    text = """
    name: a
    title: a
    factors: {path: [same_container, published_loopback], rate: {from: 0, to: 2000, step: 1000}}
    include: [{path: bare_host, clients: {from: 1, to: 4, times: 2}}]
    baseline: {path: same_container}
    """
    experiment = read_submitted(text, "yaml")
    assert experiment.factors.levels("rate") == (0, 1000, 2000)
    assert experiment.include == ({"path": ("bare_host",), "clients": (1, 2, 4)},)


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 200), st.booleans())
def test_levels_rise_within_the_ends(start: int, end: int, by: int, multiplies: bool) -> None:
    way = "times" if multiplies else "step"
    sweep = {"from": start, "to": end, way: by}
    if start >= end or by < 1 + multiplies or (not multiplies and (end - start) // by >= 100):
        assert any(pointer.startswith("/factors/clients") for pointer in factors(clients=sweep))
        return
    levels = swept(clients=sweep).factors.levels("clients")
    assert levels[0] == start and levels[-1] <= end
    assert all(b == (a * by if multiplies else a + by) for a, b in pairwise(levels))
    assert (levels[-1] * by if multiplies else levels[-1] + by) > end


@pytest.mark.parametrize(
    ("sweep", "at", "code", "expected"),
    [
        ({"from": 1, "to": 8}, "", "missing", "needs step or times"),
        ({"from": 1, "to": 8, "step": 1, "times": 2}, "", "bad_sweep", "either step or times"),
        ({"from": 1, "step": 1}, "", "missing", "needs to"),
        ({"to": 8, "step": 1}, "", "missing", "needs from"),
        ({}, "", "missing", "needs from and to and step or times; write {from: 1000"),
        ({"from": 1, "to": 8, "step": 1, "by": 2}, "/by", "unknown_field", "of a sweep; write"),
        ({"from": 0, "to": 8, "step": 1}, "/from", "out_of_bounds", "from 1 to 200"),
        ({"from": 1, "to": 201, "step": 1}, "/to", "out_of_bounds", "from 1 to 200"),
        ({"from": "1", "to": 8, "step": 1}, "/from", "wrong_type", "“1” is not allowed"),
        ({"from": 1, "to": 8.0, "step": 1}, "/to", "wrong_type", "whole number"),
        ({"from": True, "to": 8, "step": 1}, "/from", "wrong_type", "whole number"),
        ({"from": 1, "to": 8, "step": 0}, "/step", "out_of_bounds", "at least 1"),
        ({"from": 1, "to": 8, "times": 1}, "/times", "out_of_bounds", "at least 2"),
        ({"from": 1, "to": 8, "times": 1.5}, "/times", "wrong_type", "at least 2"),
        ({"from": 8, "to": 1, "step": 1}, "/to", "bad_sweep", "write the lower end as from"),
        ({"from": 8, "to": 8, "step": 1}, "/to", "bad_sweep", "not above"),
        ({"from": 1, "to": 200, "step": 1}, "/step", "too_many", "a larger step, 2 or more"),
    ],
)
def test_a_wrong_sweep_is_refused_at_its_field(sweep: Any, at: str, code: str, expected: str) -> None:
    found = factors(clients=sweep)
    assert found[f"/factors/clients{at}"][0] == code
    assert expected in found[f"/factors/clients{at}"][1]
    in_rule = problems(include=[{"clients": sweep}])
    assert in_rule[f"/include/0/clients{at}"] == found[f"/factors/clients{at}"]


def test_the_remedy_for_too_many_levels_is_enough() -> None:
    step = {"from": 0, "to": 1_000_000, "step": 9_999}
    _, detail = factors(rate=step)["/factors/rate/step"]
    wide = int(detail.split("a larger step, ")[1].split(" ")[0])
    assert len(swept(rate=step | {"step": wide}).factors.levels("rate")) <= 100


def test_nothing_multiplies_nought() -> None:
    sweep = {"from": 0, "to": 8, "times": 2}
    assert factors(rate=sweep)["/factors/rate/from"][0] == "bad_sweep"


@pytest.mark.parametrize(
    "name", [name for name, factor in FACTORS.items() if factor.choices or factor.pattern]
)
def test_words_have_no_range(name: str) -> None:
    code, detail = factors(**{name: {"from": 1, "to": 2, "step": 1}})[f"/factors/{name}"]
    assert (code, detail) == ("not_numeric", f"{name} is not numeric and cannot be swept; list its levels")


def test_consequences_of_an_invalid_sweep_are_not_reported() -> None:
    document = {"factors": SMALL["factors"] | {"clients": {"from": 3}}, "baseline": {"clients": 3}}
    assert list(problems(**document, rounds=0)) == ["/factors/clients", "/rounds"]


def test_a_sweep_is_no_level_of_a_list_and_no_exclusion() -> None:
    sweep = {"from": 1, "to": 8, "step": 1}
    assert factors(clients=[1, sweep])["/factors/clients/1"][0] == "wrong_type"
    assert problems(exclude=[{"clients": sweep}])["/exclude/0/clients"][0] == "unknown_level"


def test_a_bad_sweep_makes_no_problem_of_what_follows_from_it() -> None:
    document = {
        "name": "n",
        "title": "t",
        "factors": {
            "path": ["same_container", "published_loopback"],
            "clients": {"from": 1, "to": 64, "times": 1},
        },
        "baseline": {"path": "same_container"},
        "thresholds": ["tps >= 1 for clients=64"],
    }
    with pytest.raises(Invalid) as caught:
        validate_document(document)
    assert [problem.pointer for problem in caught.value.problems] == ["/factors/clients/times"]


def test_levels_of_many_rules_are_united_once() -> None:
    rules = [{"clients": [*range(1, 101)], "scale": [*range(1, 101)]}] * 99
    found = united(rules)
    assert found == {"clients": tuple(range(1, 101)), "scale": tuple(range(1, 101))}
    assert united([{"a": [1, True, "1", 1]}]) == {"a": (1, True, "1")}
