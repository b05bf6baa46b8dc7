"""More rounds of chosen cells, after the result of their run was known (decision 0057).

An extension is a run and an analysis of its own: only its own rounds are in its figures. Whoever extends has
read the result; therefore the k-th extension of a run is corrected as k (k + 1) analyses (Bonferroni): the
levels 0.05 ÷ k (k + 1) add to 0.05 over any number of extensions, whenever somebody stops.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from backend.core.definition.experiment import Experiment
from backend.core.messages.message import message
from backend.core.plan.model import Cell, Extension, Plan
from backend.core.plan.power import max_comparisons, rounds_needed


@dataclass(frozen=True)
class Decidable:
    """How many of the comparisons of an extension its rounds can decide: all of them with `rounds_needed`."""

    comparisons: int
    analyses: int
    rounds_needed: int
    sentence: str | None


def analyses_of(number: int) -> int:
    """The number of analyses for which the extension of this number (from 1) is corrected."""
    return number * (number + 1)


def extended(experiment: Experiment, rounds: int, seed: int | None) -> Experiment:
    """The experiment as an extension runs and analyses it: so many rounds, all of them, and no study."""
    return experiment.model_copy(update={"rounds": rounds, "stopping": None, "study": None, "seed": seed})


def extended_cells(cells: Sequence[Cell], chosen: Collection[str]) -> tuple[Cell, ...]:
    """The chosen cells with the baselines that they need, and the A/A duplicates of these."""
    baselines = {cell.baseline_id or cell.id for cell in cells if cell.id in chosen}
    return tuple(
        cell
        for cell in cells
        if cell.id in chosen or cell.id in baselines or (cell.is_duplicate and cell.baseline_id in baselines)
    )


def decidable(plan: Plan, number: int, rounds: int) -> Decidable:
    """What the rounds of a planned extension can decide, with a sentence where they cannot."""
    compared = sum(not (cell.is_baseline or cell.is_duplicate) for cell in plan.cells)
    analyses = analyses_of(number)
    needed = rounds_needed(compared, analyses) if compared else 0
    if not compared:
        sentence = "There is nothing to compare: only baselines were chosen."
    elif max_comparisons(rounds, analyses) < compared:
        sentence = (
            f"{rounds} rounds may not show any difference: {needed} are certain to be able to, because an "
            "extension is corrected for having been chosen after the result was known."
        )
    else:
        sentence = None
    return Decidable(compared, analyses, needed, sentence)


def extension_note(found: Extension) -> str:
    """How the figures of an extension are to be read."""
    return message(
        "extensionNote",
        run=found.run_id,
        number=found.number,
        rounds=found.rounds,
        analyses=analyses_of(found.number),
    )


def with_extension(plan: Plan, found: Extension, rounds: int) -> Plan:
    """The plan of an extension, with a warning where its rounds cannot decide."""
    sentence = decidable(plan, found.number, rounds).sentence
    return replace(plan, extension=found, warnings=(*plan.warnings, *filter(None, (sentence,))))
