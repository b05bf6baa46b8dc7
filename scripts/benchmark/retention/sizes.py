"""What trials take on the disk, and what other ways to compress their records would take."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable
from typing import Any, Final

import psycopg

Connect = Callable[[], psycopg.Connection[tuple[object, ...]]]

TABLES: Final = ("result", "trial", "event", "attempt", "run")
RECORDS: Final = 5000
_SIZES: Final = """
    SELECT relname, pg_relation_size(oid), coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0),
           pg_indexes_size(oid), (SELECT count(*) FROM trial)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s)
"""


def of_a_trial(connect: Connect) -> dict[str, dict[str, int]]:
    """Bytes of each table by trial: rows, long values, indexes."""
    with connect() as connection:
        rows: list[Any] = connection.execute(_SIZES, [list(TABLES)]).fetchall()
    return {
        name: {
            "rows": round(heap / trials),
            "long_values": round(long / trials),
            "indexes": round(indexes / trials),
        }
        for name, heap, long, indexes, trials in rows
    }


def megabytes(connect: Connect) -> int:
    """What the database takes on the disk."""
    with connect() as connection:
        row: Any = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    found: int = row[0]
    return round(found / 1e6)


def compression(connect: Connect) -> dict[str, dict[str, float]]:
    """Bytes of a record, and microseconds to store and to read it, by method; zlib in this process."""
    with connect() as connection:
        query = b"SELECT payload::text FROM result LIMIT %d" % RECORDS
        records = [json.dumps(json.loads(str(row[0]))) for row in connection.execute(query)]
        found = {method: _in_postgres(connection, method, records) for method in ("pglz", "lz4")}
        connection.rollback()
    plain = [record.encode() for record in records]
    began = time.perf_counter()
    packed = [zlib.compress(record) for record in plain]
    between = time.perf_counter()
    for one in packed:
        zlib.decompress(one)
    found["zlib"] = _figures(sum(map(len, packed)), between - began, time.perf_counter() - between)
    found["text"] = _figures(sum(map(len, plain)), 0, 0)
    return found


def _in_postgres(connection: Any, method: str, records: list[str]) -> dict[str, float]:
    connection.execute(f"CREATE TEMPORARY TABLE {method} (record jsonb COMPRESSION {method})")
    connection.execute("CREATE TEMPORARY TABLE IF NOT EXISTS given (record text)")
    connection.execute("ALTER TABLE given ALTER record SET STORAGE EXTERNAL")  # not compressed
    connection.execute("TRUNCATE given")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO given VALUES (%s)", [(record,) for record in records])
    began = time.perf_counter()
    connection.execute(f"INSERT INTO {method} SELECT record::jsonb FROM given")
    between = time.perf_counter()
    connection.execute(f"SELECT count(record -> 'window') FROM {method}")
    read_s = time.perf_counter() - between
    (size,) = connection.execute(f"SELECT sum(pg_column_size(record)) FROM {method}").fetchone()
    return _figures(int(size), between - began, read_s)


def _figures(size: int, store_s: float, read_s: float) -> dict[str, float]:
    each = {"store_us": store_s * 1e6 / RECORDS, "read_us": read_s * 1e6 / RECORDS}
    return {"bytes": round(size / RECORDS), **{name: round(value) for name, value in each.items()}}
