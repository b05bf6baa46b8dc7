"""What a report of pgbench says of its run: the settings of the cell's factors, and facts beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Final

from backend.core.errors import Unparseable
from backend.core.sample.report_lines import Found, first, group
from backend.core.sample.result import Setting

WITHOUT = ("excluding connections establishing", "without initial connection time")
RECONNECTING = "including reconnection times"
"""14 and later with -C: connecting is then part of each transaction, and there is no other rate."""
OLD_WITH = "including connections establishing"
SCRIPTS: Final = {
    "select only": "select_only",
    "SELECT only": "select_only",
    "simple update": "simple_update",
    "Update only pgbench_accounts": "simple_update",
    "TPC-B (sort of)": "tpcb_like",
}
"""The level of each built-in script, by its description in the report."""
DEVIATIONS: Final = 5.0
"""Standard deviations of a Poisson count by which an offered rate may differ from what was due."""
MOST_RATE: Final = 1e9
SHORTEST_S: Final = 1e-6
SHORTEST_SHARE: Final = 0.8
"""Of the time of -T: what a run at least takes, by its transactions and its rate."""


def facts_of(found: Found, rates: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """What the report says of the run beside its figures, by name."""
    including = rates.get(OLD_WITH, rates.get(RECONNECTING))
    lag, above = first(found, "lag"), first(found, "above")
    for name, value in (
        ("clients", group(found, "clients")),
        ("threads", group(found, "threads")),
        ("scale", group(found, "scale")),
        ("protocol", group(found, "mode")),
        ("transaction_type", group(found, "type")),
        ("duration_s", group(found, "duration")),
        ("tps_including_connections", None if including is None else str(including)),
        ("connection_ms", group(found, "connection")),
        ("latency_stddev_ms", group(found, "stddev")),
        ("schedule_lag_avg_ms", lag.group(1) if lag else None),
        ("schedule_lag_max_ms", lag.group(2) if lag else None),
        ("skipped_transactions", group(found, "skipped")),
        ("retried_transactions", group(found, "retried")),
        ("partitions", group(found, "partitions")),
        ("transactions_per_client", group(found, "per_client")),
        ("max_tries", group(found, "tries")),
        ("latency_limit_ms", above.group(1) if above else None),
        ("transactions_above_the_limit", above.group(2) if above else None),
    ):
        if value is not None:
            yield name, value


def refuse_impossible_rate(found: Found, rates: Mapping[str, float]) -> None:
    """Raise Unparseable for a rate at which the transactions would have taken less time than -T has.

    A run may take longer, and of the rates before 14 only the one with connections is of its whole time.
    """
    duration, connecting = group(found, "duration"), float(group(found, "connection") or 0) / 1e3
    of_whole = next((rates[name] for name in (OLD_WITH, RECONNECTING, WITHOUT[1]) if name in rates), 0.0)
    if duration is None or not of_whole:
        return
    done, least = int(found["processed"][0].group(1)), SHORTEST_SHARE * (int(duration) - connecting)
    if done / of_whole < least:
        raise Unparseable(
            f"pgbench reported {of_whole:g} transactions per second, but {done} transactions in {duration} s"
        )


def settings_of(found: Found, rates: Mapping[str, float]) -> Iterator[tuple[str, Setting]]:
    """What the report says of the factors of a cell."""
    for factor, row in (("threads", "threads"), ("scale", "scale"), ("duration_s", "duration")):
        if (text := group(found, row)) is not None:
            yield factor, Setting(int(text), text)
    mode = str(group(found, "mode"))
    yield "protocol", Setting(mode, mode)
    if (kind := group(found, "type")) is not None:
        name = kind.removeprefix("<builtin: ").removesuffix(">")
        yield "script", Setting(SCRIPTS.get(name, kind), kind)
    if RECONNECTING in rates:
        yield "reconnect", Setting(True, "yes")
    elif WITHOUT[1] in rates:
        yield "reconnect", Setting(False, "no")
    # Before 14 both rates are printed with and without -C.
    yield "rate", _offered(found, rates)


def _offered(found: Found, rates: Mapping[str, float]) -> Setting:
    """The rate of -R, as far as a report bounds it: pgbench prints its lag and not the rate itself.

    Transactions are due at random times (a Poisson process) from the beginning to the end of the run, but
    for what is still due when the client is late by the longest lag.
    """
    lag = first(found, "lag")
    if lag is None:
        return Setting(False, "none")
    done = int(found["processed"][0].group(1))
    due = done + sum(int(group(found, name) or 0) for name in ("skipped", "failed"))
    times = [done / rate for rate in rates.values() if rate > 0]
    times += [float(text) for text in (group(found, "duration"),) if text is not None]
    by_chance, behind = DEVIATIONS * sqrt(due), float(lag.group(2)) / 1e3
    least = max(0.0, due - by_chance) / max(times)
    most = min((due + by_chance) / max(min(times) - behind, SHORTEST_S), MOST_RATE)
    return Setting((least + most) / 2, "one", slack=(most - least) / 2)
