"""What a server and the worker of an enrolled host must agree on, beside the messages (decision 0045)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from backend import worker_installation

PROTOCOL: Final = 1
"""The protocol that this release's worker speaks. Fields may be added within one number: both sides ignore
those that they do not know."""
HEADER: Final = "Plimsoll-Worker"
"""The header by which a worker names its release and its protocol."""
KEEP_ALIVE_S: Final = 20
"""Time after which the server closes an idle connection: longer than from one heartbeat to the next."""
EXIT_REJECTED: Final = 3
"""Exit code of a worker that no restart helps, until somebody acts: its token was revoked, or the server
speaks its protocol no longer."""
READY_FILE: Final = "worker.ready"
"""The file in `runtime_dir` that exists while a worker takes trials."""


@cache
def release() -> str:
    """The release of this program."""
    try:
        return version("plimsoll")
    except PackageNotFoundError:  # started from a tree that was not installed
        return "0"


def header(installed: str = "", protocol: int = PROTOCOL) -> dict[str, str]:
    """The headers by which a worker names its release, its protocol and, if known, its installation."""
    return {HEADER: f"{release()}/{protocol}"} | (
        {worker_installation.HEADER: installed} if installed else {}
    )
