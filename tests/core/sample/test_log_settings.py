"""Every setting that a log prints is compared with its cell's, or with the commands that Plimsoll runs."""

# ruff: noqa: E501 - the tables have one line a setting

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backend.core.plan.model import Cell
from backend.core.sample.imported import Log, read_logs

FIXTURES = Path(__file__).parents[2] / "fixtures"
CELLS: dict[str, dict[str, Any]] = {
    "pgbench": {
        "clients": 4, "threads": 2, "protocol": "simple", "script": "select_only", "scale": 2, "rate": 0,
        "reconnect": False, "duration_s": 2,
    },
    "wrk": {"clients": 4, "threads": 2, "duration_s": 1},
    "ab": {"clients": 4, "keep_alive": False, "duration_s": 1},
    "iperf3": {"clients": 1, "transport": "tcp", "reverse": False, "duration_s": 2},
}  # fmt: skip


def notices(tool: str, stdout: str, **levels: Any) -> list[str]:
    """What a log is said to have otherwise than its cell, without what its tool reports of itself."""
    cell = Cell("c1", "c1", {"tool": tool, **CELLS[tool], **levels}, False, False, None, None)
    (read,) = read_logs([cell], [Log({}, 1, stdout)])
    return [str(notice) for notice in read.notices]


def versions(name: str) -> str:
    return (FIXTURES / "versions" / name).read_text()


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("pgbench/15-plain.stdout", {}),
        ("pgbench/13-plain.stdout", {}),
        ("pgbench/15-reconnect.stdout", {"reconnect": True}),
        ("wrk/4.2.0-latency.stdout", {}),
        ("ab/2.4.62-plain.stdout", {}),
        ("ab/2.4.62-keep-alive.stdout", {"keep_alive": True}),
        ("iperf3/3.1.3-tcp.json", {}),
        ("iperf3/3.22-tcp.json", {}),
        ("iperf3/3.22-streams.json", {"clients": 2, "duration_s": 1}),
        ("iperf3/3.22-reverse.json", {"reverse": True, "duration_s": 1}),
    ],
)
def test_a_log_with_its_cells_settings_has_no_notice(name: str, levels: dict[str, Any]) -> None:
    assert notices(name.partition("/")[0], versions(name), **levels) == []


@pytest.mark.parametrize(
    ("name", "levels", "said"),
    [
        ("pgbench/15-plain.stdout", {"clients": 8}, "other load than the cell's: the log is of 4 connections"),
        ("pgbench/15-plain.stdout", {"threads": 1}, "other threads than the cell's: the log has 2, the cell 1"),
        ("pgbench/15-plain.stdout", {"scale": 5}, "other scale than the cell's: the log has 2, the cell 5"),
        ("pgbench/15-plain.stdout", {"duration_s": 9}, "other duration than the cell's: the log has 2 s, the cell 9 s"),
        ("pgbench/15-plain.stdout", {"protocol": "prepared"}, "other query protocol than the cell's: the log has simple"),
        ("pgbench/15-plain.stdout", {"rate": 300}, "other offered rate than the cell's: the log has none, the cell 300 1/s"),
        ("pgbench/15-rate-limit.stdout", {}, "other offered rate than the cell's: the log has one, the cell none"),
        ("pgbench/15-rate-limit.stdout", {"rate": 1000}, "other offered rate than the cell's: the log has a lower one, the cell 1000 1/s"),
        ("pgbench/13-rate-limit.stdout", {"rate": 100}, "other offered rate than the cell's: the log has a higher one, the cell 100 1/s"),
        ("pgbench/15-rate-limit.stdout", {"rate": 300}, "other option than the cell's: the log has latency limit 0.4 ms, the cell none"),
        ("pgbench/13-limit.stdout", {}, "other option than the cell's: the log has latency limit 0.1 ms, the cell none"),
        ("pgbench/15-tries.stdout", {}, "other option than the cell's: the log has maximum number of tries 3, the cell 1"),
        ("pgbench/13-prepared-count.stdout", {}, "other option than the cell's: the log has transactions of each client 500, the cell none"),
        ("wrk/4.0.0-latency.stdout", {"threads": 1}, "other threads than the cell's"),
        ("wrk/4.0.0-latency.stdout", {"duration_s": 10}, "other duration than the cell's: the log has 1 s, the cell 10 s"),
        ("ab/2.4.62-keep-alive.stdout", {}, "other keep-alive than the cell's: the log has yes, the cell no"),
        ("iperf3/3.9-streams.json", {}, "other load than the cell's: the log is of 2 connections"),
        ("iperf3/3.9-reverse.json", {}, "other direction than the cell's"),
        ("iperf3/3.22-udp.json", {}, "other transport than the cell's"),
        ("iperf3/3.22-udp.json", {"transport": "udp", "udp_mbit_s": 100}, "other offered UDP rate than the cell's: the log has 50 Mbit/s, the cell 100 Mbit/s"),
        ("iperf3/3.22-udp.json", {"transport": "udp", "udp_mbit_s": 50}, "other option than the cell's: the log has block size 32768 B, the cell 1350 B"),
        ("iperf3/3.22-limited.json", {}, "other option than the cell's: the log has rate limit 200 Mbit/s, the cell none"),
        ("iperf3/3.9-mss.json", {}, "other option than the cell's: the log has maximum segment size 1000 B, the cell none"),
        ("iperf3/3.1.3-mss.json", {}, "other option than the cell's: the log has block size 16384 B, the cell 131072 B"),
        ("iperf3/3.1.3-omit.json", {}, "other option than the cell's: the log has omitted time 1 s, the cell none"),
        ("iperf3/3.1.3-bytes.json", {}, "other option than the cell's: the log has bytes to send 52428800, the cell none"),
    ],
)  # fmt: skip
def test_a_setting_that_a_log_has_otherwise_is_said(name: str, levels: dict[str, Any], said: str) -> None:
    tool = name.partition("/")[0]
    assert any(text.startswith(said) for text in notices(tool, versions(name), **levels))


@pytest.mark.parametrize("version", ["13", "15", "17", "18", "19"])
def test_an_offered_rate_that_the_log_could_have_is_not_another(version: str) -> None:
    """pgbench prints no rate; its transactions, the skipped ones and the lag bound it."""
    found = notices("pgbench", versions(f"pgbench/{version}-rate-limit.stdout"), rate=300)
    assert not any("offered rate" in text for text in found)


def test_a_client_that_cannot_keep_up_may_have_any_higher_rate() -> None:
    log = versions("pgbench/15-rate-limit.stdout").replace("(max 5.769) ms", "(max 1999.000) ms")
    assert not any("offered rate" in text for text in notices("pgbench", log, rate=100_000))
    assert any("a higher one" in text for text in notices("pgbench", log, rate=100))


@pytest.mark.parametrize(
    ("tool", "name", "printed", "other", "said"),
    [
        ("ab", "ab/2.4.62-plain.stdout", "Document Length:        5 bytes", "Document Length:        5000 bytes", "document"),
        ("ab", "ab/2.4.62-plain.stdout", "Document Path:          /", "Document Path:          /x", "document"),
        ("iperf3", "iperf3/3.22-tcp.json", "iperf 3.22", "iperf 3.21", "version"),
        ("iperf3", "iperf3/3.22-tcp.json", '"sender_tcp_congestion":\t"bbr"', '"sender_tcp_congestion":\t"cubic"', "option"),
        ("pgbench", "pgbench/15-plain.stdout", "15.18 (Debian", "15.17 (Debian", "version"),
    ],
)  # fmt: skip
def test_what_no_factor_sets_is_compared_among_logs(
    tool: str, name: str, printed: str, other: str, said: str
) -> None:
    log = versions(name)
    assert printed in log
    cell = Cell("c1", "c1", {"tool": tool, **CELLS[tool]}, False, False, None, None)
    read = read_logs([cell], [Log({}, 1, log), Log({}, 2, log.replace(printed, other))])
    kinds = [{notice.kind for notice in one.notices} for one in read]
    assert all(f"other {said} than other logs" in found for found in kinds)


def test_a_page_whose_length_varies_a_little_is_the_same_document() -> None:
    log = versions("ab/2.4.62-plain.stdout").replace(
        "Document Length:        5 bytes", "Document Length: 500 bytes"
    )
    cell = Cell("c1", "c1", {"tool": "ab", **CELLS["ab"]}, False, False, None, None)
    read = read_logs([cell], [Log({}, 1, log), Log({}, 2, log.replace("500 bytes", "502 bytes"))])
    assert [one.notices for one in read] == [(), ()]
