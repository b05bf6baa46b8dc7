"""The command `logout`: removes the stored token of a server."""

from __future__ import annotations

from typing import Final

from backend.cli.client import failures, server_url
from backend.cli.output import print_message
from backend.client.credentials import Credentials


def logout() -> None:
    """Remove this server's token from the credentials file."""
    with failures():
        found = Credentials().forget(server_url())
    print_message(f"{server_url()}: {'signed out' if found else 'there was no token'}")


COMMANDS: Final = {"logout": logout}
