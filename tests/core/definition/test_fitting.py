"""What fits together in a document: factors with factors, tools with metrics, rules with levels."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.canonical import canonical, digest
from backend.core.definition.factors import FACTORS
from backend.core.definition.submitted import validate_document
from tests.core.definition.documents import SMALL, factors, needed_by, problems


@pytest.mark.parametrize("name", FACTORS)
def test_every_factor_is_read_where_it_applies(name: str) -> None:
    levels = {"path": "same_container"} | needed_by(name) | {name: FACTORS[name].default}
    experiment = validate_document({"name": "a", "title": "a", "factors": levels, "baseline": {"clients": 5}})
    assert experiment.factors.levels(name) == (FACTORS[name].default,)
    assert name in canonical(experiment)["factors"]


@pytest.mark.parametrize("name", [name for name, factor in FACTORS.items() if factor.needs])
def test_a_factor_that_applies_nowhere_is_refused_and_never_kept(name: str) -> None:
    away = {"tool": "ab", "service": "pong", "userland_proxy": False}
    if name in ("keep_alive", "gomaxprocs"):
        away = {"tool": "pgbench"}
    code, detail = factors(**away, **{name: FACTORS[name].default})[f"/factors/{name}"]
    need = FACTORS[name].needs[0]
    assert code == "inapplicable_factor"
    assert f"{need.factor} " in detail and str(need.levels[0]).lower() in detail and "remove it" in detail
    assert name not in canonical(validate_document(SMALL | {"factors": SMALL["factors"] | away}))["factors"]


@pytest.mark.parametrize(
    ("tools", "service", "metrics"),
    [
        ("pgbench", ("postgres",), ("tps", "cpu_us_per_txn")),
        ("wrk", ("pong",), ("rps", "cpu_us_per_txn")),
        (["ab", "wrk"], ("pong",), ("rps", "cpu_us_per_txn")),
        ("iperf3", ("iperf3_server",), ("throughput_gbit_s", "cpu_us_per_txn")),
        (["wrk", "pgbench"], ("pong", "postgres"), ("rps", "cpu_us_per_txn")),
    ],
)
def test_service_and_metrics_follow_the_tool(
    tools: Any, service: tuple[str, ...], metrics: tuple[str, ...]
) -> None:
    experiment = validate_document(SMALL | {"factors": SMALL["factors"] | {"tool": tools}})
    assert experiment.factors.levels("service") == service
    assert experiment.metrics == metrics


def test_a_metric_that_no_tool_yields() -> None:
    found = problems(metrics=["rps", "tps", "retransmits"])
    assert found["/metrics/0"] == (
        "metric_does_not_fit",
        "rps comes from wrk, ab and not from pgbench; remove it, or name a metric of the experiment's tools, "
        "for example tps",
    )
    assert list(found) == ["/metrics/0", "/metrics/2"]


def test_tools_with_other_rates_are_not_compared() -> None:
    levels = {"path": ["same_container"], "tool": ["pgbench", "iperf3", "wrk", "ab"]}
    code, detail = problems(factors=levels, baseline={"tool": "wrk"})["/baseline/tool"]
    assert code == "unlike_tools"
    assert "wrk reports rps" in detail and "throughput_gbit_s, tps of iperf3, pgbench" in detail
    assert validate_document(SMALL | {"factors": levels}).baseline == {"path": "same_container"}
    like = {"path": ["same_container"], "tool": ["wrk", "ab"]}
    assert validate_document(SMALL | {"factors": like, "baseline": {"tool": "wrk"}}).metrics[0] == "rps"


def test_exclude() -> None:
    rule = {"path": "published_loopback", "clients": [8]}
    experiment = validate_document(SMALL | {"exclude": [rule]})
    assert canonical(experiment)["exclude"] == [{"path": ["published_loopback"], "clients": [8]}]
    assert validate_document(canonical(experiment)) == experiment
    assert digest(experiment) != digest(validate_document(SMALL))
    assert canonical(validate_document(SMALL))["exclude"] == []


@pytest.mark.parametrize(
    ("rules", "pointer", "code"),
    [
        ([{"colour": "red"}], "/exclude/0/colour", "unknown_factor"),
        ([{"path": "same_container"}, {"path": ["wormhole"]}], "/exclude/1/path/0", "unknown_level"),
        ([{"path": "overlay"}], "/exclude/0/path", "exclude_not_in_levels"),
        ([{"clients": "8"}], "/exclude/0/clients", "unknown_level"),
        ([{"clients": {"a": 1}}], "/exclude/0/clients", "unknown_level"),
        ([{"gomaxprocs": 1}], "/exclude/0/gomaxprocs", "inapplicable_factor"),
        ([{"path": []}], "/exclude/0/path", "empty"),
        ([{}], "/exclude/0", "empty"),
        ([3], "/exclude/0", "wrong_type"),
        ({"path": "same_container"}, "/exclude", "wrong_type"),
        ([{"clients": 1}] * 101, "/exclude", "too_many"),
    ],
)
def test_a_wrong_rule_is_refused_at_its_place(rules: Any, pointer: str, code: str) -> None:
    found = problems(exclude=rules)
    assert found[pointer][0] == code
