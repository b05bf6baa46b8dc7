"""The command `compare`: two runs, one cell of each, or several runs in columns."""

from __future__ import annotations

from typing import Annotated, Final, NoReturn

import typer

from backend.cli.client import connect
from backend.cli.failure import NOT_COMPARABLE, OK, USAGE, Failure
from backend.cli.output import Json, print_result
from backend.cli.run_argument import complete_run
from backend.cli.run_comparison_table import markdown as as_markdown
from backend.cli.run_comparison_table import text as as_text
from backend.core.chart.compare_runs.matrix_model import ComparisonMatrix
from backend.core.chart.compare_runs.run_comparison_model import RunComparison
from backend.core.export.matrix_text import matrix_markdown, matrix_terminal


def compare(
    run_a: Annotated[
        str, typer.Argument(metavar="RUN_A", help="The reference.", autocompletion=complete_run)
    ],
    run_b: Annotated[
        str,
        typer.Argument(
            metavar="RUN_B", help="The run that is compared with it.", autocompletion=complete_run
        ),
    ],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Further runs: a column each.", autocompletion=complete_run),
    ] = None,
    basis: Annotated[
        str | None,
        typer.Option(help="values, or ratios to each run's own baseline; values on one host, else ratios."),
    ] = None,
    override: Annotated[bool, typer.Option("--override", help="Compare even if not comparable.")] = False,
    a_cell: Annotated[str | None, typer.Option(help="One cell of RUN_A, with --b-cell.")] = None,
    b_cell: Annotated[str | None, typer.Option(help="One cell of RUN_B; the two runs may be one.")] = None,
    metric: Annotated[str | None, typer.Option(help="Only this metric.")] = None,
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables in Markdown.")] = False,
) -> None:
    """Compare two runs, or up to twelve with the first.

    Prints the differences between their environments, then every cell that both runs have. Exit code 5 if the
    runs are not comparable, with the reasons and remedies.
    """
    if as_json and markdown:
        raise Failure("choose one of --json and --markdown", USAGE)
    wanted = {"basis": basis, "a_cell": a_cell, "b_cell": b_cell, "metric": metric}
    query = {name: value for name, value in wanted.items() if value is not None}
    if override:
        query["override"] = "true"
    if more:
        if a_cell is not None or b_cell is not None:
            raise Failure("--a-cell and --b-cell compare two runs: name no further one", USAGE)
        _compare_columns([run_a, run_b, *more], query, as_json, markdown)
    with connect() as client:
        found = client.get("/comparisons", a=run_a, b=run_b, **query)
    model = RunComparison.model_validate(found)
    print_result(found, as_json, as_markdown(model) if markdown else as_text(model))
    raise typer.Exit(NOT_COMPARABLE if model.refused else OK)


def _compare_columns(runs: list[str], query: dict[str, str], as_json: bool, markdown: bool) -> NoReturn:
    """Print the runs as columns against the first, and exit."""
    with connect() as client:
        found = client.get("/comparisons/matrix", run=runs, **query)
    model = ComparisonMatrix.model_validate(found)
    print_result(found, as_json, matrix_markdown(model) if markdown else matrix_terminal(model))
    raise typer.Exit(NOT_COMPARABLE if model.refused else OK)


COMMANDS: Final = {"compare": compare}
