"""The pgbench parser on captured output of versions 9.5 to 17, and on output that is no report."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.figures import MAX_OUTPUT
from backend.core.sample.pgbench import parse, progress
from backend.core.sample.result import ToolResult
from tests.core.sample.notices import texts

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pgbench"


def captured(version: str) -> ToolResult:
    return parse((FIXTURES / f"{version}.stdout").read_text(), (FIXTURES / f"{version}.stderr").read_text())


@pytest.mark.parametrize(
    ("version", "banner", "tps", "including", "transactions", "latency_ms"),
    [
        ("9.5", None, 10810.876728, 10803.986896, 500_000, None),
        ("9.6", None, 17512.433838, 17510.332823, 500_000, None),
        ("11-reconnect", None, 248.316242, 243.40584, 14_614, None),
        ("12", None, 937.67819, 937.638183, 56_347, 53.215),
        ("14", "14.15", 896.967014, None, 10_000, 11.013),
        ("15-live", "15.20", 19773.309448, None, 59_052, 0.247),
        ("15-no-progress", "15.20", 24452.528597, None, 48_806, None),
        ("15-reconnect", "15.20", 408.095877, 408.095877, 1_226, 4.943),
        ("15-rate", "15.20", 2020.787245, None, 6_048, 0.251),
        ("15-rate-reconnect", "15.20", 181.409386, 181.409386, 363, 4.681),
        ("15-simple-update", "15.20", 4991.151246, None, 14_953, 0.399),
        ("17", "17.2", 896.967014, None, 10_000, 11.013),
    ],
)
def test_each_version_is_read(
    version: str,
    banner: str | None,
    tps: float,
    including: float | None,
    transactions: int,
    latency_ms: float | None,
) -> None:
    result = captured(version)
    assert result.tool == "pgbench"
    assert result.version == banner
    assert result.metrics["tps"] == tps
    assert result.facts.get("tps_including_connections") == (None if including is None else str(including))
    assert result.operations == transactions
    offered = "15-rate" in version
    assert result.metrics.get("open_latency_avg_ms" if offered else "latency_avg_ms") == latency_ms
    assert len(result.metrics) == (1 if latency_ms is None else 2)
    assert result.latency_measured is (latency_ms is not None)
    assert result.failed == 0


def test_settings_are_read_back() -> None:
    result = captured("15-live")
    assert result.connections == 5
    assert result.facts["threads"] == "1"
    assert result.facts["scale"] == "5"
    assert result.facts["protocol"] == "prepared"
    assert result.facts["transaction_type"] == "<builtin: select only>"
    assert result.facts["connection_ms"] == "14.350"
    assert captured("15-reconnect").facts["connection_ms"] == "4.814"


def test_the_lag_behind_an_offered_rate_is_kept() -> None:
    result = captured("15-rate")
    assert (result.facts["schedule_lag_avg_ms"], result.facts["schedule_lag_max_ms"]) == ("0.136", "5.485")
    assert [point.rate for point in result.per_second] == [1956.9, 2057.0]


def test_clients_that_wait_for_the_same_branch_are_texted() -> None:
    (text,) = texts(captured("15-tpcb-like"))
    assert (
        text
        == "row locks: 4 clients at scale 1 wait for each other's branch rows; set the scale to at least 4"
    )
    assert texts(captured("15-simple-update")) == ()
    assert texts(captured("14")) == ()


def test_failed_transactions_are_counted_apart() -> None:
    text = WHOLE.replace("failed transactions: 0 (0.000%)", "failed transactions: 17 (0.029%)")
    assert parse(text, "").failed == 17
    assert parse(text, "").operations == 59_052


def test_progress_becomes_a_series() -> None:
    series = captured("12").per_second
    assert [point.t for point in series] == [10, 20, 30, 40, 50, 60]
    assert series[1].rate == 722.7
    assert series[1].latency_ms == 69.077
    assert series[1].latency_stddev_ms == 78.785


def test_progress_of_a_merged_log_is_read_from_stdout() -> None:
    line = "progress: 1.0 s, 7.0 tps, lat 1.5 ms stddev 0.1, 0 failed\n"
    assert [point.rate for point in progress(line, "")] == [7.0]
    assert [point.rate for point in progress(line, line.replace("7.0", "8.0"))] == [8.0]


def test_a_second_without_transactions_has_no_latency() -> None:
    (point,) = progress("", "progress: 1.0 s, 0.0 tps, lat NaN ms stddev NaN, 0 failed\n")
    assert point.rate == 0
    assert point.latency_ms is None


WHOLE = (FIXTURES / "15-live.stdout").read_text()
OLD = (FIXTURES / "12.stdout").read_text()


@pytest.mark.parametrize(
    ("stdout", "missing"),
    [
        ("", "number of transactions actually processed"),
        (WHOLE.replace("tps =", "tps:"), "tps"),
        (WHOLE.split("number of clients")[0], "number of transactions actually processed"),
        (WHOLE.replace("scaling factor", "scale"), "scaling factor"),
        (WHOLE.replace("19773.309448", "NaN"), "tps"),
        (WHOLE.replace("19773.309448", "inf"), "tps"),
        (WHOLE.replace("19773.309448", "-19773.3"), "tps"),
        (WHOLE.replace("19773.309448", "0.000000"), "rate of 0"),
        (WHOLE.replace("19773.309448", "9" * 5000), "tps"),
        (WHOLE.replace("processed: 59052", "processed: 59052/60000"), "59052 of 60000"),
        (WHOLE.replace("processed: 59052", "processed: 0"), "no transaction"),
        (WHOLE.replace("processed: 59052", "processed: " + "9" * 5000), "actually processed"),
        (OLD.split("tps = 937.678190")[0], "tps"),
        (WHOLE + " " * MAX_OUTPUT, "more than"),
    ],
)
def test_what_is_no_whole_report_is_refused(stdout: str, missing: str) -> None:
    with pytest.raises(Unparseable, match=missing):
        parse(stdout, "")
