"""A run as Markdown: the table of `core.chart`, with the run's identity above and below it."""

from __future__ import annotations

from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.plain_text import plain
from backend.core.chart.text.table import markdown_table
from backend.core.plan.states import RUN_ENDED
from backend.core.sample.environment import CORES, CPU, HOST, KERNEL, MEMORY, OS


def markdown(model: ChartModel) -> str:
    """The Markdown text; user-written texts are escaped."""
    rounds = f"{model.rounds_complete} of {model.rounds_planned} rounds"
    run = [f"Run {model.run_id}", model.state, rounds, f"seed {model.seed}"]
    if model.origin == "imported":
        run.append("imported: without evidence of its paths and without CPU")
    provisional = [] if model.state in RUN_ENDED else ["*Provisional: the run has not ended.*", ""]
    facts = [f"{key}: {model.environment[key]}" for key in _SHOWN if model.environment.get(key)]
    return "\n".join(
        [
            f"## {plain(model.title)}",
            "",
            *provisional,
            markdown_table(model).rstrip(),
            "",
            "; ".join(run) + ".",
            *([f"{plain('; '.join(facts))}."] if facts else []),
            "",
        ]
    )


_SHOWN = (HOST, CPU, CORES, MEMORY, KERNEL, OS)
