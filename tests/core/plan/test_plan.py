"""Plans: cells, baselines, blocks, estimate, refusals and warnings."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.definition.factors import FACTORS, applicable
from backend.core.definition.presets import presets
from backend.core.errors import Invalid
from backend.core.plan.build import build_plan, count_comparisons
from backend.core.plan.estimate import FILL_S, SCALE_S, START_S
from backend.core.plan.model import Obstacle
from backend.core.plan.power import max_comparisons, rounds_needed, smallest_p
from backend.core.plan.schedule import EXAMPLE_SEED, round_order, schedule
from tests.core.plan.experiments import Levels, anything, cannot, experiment, plan, refusal

START = START_S["postgres"] + FILL_S + 5 * SCALE_S
"""One server with the default scale."""


def test_cells_are_the_full_product_in_the_order_of_factors() -> None:
    cells = [c for c in plan().cells if not c.is_duplicate]
    assert [c.id for c in cells] == [f"c{n}" for n in range(1, 9)]
    assert [c.label for c in cells][:3] == [
        "Same container, userland-proxy on, 1 client",
        "Same container, userland-proxy on, 8 clients",
        "Same container, userland-proxy off, 1 client",
    ]
    defaults = {name: factor.default for name, factor in FACTORS.items()}
    own = {"path": "published_loopback", "userland_proxy": False, "clients": 8}
    assert cells[-1].levels == applicable(defaults | own)
    assert "proxy_program" in cells[0].levels and "proxy_program" not in cells[-1].levels
    assert not {"gomaxprocs", "transport", "front_workers"} & set(cells[0].levels)


def test_each_cell_has_the_baseline_of_its_group() -> None:
    found = plan()
    assert found.varied == ("path", "userland_proxy", "clients")
    assert [c.id for c in found.cells if c.is_baseline] == ["c1", "c2"]
    by_id = {c.id: c for c in found.cells}
    for cell in found.cells:
        if cell.is_baseline:
            assert cell.baseline_id is None
        else:
            assert cell.baseline_id is not None
            assert by_id[cell.baseline_id].is_baseline
            assert by_id[cell.baseline_id].levels["clients"] == cell.levels["clients"]


def test_each_baseline_has_one_duplicate() -> None:
    cells = plan().cells
    assert [c.id for c in cells][:4] == ["c1", "c1-aa", "c2", "c2-aa"]
    duplicate = cells[1]
    assert (duplicate.is_duplicate, duplicate.is_baseline, duplicate.baseline_id) == (True, False, "c1")
    assert duplicate.label == "Same container, userland-proxy on, 1 client (A/A)"
    assert duplicate.levels == cells[0].levels


def test_a_plan_of_one_cell_is_named_by_its_path() -> None:
    found = plan(factors={"path": "same_container"}, baseline={"path": "same_container"})
    assert [c.label for c in found.cells] == ["Same container", "Same container (A/A)"]
    assert found.varied == ()
    assert found.warnings == ("There is nothing to compare: the only cells that can run are baselines.",)


def test_infeasible_cells_stay_with_their_reason_and_have_no_trials() -> None:
    def no_proxy_off(levels: Levels) -> Obstacle | None:
        return None if levels["userland_proxy"] else cannot("no such engine")

    found = build_plan(experiment(), no_proxy_off)
    reasons = {c.id: c.infeasible for c in found.cells}
    assert reasons["c3"] == "no such engine"
    assert {t.cell_id for t in found.trials} == {id_ for id_, reason in reasons.items() if reason is None}
    assert "4 of 8 cells cannot run on this host and are left out." in found.warnings


def test_an_infeasible_baseline_is_refused() -> None:
    pointer, code, detail = refusal(
        lambda levels: cannot("no lo") if levels["path"] == "same_container" else None
    )
    assert (pointer, code) == ("/baseline", "baseline_infeasible")
    assert "Same container, userland-proxy on, 1 client cannot run here: no lo" in detail


def test_where_no_cell_can_run_the_factor_is_named_with_the_reason() -> None:
    found = refusal(lambda levels: Obstacle("server_cpus", "too_many_cpus", "at most 2"))
    assert found == ("/factors/server_cpus", "too_many_cpus", "at most 2")


def test_where_no_cell_can_run_each_reason_is_reported_once() -> None:
    def both(levels: Levels) -> Obstacle:
        return Obstacle("clients", "tool_refuses", f"not {levels['clients']}")

    with pytest.raises(Invalid) as caught:
        build_plan(experiment(), both)
    assert [p.detail for p in caught.value.problems] == ["not 1", "not 8"]


def test_a_matrix_too_large_is_refused_without_enumerating_it() -> None:
    sweep: dict[str, Any] = {
        "clients": list(range(1, 101)),
        "threads": list(range(65)),
        "scale": list(range(1, 101)),
        "duration_s": list(range(1, 101)),
        "warm_up_s": list(range(100)),
        "protocol": ["simple", "extended", "prepared"],
        "userland_proxy": [True, False],
    }
    pointer, code, detail = refusal(factors=sweep, baseline={"userland_proxy": True})
    assert (pointer, code) == ("/factors", "matrix_too_large")
    assert detail.startswith("39,000,000,000 cells × 10 rounds make")
    assert "at most 10,000 are allowed" in detail


def test_the_duplicates_count_towards_the_limit() -> None:
    levels = {"path": "same_container", "clients": list(range(1, 51))}
    assert refusal(factors=levels, baseline={"clients": 1}, rounds=200)[1] == "matrix_too_large"
    assert len(plan(factors=levels | {"duration_s": 1}, baseline={"clients": 1}, rounds=196).trials) == 9_996


def test_days_are_refused() -> None:
    pointer, code, detail = refusal(
        factors={"duration_s": 3600, "userland_proxy": [True, False]}, baseline={"userland_proxy": True}
    )
    assert (pointer, code) == ("/rounds", "plan_too_long")
    assert "at most 24 are allowed" in detail


def test_the_estimate_counts_the_given_servers() -> None:
    factors = {"path": ["same_container", "published_loopback"], "clients": [1, 2]}
    one = build_plan(experiment(factors=factors, baseline={"clients": 1}), anything, lambda levels: "all")
    each = build_plan(
        experiment(factors=factors, baseline={"clients": 1}), anything, lambda levels: levels["path"]
    )
    assert (one.estimate.deployments, each.estimate.deployments) == (2, 4), "a replica each for A/A"
    assert each.estimate.seconds - one.estimate.seconds == pytest.approx(10 * 2 * START, abs=0.06)


def test_a_fresh_server_takes_time_before_each_trial() -> None:
    factors = {"path": ["same_container", "published_loopback"]}
    kept = plan(factors=factors, baseline={"path": "same_container"}).estimate
    fresh = plan(factors=factors | {"fresh_server": True}, baseline={"path": "same_container"}).estimate
    own = fresh.seconds - fresh.preparation_seconds
    shared = kept.seconds - kept.preparation_seconds - kept.restart_seconds
    assert own - shared == pytest.approx(2 * fresh.trials, abs=0.2)


def test_estimate() -> None:
    found = plan(factors={"userland_proxy": [True, False]}, baseline={"userland_proxy": True}, rounds=10)
    assert found.estimate.trials == len(found.trials) == 30
    assert found.estimate.window_seconds == 300
    assert found.estimate.deployments == 3, "the A/A duplicate has a server of its own"
    assert found.estimate.preparation_seconds == pytest.approx(3 * START, abs=0.06)
    assert found.estimate.restart_seconds == pytest.approx(9 * 3 * START, abs=0.06)
    assert found.estimate.seconds == pytest.approx(300 + 60 + 30 * 0.3 + 10 * 3 * START, abs=0.11)


@pytest.mark.parametrize(("rounds", "able"), [(5, 0), (6, 1), (8, 6), (10, 25), (12, 102)])
def test_what_rounds_can_decide(rounds: int, able: int) -> None:
    assert max_comparisons(rounds) == able
    assert smallest_p(rounds) == 2 / 2**rounds
    if able:
        assert rounds_needed(able) <= rounds
        assert rounds_needed(able + 1) > rounds


def test_too_few_rounds_are_reported_with_the_number_that_is_enough() -> None:
    (warning,) = plan(rounds=6).warnings
    assert warning == (
        "Too few rounds: with 6 rounds it is not certain that any result could be significant. The plan "
        "has 6 comparisons with the baseline, and 6 rounds are certain to be able to decide 1; 8 rounds "
        "are enough."
    )
    assert plan(rounds=8).warnings == ()


def test_no_warm_up_is_reported() -> None:
    levels = {"userland_proxy": [True, False], "warm_up_s": 0}
    assert "Without a warm-up" in plan(factors=levels, baseline={"userland_proxy": True}).warnings[0]


def test_the_order_is_the_same_in_another_process() -> None:
    code = (
        "from backend.core.plan.schedule import round_order;"
        "print(*round_order([f'c{n}' for n in range(9)], 2019, 3))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert tuple(printed.split()) == round_order([f"c{n}" for n in range(9)], 2019, 3)


def test_the_order_is_kept_for_ever() -> None:
    """A stored seed must give the same order in every later version."""
    assert "".join(round_order("abcdef", 1, 1)) == "abcefd"
    assert "".join(round_order("abcdef", 1, 2)) == "bdeafc"


seeds = st.integers(0, 2**53 - 1)


@given(seeds, st.integers(1, 12), st.integers(1, 12))
def test_every_round_is_a_permutation_of_the_cells(seed: int, cells: int, rounds: int) -> None:
    ids = [f"c{n}" for n in range(cells)]
    trials = schedule(ids, seed, rounds)
    assert [t.seq for t in trials] == list(range(1, cells * rounds + 1))
    for round_ in range(1, rounds + 1):
        block = [t for t in trials if t.round == round_]
        assert sorted(t.cell_id for t in block) == sorted(ids)
        assert [t.position for t in block] == list(range(1, cells + 1))


@given(seeds, st.integers(1, 8), st.integers(1, 8), st.integers(0, 8))
def test_adding_rounds_never_changes_earlier_ones(seed: int, cells: int, rounds: int, more: int) -> None:
    ids = [f"c{n}" for n in range(cells)]
    assert schedule(ids, seed, rounds + more)[: cells * rounds] == schedule(ids, seed, rounds)


IDS = ("c1", "c1-aa", "c2", "c3", "c3-aa", "c4")
DUPLICATES = {"c1-aa": "c1", "c3-aa": "c3"}


@given(seeds, st.integers(1, 20))
def test_a_duplicate_precedes_its_baseline_once_in_every_two_rounds(seed: int, pairs: int) -> None:
    trials = schedule(IDS, seed, 2 * pairs, DUPLICATES)
    position = {(t.round, t.cell_id): t.position for t in trials}
    for duplicate, baseline in DUPLICATES.items():
        leads = [position[r, duplicate] < position[r, baseline] for r in range(1, 2 * pairs + 1)]
        assert all(odd != even for odd, even in zip(leads[::2], leads[1::2], strict=True))


@given(seeds, st.integers(1, 12))
def test_counterbalancing_moves_no_other_cell(seed: int, rounds: int) -> None:
    """The two change places with each other at most; which comes first in a pair of rounds is a coin."""
    plain, balanced = schedule(IDS, seed, rounds), schedule(IDS, seed, rounds, DUPLICATES)
    pair = {"c1-aa": "c1", "c3-aa": "c3"}
    assert [pair.get(t.cell_id, t.cell_id) for t in plain] == [
        pair.get(t.cell_id, t.cell_id) for t in balanced
    ]
    firsts = [schedule(IDS, s, 1, DUPLICATES) for s in range(200)]
    leads = sum(next(t.cell_id for t in f if t.cell_id.startswith("c1")) == "c1-aa" for f in firsts)
    assert 60 < leads < 140


def test_a_plan_without_a_seed_has_an_example_and_one_with_it_has_its_own() -> None:
    shown, asked = plan(seed=None), plan(seed=9)
    assert (shown.seed, asked.seed) == (EXAMPLE_SEED, 9)
    assert shown.trials == plan(seed=EXAMPLE_SEED).trials != asked.trials


def test_a_preset_lets_each_run_draw_and_its_duplicate_leads_in_half_of_the_rounds() -> None:
    for preset in presets():
        assert preset.experiment.seed is None
    quick = next(p.experiment for p in presets() if p.name == "connect-collapse-quick")
    trials = build_plan(quick, lambda _levels: None).trials
    position = {(t.round, t.cell_id): t.position for t in trials}
    duplicate = next(t.cell_id for t in trials if t.cell_id.endswith("-aa"))
    rounds = range(1, quick.rounds + 1)
    leads = sum(position[r, duplicate] < position[r, duplicate.removesuffix("-aa")] for r in rounds)
    assert leads == quick.rounds // 2


def test_positions_are_balanced_over_many_rounds() -> None:
    """Each of five cells is first in about a fifth of 2,000 rounds: 4.5 standard deviations."""
    firsts = [round_order(("a", "b", "c", "d", "e"), 7, n)[0] for n in range(2_000)]
    assert all(abs(firsts.count(cell) - 400) < 4.5 * (2_000 * 0.2 * 0.8) ** 0.5 for cell in "abcde")


@settings(max_examples=25)
@given(seeds)
def test_the_seed_matters_and_nothing_else_does(seed: int) -> None:
    first, second = plan(seed=seed), plan(seed=seed)
    assert first == second
    assert first.trials != plan(seed=(seed + 1) % 2**53).trials


def test_a_family_is_of_one_metric() -> None:
    """Two tools, each with its own metrics: p-values are corrected within one, so warnings count so."""
    factors = {
        "path": ["same_container", "sibling_container", "container_address", "published_loopback"],
        "userland_proxy": True,
        "tool": ["pgbench", "wrk"],
        "service": ["postgres", "pong"],
    }
    found = {"factors": factors, "baseline": {"path": "same_container"}, "rounds": 8}
    both = plan(**found, metrics=["tps", "rps"])
    assert [count_comparisons(both.cells, metric) for metric in (None, "tps", "rps")] == [12, 6, 6]
    assert not any("Too few" in warning for warning in both.warnings)
    (shared,) = [w for w in plan(**found, metrics=["tps", "cpu_us_per_txn"]).warnings if "Too few" in w]
    assert (
        "any result in CPU per transaction (client, server, proxy and kernel) could be significant" in shared
    )
    assert (
        "12 comparisons with the baseline, and 8 rounds are certain to be able to decide 6; 9 rounds are "
        "enough." in shared
    )
