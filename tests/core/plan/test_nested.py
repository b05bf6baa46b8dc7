"""Cells over nested factors and exclusions: which there are, and what each is compared with."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.factors import applicable
from backend.core.definition.submitted import validate_document
from backend.core.errors import Invalid
from backend.core.plan.cells import count_cells, enumerate_rows
from backend.core.plan.model import Plan
from tests.core.plan.experiments import plan, refusal


def nested(**changes: Any) -> Plan:
    """Fronted paths, tools and services: what applies to a cell differs from cell to cell."""
    document: dict[str, Any] = {
        "factors": {
            "path": ["host_network", "nginx_stream"],
            "tool": ["wrk", "ab"],
            "clients": [2, 4],
            "threads": [1, 2],
            "front_workers": [1, 4],
        },
        "baseline": {"path": "host_network"},
    }
    return plan(**(document | changes))


def test_a_factor_that_does_not_apply_makes_no_more_cells() -> None:
    cells = [c for c in nested().cells if not c.is_duplicate]
    per_tool = {("wrk", 1): 4, ("wrk", 4): 4, ("wrk", None): 4, ("ab", 1): 2, ("ab", 4): 2, ("ab", None): 2}
    found = Counter((c.levels["tool"], c.levels.get("front_workers")) for c in cells)
    assert found == per_tool
    assert len({tuple(c.levels.items()) for c in cells}) == len(cells)
    assert [c.id for c in cells] == [f"c{n}" for n in range(1, 19)]
    assert all(c.levels == applicable(c.levels) for c in cells)
    assert nested().varied == ("path", "tool", "clients", "threads", "front_workers")


def test_the_baseline_of_a_nested_cell_has_only_what_applies_to_it() -> None:
    found = nested()
    by_id = {c.id: c for c in found.cells}
    for cell in found.cells:
        if cell.baseline_id is not None and not cell.is_duplicate:
            baseline = by_id[cell.baseline_id]
            assert baseline.levels == applicable(cell.levels | {"path": "host_network"})
            assert "front_workers" not in baseline.levels
    assert sum(c.is_duplicate for c in found.cells) == 6


def test_a_baseline_that_leaves_a_nested_factor_open_is_refused() -> None:
    factors = {"path": ["host_network", "nginx_stream"], "front_workers": [1, 4]}
    pointer, code, detail = refusal(factors=factors, baseline={"path": "nginx_stream"})
    assert (pointer, code) == ("/baseline", "baseline_missing")
    assert detail == ("Host network has no baseline; name one level of front_workers in baseline")
    found = plan(factors=factors, baseline={"path": "nginx_stream", "front_workers": 4})
    assert {c.baseline_id for c in found.cells if c.id == "c1"} == {"c3"}


def test_tools_that_need_not_agree_have_baselines_of_their_own() -> None:
    factors = {"path": ["same_container", "container_address"], "tool": ["pgbench", "iperf3"]}
    cells = plan(factors=factors, baseline={"path": "same_container"}).cells
    by_id = {c.id: c for c in cells}
    pairs = {(c.levels["tool"], by_id[c.baseline_id].levels["tool"]) for c in cells if c.baseline_id}
    assert pairs == {("pgbench", "pgbench"), ("iperf3", "iperf3")}


def test_excluded_cells_are_gone_and_the_others_counted_on() -> None:
    rules = [
        {"path": "published_loopback", "userland_proxy": False},
        {"clients": [8], "userland_proxy": False},
    ]
    cells = [c for c in plan(exclude=rules).cells if not c.is_duplicate]
    assert [c.id for c in cells] == [f"c{n}" for n in range(1, 6)]
    assert [c.label for c in cells] == [
        "Same container, userland-proxy on, 1 client",
        "Same container, userland-proxy on, 8 clients",
        "Same container, userland-proxy off, 1 client",
        "Published port on 127.0.0.1, userland-proxy on, 1 client",
        "Published port on 127.0.0.1, userland-proxy on, 8 clients",
    ]


@pytest.mark.parametrize(
    ("rules", "pointer", "code", "expected"),
    [
        ([{"clients": 1, "threads": 1}, {"proxy_program": "docker-proxy", "userland_proxy": False}],
         "/exclude/1", "excludes_nothing", "remove it"),
        ([{"path": "same_container", "userland_proxy": True, "clients": 8}],
         "/exclude/0", "excludes_baseline", "the baseline of Same container, userland-proxy off, 8 clients"),
        ([{"clients": [1, 8]}], "/exclude", "excludes_everything", "remove one"),
    ],
)  # fmt: skip
def test_rules_that_do_not_fit_the_cells(rules: Any, pointer: str, code: str, expected: str) -> None:
    found = refusal(exclude=rules)
    assert found[:2] == (pointer, code)
    assert expected in found[2]


def test_exclusions_make_a_large_product_possible() -> None:
    sweep = {"path": "same_container", "clients": list(range(1, 101)), "scale": list(range(1, 101))}
    assert refusal(factors=sweep, baseline={"clients": 1})[1] == "matrix_too_large"
    rules = [{"scale": list(range(2, 101)), "clients": list(range(2, 101))}]
    found = plan(factors=sweep, baseline={"clients": 1, "scale": 1}, exclude=rules)
    assert len([c for c in found.cells if not c.is_duplicate]) == 199


levels_of_factors = st.fixed_dictionaries(
    {},
    optional={
        "path": st.sets(st.sampled_from(["host_network", "nginx_stream", "haproxy_tcp"]), min_size=1),
        "tool": st.sets(st.sampled_from(["wrk", "ab", "iperf3", "pgbench"]), min_size=1),
        "transport": st.sets(st.sampled_from(["tcp", "udp"]), min_size=1),
        "udp_mbit_s": st.sets(st.integers(1, 3), min_size=1),
        "front_workers": st.sets(st.integers(1, 3), min_size=1),
        "front_splice": st.sets(st.booleans(), min_size=1),
        "clients": st.sets(st.integers(1, 4), min_size=1),
    },
)


@given(levels_of_factors)
def test_the_product_is_counted_as_it_is_enumerated(levels: dict[str, set[Any]]) -> None:
    document = {
        "name": "a",
        "title": "a",
        "factors": {name: sorted(values) for name, values in levels.items()},
        "baseline": {"duration_s": 10},
    }
    try:
        found = validate_document(document)
    except Invalid as refused:
        assert {p.code for p in refused.problems} == {"inapplicable_factor"}
        return
    assert len(enumerate_rows(found)) == count_cells(found)
