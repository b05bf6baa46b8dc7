"""Knees of made-up sweeps with noise, gaps, and knees outside the sweep."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.model.sweep_models import Knee
from backend.core.chart.sweeps.knee import build_knees
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Cell
from tests.core.chart.runs import failed, made_up

RATES = [1000, 2000, 4000, 8000, 16000]
CLIENTS = [1, 2, 4, 8, 16, 32]
Figures = Callable[[int, int], dict[str, float]]
"""The metrics of a trial from its level and its round."""


def a_run(figures: Figures, rounds: int = 8, **factors: Any) -> ChartInput:
    swept = "rate" if "rate" in factors else "clients"
    experiment = validate_document(
        {
            "name": "sweep",
            "title": "Sweep",
            "factors": {"path": "container_address", **factors},
            "rounds": rounds,
            "baseline": {swept: factors[swept][0]},
            "metrics": ["rps" if factors.get("tool") == "ab" else "tps"],
        }
    )

    def measured(row: TrialRow, cell: Cell) -> TrialRow:
        return replace(row, metrics=figures(int(cell.levels[swept]), row.round))

    return made_up(experiment, measured)


def knees(data: ChartInput, limit_ms: float | None = 5.0) -> tuple[Knee, ...]:
    return build_knees(by_cell(data), limit_ms)


def knee(data: ChartInput, limit_ms: float | None = 5.0) -> Knee:
    (found,) = knees(data, limit_ms)
    return found


def with_knee_at(last: dict[int, int] | int) -> Figures:
    """Each round keeps to 5 ms up to a level of its own and exceeds it above."""

    def figures(level: int, round_: int) -> dict[str, float]:
        end = last if isinstance(last, int) else last[round_]
        return {"tps": float(level), "open_latency_p99_ms": 2.0 if level <= end else 40.0}

    return figures


def test_the_limits_knee_is_the_lower_median_over_the_rounds() -> None:
    ends = dict(zip(range(1, 9), [2000, 4000, 4000, 4000, 8000, 8000, 8000, 8000], strict=True))
    found = knee(a_run(with_knee_at(ends), rate=RATES))
    assert (found.kind, found.factor, found.metric, found.limit_ms) == (
        "limit", "rate", "open_latency_p99_ms", 5.0,
    )  # fmt: skip
    assert (found.level, found.n, found.beyond) == (4000, 8, None)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (2000, 8000)
    assert found.sentence == (
        "The 99th percentile is within 5 ms of the scheduled start up to 4,000 transactions per second "
        "(95 % CI 2,000 to 8,000, 8 rounds)."
    )


def test_cells_are_in_the_order_of_the_sweep_without_duplicates() -> None:
    data = a_run(with_knee_at(4000), rate=[8000, 1000, 4000, 2000])
    by_id = {cell.id: cell for cell in data.plan.cells}
    found = knee(data)
    assert [by_id[id_].levels["rate"] for id_ in found.cells] == [1000, 2000, 4000, 8000]
    assert not any(by_id[id_].is_duplicate for id_ in found.cells)


def test_a_limit_kept_everywhere_or_nowhere_is_beyond_the_sweep() -> None:
    above = knee(a_run(with_knee_at(16000), rate=RATES))
    assert (above.level, above.beyond) == (16000, "above")
    assert "there or above" in above.sentence
    below = knee(a_run(with_knee_at(0), rate=RATES))
    assert (below.level, below.beyond, below.interval) == (None, "below", None)
    assert "Already at 1,000" in below.sentence and below.n == 8


def test_an_interval_may_reach_below_the_lowest_level() -> None:
    ends = dict(zip(range(1, 9), [0, 0, 1000, 1000, 1000, 2000, 2000, 2000], strict=True))
    found = knee(a_run(with_knee_at(ends), rate=RATES))
    assert found.level == 1000 and found.interval is not None
    assert (found.interval.low, found.interval.high) == (0, 2000)
    assert "95 % CI below 1,000 to 2,000" in found.sentence


def test_a_rate_that_is_not_reached_fails_however_short_its_latency() -> None:
    def figures(level: int, round_: int) -> dict[str, float]:
        return {"tps": min(level, 5000) * 1.0, "open_latency_p99_ms": 1.0}

    found = knee(a_run(figures, rate=RATES))
    assert (found.level, found.beyond) == (4000, None)

    def nearly(level: int, round_: int) -> dict[str, float]:
        return {"tps": 0.95 * level, "open_latency_p99_ms": 1.0}

    assert knee(a_run(nearly, rate=RATES)).beyond == "above", "95 % is reached"


def test_a_level_that_passes_above_one_that_does_not_counts_for_nothing() -> None:
    def figures(level: int, round_: int) -> dict[str, float]:
        return {"tps": float(level), "open_latency_p99_ms": 40.0 if level in (4000, 16000) else 2.0}

    assert knee(a_run(figures, rate=RATES)).level == 2000


def test_one_noisy_round_moves_the_interval_and_not_the_knee() -> None:
    ends = dict.fromkeys(range(1, 9), 8000) | {3: 0}
    found = knee(a_run(with_knee_at(ends), rate=RATES))
    assert found.level == 8000 and found.interval is not None
    assert found.interval.low == 0, "with 8 rounds the interval reaches the lowest of them"


def test_a_round_is_left_out_where_a_level_that_decides_is_missing() -> None:
    data = a_run(with_knee_at(4000), rate=RATES)
    levels = {cell.id: cell.levels["rate"] for cell in data.plan.cells}
    lost = [
        failed(row) if (levels[row.cell_id], row.round) in {(2000, 1), (16000, 2)} else row
        for row in data.trials
    ]
    found = knee(replace(data, trials=lost))
    assert (found.n, found.level) == (7, 4000), "above the knee nothing is decided any more"


def test_without_percentiles_the_knee_is_not_known() -> None:
    found = knee(a_run(lambda level, round_: {"tps": float(level)}, rate=RATES))
    assert (found.n, found.level, found.interval, found.beyond) == (0, None, None, None)
    assert found.sentence.startswith("Not known:")


def test_few_rounds_have_no_interval_and_say_so() -> None:
    found = knee(a_run(with_knee_at(4000), rounds=3, rate=RATES))
    assert (found.n, found.level, found.interval) == (3, 4000, None)
    assert "(3 rounds, no interval with fewer than 6)" in found.sentence


def test_closed_loop_cells_and_single_levels_and_no_limit_make_no_knee() -> None:
    assert knees(a_run(with_knee_at(4000), rate=RATES), None) == ()
    assert knees(a_run(with_knee_at(4000), rate=[0, 1000])) == ()
    found = knee(a_run(with_knee_at(4000), rate=[0, *RATES]))
    assert len(found.cells) == len(RATES)


def test_each_group_has_its_own_knee_and_title() -> None:
    data = a_run(
        with_knee_at(4000), rate=RATES, path=["container_address", "published_loopback"], clients=[4, 8]
    )
    assert [found.title for found in knees(data)] == [
        "Container address, 4 clients",
        "Container address, 8 clients",
        "Published port on 127.0.0.1, 4 clients",
        "Published port on 127.0.0.1, 8 clients",
    ]
    assert knee(a_run(with_knee_at(4000), rate=RATES)).title == "Container address"


# --- collapse ----------------------------------------------------------------------------------


def throughput(by_level: dict[int, float], noise: float = 0.0, metric: str = "tps") -> Figures:
    generator = random.Random(11)

    def figures(level: int, round_: int) -> dict[str, float]:
        drift = 1 + 0.1 * (round_ % 3)  # of the whole round: it must not matter
        return {metric: by_level[level] * drift * generator.lognormvariate(0, noise)}

    return figures


COLLAPSING = {1: 400.0, 2: 800.0, 4: 1200.0, 8: 1180.0, 16: 900.0, 32: 500.0}
PLATEAU = {1: 400.0, 2: 800.0, 4: 1200.0, 8: 1200.0, 16: 1200.0, 32: 1200.0}


def collapsing(figures: Figures, rounds: int = 8, **factors: Any) -> Knee:
    return knee(a_run(figures, rounds, clients=CLIENTS, threads=1, reconnect=True, **factors), None)


def test_throughput_that_collapses_has_its_knee_where_it_last_held() -> None:
    found = collapsing(throughput(COLLAPSING))
    assert (found.kind, found.factor, found.metric, found.limit_ms) == ("collapse", "clients", "tps", None)
    assert (found.level, found.beyond, found.n) == (8, None, 8)
    assert found.interval is not None and (found.interval.low, found.interval.high) == (8, 8)
    assert found.sentence == (
        "Throughput keeps to 95 % of its best up to 8 clients (95 % CI 8 to 8, 8 rounds); with 16 clients it "
        "is 23.7 % lower than with 8 (95 % simultaneous CI of 2 levels −23.7 % to −23.7 %)."
    )


def test_noise_that_is_not_monotone_moves_the_knee_by_no_more_than_a_level() -> None:
    found = collapsing(throughput(COLLAPSING, noise=0.03))
    assert found.level in (4, 8) and found.beyond is None
    assert found.interval is not None and found.interval.low >= 2 and found.interval.high <= 8


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_a_plateau_does_not_fall(noise: float) -> None:
    found = collapsing(throughput(PLATEAU, noise))
    assert found.level == 32 and found.beyond == "above"
    assert found.sentence.startswith("No fall is shown up to 32 clients")


def test_a_dip_between_two_good_levels_is_no_collapse_unless_it_is_shown() -> None:
    noisy = throughput(PLATEAU)

    def one_dip(level: int, round_: int) -> dict[str, float]:
        found = noisy(level, round_)
        return {"tps": found["tps"] * (0.7 if (level, round_) == (8, 2) else 1.0)}

    assert collapsing(one_dip).beyond == "above"


def test_a_fall_needs_enough_rounds_to_be_shown() -> None:
    found = collapsing(throughput(COLLAPSING), rounds=5)
    assert (found.level, found.beyond, found.interval, found.n) == (8, "above", None, 5)
    assert found.sentence.startswith("No fall is shown") and found.sentence.endswith("at least (5 rounds).")


def test_where_no_fall_is_shown_the_knee_has_no_interval() -> None:
    """Noise alone decides there which level is a round's last good one."""
    found = collapsing(throughput(PLATEAU, 0.05), rounds=10)
    assert (found.beyond, found.interval) == ("above", None)
    assert "CI" not in found.sentence and found.sentence.endswith("at least (10 rounds).")


def test_it_is_corrected_for_the_number_of_loads_above() -> None:
    """Six rounds give p = 1/32: enough for one level above the knee, too little for three of them."""
    three = throughput({**COLLAPSING, 8: 900.0}, noise=0.002)
    assert collapsing(three, rounds=6).beyond == "above"
    one = throughput({**PLATEAU, 32: 900.0})
    assert collapsing(one, rounds=6).level == 16


def test_ab_without_keep_alive_collapses_too_and_others_make_no_sweep() -> None:
    clients = {"clients": CLIENTS, "tool": "ab", "service": "pong"}
    found = knee(a_run(throughput(COLLAPSING, metric="rps"), keep_alive=False, **clients), None)
    assert (found.metric, found.level) == ("rps", 8)
    assert knees(a_run(throughput(COLLAPSING, metric="rps"), keep_alive=True, **clients)) == ()
    assert knees(a_run(throughput(COLLAPSING), clients=CLIENTS, threads=1)) == ()
    assert knees(a_run(throughput(COLLAPSING), clients=[1, 2], reconnect=True)) == ()


def test_a_load_that_never_ran_is_left_out_and_a_lost_trial_costs_its_round() -> None:
    data = a_run(throughput(COLLAPSING), clients=CLIENTS, threads=1, reconnect=True)
    levels = {cell.id: cell.levels["clients"] for cell in data.plan.cells}
    lost = [
        failed(row) if levels[row.cell_id] == 32 or (levels[row.cell_id], row.round) == (1, 4) else row
        for row in data.trials
    ]
    found = knee(replace(data, trials=lost), None)
    assert len(found.cells) == 5 and (found.n, found.level) == (7, 8)
