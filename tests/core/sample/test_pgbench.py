"""The pgbench parser on captured output of versions 9.5 to 17, and on output that is no report."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.pgbench import MAX_OUTPUT, PgbenchResult, parse, progress

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pgbench"


def captured(version: str) -> PgbenchResult:
    return parse((FIXTURES / f"{version}.stdout").read_text(), (FIXTURES / f"{version}.stderr").read_text())


@pytest.mark.parametrize(
    ("version", "banner", "tps", "including", "transactions", "latency_ms", "measured"),
    [
        ("9.5", None, 10810.876728, 10803.986896, 500_000, None, False),
        ("9.6", None, 17512.433838, 17510.332823, 500_000, 0.286, False),
        ("11-reconnect", None, 248.316242, 243.40584, 14_614, 41.084, False),
        ("12", None, 937.67819, 937.638183, 56_347, 53.215, True),
        ("14", "14.15", 896.967014, None, 10_000, 11.013, True),
        ("15-live", "15.20", 19773.309448, None, 59_052, 0.247, True),
        ("17", "17.2", 896.967014, None, 10_000, 11.013, True),
    ],
)
def test_each_version_is_read(
    version: str,
    banner: str | None,
    tps: float,
    including: float | None,
    transactions: int,
    latency_ms: float | None,
    measured: bool,
) -> None:
    result = captured(version)
    assert result.version == banner
    assert result.tps == tps
    assert result.tps_including_connections == including
    assert result.transactions == transactions
    assert result.latency_avg_ms == latency_ms
    assert result.latency_measured is measured
    assert result.failed == 0


def test_settings_are_read_back() -> None:
    result = captured("15-live")
    assert (result.clients, result.threads, result.scale, result.protocol) == (5, 1, 5, "prepared")
    assert result.connection_ms == 14.35


def test_progress_becomes_a_series() -> None:
    series = captured("12").per_second
    assert [point.t for point in series] == [10, 20, 30, 40, 50, 60]
    assert series[1].tps == 722.7
    assert series[1].latency_ms == 69.077
    assert series[1].latency_stddev_ms == 78.785


def test_a_second_without_transactions_has_no_latency() -> None:
    (point,) = progress("progress: 1.0 s, 0.0 tps, lat NaN ms stddev NaN, 0 failed\n")
    assert point.tps == 0
    assert point.latency_ms is None


WHOLE = (FIXTURES / "15-live.stdout").read_text()


@pytest.mark.parametrize(
    ("stdout", "missing"),
    [
        ("", "number of transactions actually processed"),
        (WHOLE.replace("tps =", "tps:"), "tps"),
        (WHOLE.split("number of clients")[0], "number of transactions actually processed"),
        (WHOLE.replace("scaling factor", "scale"), "scaling factor"),
        (WHOLE.replace("19773.309448", "NaN"), "tps"),
        (WHOLE.replace("19773.309448", "0.000000"), "rate of 0"),
        (WHOLE.replace("processed: 59052", "processed: 59052/60000"), "59052 of 60000"),
        (WHOLE + " " * MAX_OUTPUT, "more than"),
    ],
)
def test_what_is_no_whole_report_is_refused(stdout: str, missing: str) -> None:
    with pytest.raises(Unparseable, match=missing):
        parse(stdout, "")
