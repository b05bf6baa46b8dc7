"""Results of imported logs: nothing of them is lost, and a difference of settings is no claim on a path."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from backend.core.chart.model.chart_model import ChartModel
from backend.core.errors import Invalid
from tests.core.imported_runs import comparison, imported, pair, text

SERVICE = {"tool": "wrk", "service": "pong", "clients": 10, "threads": 2}


def test_percentiles_in_seconds_count_like_those_in_milliseconds() -> None:
    model = pair(
        "wrk-percentiles",
        "base-",
        "slow-",
        factors=SERVICE,
        metrics=["latency_p99_ms", "latency_avg_ms", "rps"],
    )
    found = comparison(model, "latency_p99_ms")
    assert found.n == 12 and found.interval is not None
    assert (found.ratio, found.interval.low, found.interval.high) == pytest.approx(
        (1.336, 0.996, 1.766), abs=6e-4
    )
    slow = next(cell for cell in model.cells if cell.levels["path"] == "published_loopback")
    assert slow.summaries["latency_p99_ms"].median == pytest.approx(1271, abs=1)


def test_failed_transactions_are_said_beside_the_result() -> None:
    model = pair(
        "pgbench-failed", "base-", "cand-", factors={"clients": 10, "script": "tpcb_like", "scale": 10}
    )
    (cell,) = (cell for cell in model.cells if cell.levels["path"] == "published_loopback")
    found = {notice.kind: notice for notice in cell.notices}
    assert "failed and are not counted" in found["failed operations"].figures
    assert (found["failed operations"].trials, found["retried transactions"].trials) == (6, 6)


def test_a_difference_of_settings_is_no_claim_on_a_path() -> None:
    model = pair("settings", "base-", "other-", factors={"clients": 8})
    found = comparison(model, "tps")
    assert (found.verdict, found.ratio) == ("undefined", None)
    assert "differ in what the experiment does not vary" in found.sentence
    assert "other scale than the cell's" in found.sentence and "other query protocol" in found.sentence
    assert model.best == ()
    kinds = {notice.kind for cell in model.cells for notice in cell.notices}
    assert {f"other {what} than the cell's" for what in ("scale", "threads", "duration", "script")} <= kinds


def test_the_same_other_setting_on_both_sides_is_judged_and_said() -> None:
    logs = [text(f"settings/base-{round_}.log") for round_ in range(1, 7)]
    faster = [log.replace("tps = ", "tps = 2").replace("processed: ", "processed: 6") for log in logs]
    model = imported({"container_address": logs, "published_loopback": faster}, factors={"clients": 8})
    assert comparison(model, "tps").verdict == "better"
    notices = [notice for cell in model.cells for notice in cell.notices]
    assert {(n.kind, n.figures) for n in notices} >= {
        ("other scale than the cell's", "the log has 10, the cell 5")
    }


def test_two_versions_of_a_tool_are_no_claim_on_a_path() -> None:
    logs = [text(f"settings/base-{round_}.log") for round_ in range(1, 7)]
    newer = [
        log.replace("tps = ", "tps = 2").replace("processed: ", "processed: 6").replace("(16.4)", "(17.2)")
        for log in logs
    ]
    found = comparison(
        imported({"container_address": logs, "published_loopback": newer}, factors={"clients": 8}), "tps"
    )
    assert found.verdict == "undefined" and "other version than other logs" in found.sentence


def test_blocks_of_two_sizes_are_no_claim_on_a_path() -> None:
    whole = text("iperf3-around/warning.json")
    logs = [whole.replace("qbzvoq4icamr", f"round{round_}") for round_ in range(6)]
    other = [log.replace('"blksize":\t131072', '"blksize":\t1448').replace("round", "other") for log in logs]
    model = imported(
        {"container_address": logs, "published_loopback": other},
        factors={"tool": "iperf3", "service": "iperf3_server", "clients": 1},
        metrics=["throughput_gbit_s"],
    )
    found = comparison(model, "throughput_gbit_s")
    assert found.verdict == "undefined" and "other option than the cell's" in found.sentence


def test_a_copy_in_a_cell_is_refused_with_both_places_unless_it_is_allowed() -> None:
    logs = [text(f"settings/base-{round_}.log") for round_ in range(1, 7)]
    other = [log.replace("tps = ", "tps = 2").replace("processed: ", "processed: 6") for log in logs]
    copied = [*other[:3], other[0], other[1], other[0]]
    both = {"container_address": logs, "published_loopback": copied}
    with pytest.raises(Invalid) as refused:
        imported(both, factors={"clients": 8})
    found = [(problem.pointer, problem.code) for problem in refused.value.problems]
    assert found == [(f"/logs/{place}/stdout", "identical_log") for place in (9, 10, 11)]
    assert "the log at /logs/6" in refused.value.problems[0].detail
    model = imported(both, allow_identical=True, factors={"clients": 8})
    (cell,) = (cell for cell in model.cells if cell.levels["path"] == "published_loopback")
    (notice,) = (notice for notice in cell.notices if notice.kind == "identical log")
    assert notice.trials == 3 and "no evidence of spread" in notice.figures


@pytest.mark.parametrize(
    "saved",
    [
        lambda log: log.replace("\n", "\r\n"),
        lambda log: f"\ufeff{log}\n\n",
        lambda log: f"$ pgbench -c 8 bench\n{log}real 0m30.1s\n",
        lambda log: "".join(f"bench-1  | {line}\n" for line in log.splitlines()),
    ],
)
def test_a_copy_that_was_saved_otherwise_is_a_copy(saved: Callable[[str], str]) -> None:
    logs = [text(f"settings/base-{round_}.log") for round_ in range(1, 7)]
    with pytest.raises(Invalid, match="same figures as the log at /logs/0"):
        imported(
            {"container_address": [*logs, saved(logs[0])], "published_loopback": []}, factors={"clients": 8}
        )
    log = text("wrk-around/time-after.log")
    three = [log, log.replace("\n", "\r\n"), f"{log}\n\n"]
    with pytest.raises(Invalid, match="same figures as the log at /logs/0"):
        imported(
            {"container_address": three, "published_loopback": []},
            factors={"tool": "wrk", "service": "pong", "clients": 8, "threads": 2},
            metrics=["rps"],
        )


def test_runs_of_other_times_are_no_copies() -> None:
    """Their time stamps say that they are of other runs, whatever their figures."""
    log = text("settings/base-1.log")
    line = "progress: 1764990{}.010 s, 20001.0 tps, lat 0.400 ms stddev 0.100, 0 failed\n"
    logs = [line.format(110 + n) + line.format(210 + n) + log for n in range(6)]
    model = imported({"container_address": logs, "published_loopback": []}, factors={"clients": 8})
    assert not any(notice.kind == "identical log" for cell in model.cells for notice in cell.notices)


def test_two_runs_of_wrk_may_print_the_same_and_three_do_not() -> None:
    log = text("wrk-around/time-after.log")
    factors = {"tool": "wrk", "service": "pong", "clients": 8, "threads": 2}
    other = log.replace("40080.92", "40081.92")
    model = imported(
        {"container_address": [log, log], "published_loopback": [other]}, factors=factors, metrics=["rps"]
    )
    (cell,) = (cell for cell in model.cells if cell.levels["path"] == "container_address")
    assert any(notice.kind == "identical log" for notice in cell.notices)
    with pytest.raises(Invalid, match="same figures as the log at /logs/0"):
        imported(
            {"container_address": [log] * 3, "published_loopback": [other]}, factors=factors, metrics=["rps"]
        )


def test_the_logs_of_another_cell_are_said_and_not_judged() -> None:
    logs = [text(f"settings/base-{round_}.log") for round_ in range(1, 7)]
    model = imported({"container_address": logs, "published_loopback": logs}, factors={"clients": 8})
    found = comparison(model, "tps")
    assert found.verdict == "undefined" and "log of another cell" in found.sentence and model.best == ()


def with_ratio(ratio: float, **experiment: Any) -> ChartModel:
    """A result in which every round has this ratio to the last of six decimals."""
    base = text("settings/base-1.log")

    def log(tps: float) -> str:
        counted = re.sub("processed: [0-9]+", f"processed: {round(30 * tps)}", base)
        return re.sub("tps = [0-9.]+", f"tps = {tps:.6f}", counted)

    rates = [20_000.0 + 413 * round_ for round_ in range(8)]
    logs = {"container_address": [log(rate) for rate in rates]}
    logs["published_loopback"] = [log(rate * ratio) for rate in rates]
    return imported(logs, factors={"clients": 8}, **experiment)


@pytest.mark.parametrize("ratio", [0.45, 0.5, 0.7, 0.93, 1.1])
@pytest.mark.parametrize(
    ("operator", "outcome"), [(">=", "pass"), ("<=", "pass"), (">", "fail"), ("<", "fail")]
)
def test_a_ratio_that_is_the_bound_itself_meets_a_threshold_that_includes_it(
    ratio: float, operator: str, outcome: str
) -> None:
    model = with_ratio(ratio, thresholds=[f"ratio(tps, baseline) {operator} {ratio}"])
    assert model.gate is not None and model.gate.outcome == outcome


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1, 0.25])
def test_a_difference_as_large_as_the_margin_is_within_it(margin: float) -> None:
    found = comparison(with_ratio(1 + margin, margin=margin), "tps")
    assert found.verdict == "different_within_margin"
