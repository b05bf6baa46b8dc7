"""What a restore does not undo: access that ended after the backup was made.

The file has the SHA-256 of every token, so a token that was revoked since would open again. Where the earlier
tables are there, they tell what ended; elsewhere only the operator can know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

ENDED_BY: Final = {
    "api_token": "revoked_at",
    "host_token": "revoked_at",
    "share": "revoked_at",
    "account": "disabled_at",
}
"""Tables of what opens something, and the column that says since when it does not."""
_DELETED_ACCOUNTS = """
    UPDATE public.account a SET disabled_at = clock_timestamp()
     WHERE a.disabled_at IS NULL AND NOT EXISTS (SELECT FROM {earlier}.account e WHERE e.id = a.id)
       AND EXISTS (SELECT FROM {earlier}.account e JOIN public.account b ON b.id = e.id)
"""
_LEFT_TEAMS = """
    DELETE FROM public.membership m
     WHERE EXISTS (SELECT FROM {earlier}.account e WHERE e.id = m.account_id)
       AND EXISTS (SELECT FROM {earlier}.team e WHERE e.id = m.team_id)
       AND NOT EXISTS (SELECT FROM {earlier}.membership e
                        WHERE e.account_id = m.account_id AND e.team_id = m.team_id)
"""
_WORKS = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())"


@dataclass(frozen=True)
class Access:
    """What opens the restored data: the hosts with a token, and the numbers of API tokens and links.

    `kept_ended` counts what ended after the backup and stays ended, because the earlier tables said so.
    """

    kept_ended: int
    hosts: tuple[str, ...]
    api_tokens: int
    links: int


def keep_ended(connection: Connection, earlier: str) -> int:
    """End in the restored tables what ended in those of the schema `earlier`; returns how many that are.

    Tokens and links that were revoked, accounts that were disabled or, in the same installation, deleted, and
    members that left a team. The caller commits.
    """
    found = 0
    for table, column in ENDED_BY.items():
        if _has(connection, earlier, table, column):
            change = (
                f"UPDATE public.{table} n SET {column} = e.{column} FROM {earlier}.{table} e "
                f"WHERE e.id = n.id AND n.{column} IS NULL AND e.{column} IS NOT NULL"
            )
            found += connection.execute(text(change)).rowcount
    if _has(connection, earlier, "membership", "team_id"):
        for statement in (_DELETED_ACCOUNTS, _LEFT_TEAMS):
            found += connection.execute(text(statement.format(earlier=earlier))).rowcount
    return found


def revoke_tokens(connection: Connection) -> None:
    """Revoke the tokens of all hosts and accounts. The caller commits."""
    for table in ("api_token", "host_token"):
        change = f"UPDATE public.{table} SET revoked_at = clock_timestamp() WHERE revoked_at IS NULL"
        connection.execute(text(change))
    connection.execute(
        text("UPDATE public.host SET protocol = NULL WHERE id IN (SELECT host_id FROM public.host_token)")
    )


def revoke_enrolments(connection: Connection) -> None:
    """Revoke the open enrolments: one that was used after the backup would let a second host join."""
    connection.execute(
        text(
            "UPDATE public.enrolment SET revoked_at = clock_timestamp() "
            "WHERE revoked_at IS NULL AND used_at IS NULL"
        )
    )


def access(connection: Connection, kept_ended: int) -> Access:
    """What opens the restored data now."""
    hosts = connection.execute(
        text(
            "SELECT DISTINCT h.name FROM public.host h JOIN public.host_token t ON t.host_id = h.id "
            "WHERE t.revoked_at IS NULL ORDER BY h.name"
        )
    )
    tokens = connection.execute(
        text(
            f"SELECT count(*) FROM public.api_token WHERE {_WORKS} "
            "AND account_id IN (SELECT id FROM public.account WHERE disabled_at IS NULL)"
        )
    )
    links = connection.execute(text(f"SELECT count(*) FROM public.share WHERE {_WORKS}"))
    return Access(kept_ended, tuple(hosts.scalars()), tokens.scalar_one(), links.scalar_one())


def _has(connection: Connection, schema: str, table: str, column: str) -> bool:
    query = text(
        "SELECT EXISTS (SELECT FROM information_schema.columns "
        "WHERE table_schema = :schema AND table_name = :table AND column_name = :column)"
    )
    return bool(connection.execute(query, {"schema": schema, "table": table, "column": column}).scalar_one())
