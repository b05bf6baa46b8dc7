"""Creates the database's roles of compose.yaml, as root by peer: `python -m scripts.compose.roles`."""

from __future__ import annotations

import psycopg

from backend.store import grants
from backend.store.role_url import DATABASE
from scripts.compose.prepare import SECRETS
from scripts.starter.database_roles import create_database, create_roles, hand_over
from scripts.starter.secret_files import secret

SOCKET = "/run/postgresql"


def main() -> None:
    """Create or update roles and database."""
    with psycopg.connect(host=SOCKET, user="postgres", dbname="postgres", autocommit=True) as connection:
        create_roles(connection, {role: secret(SECRETS, role) for role in grants.ROLES})
        create_database(connection, DATABASE)
    with psycopg.connect(host=SOCKET, user="postgres", dbname=DATABASE, autocommit=True) as connection:
        hand_over(connection)


if __name__ == "__main__":
    main()
