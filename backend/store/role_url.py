"""The address of the database for one of its roles."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

DATABASE: Final = "plimsoll"
REQUIRED_AUTH: Final = "scram-sha-256"
"""What the client accepts (libpq, `require_auth`): a program that poses as the server gets no password, and
is not taken for the server, because SCRAM proves that it knows the password's verifier."""


def role_url(role: str, password: str, socket_directory: str) -> str:
    """The URL for SQLAlchemy and, without `+psycopg`, for libpq."""
    directory = quote(socket_directory, safe="")
    return f"postgresql+psycopg://{role}:{password}@/{DATABASE}?host={directory}&require_auth={REQUIRED_AUTH}"
