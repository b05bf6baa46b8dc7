"""Independent values of a comparison, and the server starts of a result."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput
from backend.core.chart.cells.replicates import paired_values, served_by
from backend.core.chart.cells.run_cells import by_cell
from backend.core.chart.cells.servers import ONE_START
from backend.core.chart.model.chart_model import ChartModel
from tests.core.chart.runs import cell_of, made_up, study_experiment

SHARED = ("sibling_container", True)
OWN = ("same_container", False)


def restarting(every: int | None, rounds: int = 16) -> ChartInput:
    """A made-up run whose servers restart every so many rounds, each record with its start."""
    data = made_up(study_experiment(rounds=rounds), noise=0.01)
    cells = {cell.id: cell for cell in data.plan.cells}

    def server(cell_id: str, round_: int) -> str:
        cell = cells[cell_id]
        kind = f"{cell.levels['userland_proxy']}{cell.is_duplicate}"
        return f"{kind}/{(round_ - 1) // (every or rounds)}"

    rows = [replace(row, server=server(row.cell_id, row.round)) for row in data.trials]
    return replace(data, plan=replace(data.plan, restart_every=every), trials=rows)


def old() -> ChartInput:
    """A run of before there were restarts: its records name no server."""
    data = made_up(study_experiment(rounds=16), noise=0.01)
    return replace(data, plan=replace(data.plan, restart_every=None, restart_reason=""))


def test_comparisons_say_whether_both_cells_share_a_server() -> None:
    model = build_chart(restarting(1))
    assert cell_of(model, *SHARED).comparisons["tps"].server == "shared"
    assert cell_of(model, *OWN).comparisons["tps"].server == "own"
    (twin,) = [cell for cell in model.cells if cell.is_duplicate]
    assert twin.comparisons["tps"].server == "own", "a start effect is part of what A/A is to show"


def test_rounds_of_the_same_two_starts_are_one_value() -> None:
    each, two = build_chart(restarting(1)), build_chart(restarting(2))
    for model, n in ((each, 16), (two, 8)):
        assert cell_of(model, *OWN).comparisons["tps"].n == n
        assert cell_of(model, *SHARED).comparisons["tps"].n == 16, "their start is common and cancels"
        assert cell_of(model, *OWN).summaries["tps"].n == 16


def test_the_mean_of_a_start_is_that_of_logarithms_over_the_rounds_that_both_have() -> None:
    data = restarting(2, rounds=6)
    cells = by_cell(data)
    own = next(c for c in cells.values() if (c.cell.levels["path"], c.cell.levels["userland_proxy"]) == OWN)
    baseline = cells[own.cell.baseline_id or ""]
    lacking = replace(own, rows=tuple(row for row in own.rows if row.round != 2))
    base, values = paired_values(lacking, baseline, "tps")
    first, found = baseline.values("tps"), own.values("tps")
    assert (base[0], values[0]) == (first[1], found[1])
    assert values[1] == pytest.approx(math.sqrt(found[3] * found[4]))
    assert len(values) == 3


def test_the_cost_per_hop_across_servers_counts_starts_too() -> None:
    model = build_chart(restarting(4))
    counts = {
        (step.cell_id, step.from_id): step.cpu.n
        for ladder in model.ladders
        for step in ladder.rungs
        if step.cpu is not None
    }
    cells = {cell.id: cell for cell in model.cells}
    for (one, other), n in counts.items():
        same = cells[one].levels["userland_proxy"] == cells[other].levels["userland_proxy"]
        assert n == (16 if same else 4)


def test_a_fresh_server_for_every_trial_makes_every_round_count() -> None:
    experiment = study_experiment(
        factors={"path": ["same_container", "published_loopback"], "fresh_server": True},
        baseline={"path": "same_container"},
        study=None,
        rounds=16,
    )
    model = build_chart(made_up(experiment))
    (found,) = [c.comparisons["tps"] for c in model.cells if c.comparisons and not c.is_duplicate]
    assert (found.server, found.n) == ("own", 16)
    assert model.servers is not None and model.servers.sentence == "Every trial started its own server."


def test_an_old_run_says_that_it_had_one_start() -> None:
    model = build_chart(old())
    assert model.servers is not None
    assert (model.servers.restart_every, model.servers.starts) == (None, None)
    assert model.servers.sentence == ONE_START and ONE_START in model.warnings
    assert cell_of(model, *OWN).comparisons["tps"].n == 16
    (twin,) = [cell for cell in model.cells if cell.is_duplicate]
    assert twin.comparisons["tps"].server == "shared"


def test_an_old_run_within_one_server_is_not_warned_of() -> None:
    data = made_up(study_experiment(factors={"path": ["same_container", "sibling_container"]},
                                    baseline={"path": "same_container"}, study=None))  # fmt: skip
    model = build_chart(replace(data, plan=replace(data.plan, restart_every=None)))
    assert ONE_START not in model.warnings


def test_a_run_with_restarts_estimates_its_own_spreads() -> None:
    model: ChartModel = build_chart(restarting(1))
    found = model.servers
    assert found is not None and found.restart_every == 1 and found.starts == 48
    assert found.within == pytest.approx(0.01, rel=0.4)
    assert found.between is not None and found.between < 0.01
    assert found.sentence.startswith("Servers were restarted every round (48 starts); a start changes")
    assert ONE_START not in model.warnings


def test_where_a_start_showed_no_effect_none_is_stated() -> None:
    data = restarting(1)
    own = {row.cell_id: row.metrics for row in data.trials if row.round == 1}
    noisy = [
        replace(row, metrics={**(own[row.cell_id] or {}), "tps": 1e4 * (1.01 if row.round % 2 else 0.99)})
        for row in data.trials
    ]
    found = build_chart(replace(data, trials=noisy)).servers
    assert found is not None and found.between == 0
    assert "a start changes" not in found.sentence
    assert "no effect of a start on transactions per second is shown (16 pairs of starts" in found.sentence


def test_imported_trials_have_no_server() -> None:
    data = replace(old(), origin="imported")
    assert build_chart(data).servers is None
    cells = by_cell(data)
    assert all(served_by(c, cells[c.cell.baseline_id or c.cell.id]) is None for c in cells.values())
