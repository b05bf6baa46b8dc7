"""What the people ask for: lists, runs, results and comparisons of their own teams."""

from __future__ import annotations

import itertools
import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from backend.api.paging import encode_cursor
from scripts.benchmark.server.installation import Installation
from scripts.benchmark.server.load import Request
from scripts.benchmark.server.people import Person

API: Final = "/api/v1"
POPULAR: Final = 20
"""Pairs of a team that are read again and again."""
SEED: Final = 1


@dataclass
class Stored:
    """The runs of a team, newest first, and pairs of them to compare; those drawn once at most."""

    runs: list[str] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    fresh_pairs: list[tuple[str, str]] = field(default_factory=list)
    disjoint_pairs: list[tuple[str, str]] = field(default_factory=list)
    half_read: list[str] = field(default_factory=list)
    read_pairs: list[tuple[str, str]] = field(default_factory=list)

    def draw(self, generator: random.Random) -> None:
        """Put the pairs into an order of their own; the disjoint ones have no run in common."""
        self.fresh_pairs = generator.sample(self.pairs, len(self.pairs))
        taken: set[str] = set()
        for pair in self.fresh_pairs:
            if taken.isdisjoint(pair):
                taken.update(pair)
                self.disjoint_pairs.append(pair)

    def next_run(self) -> str:
        """A run that was not returned before: one of a pair, and then the other."""
        if not self.half_read:
            pair = self.disjoint_pairs.pop(0)  # comparisons of other runs are drawn from the other end
            self.read_pairs.append(pair)
            self.half_read.extend(pair)
        return self.half_read.pop()


class Asking:
    """Makes requests of people in turn, by cookie and by token in turn."""

    def __init__(self, installation: Installation, members: Sequence[Person]) -> None:
        self._draw = random.Random(SEED)
        self._members = members
        self._stored = _stored(installation)
        for found in self._stored.values():
            found.draw(self._draw)

    def lists(self, number: int) -> list[Request]:
        """Pages of 50 runs, half of them the newest, half of them older ones."""
        return self._requests(number, self._list)

    def runs(self, number: int) -> list[Request]:
        """Runs of any age."""
        return self._requests(number, lambda found: f"/runs/{self._draw.choice(found.runs)}")

    def results(self, number: int) -> list[Request]:
        """Results of runs of any age, none of which was read before."""
        return self._requests(number, lambda found: f"/runs/{found.next_run()}/result")

    def comparisons(self, number: int) -> list[Request]:
        """Comparisons of pairs of any age, none of which was read before."""
        return self._requests(number, lambda found: _comparison(found.fresh_pairs.pop()))

    def comparisons_of_read(self, number: int) -> list[Request]:
        """Comparisons of pairs whose results were read: at most half as many as there were results."""
        return self._requests(number, lambda found: _comparison(found.read_pairs.pop(0)))

    def popular_comparisons(self, number: int) -> list[Request]:
        """Comparisons of the newest pairs of each team."""
        return self._requests(number, lambda found: _comparison(self._draw.choice(found.pairs[:POPULAR])))

    def _list(self, found: Stored) -> str:
        after = self._draw.choice(found.runs) if self._draw.random() < 0.5 else None
        return "/runs" if after is None else f"/runs?{urlencode({'cursor': encode_cursor(after)})}"

    def _requests(self, number: int, path: Callable[[Stored], str]) -> list[Request]:
        callers = itertools.cycle(
            (person, group) for person in self._members for group in ("cookie", "token")
        )
        return [
            Request(
                group,
                API + path(self._stored[person.team_id]),
                person.by_cookie if group == "cookie" else person.by_token,
            )
            for person, group in itertools.islice(callers, number)
        ]


def sign_ins(members: Sequence[Person], number: int) -> list[Request]:
    """Sign-ins by password, of these people in turn."""
    headers = {"Content-Type": "application/json"}
    bodies = [json.dumps({"email": person.email, "password": person.password}).encode() for person in members]
    turns = itertools.islice(itertools.cycle(bodies), number)
    return [Request("password", f"{API}/sessions", headers, "POST", body) for body in turns]


def _comparison(pair: tuple[str, str]) -> str:
    return f"/comparisons?{urlencode(dict(zip('ab', pair, strict=True)))}"


def _stored(installation: Installation) -> dict[str, Stored]:
    found: defaultdict[str, Stored] = defaultdict(Stored)
    of_experiment: defaultdict[str, list[str]] = defaultdict(list)
    with installation.superuser() as connection:
        rows = connection.execute("SELECT id, team_id, experiment_id FROM run ORDER BY created_at DESC")
        for run_id, team_id, experiment_id in rows:
            stored, earlier = found[str(team_id)], of_experiment[str(experiment_id)]
            stored.runs.append(str(run_id))
            # With the next run of the experiment, on another host, and with the next but one, on the same.
            stored.pairs += [(str(run_id), later) for later in earlier[-2:]]
            earlier.append(str(run_id))
    return dict(found)
