"""Gives the space of deleted rows back to the system, while API and workers go on.

Plain VACUUM makes space reusable, and returns only free pages at the end of a file; VACUUM FULL locks a table
for as long as it copies it. This copies the rows of a table into a new one and then exchanges both, which
locks them for milliseconds, as pg_repack does. Three properties of the tables make it simple: their rows are
never updated, no other table refers to them, and they are deleted only by their foreign keys' cascade. So
- a trigger adds each new row to the copy too;
- the copy has the same foreign keys, hence every deletion reaches it;
- a batch that meets a deletion fails by its foreign key, and is repeated.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from backend.core.errors import Contended
from backend.settings import Settings
from backend.store import grants

log = logging.getLogger(__name__)

TABLES: Final = ("result", "event", "attempt")
"""The tables that are copied: nearly all bytes of a trial."""
REINDEXED: Final = ("trial", "run")
"""Other tables refer to these: their indexes are built anew, and free pages at their end are returned."""
BATCH: Final = 20
"""Runs per transaction."""
TRIES: Final = 30
LOCK_TIMEOUT_MS: Final = 1000
"""How long others may wait behind a lock that is not granted at once."""
ALONE: Final = "hashtextextended('plimsoll compaction', 0)"
"""The advisory lock of a compaction; a backup shares it, because it would contain an unfinished copy."""
_SUFFIX: Final = "_compacted"
_REPEATED: Final = frozenset({"23503", "40P01", "40001", "55P03"})
"""A row that is referred to was deleted; deadlock; conflict; lock timeout."""

_PARENT: Final = {"result": "s.run_id", "event": "s.run_id", "attempt": "t.run_id"}
_FROM: Final = {"attempt": "attempt s JOIN trial t ON t.id = s.trial_id"}

Say = Callable[[str], None]


@dataclass(frozen=True)
class Compacted:
    """One table with its indexes and long values: bytes before and after."""

    table: str
    before: int
    after: int


def compact(settings: Settings, say: Say = log.info) -> list[Compacted]:
    """Give unused space of the large tables back; the role must own the tables.

    Needs as much free space as the rows of the largest table take. Raises Contended if a lock was not granted
    within TRIES tries, for example beside a backup: the table is then as it was, and may have a copy that the
    next call removes.
    """
    options = {"options": "-c statement_timeout=0 -c timezone=UTC"}
    engine = create_engine(settings.database_url, poolclass=NullPool, connect_args=options)
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            if not connection.execute(text(f"SELECT pg_try_advisory_lock({ALONE})")).scalar_one():
                raise Contended("a backup or another compaction is under way: try again afterwards")
            return _compact(engine, say)
    finally:
        engine.dispose()


def _compact(engine: Engine, say: Say) -> list[Compacted]:
    done = []
    for table in TABLES:
        say(f"{table}: copying")
        done.append(_measured(engine, table, lambda table=table: _rewrite(engine, table)))  # type: ignore[misc]
    for table in REINDEXED:
        say(f"{table}: building its indexes anew")
        done.append(_measured(engine, table, lambda table=table: _reindex(engine, table)))  # type: ignore[misc]
    return done


def _measured(engine: Engine, table: str, work: Callable[[], None]) -> Compacted:
    before = _bytes(engine, table)
    work()
    return Compacted(table, before, _bytes(engine, table))


def _bytes(engine: Engine, table: str) -> int:
    with engine.connect() as connection:
        size: int = connection.execute(text(f"SELECT pg_total_relation_size('{table}')")).scalar_one()
    return size


def _reindex(engine: Engine, table: str) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"REINDEX TABLE CONCURRENTLY {table}"))
        connection.execute(text(f"VACUUM (ANALYZE) {table}"))


def _rewrite(engine: Engine, table: str) -> None:
    _repeated(engine, lambda connection: _drop_copy(connection, table))
    _repeated(engine, lambda connection: _begin_copy(connection, table))
    try:
        for runs in _batches(engine):
            _repeated(engine, lambda connection, runs=runs: _copy(connection, table, runs))  # type: ignore[misc]
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(f"VACUUM (ANALYZE) {table}{_SUFFIX}"))
        _repeated(engine, lambda connection: _exchange(connection, table))
    except BaseException:
        _give_up(engine, table)
        raise


def _give_up(engine: Engine, table: str) -> None:
    """Stop adding rows to the copy, and remove it: at the next call, where a reader prevents it now."""
    disable = f"ALTER TABLE {table} DISABLE TRIGGER {table}{_SUFFIX}"  # does not wait for readers
    try:
        _repeated(engine, lambda connection: connection.execute(text(disable)))
        _repeated(engine, lambda connection: _drop_copy(connection, table))
    except Contended as error:
        log.warning("%s%s is left until the next compaction: %s", table, _SUFFIX, error)


def _repeated(engine: Engine, work: Callable[[Connection], object]) -> None:
    """Do the work in a transaction of its own, again after a conflict. Raises Contended."""
    for left in reversed(range(TRIES)):
        try:
            with engine.begin() as connection:
                connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}"))
                work(connection)
            return
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) not in _REPEATED:
                raise
            if not left:
                raise Contended(
                    "other transactions hold the tables: try again when no backup runs"
                ) from error
            log.info("compaction: repeated after a conflict: %s", error.orig)
            time.sleep(secrets.SystemRandom().uniform(0.05, 0.5))


def _batches(engine: Engine) -> Iterator[list[str]]:
    """The ids of all runs that exist now; rows of later ones come by the trigger."""
    with engine.connect() as connection:
        ids = list(connection.execute(text("SELECT id FROM run ORDER BY created_at, id")).scalars())
    for begin in range(0, len(ids), BATCH):
        yield ids[begin : begin + BATCH]


def _begin_copy(connection: Connection, table: str) -> None:
    """Make the empty copy, with keys and indexes, and the trigger that adds new rows."""
    copy = f"{table}{_SUFFIX}"
    connection.execute(text(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))
    connection.execute(
        text(f"""CREATE TABLE {copy} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS
                 INCLUDING IDENTITY INCLUDING STORAGE INCLUDING COMPRESSION INCLUDING COMMENTS)""")
    )
    for name, definition in _constraints(connection, table):
        connection.execute(text(f"ALTER TABLE {copy} ADD CONSTRAINT {name}{_SUFFIX} {definition}"))
    for name, definition in _indexes(connection, table):
        statement = definition.replace(
            f"INDEX {name} ON public.{table} ", f"INDEX {name}{_SUFFIX} ON {copy} "
        )
        connection.execute(text(statement))
    for options, target in _storage(connection, table):
        connection.execute(text(f"ALTER TABLE {copy} SET ({', '.join(target + o for o in options)})"))
    connection.execute(
        text(f"""CREATE FUNCTION {copy}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
                 SET search_path = pg_catalog, public, pg_temp AS $$
                 BEGIN
                     INSERT INTO {copy} OVERRIDING SYSTEM VALUE VALUES (NEW.*) ON CONFLICT DO NOTHING;
                     RETURN NULL;
                 END $$""")
    )
    connection.execute(text(f"REVOKE ALL ON FUNCTION {copy}() FROM PUBLIC"))
    connection.execute(
        text(f"CREATE TRIGGER {copy} AFTER INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {copy}()")
    )


def _copy(connection: Connection, table: str, runs: list[str]) -> None:
    source, key = _FROM.get(table, f"{table} s"), _PARENT[table]
    connection.execute(
        text(f"""INSERT INTO {table}{_SUFFIX} OVERRIDING SYSTEM VALUE
                 SELECT s.* FROM {source} WHERE {key} = ANY(:runs) ON CONFLICT DO NOTHING"""),
        {"runs": runs},
    )


def _exchange(connection: Connection, table: str) -> None:
    """Put the copy in the table's place: everything that needs a lock, and nothing that takes long."""
    copy = f"{table}{_SUFFIX}"
    parents = [row[0] for row in connection.execute(text(_PARENTS), {"table": table})]
    connection.execute(text(f"LOCK TABLE {', '.join([*parents, table])} IN ACCESS EXCLUSIVE MODE"))
    constraints, indexes = _constraints(connection, table), _indexes(connection, table)
    triggers = [row[0] for row in connection.execute(text(_TRIGGERS), {"table": table, "own": copy})]
    sequence = connection.execute(text(_SEQUENCE), {"table": table}).scalar_one_or_none()
    last = connection.execute(text(f"SELECT last_value FROM {sequence}")).scalar_one() if sequence else None
    connection.execute(text(f"DROP TABLE {table}"))
    connection.execute(text(f"DROP FUNCTION {copy}()"))
    connection.execute(text(f"ALTER TABLE {copy} RENAME TO {table}"))
    for name, _ in constraints:
        connection.execute(text(f"ALTER TABLE {table} RENAME CONSTRAINT {name}{_SUFFIX} TO {name}"))
    for name, _ in indexes:
        connection.execute(text(f"ALTER INDEX {name}{_SUFFIX} RENAME TO {name}"))
    for definition in triggers:
        connection.execute(text(definition))
    if sequence:
        new = connection.execute(text(_SEQUENCE), {"table": table}).scalar_one()
        connection.execute(text(f"SELECT setval('{new}', {last})"))
        connection.execute(text(f"ALTER SEQUENCE {new} RENAME TO {sequence.rpartition('.')[2]}"))
    grants.apply(connection, [table])


def _drop_copy(connection: Connection, table: str) -> None:
    """Remove a copy that was not exchanged, also one that an interrupted call left."""
    copy = f"{table}{_SUFFIX}"
    connection.execute(text(f"DROP TRIGGER IF EXISTS {copy} ON {table}"))
    connection.execute(text(f"DROP FUNCTION IF EXISTS {copy}()"))
    connection.execute(text(f"DROP TABLE IF EXISTS {copy}"))


def _constraints(connection: Connection, table: str) -> list[tuple[str, str]]:
    """Names and definitions of primary key, unique constraints and foreign keys."""
    return [(row[0], row[1]) for row in connection.execute(text(_CONSTRAINTS), {"table": table})]


def _indexes(connection: Connection, table: str) -> list[tuple[str, str]]:
    """Names and definitions of the indexes that belong to no constraint."""
    return [(row[0], row[1]) for row in connection.execute(text(_INDEXES), {"table": table})]


def _storage(connection: Connection, table: str) -> Iterator[tuple[list[str], str]]:
    """The storage parameters of the table, and of its long values."""
    own, long = connection.execute(text(_OPTIONS), {"table": table}).one()
    if own:
        yield own, ""
    if long:
        yield long, "toast."


_PARENTS: Final = """
    SELECT DISTINCT confrelid::regclass::text FROM pg_constraint
     WHERE conrelid = CAST(:table AS regclass) AND contype = 'f' ORDER BY 1
"""
_CONSTRAINTS: Final = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE conrelid = CAST(:table AS regclass) AND contype IN ('p', 'u', 'f')
     ORDER BY contype = 'f', conname
"""
_INDEXES: Final = """
    SELECT c.relname, pg_get_indexdef(i.indexrelid)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = CAST(:table AS regclass)
       AND NOT EXISTS (SELECT FROM pg_constraint k
                        WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))
     ORDER BY 1
"""
_TRIGGERS: Final = """
    SELECT pg_get_triggerdef(oid) FROM pg_trigger
     WHERE tgrelid = CAST(:table AS regclass) AND NOT tgisinternal AND tgname <> :own
"""
_OPTIONS: Final = """
    SELECT c.reloptions, l.reloptions FROM pg_class c LEFT JOIN pg_class l ON l.oid = c.reltoastrelid
     WHERE c.oid = CAST(:table AS regclass)
"""
_SEQUENCE: Final = """
    SELECT pg_get_serial_sequence(:table, a.attname) FROM pg_attribute a
     WHERE a.attrelid = CAST(:table AS regclass) AND a.attidentity <> ''
"""
