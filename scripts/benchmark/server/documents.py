"""The teams, hosts and experiments of the generated database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from backend.api.plans.service import plan_on
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import validate_document
from backend.core.plan.model import Plan
from backend.store.models import DEFAULT_TEAM

PATHS: Final = (
    *("same_container", "sibling_container", "published_loopback", "container_address"),
    *("published_host_address", "nginx_stream", "haproxy_tcp", "host_network"),
)
METRICS: Final = ("tps", "cpu_us_per_txn", "latency_avg_ms")
ROUNDS: Final = 10
RUNS_OF_EACH: Final = 50


@dataclass(frozen=True)
class Shape:
    """So many experiments with so many paths and these numbers of clients."""

    experiments: int
    paths: int
    clients: tuple[int, ...]


SHAPES: Final = (
    Shape(50, 3, (4,)),
    Shape(70, 7, (4,)),
    Shape(40, 4, (1, 4)),
    Shape(30, 7, (1, 4)),
    Shape(10, 8, (1, 2, 4, 8)),
)
"""200 experiments of 4, 8, 10, 16 and 36 cells with their A/A duplicates: 20,000 trials if each runs once."""
TEAMS: Final = {
    DEFAULT_TEAM: "Default team",
    "tem_2222222222222222": "Databases",
    "tem_3333333333333333": "Edge",
    "tem_4444444444444444": "Kernel",
    "tem_5555555555555555": "Storage",
}
HOSTS: Final = tuple((f"hst_{digit * 16}", f"rack-{digit}") for digit in "1234")


@dataclass(frozen=True)
class Planned:
    """One experiment of a team with its plan; `number` counts from 0."""

    number: int
    team_id: str
    experiment: Experiment
    plan: Plan


def experiments() -> Iterator[Planned]:
    """The experiments of all teams; each team has some of every shape."""
    teams = tuple(TEAMS)
    numbered = enumerate(shape for shape in SHAPES for _ in range(shape.experiments))
    for number, shape in numbered:
        experiment = validate_document(_document(number, shape))
        yield Planned(number, teams[number % len(teams)], experiment, plan_on(experiment, {}))


def _document(number: int, shape: Shape) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": f"paths-{number}",
        "title": f"Paths to PostgreSQL, variant {number}",
        "factors": {
            "path": list(PATHS[: shape.paths]),
            "clients": list(shape.clients),
            "scale": 5 + number % 20,
        },
        "baseline": {"path": PATHS[0]},
        "rounds": ROUNDS,
        "seed": number,
        "metrics": list(METRICS[: 2 + number % 2]),
    }
    if number % 5 == 0:
        document["thresholds"] = ["ratio(tps, baseline) >= 0.5"]
    return document
