"""How often a run calls equal servers different, with one start for all rounds and with restarts.

Simulated: a baseline and so many cells, each with a server of its own and no true difference. A value is
1 × exp(start + noise), both normal; a start's effect lasts for `restart_every` rounds, or for the whole run
where that is None. The run is built and judged as the product does it.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Any

from backend.core.chart.build import build_chart
from backend.core.chart.cells.inputs import ChartInput, TrialRow
from backend.core.definition.submitted import validate_document
from backend.core.plan.build import build_plan
from backend.core.plan.restarts import block_of

DIFFERENT = frozenset(("better", "worse", "different_within_margin"))


@dataclass(frozen=True)
class Design:
    """Standard deviations of ln x between and within starts, and the compared cells."""

    between: float
    within: float = 0.02
    comparisons: int = 6
    rounds: int = 10
    restart_every: int | None = 1


def false_differences(design: Design, runs: int, seed: int) -> float:
    """The share of runs in which at least one comparison is called different."""
    generator = random.Random(seed)
    template = _template(design)
    wrong = 0
    for _ in range(runs):
        model = build_chart(_measured(template, design, generator))
        found = [c.comparisons["tps"].verdict for c in model.cells if c.comparisons and not c.is_duplicate]
        wrong += any(verdict in DIFFERENT for verdict in found)
    return wrong / runs


def table(runs: int = 2000, seed: int = 1) -> list[dict[str, Any]]:
    """False differences for starts of 0.5, 1 and 2 % beside noise of 2 %, without and with restarts."""
    return [
        {
            "between_percent": 100 * between,
            "within_percent": 2.0,
            "restart_every": every,
            "rounds": rounds,
            "false_differences": round(
                false_differences(Design(between, restart_every=every, rounds=rounds), runs, seed), 4
            ),
        }
        for between in (0.0, 0.005, 0.01, 0.02)
        for every, rounds in ((None, 10), (1, 10), (2, 16))
    ]


def _template(design: Design) -> ChartInput:
    """The run's experiment and plan, without trials."""
    experiment = validate_document(
        {
            "name": "starts",
            "title": "Equal servers",
            "factors": {
                "path": "published_loopback",
                "shared_buffers_mb": [128 + number for number in range(design.comparisons + 1)],
            },
            "baseline": {"shared_buffers_mb": 128},
            "metrics": ["tps"],
            "rounds": design.rounds,
        }
    )
    plan = replace(build_plan(experiment, lambda _levels: None), restart_every=design.restart_every)
    return ChartInput("run", "experiment", "done", experiment, plan, ())


def _measured(template: ChartInput, design: Design, generator: random.Random) -> ChartInput:
    effects: dict[tuple[str, int], float] = {}
    rows = []
    for trial in template.plan.trials:
        start = (trial.cell_id, block_of(trial.round, design.restart_every))
        effect = effects.setdefault(start, generator.gauss(0, design.between))
        value = 1e4 * math.exp(effect + generator.gauss(0, design.within))
        rows.append(
            TrialRow(
                trial_id=f"trl_{trial.seq}",
                cell_id=trial.cell_id,
                round=trial.round,
                state="done",
                metrics={"tps": value},
                evidence="proven",
                server=f"{start[0]}/{start[1]}",
            )
        )
    return replace(template, trials=rows)
