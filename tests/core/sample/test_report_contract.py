"""What holds for every tool's report: read whole or refused, with any text around, and nothing of it lost."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.parsers import PARSERS
from backend.core.sample.report_lines import Row, Rows, as_printed
from backend.core.sample.report_notices import of_result
from backend.core.sample.result import ToolResult
from tests.core.imported_runs import text

FIXTURES = Path(__file__).parents[2] / "fixtures"


def read(tool: str, name: str) -> ToolResult:
    return PARSERS[tool].parse(text(name), "")


def notices(result: ToolResult) -> list[str]:
    return [str(notice) for notice in of_result(result)]


def test_a_line_that_begins_as_one_of_the_report_is_read_whole_or_refused() -> None:
    rows = Rows(
        "tool",
        Row("rate", "rate: ", "([0-9]+) per s", "rate: …", needed=True),
        Row("mode", "mode", ": (a|b)"),
    )
    found = rows.read("a line\nrate: 17 per s  \nmode: b")
    assert (found["rate"][0].group(1), found["mode"][0].group(1)) == ("17", "b")
    with pytest.raises(Unparseable, match=r"cannot be read, line 2: 'rate: 1.7 per s'"):
        rows.read("\nrate: 1.7 per s\n")
    with pytest.raises(Unparseable, match="run it with LC_ALL=C"):
        rows.read("rate: 1,7 per s\n")
    with pytest.raises(Unparseable, match=r"no line 'rate: …'"):
        rows.read("mode: a\n")
    with pytest.raises(Unparseable, match="contains 2 reports"):
        rows.read("rate: 1 per s\nrate: 1 per s\n")


@pytest.mark.parametrize(
    ("printed", "plain"),
    [
        ("\ufeffa\r\nb\r\n", "a\nb\n"),
        ("\ufffd\ufffda\0\r\0\n\0b\0", "a\nb"),
        ("\ufffd\ufffda\ufffd\r\ufffd\n\ufffdb\ufffd", "a\nb"),
        ("a\rb\r\r\nc", "a\nb\nc"),
        ("a\0 long line with one odd character", "a\0 long line with one odd character"),
    ],
)
def test_the_marks_of_another_system_are_taken_off(printed: str, plain: str) -> None:
    assert as_printed(printed) == plain


@pytest.mark.parametrize(
    ("tool", "name", "metrics"),
    [
        (
            "wrk",
            "wrk-around/json.log",
            {
                "rps": 489.60,
                "latency_avg_ms": 81.2,
                "latency_p50_ms": 80.11,
                "latency_p99_ms": 99.31,
                "latency_max_ms": 201.11,
            },
        ),
        (
            "wrk",
            "wrk-around/report-lua-of-wrk.log",
            {"rps": 40_080.92, "latency_avg_ms": 0.21, "latency_max_ms": 9.01},
        ),
        (
            "wrk",
            "wrk-around/time-after.log",
            {"rps": 40_080.92, "latency_avg_ms": 0.21, "latency_max_ms": 9.01},
        ),
        ("iperf3", "iperf3-around/warning.json", {"throughput_gbit_s": 12.290999, "retransmits": 0}),
        ("iperf3", "iperf3-around/text-after.json", {"throughput_gbit_s": 12.290999, "retransmits": 0}),
        ("iperf3", "iperf3-around/stream.json", {"throughput_gbit_s": 12.290999, "retransmits": 0}),
        ("pgbench", "encodings/crlf.log", {"tps": 896.967014, "latency_avg_ms": 11.013}),
        ("pgbench", "encodings/utf16.log", {"tps": 896.967014, "latency_avg_ms": 11.013}),
        ("ab", "ab/minus-d.log", {"rps": 69_539.0}),
        ("ab", "ab/interrupted.log", {"rps": 69_539.0}),
    ],
)
def test_a_whole_report_is_read_whatever_is_around_it(
    tool: str, name: str, metrics: dict[str, float]
) -> None:
    assert read(tool, name).metrics == pytest.approx(metrics, rel=1e-5)


@pytest.mark.parametrize(
    ("tool", "name", "remedy"),
    [
        ("wrk", "wrk-around/wrk2.log", "wrk2, which corrects for coordinated omission"),
        ("iperf3", "iperf3-around/text.log", "run iperf3 with -J"),
        ("iperf3", "iperf3-around/two-docs.json", "contains 2 reports; give one log for each run"),
        ("pgbench", "pgbench-translated/ru.log", "set LC_ALL=C"),
        ("pgbench", "pgbench-translated/zh.log", "set LC_ALL=C"),
        ("pgbench", "pgbench-aborted/merged.log", "^2 of 8 clients of pgbench aborted"),
        ("pgbench", "pgbench-aborted/with-t.log", "^2 of 8 clients of pgbench aborted"),
    ],
)
def test_what_is_no_whole_report_is_refused_with_a_remedy(tool: str, name: str, remedy: str) -> None:
    with pytest.raises(Unparseable, match=remedy):
        read(tool, name)


@pytest.mark.parametrize(
    ("most", "rate"),
    [("Max", "-nan      -nan   0.00      0.00%"), ("99%", "1.05k     1.12k    2.50k    64.84%")],
)
def test_wrk2_is_known_where_its_run_was_shorter_than_its_calibration(most: str, rate: str) -> None:
    """It then prints no calibration, and no number for its rate by second."""
    stdout = f"""Running 5s test @ http://127.0.0.1:8080/
  2 threads and 10 connections
  Thread Stats   Avg      Stdev     {most}   +/- Stdev
    Latency     1.97s     1.28s    4.93s    60.75%
    Req/Sec     {rate}
  833071 requests in 1.25ms, 223.25MB read
Requests/sec: 663801593.63
Transfer/sec:    173.72GB
"""
    with pytest.raises(Unparseable, match="this is the output of wrk2"):
        PARSERS["wrk"].parse(stdout, "")


def test_aborted_clients_are_found_in_stderr() -> None:
    stdout, stderr = text("pgbench-aborted/split.log"), text("pgbench-aborted/split.err")
    with pytest.raises(Unparseable, match=r"^2 of 8 clients"):
        PARSERS["pgbench"].parse(stdout, stderr)
    last = stderr.splitlines(keepends=True)[-1]
    with pytest.raises(Unparseable, match="run was aborted"):
        PARSERS["pgbench"].parse(stdout, last)


@pytest.mark.parametrize(
    "message",
    [
        'pgbench: error: connection to database "bench" failed: FATAL:  sorry, too many clients already',
        'connection to database "bench" failed:\nFATAL:  sorry, too many clients already',
        'Connection to database "" failed:\nFATAL:  sorry, too many clients already',
    ],
)
def test_clients_that_never_connected_before_14_are_no_clients(message: str) -> None:
    """There the thread of such a client ends, and the report has the number of clients of its options."""
    stdout = (FIXTURES / "versions/pgbench/13-plain.stdout").read_text()
    vacuum = "starting vacuum...end."
    for out, err in ((stdout, f"{vacuum}\n{message}\n"), (f"{message}\n{stdout}", "")):
        with pytest.raises(Unparseable, match=r"^a connection of pgbench failed.* fewer than 4 clients"):
            PARSERS["pgbench"].parse(out, err)
    # An attempt that failed before the run began has no report.
    assert PARSERS["pgbench"].parse(stdout, f"{message}\n{vacuum}\n").connections == 4


@pytest.mark.parametrize(
    "message",
    [
        "pgbench: Fehler: Client 1 Skript 0 in Befehl 0 Anfrage 0 abgebrochen: FEHLER:  Division durch Null",
        "pgbench: erreur : client 1 script 0 annulé dans la commande 0 requête 0 : ERREUR: x",
        "pgbench: ошибка: клиент 1 прервал выполнение скрипта 0 в команде 0: ОШИБКА:  деление на ноль",
        "pgbench: 错误: 客户端1脚本0在命令0查询0中断: 错误:  除以零",
        "pgbench: エラー: クライアント1のスクリプト0がコマンド0で中断",
        "pgbench: error: el cliente 1 script 0 abortó en la orden 0 consulta 0: ERROR:  división por cero",
    ],
)
def test_an_error_in_another_language_beside_an_english_report_is_not_let_pass(message: str) -> None:
    stdout = (FIXTURES / "versions/pgbench/15-plain.stdout").read_text()
    for out, err in ((stdout, message), (f"{message}\n{stdout}", ""), (stdout, f"bench-1  | {message}\n")):
        with pytest.raises(Unparseable, match="an error in another language; set LC_ALL=C"):
            PARSERS["pgbench"].parse(out, err)
    warning = "pgbench: Warnung: Option »scale« ignoriert"
    assert PARSERS["pgbench"].parse(stdout, warning).connections == 4


def test_connections_that_wrk_could_not_open_are_no_connections() -> None:
    """socket_connected of wrk.c counts the error and leaves the connection closed until the end."""
    stdout = (FIXTURES / "versions/wrk/4.2.0-latency.stdout").read_text()
    errors = "  Socket errors: connect 3, read 0, write 0, timeout 0\nRequests/sec:"
    result = PARSERS["wrk"].parse(stdout.replace("Requests/sec:", errors), "")
    assert result.connections == 1
    assert any(notice.startswith("connections: 3 of 4 could not be opened") for notice in notices(result))


def test_failures_of_ab_that_are_of_no_kind_are_failures() -> None:
    """ab 2.0 prints no "Receive", which its number of failed requests contains."""
    stdout = (FIXTURES / "versions/ab/2.4.62-slow.stdout").read_text()
    kinds = "Failed requests:        50\n   (Connect: 0, Length: 20, Exceptions: 0)"
    result = PARSERS["ab"].parse(re.sub("Failed requests: +0", kinds, stdout), "")
    assert (result.failed, result.operations) == (30, 170)
    assert result.metrics["rps"] == pytest.approx(117.19 * 170 / 200)


def test_what_failed_and_was_retried_is_said() -> None:
    found = notices(read("pgbench", "pgbench-failed/retries.log"))
    assert any("4,921 (48.10%) failed and are not counted" in notice for notice in found)
    assert any("7,201 (70.384%) were tried again, 14,012 times" in notice for notice in found)


def test_skipped_transactions_make_an_open_loop_latency_unusable() -> None:
    whole = (FIXTURES / "pgbench" / "15-rate.stdout").read_text()
    line = "number of transactions skipped: 300 (4.725%)\n"
    result = PARSERS["pgbench"].parse(whole.replace("latency average", f"{line}latency average"), "")
    assert set(result.metrics) == {"tps"}
    assert any("300 transactions (4.725%) that were late were skipped" in text for text in notices(result))


def test_an_interrupted_run_is_said() -> None:
    assert any(
        text.startswith("ended early: ab was interrupted")
        for text in notices(read("ab", "ab/interrupted.log"))
    )
    assert not any("ended early" in text for text in notices(read("ab", "ab/minus-d.log")))
    short = text("wrk-around/time-after.log").replace("Running 10s", "Running 30s")
    assert any("10.01 s of 30s" in text for text in notices(PARSERS["wrk"].parse(short, "")))
    assert not any("ended early" in text for text in notices(read("wrk", "wrk-around/json.log")))


@pytest.mark.parametrize("name", ["lost", "null", "nan", "minus-nan"])
def test_a_loss_that_cannot_be_is_left_out_and_the_throughput_is_read(name: str) -> None:
    result = read("iperf3", f"iperf3-odd/{name}.json")
    wanted = {"throughput_gbit_s": 23.077347602, "jitter_ms": 0.008928747}
    odd = "lost_percent is 170.0"
    if name != "lost":  # what is odd is one interval, and the totals are whole
        odd = "1 of 2 intervals have figures that are no numbers"
        wanted = {"throughput_gbit_s": 0.200008372, "jitter_ms": 0.004684062, "lost_percent": 0}
    assert result.metrics == pytest.approx(wanted, rel=1e-6)
    assert f"figures left out: {odd}" in notices(result)


@pytest.mark.parametrize(
    "printed", ["170.0", "-1", "null", "nan", "-nan", "inf", "1e999", '"a"', "[1]", "true"]
)
def test_a_loss_that_is_no_share_refuses_no_report(printed: str) -> None:
    whole = (FIXTURES / "iperf3" / "iperf3-3.12-udp.json").read_text()
    odd = re.sub(r'("lost_percent":\s*)[0-9.]+', rf"\g<1>{printed}", whole)
    result = PARSERS["iperf3"].parse(odd, "")
    assert set(result.metrics) == {"throughput_gbit_s", "jitter_ms"}
    assert any("lost_percent is" in text for text in notices(result))


def test_a_stream_may_end_with_the_report_of_the_same_run_only() -> None:
    stream, whole = text("iperf3-around/stream.json"), (FIXTURES / "iperf3/iperf3-3.12-tcp.json").read_text()
    assert PARSERS["iperf3"].parse(stream + whole, "").operations == 4610
    with pytest.raises(Unparseable, match="contains 2 reports"):
        PARSERS["iperf3"].parse(stream + whole.replace("qbzvoq4icamr", "another"), "")
    with pytest.raises(Unparseable, match=r"half an event|end: Field required"):
        PARSERS["iperf3"].parse(stream[:-300], "")


def altered(name: str, change: Callable[[Any], None]) -> str:
    report = json.loads((FIXTURES / f"versions/iperf3/{name}.json").read_text())
    change(report)
    return json.dumps(report)


def test_a_stream_that_carried_nothing_is_no_stream() -> None:
    def stall(report: Any) -> None:
        for total in report["end"]["streams"][1].values():
            total["bytes"] = 0

    result = PARSERS["iperf3"].parse(altered("3.22-streams", stall), "")
    assert result.connections == 1
    assert any(notice.startswith("connections: 1 of 2 streams carried nothing") for notice in notices(result))


def test_more_than_was_sent_is_not_received() -> None:
    def triple(report: Any) -> None:
        for name in ("bytes", "bits_per_second"):
            report["end"]["sum_received"][name] *= 3

    with pytest.raises(Unparseable, match="received 17567711232 bytes of 5855903744 that were sent"):
        PARSERS["iperf3"].parse(altered("3.22-tcp", triple), "")


def test_a_servers_report_has_the_servers_cpu_first() -> None:
    def serve(report: Any) -> None:
        report["start"]["accepted_connection"] = report["start"].pop("connecting_to")

    of_client = PARSERS["iperf3"].parse(altered("3.22-tcp", lambda _: None), "").facts
    of_server = PARSERS["iperf3"].parse(altered("3.22-tcp", serve), "").facts
    assert (of_client["cpu_client_percent"], of_client["cpu_server_percent"]) == ("15.6", "75.6")
    assert (of_server["cpu_client_percent"], of_server["cpu_server_percent"]) == ("75.6", "15.6")


def test_a_warning_of_the_tool_is_said() -> None:
    (found,) = notices(read("iperf3", "iperf3-around/warning.json"))
    assert found.startswith("warning of the tool: “warning: JSON data length overflow”")


def test_time_stamps_become_seconds_since_the_start_and_a_stalled_second_has_no_latency() -> None:
    result = read("pgbench", "pgbench-timestamps/base-1.log")
    assert [point.t for point in result.per_second] == [10, 20, 30, 40]
    assert [point.latency_ms for point in result.per_second] == [0.4, 0.4, 0.4, None]
    assert any("1 of 4 intervals had no transaction" in text for text in notices(result))


def test_progress_of_a_run_that_ended_without_a_report_is_not_that_of_the_next_one() -> None:
    stdout = (FIXTURES / "versions/pgbench/13-progress.stdout").read_text()
    stderr = (FIXTURES / "versions/pgbench/13-progress.stderr").read_text()
    died = "".join(f"progress: {t}.0 s, 5.0 tps, lat 9.000 ms stddev 1.000\n" for t in (1, 2, 3))
    result = PARSERS["pgbench"].parse(stdout, died + stderr)
    assert result.per_second == PARSERS["pgbench"].parse(stdout, stderr).per_second
    assert any("3 of 5 intervals are of a run before this one" in notice for notice in notices(result))


def test_one_interval_with_a_time_stamp_alone_is_left_out() -> None:
    lines = text("pgbench-timestamps/base-1.log").splitlines(keepends=True)
    result = PARSERS["pgbench"].parse("".join(lines[:3] + lines[6:]), "")
    assert result.per_second == ()
    assert any("one interval alone" in text for text in notices(result))


@pytest.mark.parametrize(
    ("tool", "printed", "odd", "without"),
    [
        ("pgbench", "latency average = 0.247", "latency average = -nan", "latency_avg_ms"),
        ("pgbench", "initial connection time = 14.350", "initial connection time = nan", None),
        ("wrk", "   191.56us", "     -nanus", "latency_avg_ms"),
        ("wrk", "    2.90ms", "    -nanus", "latency_p99_ms"),
        ("ab", "50.033 [ms] (mean)", "nan [ms] (mean)", None),
        ("ab", "18.2     46     203", "-nan     46     203", None),
    ],
)
def test_a_figure_that_is_no_number_and_is_not_needed_refuses_no_report(
    tool: str, printed: str, odd: str, without: str | None
) -> None:
    whole = PARSERS[tool].parse(WHOLE[tool], "")
    assert printed in WHOLE[tool]
    result = PARSERS[tool].parse(WHOLE[tool].replace(printed, odd), "")
    assert result.metrics.items() <= whole.metrics.items() and len(result.metrics) >= 1
    assert without is None or without not in result.metrics
    assert (without is None) or any("figures left out: " in text for text in notices(result))


def test_an_interval_whose_rate_is_no_number_is_left_out() -> None:
    line = "progress: {}.0 s, {} tps, lat 0.247 ms stddev 0.100, 0 failed\n"
    result = PARSERS["pgbench"].parse(WHOLE["pgbench"], line.format(1, "10.0") + line.format(2, "-nan"))
    assert [point.t for point in result.per_second] == [1]
    assert any("1 of 2 intervals have figures that are no numbers" in text for text in notices(result))


def test_percentiles_that_are_not_in_order_are_left_out() -> None:
    odd = text("wrk-around/json.log").replace("99.31ms", "301.11ms")
    result = PARSERS["wrk"].parse(odd, "")
    assert "latency_p99_ms" not in result.metrics and result.metrics["latency_max_ms"] == 201.11
    assert any("not in order" in text for text in notices(result))


HOSTILE = {
    "newlines": "\n" * 2**20,
    "carriage returns": "\r" * 2**20,
    "blanks": " " * 2**20,
    "one line": "a" * 2**20,
    "progress": "progress: 1.0 s, 2.0 tps, lat 1.000 ms stddev 1.000\n" * 20_000,
    "half of progress": "progress: 1.0 s, 2.0 tps, lat\n" * 34_000,
    "rates": "tps = 1.0 (including connections establishing)\n" * 21_000,
    "aborted": ("client 1 " * 29 + "\n") * 4_000,
    "percentages": " 50% 1.0ms\n" * 95_000,
    "threads": " 1 threads and\n" * 70_000,
    "documents": '{"start":{}}\n' * 80_000,
    "heads": '{\n"start"' * 100_000,
    "documents in one line": '{"start":{},' * 87_000,
    "deep": '{\n"start":' + '{"a":' * 200_000,
    "deviations": "latency average = nan" * 50_000,
    "events": '{"event":"interval","data":{}}\n' * 33_000,
    "braces": "{\n" * 500_000,
    "warnings": "warning: " * 116_000,
    "not numbers": '{"start":nan,' + ":nan," * 200_000,
    "words": "a.b-c" * 200_000,
    "NULs": "\0" * 2**20,
    "stamps": "2026-01-02T03:04:05Z " * 50_000,
    "stamped lines": "a | Nov 27 10:00:05 a b[1]: tps = \n" * 30_000,
    "tabs": "\t" * 2**20,
    "zero width": "\u200b" * 2**20,
    "titles": "\x1b]0;" * 200_000,
    "failed connections": 'connection to database "' * 43_000,
    "errors": "pgbench: cliente 1 " * 55_000,
    "words of failures": "number of failed transactions: 1 " * 31_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_text_of_a_mebibyte_takes_no_long(kind: str) -> None:
    for tool, parser in PARSERS.items():
        for stdout, stderr in ((HOSTILE[kind][: 2**20], ""), (WHOLE[tool], HOSTILE[kind][: 2**20])):
            start = time.process_time()
            with suppress(Unparseable):
                parser.parse(stdout, stderr)
            assert time.process_time() - start < 0.7, (tool, kind)


WHOLE = {
    "pgbench": (FIXTURES / "pgbench/15-live.stdout").read_text(),
    "wrk": (FIXTURES / "wrk/wrk-4.1.0-no-script.stdout").read_text(),
    "ab": (FIXTURES / "ab/ab-2.0-slow.stdout").read_text(),
    "iperf3": (FIXTURES / "iperf3/iperf3-3.12-tcp.json").read_text(),
}
