"""Logs find their cell, whatever part of its levels they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backend.core.errors import Invalid
from backend.core.plan.model import Cell
from backend.core.sample.imported import MAX_PROBLEMS, Log, read_logs
from tests.core.sample.notices import texts

FIXTURES = Path(__file__).parents[2] / "fixtures"
PGBENCH = (FIXTURES / "pgbench" / "15-live.stdout").read_text()
WRK = (FIXTURES / "wrk" / "wrk-4.2.0-text.stdout").read_text()


def cell(id_: str, **levels: Any) -> Cell:
    return Cell(id_, id_, {"tool": "pgbench", "clients": 5, **levels}, False, False, None, None)


def test_a_level_that_is_true_is_not_one() -> None:
    cells = [cell("c1", reconnect=True), cell("c2", reconnect=False)]
    (read,) = read_logs(cells, [Log({"reconnect": False}, 1, PGBENCH)])
    assert read.cell.id == "c2"
    with pytest.raises(Invalid) as refused:
        read_logs(cells, [Log({"reconnect": 0}, 1, PGBENCH)])
    assert refused.value.problems[0].pointer == "/logs/0/levels/reconnect"


def test_a_factor_that_only_some_cells_have_can_tell_them_apart() -> None:
    cells = [cell("c1"), cell("c2", tool="ab", keep_alive=True), cell("c3", tool="ab", keep_alive=False)]
    assert read_logs(cells, [Log({"tool": "pgbench"}, 1, PGBENCH)])[0].cell.id == "c1"
    with pytest.raises(Invalid, match=r"add keep_alive \(true, false\)"):
        read_logs(cells, [Log({"tool": "ab"}, 1, "")])


def test_the_record_has_the_tools_own_metrics_alone() -> None:
    (read,) = read_logs([cell("c1")], [Log({}, 7, PGBENCH)])
    record = read.record("trl_1")
    assert record.metrics["tps"] == 19773.309448 and not any("cpu" in name for name in record.metrics)
    assert (record.transactions, record.stdout, record.notices) == (59_052, PGBENCH, ())


def test_wrk_opens_as_many_connections_as_its_threads_can_share() -> None:
    """The log is of ten connections asked for, of which three threads open nine."""
    (read,) = read_logs([cell("c1", tool="wrk", clients=10, threads=3)], [Log({}, 1, WRK)])
    assert not any("other load" in text for text in texts(read.record("trl_1")))
    (read,) = read_logs([cell("c1", tool="wrk", clients=5, threads=1)], [Log({}, 1, WRK)])
    assert any("9 connections, not of 5" in text for text in texts(read.record("trl_1")))


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("pgbench", "pgbench/15-live.stdout"),
        ("wrk", "wrk/wrk-4.1.0-c4-t2.stdout"),
        ("ab", "ab/ab-2.3-e-stdout.stdout"),
        ("iperf3", "iperf3/iperf3-3.12-tcp.json"),
    ],
)
def test_a_log_with_the_marks_of_another_system_reads_the_same_and_is_kept(tool: str, name: str) -> None:
    cells = [cell("c1", tool=tool)]
    plain, stderr = (FIXTURES / name).read_text(), (FIXTURES / "pgbench/15-live.stderr").read_text()
    foreign, foreign_stderr = ("\ufeff" + text.replace("\n", "\r\n") for text in (plain, stderr))
    (read,) = read_logs(cells, [Log({}, 1, plain, stderr)])
    (found,) = read_logs(cells, [Log({}, 1, foreign, foreign_stderr)])
    assert found.result == read.result and found.result.operations > 0
    record = found.record("trl_1")
    assert (record.stdout, record.stderr) == (foreign, foreign_stderr)


def test_no_more_than_a_hundred_problems_are_told() -> None:
    with pytest.raises(Invalid) as refused:
        read_logs([cell("c1")], [Log({}, round_, "") for round_ in range(1, 500)])
    assert len(refused.value.problems) == MAX_PROBLEMS
