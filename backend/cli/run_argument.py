"""The argument RUN of commands, and its completion by the server's runs."""

from __future__ import annotations

import threading
from typing import Annotated, Any, Final

import typer

from backend.cli.client import connect

LIMIT_S: Final = 1.0
"""How long the shell waits for the server."""
READER: Final = "complete-run"
_NEWEST: Final = "100"


def complete_run(incomplete: str) -> list[tuple[str, str]]:
    """The newest runs that begin with these letters, with name and state, for the shell.

    Empty, without a message, where the server does not answer within LIMIT_S or refuses: the shell would show
    an error in the middle of what the user types.
    """
    found: list[dict[str, Any]] = []

    def read() -> None:
        try:
            with connect(LIMIT_S) as client:
                found.extend(client.get("/runs", limit=_NEWEST)["data"])
        except Exception:  # any: a thread would print its traceback
            found.clear()

    # A thread, because the limits of an HTTP client apply to each step, and not to the lookup of a name.
    reader = threading.Thread(target=read, name=READER, daemon=True)
    reader.start()
    reader.join(LIMIT_S)
    return [
        (run["id"], f"{run['name']}, {run['state']}, {run['created_at'][:10]}")
        for run in list(found)
        if run["id"].startswith(incomplete)
    ]


RunId = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.", autocompletion=complete_run)]
