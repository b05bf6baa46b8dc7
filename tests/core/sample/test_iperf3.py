"""The iperf3 parser on captured output of 3.12, on the forms of 3.7 to 3.20, and on what is no report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.core.errors import Unparseable
from backend.core.sample.iperf3 import MAX_REPORT, parse, progress
from backend.core.sample.result import ToolResult
from tests.core.sample.notices import texts

FIXTURES = Path(__file__).parents[2] / "fixtures" / "iperf3"


def text(name: str) -> str:
    return (FIXTURES / f"iperf3-{name}.json").read_text()


def captured(name: str) -> ToolResult:
    return parse(text(name), "")


def changed(name: str, change: Callable[[Any], object]) -> str:
    report = json.loads(text(name))
    change(report)
    return json.dumps(report)


@pytest.mark.parametrize(
    ("name", "version", "streams", "megabytes", "gbit_s", "others"),
    [
        ("3.12-tcp", "3.12", 1, 4610, 12.290999196, {"retransmits": 0}),
        ("3.12-tcp-omit", "3.12", 1, 6497, 25.978987375, {"retransmits": 4}),
        ("3.12-len128", "3.12", 1, 127, 0.509029169, {"retransmits": 0}),
        ("3.12-reverse", "3.12", 1, 8802, 23.471510409, {"retransmits": 4}),
        ("3.12-P4", "3.12", 4, 6737, 26.932539934, {"retransmits": 2}),
        ("3.12-udp", "3.12", 1, 75, 0.200005538, {"jitter_ms": 0.00634787, "lost_percent": 0}),
        ("3.12-udp-reverse", "3.12", 1, 50, 0.200008372, {"jitter_ms": 0.00468406, "lost_percent": 0}),
        (
            "3.12-udp-loss",
            "3.12",
            1,
            5771,
            23.077347602,
            {"jitter_ms": 0.00892875, "lost_percent": 34.919475},
        ),
        ("3.7-tcp", "3.7", 1, 4610, 12.290999196, {"retransmits": 0}),
        ("3.9-udp-loss", "3.9", 1, 5771, 23.080970522, {"jitter_ms": 0.00892875, "lost_percent": 34.919475}),
        ("3.14-reverse-uncounted", "3.14", 1, 8802, 23.471510409, {}),
        ("3.16-P4", "3.16", 4, 6737, 26.932539934, {"retransmits": 2}),
        ("3.20-udp", "3.20", 1, 75, 0.200005538, {"jitter_ms": 0.00634787, "lost_percent": 0}),
    ],
)
def test_the_receiver_counts(
    name: str, version: str, streams: int, megabytes: int, gbit_s: float, others: dict[str, float]
) -> None:
    result = captured(name)
    assert (result.tool, result.version, result.connections) == ("iperf3", version, streams)
    assert (result.operations, result.failed) == (megabytes, 0)
    wanted = {"throughput_gbit_s": gbit_s, **others}
    assert result.metrics == pytest.approx(wanted, rel=1e-6)
    assert not result.latency_measured


def test_each_second_is_read_without_the_omitted_ones() -> None:
    assert [point.t for point in captured("3.12-tcp-omit").per_second] == [1.000296, 1.999956]
    first = captured("3.12-P4").per_second[0]
    assert first.rate == pytest.approx(31.371197, rel=1e-6)
    assert first.latency_ms is None


def test_what_is_left_over_at_the_end_is_no_second() -> None:
    def shorten(report: Any) -> None:
        report["intervals"][-1]["sum"]["seconds"] = 0.0004

    assert len(parse(changed("3.12-tcp", shorten), "").per_second) == 2


def test_settings_and_both_ends_are_kept_as_facts() -> None:
    facts = captured("3.12-P4").facts
    assert facts["protocol"] == "TCP"
    assert facts["block_bytes"] == "131072"
    assert (facts["sender_tcp_congestion"], facts["receiver_tcp_congestion"]) == ("bbr", "bbr")
    assert (facts["cpu_client_percent"], facts["cpu_server_percent"]) == ("90.9", "58.9")
    assert facts["bytes_received"] == "6737100800"
    assert captured("3.12-reverse").facts["reverse"] == "yes"
    assert captured("3.16-P4").facts["cpu_client_percent"] == "171.4"


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("3.12-tcp", []),
        ("3.12-P4", ["one thread"]),
        ("3.16-P4", []),
        ("3.12-udp-loss", ["datagrams lost"]),
        ("3.9-udp-loss", ["datagrams lost", "received bytes"]),
    ],
)
def test_notices(name: str, titles: list[str]) -> None:
    assert [text.split(":")[0] for text in texts(captured(name))] == titles


def test_a_sender_that_stays_below_its_rate_is_texted() -> None:
    def ask_more(report: Any) -> None:
        report["start"]["test_start"]["target_bitrate"] = 400_000_000

    (text,) = texts(parse(changed("3.12-udp", ask_more), ""))
    assert text.startswith("offered rate not reached: 200 of 400 Mbit/s")


def test_few_megabytes_are_texted() -> None:
    def little(report: Any) -> None:
        report["end"]["sum_received"] |= {"bytes": 2_400_000, "bits_per_second": 6_400_000}

    result = parse(changed("3.12-tcp", little), "")
    assert result.operations == 2
    assert texts(result)[0].startswith("little data: 2.40 MB")


def test_iperf3_has_no_progress() -> None:
    assert progress(text("3.12-tcp"), "") == []


def received(**values: object) -> str:
    return changed("3.12-tcp", lambda report: report["end"]["sum_received"].update(values))


@pytest.mark.parametrize(
    ("stdout", "missing"),
    [
        ("", "no report"),
        (text("3.12-no-server"), "Connection refused"),
        (text("3.12-busy"), "server is busy"),
        (text("3.12-server-died"), "Connection reset by peer"),
        (text("3.12-bidir"), "--bidir"),
        (text("3.12-tcp")[:-30], "JSON"),
        (received(bytes=0), "0 bytes"),
        (received(bytes=400_000), "400000 bytes"),
        (received(bits_per_second=None), "sum_received.bits_per_second"),
        (received(bits_per_second=0), "0 bits per second, but 4609802240 bytes"),
        (received(bits_per_second=-5.0), "sum_received.bits_per_second"),
        (received(bits_per_second=1e18), "sum_received.bits_per_second"),
        (received(bits_per_second=float("nan")), "sum_received.bits_per_second"),
        (received(bits_per_second=float("inf")), "sum_received.bits_per_second"),
        (received(bytes="4609802240"), "sum_received.bytes"),
        (received(seconds=1.2), "ended early: 1.2 of 3 s"),
        (changed("3.12-tcp", lambda report: report["end"].pop("sum_received")), "end.sum_received"),
        (changed("3.12-tcp", lambda report: report.pop("intervals")), "intervals"),
        (changed("3.12-tcp", lambda report: report["start"].pop("test_start")), "start.test_start"),
        (changed("3.9-udp-loss", lambda r: r["end"]["sum"].update(packets=0)), "sum.packets"),
        (
            changed("3.9-udp-loss", lambda r: r["end"]["sum"].update(lost_packets=1e6)),
            "lost packets of 147780",
        ),
        (changed("3.9-udp-loss", lambda r: r["end"].pop("sum")), "sum_received"),
        ('{"a":' * 100_000, "JSON"),
        ("[]", "JSON report"),
        (text("3.12-tcp") + " " * MAX_REPORT, "more than"),
    ],
)
def test_what_is_no_whole_report_is_refused(stdout: str, missing: str) -> None:
    with pytest.raises(Unparseable, match=missing):
        parse(stdout, "")
