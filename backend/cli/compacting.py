"""The command `compact`, which works on the database directly, on the server itself."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import DBAPIError

from backend.cli.backups import owner_settings
from backend.cli.failure import API_ERROR, Failure
from backend.cli.output import print_message
from backend.core.errors import Contended
from backend.store import compaction


def compact() -> None:
    """Give the space of deleted runs back to the system, while Plimsoll runs; on the server, as root.

    Needs as much free space as the results take. Best at a time without measurements.
    """
    try:
        done = compaction.compact(owner_settings(), print_message)
    except Contended as error:
        raise Failure(str(error), API_ERROR) from error
    except DBAPIError as error:
        raise Failure(f"the tables could not be copied: {error.orig}", API_ERROR) from error
    for table in done:
        print_message(f"{table.table}: {table.before:,} bytes, now {table.after:,}")
    freed = sum(table.before - table.after for table in done)
    print_message(f"{max(0, freed):,} bytes were given back")


COMMANDS: Final = {"compact": compact}
