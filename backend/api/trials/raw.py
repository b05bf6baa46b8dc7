"""A trial's commands as plain text, for reading and for keeping."""

from __future__ import annotations

import shlex

from fastapi.responses import PlainTextResponse

from backend.api.trials.schemas import TrialDetail
from backend.core.errors import NotFound
from backend.core.sample.record import Command


def answer(trial: TrialDetail) -> PlainTextResponse:
    """The commands of a trial in order. Raises NotFound where it left no record."""
    if trial.record is None:
        raise NotFound("this trial has left no output")
    text = (
        f"# trial {trial.id}, cell {trial.cell_id}, round {trial.round}, fence {trial.record.fence}\n"
        + "".join(_command(number, command) for number, command in enumerate(trial.record.commands, start=1))
    )
    headers = {
        "Content-Disposition": f'inline; filename="{trial.id}.txt"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return PlainTextResponse(text, headers=headers)


def _command(number: int, command: Command) -> str:
    head = f"\n## {number}. {command.purpose} in {command.container}\n$ {shlex.join(command.argv)}\n"
    return f"{head}# exit code {command.exit_code}\n" + "".join(
        f"# {name}\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}"
        for name, text in (("stdout", command.stdout), ("stderr", command.stderr))
    )
