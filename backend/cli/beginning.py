"""The commands `init` and `completion`: what a user needs before the first run."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]  # not in its __all__

from backend.cli.client import server_url
from backend.cli.completing import complete_preset
from backend.cli.failure import USAGE, Failure
from backend.cli.main import COMPLETE_VARIABLE
from backend.cli.output import print_message
from backend.client.address import origin_of
from backend.client.errors import Misconfigured
from backend.core.definition.metrics import METRICS
from backend.core.definition.presets import document_text, summaries
from backend.core.definition.submitted import read_submitted

DEFAULT_PRESET: Final = "pachot-2019-quick"
DEFAULT_FILE: Final = "plimsoll.yaml"
_SCHEMA: Final = "# yaml-language-server: $schema="
_HEAD: Final = """\
# An experiment of Plimsoll, made from the preset {preset}:
# {summary}
#
#   plimsoll validate {file}        is it correct?
#   plimsoll plan {file}            its cells, trials and duration
#   plimsoll run {file} --follow    run it; exit code 99 if a threshold is not met
"""
_COMMENTS: Final = {
    "name": "The name by which runs are found. Change it, and the title, when you change the experiment.",
    "study": "The published work whose figures are shown beside this run's.",
    "factors": "What varies: every list has levels; a single value is the same in all cells. "
    "Factors that are not named have their default.",
    "exclude": "Combinations that are not measured.",
    "include": "Cells beside the combinations of the factors.",
    "rounds": "Every cell is measured once in every round, in random order: n of every interval.",
    "baseline": "The cell that the others are compared with.",
    "metrics": "What is reported; the first one is the headline's.",
    "margin": "A difference up to this is irrelevant in practice: 0.05 is 5 %.",
    "stopping": "Comparisons that are decided early stop.",
}
_THRESHOLDS: Final = """\

# Conditions of a pipeline, judged by their 95 % interval: pass, fail or not enough evidence.
# thresholds:
#   - ratio({metric}, baseline) >= 0.95
"""


def init(
    preset: Annotated[
        str, typer.Argument(metavar="[PRESET]", help="A preset's name.", autocompletion=complete_preset)
    ] = DEFAULT_PRESET,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write.")] = DEFAULT_FILE,
) -> None:
    """Write an experiment with comments; never overwrites a file."""
    try:
        text = experiment_file(preset, output, origin_of(server_url()))
    except KeyError:
        near = difflib.get_close_matches(preset, summaries(), 3, 0.4) or summaries()
        raise Failure(f"there is no preset {preset}; the presets include {', '.join(near)}", USAGE) from None
    except Misconfigured as error:
        raise Failure(str(error), USAGE) from error
    try:
        with Path(output).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Failure(
            f"{output} exists and is not overwritten; name another file with --output", USAGE
        ) from None
    except OSError as error:
        raise Failure(f"{output}: {error.strerror}", USAGE) from error
    print_message(f"{output} is written; plimsoll plan {output} shows its cells")


def experiment_file(preset: str, file: str, server: str) -> str:
    """The document of a preset with comments and the server's schema. Raises KeyError for another name."""
    text = document_text(preset)
    head = _HEAD.format(preset=preset, summary=summaries()[preset], file=file)
    lines = [f"{_SCHEMA}{server}/schema/experiment.v1.json", *head.splitlines()]
    for line in text.splitlines():
        if line.startswith(_SCHEMA):
            continue
        comment = _COMMENTS.get(line.split(":")[0])
        lines += [f"# {comment}"] if comment is not None else []
        lines.append(line)
    return "\n".join(lines) + "\n" + _thresholds(text)


def _thresholds(text: str) -> str:
    """A commented threshold on the document's first metric of which more is better."""
    experiment = read_submitted(text, "yaml")
    rates = [name for name in experiment.metrics if METRICS[name].better == "higher"]
    return "" if experiment.thresholds or not rates else _THRESHOLDS.format(metric=rates[0])


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(metavar="bash|zsh|fish")],
) -> None:
    """Print a script that completes commands, options, presets and runs in the shell.

    For example: source <(plimsoll completion bash)
    """
    print(get_completion_script(prog_name="plimsoll", complete_var=COMPLETE_VARIABLE, shell=shell))


COMMANDS: Final = {"init": init, "completion": completion}
