"""The commands of a trial as plain text."""

from __future__ import annotations

import shlex

from fastapi.responses import PlainTextResponse

from backend.api.trials.schemas import TrialDetail
from backend.core.definition.text import printable
from backend.core.errors import NotFound
from backend.core.sample.record import Command


def response(trial: TrialDetail) -> PlainTextResponse:
    """The commands of a trial in order, or its imported log. Raises NotFound without a record."""
    head = f"# trial {trial.id}, cell {trial.cell_id}, round {trial.round}"
    if trial.imported is not None:
        text = f"{head}, imported\n" + _output(trial.imported.stdout, trial.imported.stderr)
    elif trial.record is not None:
        commands = enumerate(trial.record.commands, start=1)
        text = f"{head}, fence {trial.record.fence}\n" + "".join(_command(n, each) for n, each in commands)
    else:
        raise NotFound("this trial has no output")
    headers = {
        "Content-Disposition": f'inline; filename="{trial.id}.txt"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return PlainTextResponse(printable(text), headers=headers)


def _command(number: int, command: Command) -> str:
    head = f"\n## {number}. {command.purpose} in {command.container}\n$ {shlex.join(command.argv)}\n"
    return f"{head}# exit code {command.exit_code}\n" + _output(command.stdout, command.stderr)


def _output(stdout: str, stderr: str) -> str:
    return "".join(
        f"# {name}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}"
        for name, text in (("stdout", stdout), ("stderr", stderr))
    )
