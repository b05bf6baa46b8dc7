"""The result of several hosts: ratios side by side, disagreement in words, confounding first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.chart.across_hosts.build_hosts import build_hosts_result
from backend.core.chart.across_hosts.host_runs import HostRun
from backend.core.chart.across_hosts.hosts_model import HostsResult
from backend.core.chart.cells.inputs import TrialRow
from backend.core.errors import Invalid
from backend.core.plan.model import Cell, Obstacle
from tests.core.chart.across_hosts.host_groups import ENVIRONMENT, PROXIED, group, host_run, judged, row
from tests.core.chart.runs import failed

A = host_run("a")
B = host_run("b", scale=3.0)
APART = host_run("c", effects={PROXIED: 1.15})
GONE = HostRun("gone", None, "deleted", None, None)


def test_a_faster_host_has_other_values_and_the_same_ratios() -> None:
    model = build_hosts_result(group(A, B))
    found = row(model, PROXIED)
    a, b = found.figures
    assert (a.host, b.host) == ("a", "b")
    assert a.median and b.median and b.median / a.median == pytest.approx(3, rel=0.02)
    assert a.ratio and b.ratio and b.ratio / a.ratio == pytest.approx(1, rel=0.02)
    assert a.interval and a.interval.low < a.ratio < a.interval.high
    # 5 compared cells on 2 hosts: one family.
    assert (a.family, b.family, model.table.family) == (10, 10, 10)
    assert "on a is" in a.sentence and "95 % simultaneous CI of 10 comparisons" in a.sentence
    assert a.verdict == "worse"
    assert judged(model).outcome == "none_shown"
    assert judged(model).sentence.startswith(
        "No disagreement shown; between two of 2 hosts, differences of up to"
    )
    assert model.headline == "No disagreement shown about 5 of 5 cells."


def test_hosts_that_disagree_are_named_with_the_size_and_its_family() -> None:
    model = build_hosts_result(group(A, B, APART))
    found = judged(model)
    assert found.outcome == "disagree" and found.family == 15 and "c" in found.apart
    assert found.sentence.startswith("Hosts disagree: the ratio on c is ")
    assert (
        "higher than on" in found.sentence and "95 % simultaneous CI of 15 pairs of hosts" in found.sentence
    )
    assert found.sentence.endswith("2 of 3 pairs of hosts differ.")
    assert found.interval and not found.interval.low <= 1 <= found.interval.high
    assert found.df == 2 and found.q and found.q > 10 and found.spread_interval
    assert found.spread_interval.low > 0
    assert model.headline == "Hosts disagree about 1 of 5 cells; no disagreement is shown about 4."


def test_a_noisy_host_cannot_tell() -> None:
    found = judged(build_hosts_result(group(A, host_run("noisy", change=lambda r, _c: spoilt(r)))))
    assert found.outcome == "cannot_tell"
    assert "a difference as large as the 5 % margin could have been missed" in found.sentence


def spoilt(r: TrialRow) -> TrialRow:
    """Every other trial is 40 % slower, whatever its cell."""
    assert r.metrics is not None
    slow = 0.6 if int(r.trial_id[-1]) % 2 else 1.0
    return replace(r, metrics={k: v * slow for k, v in r.metrics.items()})


def test_differing_environments_come_first() -> None:
    other = host_run("b", environment=ENVIRONMENT | {"kernel": "6.18", "cores": "8", "memory": "2 GiB"})
    model = build_hosts_result(group(A, other))
    assert model.notices[0].startswith(
        "The hosts differ in cores and kernel. Values of different hosts are not"
    )
    assert [(d.key, d.values) for d in model.differences] == [
        ("cores", ("4", "8")),
        ("kernel", ("6.1", "6.18")),
        ("memory", (None, "2 GiB")),
    ]
    assert model.differences[2].remark == "not known of a" and model.differences[2].relevance == "minor"


def without(path: str) -> HostRun:
    """A host named after the path that it cannot run."""
    refusal = Obstacle("path", "unsupported_path", "the kernel has no such driver")
    return host_run(f"no-{path}", infeasible=lambda levels: refusal if levels["path"] == path else None)


def test_a_cell_of_one_host_says_so_first_and_is_not_judged() -> None:
    model = build_hosts_result(group(A, without("published_loopback")))
    assert model.notices[0].startswith("Measured on one host: ") and " on a only" in model.notices[0]
    found = row(model, PROXIED)
    assert found.figures[1].missing == "the kernel has no such driver" and found.figures[1].ratio is None
    assert judged(model).outcome == "cannot_tell"
    assert "Only a has enough values" in judged(model).sentence
    assert "the kernel has no such driver" in judged(model).sentence
    assert len(model.members[1].infeasible) == 2


def test_levels_on_different_hosts_only_are_not_compared() -> None:
    model = build_hosts_result(group(without("published_loopback"), without("sibling_container")))
    (said,) = [n for n in model.notices if "no comparison is drawn between them" in n]
    assert "ran on no-published_loopback only" in said and "on no-sibling_container only" in said
    assert model.notices.index(said) == 0


def test_deleted_cancelled_partly_failed_and_running_members_are_said() -> None:
    def half(r: TrialRow, _cell: Cell) -> TrialRow:
        return failed(r) if r.round > 8 else r

    partly = host_run("partly", state="incomplete", change=half)
    cancelled = host_run("stopped", state="cancelled")
    model = build_hosts_result(group(A, GONE, partly, cancelled, B))
    text = " ".join(model.notices)
    assert "The run on gone was deleted" in text and "The run on stopped was cancelled" in text
    assert "The run on partly ended with failed trials." in text
    figures = row(model, PROXIED).figures
    assert [f.n for f in figures] == [10, 0, 8, 10, 10]
    assert figures[1].missing == "its run was deleted"
    assert judged(model).hosts == ("a", "partly", "b")
    assert "stopped (its run was cancelled, and" in judged(model).sentence
    running = build_hosts_result(group(A, host_run("b", state="running")))
    assert not running.ended and running.headline.startswith("So far: ")
    assert any(n.startswith("Not finished on b") for n in running.notices)


def test_interim_analyses_judge_disagreement_by_the_rounds_before_them() -> None:
    stopping = {"stopping": {"at_most": 20, "every": 5}}
    runs = host_run("a", **stopping), host_run("b", **stopping)
    model = build_hosts_result(group(*runs, **stopping))
    assert any("planned interim analyses" in n for n in model.notices)
    assert row(model, PROXIED).figures[0].n == 20
    assert judged(model).outcome == "none_shown"


def test_all_deleted_one_host_and_unknown_metrics() -> None:
    empty = build_hosts_result(group(GONE, replace(GONE, host="gone-2")))
    assert empty.table.rows == () and empty.headline.startswith("Nothing to compare")
    alone = build_hosts_result(group(A))
    assert judged(alone).outcome == "cannot_tell" and alone.headline.startswith(
        "Undecided whether hosts disagree"
    )
    with pytest.raises(Invalid) as refused:
        build_hosts_result(group(A, B), "tpss")
    assert refused.value.problems[0].pointer == "/metric" and "tps" in refused.value.problems[0].detail
    assert build_hosts_result(group(A, B), "cpu_us_per_txn").table.metric == "cpu_us_per_txn"


def test_the_model_survives_json_and_has_finite_numbers() -> None:
    model = build_hosts_result(group(A, B, APART, GONE))
    assert HostsResult.model_validate_json(model.model_dump_json()) == model


def test_names_of_hosts_are_spelled_as_they_are_where_none_has_enough_values() -> None:
    few = (host_run("bench-a", rounds=3), host_run("bench-b", rounds=3))
    found = judged(build_hosts_result(group(*few, rounds=3)))
    assert found.sentence.startswith(
        "Cannot tell whether hosts disagree. No host has enough values (bench-a: 3 independent values"
    )
