"""Facts that differ between trials of a cell, or between a cell and its baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import TrialRow
from backend.core.plan.model import Cell
from tests.core.chart.runs import Change, made_up

USUAL = {"docker": "27.1.1", "kernel": "6.1", "boot id": "one", "pgbench": "15.14", "wrk": "wrk 4.1.0"}


def found(change: Change) -> list[str]:
    return [text for text in build_chart(made_up(change=change)).warnings if not text.startswith("A/A")]


def with_versions(later: Mapping[str, str], from_round: int = 6, cell_id: str = "") -> Change:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        other = row.round >= from_round and cell_id in ("", cell.id)
        return replace(row, versions=USUAL | (later if other else {}))

    return change


def test_docker_that_changes_in_mid_run_is_reported() -> None:
    (text,) = found(with_versions({"docker": "27.2.0"}))
    assert text == (
        "docker changed during the run (27.1.1, then 27.2.0): the figures of Same container, "
        "userland-proxy on, "
        "Same container, userland-proxy off and 4 more mix trials from before and after."
    )


@pytest.mark.parametrize("fact", ["kernel", "clocksource", "cpu governor", "containerd", "pgbench"])
def test_each_fact_of_a_trial_counts(fact: str) -> None:
    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, versions=USUAL | {fact: "old" if row.round < 4 else "new"})

    (text,) = found(change)
    assert text.startswith(f"{fact} changed during the run (old, then new): ")


def test_a_restart_of_the_host_names_no_id() -> None:
    (text,) = found(with_versions({"boot id": "two"}))
    assert text.startswith("The host was started again during the run: the figures of ")


def test_a_digest_is_shortened() -> None:
    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, versions={"image id": "sha256:" + ("a" if row.round < 4 else "b") * 64})

    (text,) = found(change)
    assert "(aaaaaaaaaaaa, then bbbbbbbbbbbb)" in text


def test_a_tool_that_no_cell_runs_does_not_count() -> None:
    assert found(with_versions({"wrk": "wrk 4.2.0"})) == []


def test_a_cell_that_differs_from_its_baseline_throughout_is_reported() -> None:
    (text,) = found(with_versions({"docker": "27.2.0"}, from_round=1, cell_id="c3"))
    assert text == (
        "docker is 27.2.0 in one and 27.1.1 in the other of compared cells: Sibling container, "
        "userland-proxy on "
        "against the baseline; the ratio includes it."
    )


def test_a_link_setting_that_changes_inside_a_cell_is_reported() -> None:
    def change(row: TrialRow, _cell: Cell) -> TrialRow:
        return replace(row, facts={"mtu server link": "1500" if row.round < 4 else "9000"})

    assert any(
        text.startswith("mtu server link changed during the run (1500, then 9000): ")
        for text in found(change)
    )


def test_a_link_setting_of_a_path_is_no_change_of_the_environment() -> None:
    def change(row: TrialRow, cell: Cell) -> TrialRow:
        return replace(row, facts={"mtu server link": "1500" if cell.is_baseline else "65536"})

    assert [text.partition(":")[0] for text in found(change)] == ["Compared paths differ in mtu server link"]


def test_old_records_without_these_facts_warn_of_nothing() -> None:
    assert found(lambda row, _cell: row) == []
    assert (
        found(lambda row, _cell: replace(row, versions={"docker": "27.1.1"} if row.round > 5 else {})) == []
    )


def test_what_was_on_the_host_at_the_start_is_reported_without_names() -> None:
    data = made_up()
    data = replace(data, environment={"at start: running containers of others": "2: 0123456789ab, abc"})
    (text,) = build_chart(data).warnings
    assert text == ("On the host when the run began: 2 running containers of others; they may disturb it.")
