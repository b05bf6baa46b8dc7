"""Latencies of single transactions: captured output, percentiles by definition, and what is refused."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.metrics import METRICS
from backend.core.errors import Unparseable
from backend.core.sample import pgbench
from backend.core.sample.histogram import (
    PERCENTILES,
    Latencies,
    achieved,
    bucket_of,
    closed_loop,
    open_loop,
    parse,
    percentile,
)
from backend.core.sample.result import ToolResult
from tests.core.sample.notices import texts

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pgbench"
CAPTURED = (FIXTURES / "15-open-loop.histogram").read_text()


def captured() -> ToolResult:
    stdout, stderr = ((FIXTURES / f"15-open-loop.{stream}").read_text() for stream in ("stdout", "stderr"))
    return pgbench.parse(stdout, stderr)


def histogram_of(latencies: list[int], lag: int = 0) -> Latencies:
    buckets = tuple(sorted(Counter(bucket_of(v) for v in latencies).items()))
    return Latencies(
        transactions=len(latencies),
        skipped=0,
        failed=0,
        total_us=sum(latencies),
        shortest_us=min(latencies),
        longest_us=max(latencies),
        lag_total_us=lag,
        lag_longest_us=lag,
        buckets=buckets,
    )


def a_result(operations: int, tps: float = 1000.0) -> ToolResult:
    return replace(captured(), operations=operations, metrics={"tps": tps})


def test_captured_output_agrees_with_pgbenchs_own_report() -> None:
    found, result = parse(CAPTURED), captured()
    assert found.transactions == result.operations == 2948
    assert (found.shortest_us, found.longest_us) == (41, 3847)
    assert [bound for bound, _ in found.buckets] == sorted(bound for bound, _ in found.buckets)
    assert sum(count for _, count in found.buckets) == 2948
    assert found.total_us / found.transactions / 1e3 == pytest.approx(
        result.metrics["open_latency_avg_ms"], abs=0.000_501
    )
    lag_ms = found.lag_total_us / found.transactions / 1e3
    assert lag_ms == pytest.approx(float(result.facts["schedule_lag_avg_ms"]), abs=0.000_501)
    assert found.lag_longest_us / 1e3 == float(result.facts["schedule_lag_max_ms"])


def test_the_record_gets_histogram_and_percentiles() -> None:
    found = open_loop(captured(), parse(CAPTURED), 3000)
    assert found.metrics["open_latency_p50_ms"] == 0.152
    assert found.metrics["open_latency_p90_ms"] == 0.203
    assert found.metrics["open_latency_p99_ms"] == 0.309
    assert found.metrics["open_latency_max_ms"] == 3.847
    assert found.metrics["open_latency_avg_ms"] == pytest.approx(0.163643, abs=1e-6)
    assert "open_latency_p999_ms" not in found.metrics and "latency_avg_ms" not in found.metrics
    assert found.histogram == parse(CAPTURED).buckets
    assert found.facts["offered_rate"] == "3000"
    assert {m for m in found.metrics if m.startswith("open_")} <= set(METRICS)
    assert texts(found) == (
        "few transactions for a percentile: 2,948 in the window, so the 99.9th is left out "
        "(it takes 10,000); use a longer duration_s",
    )


@pytest.mark.parametrize(
    ("sampled", "given"), [(99, set()), (100, {"p50"}), (999, {"p50"}), (1_000, {"p50", "p99"})]
)
def test_a_sample_has_the_percentiles_that_it_supports(sampled: int, given: set[str]) -> None:
    result = a_result(10_000)
    found = closed_loop(result, histogram_of([300] * sampled))
    assert {name for name in ("p50", "p99") if f"latency_{name}_ms" in found.metrics} == given
    assert found.facts["sampled_transactions"] == str(sampled)
    assert found.notices == result.notices


def test_a_sample_has_no_more_transactions_than_the_run() -> None:
    with pytest.raises(Unparseable, match="has 11 transactions, and pgbench counted 10"):
        closed_loop(a_result(10), histogram_of([300] * 11))


@given(st.lists(st.integers(0, 40_000_000), min_size=1, max_size=60), st.floats(0.001, 1))
def test_a_percentile_is_the_nearest_rank_and_at_most_a_bucket_too_high(
    latencies: list[int], share: float
) -> None:
    exact = sorted(latencies)[math.ceil(share * len(latencies)) - 1]
    found = percentile(histogram_of(latencies).buckets, share)
    assert exact <= found <= exact + exact / 128
    assert percentile(histogram_of(latencies).buckets, share, max(latencies)) <= max(latencies)


@given(st.integers(0, 2**40))
def test_a_bucket_holds_its_value_and_is_narrow(value: int) -> None:
    bound = bucket_of(value)
    assert value <= bound <= value * (1 + 1 / 128)
    assert bucket_of(bound) == bound and bucket_of(bound + 1) > bound


def test_a_histogram_without_transactions_has_no_percentile() -> None:
    with pytest.raises(ValueError, match="without transactions"):
        percentile((), 0.5)


@pytest.mark.parametrize(
    ("transactions", "absent"),
    [
        (99, {"p90", "p99", "p999"}),
        (100, {"p99", "p999"}),
        (999, {"p99", "p999"}),
        (1_000, {"p999"}),
        (9_999, {"p999"}),
        (10_000, set()),
    ],
)
def test_a_percentile_needs_ten_transactions_beyond_it(transactions: int, absent: set[str]) -> None:
    found = open_loop(a_result(transactions), histogram_of([300] * transactions), 1000)
    given = {name for name, _, _ in PERCENTILES if f"open_latency_{name}_ms" in found.metrics}
    assert given == {"p50", "p90", "p99", "p999"} - absent
    told = [text for text in texts(found) if text.startswith("few transactions for a percentile: ")]
    assert bool(told) == bool(absent)


def test_two_percentiles_that_are_left_out_are_named() -> None:
    (sentence,) = texts(open_loop(a_result(999), histogram_of([300] * 999), 999))
    assert "999 in the window, so the 99th and 99.9th is left out (it takes 1,000 and 10,000)" in sentence


def test_a_rate_that_was_not_reached_is_texted() -> None:
    latencies = histogram_of([300] * 10_000)
    assert texts(open_loop(a_result(10_000, tps=950.0), latencies, 1000)) == ()
    (text,) = texts(open_loop(a_result(10_000, tps=949.0), latencies, 1000))
    assert text.startswith("the offered rate was not reached: 949 of 1,000 transactions per second (95%)")
    assert achieved(1000, 950.0) and not achieved(1000, 949.9)


def test_a_log_that_lost_transactions_is_refused() -> None:
    with pytest.raises(Unparseable, match="has 5 of 6 transactions"):
        open_loop(a_result(6), histogram_of([300] * 5), 1000)


HEAD = "transactions 3 skipped 0 failed 0 unread 0\n"
LATENCY = "latency_us sum 900 min 200 max 400\n"
LAG = "lag_us sum 30 max 20\n"
BUCKETS = "401 1\n201 2\n"


def test_skipped_and_failed_transactions_are_counted_apart() -> None:
    found = parse("transactions 3 skipped 4 failed 5 unread 0\n" + LATENCY + LAG + BUCKETS)
    assert (found.transactions, found.skipped, found.failed) == (3, 4, 5)
    assert found.buckets == ((201, 2), (401, 1))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no line 'transactions …'"),
        (HEAD, "no line 'latency_us …'"),
        (HEAD + LATENCY, "no line 'lag_us …'"),
        (HEAD + LATENCY + LAG, "3 transactions and its buckets 0"),
        (HEAD + LATENCY + LAG + "401 1\n401 2\n", "its buckets 3"),
        (HEAD + LATENCY + LAG + "301 3\n", "outside of its buckets"),
        (HEAD.replace("unread 0", "unread 2") + LATENCY + LAG + BUCKETS, "2 incomplete lines"),
        (HEAD.replace("3", "-3") + LATENCY + LAG + BUCKETS, "no line 'transactions …'"),
        (HEAD.replace("3", "nan") + LATENCY + LAG + BUCKETS, "no line 'transactions …'"),
        ("awk: cannot open /tmp/plimsoll-log-trl.* (No such file or directory)\n", "no line"),
        (HEAD + LATENCY + LAG + "401 1\n" * 400_000, "more than"),
    ],
    ids=["nothing", "head", "latency", "empty", "twice", "max", "torn", "minus", "nan", "awk", "flood"],
)
def test_what_is_no_whole_histogram_is_refused(text: str, says: str) -> None:
    with pytest.raises(Unparseable, match=says):
        parse(text)
