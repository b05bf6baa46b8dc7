"""The cost per hop on made-up runs: neighbours, costs, sentences."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.sweep_models import Ladder, LadderStep
from backend.core.chart.sweeps.ladder import build_ladders
from backend.core.definition.metrics import RATES
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell
from backend.core.topology.paths import hops_of
from tests.core.chart.runs import made_up

PATHS = ("same_container", "container_address", "published_loopback", "published_host_address")
COST = {"loopback": 2.0, "bridge": 4.0, "veth": 3.0, "docker-proxy": 60.0, "dnat": 5.0, "masquerade": 1.0}
BASE_US = 40.0


def a_run(paths: tuple[str, ...] = PATHS, rounds: int = 8, **factors: Any) -> ChartInput:
    """A run in which each hop costs what COST says, and a transaction what it takes of one core."""
    document = {
        "name": "ladder",
        "title": "Ladder",
        "factors": {"path": list(paths), "userland_proxy": [True, False], **factors},
        "rounds": rounds,
        "baseline": {"path": paths[0]},
        "metrics": ["tps"] if factors.get("tool", "pgbench") == "pgbench" else ["rps"],
    }
    experiment = validate_document(document)
    noise = random.Random(3)
    drift = {round_: noise.uniform(0, 3) for round_ in range(1, rounds + 1)}

    def priced(row: TrialRow, cell: Cell) -> TrialRow:
        cost = BASE_US + sum(COST[hop] for hop in hops_of(cell.levels)) + drift[row.round]
        cost += 0.3 * noise.random()
        rate = RATES[str(cell.levels["tool"])]
        return replace(row, metrics={"cpu_us_per_txn": cost, rate: 1e6 / cost})

    data = made_up(experiment, priced)
    return replace(data, hops={cell.id: hops_of(cell.levels) for cell in data.plan.cells})


def ladders(data: ChartInput) -> tuple[Ladder, ...]:
    return build_ladders(by_cell(data), data.hops, "tps", {})


def levels(data: ChartInput) -> dict[str, Mapping[str, Any]]:
    return {cell.id: cell.levels for cell in data.plan.cells}


def step_of(data: ChartInput, path: str, proxied: bool) -> LadderStep:
    (ladder,) = ladders(data)
    known = levels(data)
    (found,) = [
        r
        for r in ladder.rungs
        if (known[r.cell_id]["path"], known[r.cell_id]["userland_proxy"]) == (path, proxied)
    ]
    return found


def named(data: ChartInput, id_: str) -> tuple[str, bool]:
    cell = levels(data)[id_]
    return cell["path"], cell["userland_proxy"]


def test_each_path_is_compared_with_the_one_that_it_differs_least_from() -> None:
    data = a_run()
    assert named(data, step_of(data, "published_host_address", True).from_id)[0] == "container_address"
    masquerade = step_of(data, "published_loopback", False)
    assert named(data, masquerade.from_id)[0] in ("published_host_address",)
    proxied = step_of(data, "published_loopback", True)
    assert named(data, proxied.from_id)[0] == "container_address"
    assert (proxied.added, proxied.removed) == (("loopback", "docker-proxy"), ())
    address = step_of(data, "container_address", True)
    assert address.removed in ((), ("loopback",))


def test_costs_are_those_of_the_made_up_hops_with_intervals_around_them() -> None:
    proxied = step_of(a_run(rounds=10), "published_loopback", True)
    assert proxied.cpu is not None and proxied.cpu.interval is not None
    assert (proxied.cpu.n, proxied.cpu.unit) == (10, "µs")
    assert proxied.cpu.estimate == pytest.approx(62.0, abs=0.3)
    assert proxied.cpu.interval.low <= proxied.cpu.estimate <= proxied.cpu.interval.high
    assert proxied.cpu.interval.high - proxied.cpu.interval.low < 0.6, "drift between rounds is paired away"
    assert proxied.cpu.p == pytest.approx(2 / 2**10)
    assert proxied.throughput is not None and proxied.throughput.interval is not None
    assert proxied.throughput.unit == "%"
    assert proxied.throughput.estimate == pytest.approx(100 * (48.5 / 110.5 - 1), abs=1)
    assert proxied.throughput.interval.high < 0


def test_the_sentence_names_hops_cost_interval_and_rounds() -> None:
    sentence = step_of(a_run(rounds=10), "published_loopback", True).sentence
    assert sentence.startswith("loopback and docker-proxy added: +6")
    assert " µs of CPU per transaction (95 % simultaneous CI of 7 steps 6" in sentence
    assert ", throughput −5" in sentence and " to −5" in sentence
    assert sentence.endswith(", 10 rounds.")


def test_hops_in_place_of_others_are_named_so() -> None:
    data = a_run(("published_host_address", "published_loopback"))
    proxied = step_of(data, "published_loopback", True)
    assert (proxied.added, proxied.removed) == (("loopback", "docker-proxy"), ("dnat",))
    assert proxied.sentence.startswith("loopback and docker-proxy in place of dnat: +5")


def test_where_no_hop_differs_the_cost_is_that_of_the_setting_alone() -> None:
    data = a_run(("same_container", "container_address"))
    (ladder,) = ladders(data)
    alone = [r for r in ladder.rungs if not r.added and not r.removed]
    assert len(alone) == 2, "each path has the two proxy settings"
    for step in alone:
        here, there = levels(data)[step.cell_id], levels(data)[step.from_id]
        assert here["path"] == there["path"] and here["userland_proxy"] != there["userland_proxy"]
        assert step.cpu is not None and abs(step.cpu.estimate) < 0.3
        said = (
            ("userland-proxy off in place of userland-proxy on"),
            "userland-proxy on in place of userland-proxy off",
        )
        assert step.sentence.startswith(tuple(f"No hop differs, {words}: " for words in said))


def test_the_steps_are_a_tree_on_the_shortest_path() -> None:
    data = a_run()
    (ladder,) = ladders(data)
    measured = {cell.id for cell in data.plan.cells if not cell.is_duplicate}
    assert named(data, ladder.base_id)[0] == "same_container"
    assert {r.cell_id for r in ladder.rungs} == measured - {ladder.base_id}
    below = {r.cell_id: r.from_id for r in ladder.rungs}
    for cell in below:
        seen = {cell}
        while cell != ladder.base_id:
            cell = below[cell]
            assert cell not in seen
            seen.add(cell)


def test_it_is_the_same_whatever_the_order_of_the_trials() -> None:
    data = a_run()
    shuffled = list(data.trials)
    random.Random(9).shuffle(shuffled)
    assert ladders(replace(data, trials=shuffled)) == ladders(data)


def test_fewer_than_six_rounds_give_no_interval_and_say_so() -> None:
    step = step_of(a_run(rounds=3), "published_loopback", True)
    assert step.cpu is not None and step.cpu.interval is None and step.cpu.n == 3
    assert step.sentence.endswith(", 3 rounds, no interval with so few rounds.")
    assert "95 % CI" not in step.sentence


def test_other_factors_make_other_ladders_with_their_own_title() -> None:
    data = a_run(("same_container", "container_address"), clients=[1, 4])
    found = ladders(data)
    assert [ladder.title for ladder in found] == [
        "Cost per hop: 1 client",
        "Cost per hop: 4 clients",
    ]
    for ladder in found:
        cells = {ladder.base_id, *(r.cell_id for r in ladder.rungs), *(r.from_id for r in ladder.rungs)}
        assert len({levels(data)[id_]["clients"] for id_ in cells}) == 1
    (single,) = ladders(a_run(("same_container", "container_address")))
    assert single.title == "Cost per hop"


def test_each_tool_has_its_own_rate() -> None:
    data = a_run(("same_container", "container_address"), tool="wrk", service="pong")
    (ladder,) = ladders(data)
    assert all(r.throughput is not None for r in ladder.rungs)


def test_duplicates_and_cells_without_a_trial_take_no_part() -> None:
    data = a_run(("same_container", "container_address"))
    lost = next(c.id for c in data.plan.cells if not c.is_baseline and not c.is_duplicate)
    rows = [replace(row, evidence="not_proven") if row.cell_id == lost else row for row in data.trials]
    (ladder,) = ladders(replace(data, trials=rows))
    used = {r.cell_id for r in ladder.rungs} | {ladder.base_id}
    assert used == {c.id for c in data.plan.cells if not c.is_duplicate} - {lost}


def test_a_missing_metric_is_named_and_has_no_cost() -> None:
    data = a_run(("same_container", "container_address"))
    rows = [replace(row, metrics={"tps": (row.metrics or {})["tps"]}) for row in data.trials]
    (ladder,) = ladders(replace(data, trials=rows))
    assert all(r.cpu is None and r.throughput is not None for r in ladder.rungs)
    assert all("CPU per transaction was not measured, throughput " in r.sentence for r in ladder.rungs)
    (none,) = ladders(replace(data, trials=[replace(row, metrics={}) for row in data.trials]))
    assert {r.throughput for r in none.rungs} == {None}
    assert all(r.sentence.endswith("throughput cannot be compared.") for r in none.rungs)


def test_one_cell_alone_has_no_ladder() -> None:
    data = a_run(("same_container", "container_address"))
    kept = next(c.id for c in data.plan.cells if c.is_baseline)
    rows = [row for row in data.trials if row.cell_id == kept]
    assert ladders(replace(data, trials=rows)) == ()


def test_of_equally_short_paths_the_first_of_the_plan_is_the_base_whatever_was_measured() -> None:
    data = a_run(rounds=10)
    shortest = min(map(len, data.hops.values()))
    equal = [cell.id for cell in data.plan.cells if len(data.hops[cell.id]) == shortest]
    assert len(equal) > 1
    for cheap in equal:
        rows = [
            replace(r, metrics={k: v / 2 for k, v in (r.metrics or {}).items()}) if r.cell_id == cheap else r
            for r in data.trials
        ]
        (found,) = ladders(replace(data, trials=rows))
        assert found.base_id == equal[0]
        assert [r.from_id for r in found.rungs] == [r.from_id for r in ladders(data)[0].rungs]


def test_the_intervals_of_a_ladder_are_simultaneous_over_its_steps() -> None:
    (found,) = ladders(a_run(rounds=10))
    steps = found.rungs
    for step in steps:
        for cost in (step.cpu, step.throughput):
            assert cost is not None and cost.family == len(steps) and cost.interval is not None
            assert cost.p_adjusted is not None and cost.p <= cost.p_adjusted
            excluded = not cost.interval.low <= 0 <= cost.interval.high
            assert excluded == (cost.p_adjusted <= 0.05)


def test_costs_are_corrected_for_all_interim_analyses() -> None:
    data = a_run(rounds=12)
    (once,), (four,) = ladders(data), build_ladders(by_cell(data), data.hops, "tps", {}, analyses=4)
    for plain, corrected in zip(once.rungs, four.rungs, strict=True):
        for before, after in ((plain.cpu, corrected.cpu), (plain.throughput, corrected.throughput)):
            assert before is not None and after is not None
            assert after.estimate == before.estimate and after.p == min(1.0, 4 * before.p)
            assert before.interval is not None and after.interval is not None
            assert after.interval.low < before.interval.low < before.interval.high < after.interval.high
    (few,) = build_ladders(by_cell(a_run(rounds=7)), a_run(rounds=7).hops, "tps", {}, analyses=4)
    assert all(step.cpu is not None and step.cpu.interval is None for step in few.rungs)
    assert all(step.sentence.endswith("no interval with so few rounds.") for step in few.rungs)
