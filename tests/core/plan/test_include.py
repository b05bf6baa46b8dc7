"""Cells that rules include: which there are, in what order, and what each is compared with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backend.core.definition.factors import applicable
from backend.core.errors import Invalid
from backend.core.plan.cells import Row, count_cells, count_included, enumerate_rows
from backend.core.plan.schedule import schedule
from tests.core.plan.experiments import experiment, plan, refusal


def rows(**changes: Any) -> tuple[Row, ...]:
    return enumerate_rows(experiment(**changes))


def keys(found: tuple[Row, ...]) -> set[tuple[Any, ...]]:
    return {tuple(row.levels.items()) for row in found}


def test_a_rule_adds_its_product_with_the_experiments_own_levels() -> None:
    own, more = rows(), rows(include=[{"path": ["bare_host", "host_network"], "userland_proxy": True}])
    assert more[: len(own)] == own
    added = more[len(own) :]
    assert [row.id for row in added] == ["c9", "c10", "c11", "c12"]
    assert [(row.levels["path"], row.levels["clients"]) for row in added] == [
        ("bare_host", 1), ("bare_host", 8), ("host_network", 1), ("host_network", 8),
    ]  # fmt: skip
    assert [row.baseline_id for row in added] == ["c1", "c2", "c1", "c2"]


def test_what_applies_because_of_a_rule_gets_its_default_or_the_rules_levels() -> None:
    added = rows(include=[{"path": "nginx_stream", "userland_proxy": True, "front_workers": [1, 4]}])[8:]
    assert [row.levels["front_workers"] for row in added] == [1, 4, 1, 4]
    assert all(row.levels["front_reuseport"] is False for row in added)
    assert all(row.levels == applicable(row.levels) for row in added)
    assert all("front_workers" not in row.levels for row in rows())


def test_a_service_that_the_rules_tool_cannot_load_gives_way() -> None:
    added = rows(include=[{"tool": "wrk", "clients": 8}], baseline={"path": "same_container", "clients": 8})[
        8:
    ]
    assert {row.levels["service"] for row in added} == {"pong"}
    named = rows(include=[{"tool": "wrk", "service": "flask"}], baseline={"path": "same_container"})[8:]
    assert {row.levels["service"] for row in named} == {"flask"}


def test_an_included_baseline_serves_the_product() -> None:
    found = rows(include=[{"path": "bare_host"}], baseline={"path": "bare_host"})
    by_id = {row.id: row for row in found}
    for row in found:
        base = by_id[row.baseline_id]
        assert base.levels["path"] == "bare_host" and base.levels["clients"] == row.levels["clients"]
    cells = plan(include=[{"path": "bare_host"}], baseline={"path": "bare_host"}).cells
    assert sum(cell.is_duplicate for cell in cells) == 4


def test_overlapping_rules_add_a_cell_once() -> None:
    rules = [{"path": "bare_host", "clients": [1, 16]}, {"path": "bare_host", "clients": [8, 16]}]
    found = rows(include=rules, baseline={"userland_proxy": True})
    clients = [row.levels["clients"] for row in found if row.levels["path"] == "bare_host"]
    assert sorted(clients) == [1, 1, 8, 8, 16, 16]
    assert len(keys(found)) == len(found)


@pytest.mark.parametrize(
    ("rules", "pointer", "code", "expected"),
    [
        ([{"path": "same_container"}], "/include/0", "includes_nothing", "adds exists already"),
        ([{"path": "bare_host"}, {"path": "bare_host", "clients": 1}],
         "/include/1", "includes_nothing", "remove the rule"),
        ([{"clients": 16, "path": "published_loopback"}], "/include/0", "baseline_missing",
         "include Same container, userland-proxy on, 16 clients too"),
    ],
)  # fmt: skip
def test_a_rule_that_does_not_fit_the_cells(rules: Any, pointer: str, code: str, expected: str) -> None:
    found = refusal(include=rules)
    assert found[:2] == (pointer, code)
    assert expected in found[2]


def test_a_missing_baseline_can_be_included_too() -> None:
    rule = {"clients": 16, "path": ["same_container", "published_loopback"]}
    assert len(rows(include=[rule])) == 12


def test_the_matrix_may_not_grow_without_limit_by_rules() -> None:
    many = {"clients": list(range(9, 109)), "scale": list(range(1, 101)), "duration_s": list(range(1, 101))}
    assert refusal(include=[many])[:2] == ("/include", "matrix_too_large")
    fewer = {"clients": list(range(9, 109)), "scale": list(range(1, 11)), "path": "same_container"}
    assert refusal(include=[fewer])[:2] == ("/factors", "matrix_too_large")


paths = st.sets(
    st.sampled_from(["same_container", "published_loopback", "bare_host"]), min_size=1, max_size=2
)
counts = st.sets(st.sampled_from([1, 8, 16]), min_size=1)
rules = st.fixed_dictionaries(
    {}, optional={"path": paths, "clients": counts, "userland_proxy": st.booleans()}
)


def plain(rule: dict[str, Any]) -> dict[str, Any]:
    return {name: sorted(v) if isinstance(v, set) else v for name, v in rule.items()}


def in_product(rule: dict[str, Any]) -> bool:
    return bool(rule) and not {"bare_host"} & set(rule.get("path", ())) and 16 not in rule.get("clients", ())


OPEN: dict[str, Any] = {"baseline": {"duration_s": 10}}
"""Every cell is its own baseline, so that rules meet no other condition."""


@given(rules.map(plain))
def test_what_is_excluded_and_included_again_is_the_product(rule: dict[str, Any]) -> None:
    assume(in_product(rule))
    whole = keys(rows(**OPEN))
    both = rows(**OPEN, exclude=[rule], include=[rule])
    assert keys(both) == whole
    assert len(both) == len(whole)


@given(rules.map(plain), rules.map(plain))
def test_exclusions_never_touch_what_is_included(out: dict[str, Any], more: dict[str, Any]) -> None:
    assume(in_product(out) and bool(more))
    try:
        kept = rows(**OPEN, exclude=[out])
    except Invalid:
        kept = ()
    try:
        found = rows(**OPEN, exclude=[out], include=[more])
    except Invalid as refused:
        assert {p.code for p in refused.problems} == {"includes_nothing"}
        return
    alone = {k for k in keys(found) if k not in keys(kept)}
    asked = experiment(**OPEN, include=[more])
    assert keys(kept) < keys(found) and alone
    assert len(found) <= len(kept) + count_included(asked)
    for row in found[len(kept) :]:
        assert all(row.levels[n] in (v if isinstance(v, list) else [v]) for n, v in more.items())


@given(rules.map(plain), st.integers(0, 2**32))
def test_ids_and_the_order_of_rounds_know_the_cells_only(rule: dict[str, Any], seed: int) -> None:
    assume(bool(rule))
    own = rows(**OPEN)
    try:
        more = rows(**OPEN, include=[rule])
    except Invalid:
        assert count_cells(experiment(**OPEN)) == len(own)
        return
    assert more[: len(own)] == own
    ids = [row.id for row in more]
    assert schedule(ids, seed, 5)[: len(ids) * 3] == schedule(ids, seed, 3)
