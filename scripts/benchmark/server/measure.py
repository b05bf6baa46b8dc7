"""Starts the API on the generated database and measures it."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from backend.api.comparisons import service as comparisons
from backend.core.chart.compare_runs.run_comparison import RunComparisonQuery
from backend.program_revision import program_revision
from backend.store import grants
from backend.store.models import DEFAULT_TEAM
from scripts.benchmark.server import generator, live_run, people
from scripts.benchmark.server.documents import experiments
from scripts.benchmark.server.held_memory import held
from scripts.benchmark.server.installation import Installation, services
from scripts.benchmark.server.load import Answer, Request, by_group, figures, send
from scripts.benchmark.server.people import Person
from scripts.benchmark.server.requests import API, Asking, sign_ins
from scripts.benchmark.server.streams import Streams
from scripts.benchmark.server.streams import figures as stream_figures

FOLDER: Final = "server"
"""Below var/bench: the installation with the generated database."""
RATE: Final = 20.0
SECONDS: Final = 60
FEW_SECONDS: Final = 30
SIGN_INS_PER_MINUTE: Final = 100
STREAMS: Final = 200
STREAM_SECONDS: Final = 60
TARGET_MS: Final = 50.0
TARGET_EVENT_S: Final = 0.5
WARM_UP: Final = 40
_NEWEST_PAIRS: Final = """
    WITH numbered AS (
        SELECT id, experiment_id,
               row_number() OVER (PARTITION BY experiment_id ORDER BY created_at DESC) AS place
          FROM run)
    SELECT a.id, b.id FROM numbered a JOIN numbered b USING (experiment_id)
     WHERE (a.place, b.place) IN ((1, 2), (21, 22))
"""
"""Two pairs of each experiment, whose further runs are those of every pair."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class Bench:
    """What the measurements share; `seconds` is how long each of them takes."""

    installation: Installation
    members: list[Person]
    asking: Asking
    seconds: int
    say: Say

    def send(self, requests: list[Request]) -> list[Answer]:
        """Send requests at RATE."""
        return send(self.installation.url, requests, RATE)


def measure(root: Path, var: Path, seconds: int, say: Say) -> dict[str, Any]:
    """Every figure, by name; makes the database first, where it is missing."""
    with services(root, var) as installation:
        if not generator.is_generated(var):
            say("making 10,000 runs with 1,000,000 trials, once; about 20 minutes and 6 GB")
            generator.generate(installation.superuser, say, list(experiments()))
            generator.note_complete(var)
        say("centres of the newest runs: a minute or two after each change of the program")
        _prepare(installation)
        members = people.people(installation.settings(grants.API))
        bench = Bench(installation, members, Asking(installation, members), seconds, say)
        installation.start_api()
        found: dict[str, Any] = {"database": generator.sizes(installation.superuser)}
        bench.send(bench.asking.runs(WARM_UP) + bench.asking.results(WARM_UP))
        found["memory_at_rest"] = held(installation.pids)
        found["requests"] = _requests(bench)
        found["sign_in"] = _sign_in(bench)
        found["streams"] = _streams(bench)
        found["memory_after"] = held(installation.pids)
        return found


def remove(var: Path) -> None:
    """Remove the generated database with everything else of the installation."""
    shutil.rmtree(var, ignore_errors=True)


def _prepare(installation: Installation) -> None:
    """As on a server that has compared runs before: the centres of each experiment's newest runs are known.

    No result and no figures are: those that an earlier measurement or this preparation stored are removed.
    """
    with installation.superuser() as connection:
        counted = connection.execute(
            "SELECT count(*) FROM derived WHERE kind = 'centres' AND revision = %s", [program_revision()]
        ).fetchone()
        rows = connection.execute(_NEWEST_PAIRS).fetchall()
    if counted is None or not counted[0]:
        settings = installation.settings(grants.API)
        for a, b in rows:
            comparisons.compare(settings, str(a), str(b), RunComparisonQuery())
    with installation.superuser() as connection:
        connection.execute("DELETE FROM derived WHERE kind <> 'centres'")


def _forget_figures(installation: Installation) -> None:
    """Remove the figures that requests so far left."""
    with installation.superuser() as connection:
        connection.execute("DELETE FROM derived WHERE kind = 'figures'")


def _requests(bench: Bench) -> dict[str, Any]:
    """The latency of each kind of request."""
    asking, number = bench.asking, round(RATE * bench.seconds)
    few = round(RATE * min(FEW_SECONDS, bench.seconds))
    results, pairs = asking.results(number), asking.popular_comparisons(few)
    others = asking.comparisons(number)
    kinds: dict[str, list[Request]] = {
        "list": asking.lists(number),
        "run": asking.runs(number),
        "result, computed for the first time": results,
        "result, computed before": results[:few],
        "comparison, results read before": asking.comparisons_of_read(number // 2),
        "comparison, of other runs each": others,
        "comparison, read before": pairs,
    }
    found = {}
    for name, requests in kinds.items():
        bench.say(f"{name}: {len(requests)} requests, {RATE:g} a second")
        if requests is kinds["result, computed before"]:
            bench.installation.restart_api()
            bench.send(bench.asking.runs(WARM_UP))
        if requests is others:
            _forget_figures(bench.installation)
        if requests is pairs:
            bench.send(list({request.path: request for request in requests}.values()))
        found[name] = by_group(bench.send(requests))
    return found


def _sign_in(bench: Bench) -> dict[str, Any]:
    """The latency of sign-ins by password, and of lists meanwhile."""
    number = round(SIGN_INS_PER_MINUTE * bench.seconds / 60)
    bench.say(f"{number} sign-ins, {SIGN_INS_PER_MINUTE} a minute, and lists meanwhile")
    answers: list[Answer] = []

    def work() -> None:
        requests = sign_ins(bench.members, number)
        answers.extend(send(bench.installation.url, requests, SIGN_INS_PER_MINUTE / 60))

    thread = threading.Thread(target=work)
    thread.start()
    lists = bench.send(bench.asking.lists(round(RATE * bench.seconds)))
    thread.join()
    return {"sign_in": figures(answers), "list_meanwhile": by_group(lists)}


def _streams(bench: Bench) -> dict[str, Any]:
    """How soon events arrive at STREAMS streams of one run, and the memory meanwhile."""
    members = [person for person in bench.members if person.team_id == DEFAULT_TEAM]
    seconds = min(STREAM_SECONDS, bench.seconds)
    bench.say(f"{STREAMS} streams of a run that changes twice a second, for {seconds} s")
    headers = [
        person.by_cookie if turn % 2 else person.by_token
        for turn, person in ((turn, members[turn % len(members)]) for turn in range(STREAMS))
    ]
    with _live(bench, members[0]) as run:
        path = f"{API}/runs/{run.run_id}/events?after={run.last_event_id}"
        with Streams(bench.installation.url, path, headers) as streams:
            sent = run.change(seconds)
            streams.wait_for(max(sent))
            memory = held(bench.installation.pids)
            return {**stream_figures(streams, sent, TARGET_EVENT_S), "memory": memory}


@contextmanager
def _live(bench: Bench, person: Person) -> Iterator[live_run.LiveRun]:
    base = f"{bench.installation.url}{API}"
    with httpx2.Client(base_url=base, headers=person.by_token, timeout=60, trust_env=False) as api:
        run = live_run.start(bench.installation.settings(grants.WORKER), api)
        try:
            yield run
        finally:
            run.remove()
