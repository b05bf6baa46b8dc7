"""The command `check-invariants`, which reads the database directly."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from backend.cli import local_access
from backend.cli.failure import USAGE, Failure
from backend.cli.output import print_message
from backend.core.errors import Unavailable
from backend.store.invariants import check


def check_invariants() -> None:
    """Check the database for lost, duplicated or unexplained trials; exit code 0 if there are none."""
    try:
        found = check(local_access.server_settings())
    except ValidationError as error:
        raise Failure(f"invalid setting: {error.errors()[0]['msg']}", USAGE) from error
    except Unavailable as error:
        raise Failure(f"{error}; PLIMSOLL_DATABASE_URL has its address") from error
    for line in found:
        print(line)
    if found:
        raise Failure(f"{len(found)} violations")
    print_message("nothing lost, nothing duplicated, history complete")


COMMANDS: Final = {"check-invariants": check_invariants}
