"""docs/paths: one page a path, written from the observations of real trials; a wrong page fails.

`PLIMSOLL_WRITE_DOCS=1` writes the pages instead of comparing them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import pytest

from backend.core.plan.labels import hop_label
from backend.core.sample.evidence_names import of_cpu, of_sockets
from backend.core.sample.record import Signal
from backend.core.topology.model import PathDefinition, Relay, Route
from backend.core.topology.paths import PATHS
from tests.live.conftest import ROOT, TRIES, levels_of
from tests.live.kinds import full_unless, has_page_by_default
from tests.live.taken import Taken, take, taken
from worker.topology.testbed import Testbed

PAGES = ROOT / "docs" / "paths"
ENGINE = "20.10"
BUSY_NS = 5_000_000
MARK = {"agrees": "as expected", "disagrees": "NOT as expected", "unknown": "not readable"}
NOT_TAKEN = "Not taken: "


def shown(signal: Signal, route: Route) -> bool:
    """Only the route's own programs and docker-proxy: reverse proxies of other paths may run too."""
    others = {r for r in Relay if r is not Relay.DOCKER_PROXY and r not in route.signature.relays}
    return signal.name not in {name(relay) for relay in others for name in (of_cpu, of_sockets)}


def section(path: PathDefinition, userland_proxy: bool, trial: Taken | str) -> list[str]:
    heading = [f"## userland-proxy {'on' if userland_proxy else 'off'}", ""]
    route = path.route(userland_proxy)
    if route is None:
        return [*heading, f"Unreachable: {path.unreachable}.", ""]
    heading += ["Hops: " + " → ".join(map(hop_label, path.hops(userland_proxy))), ""]
    if isinstance(trial, str):
        return [*heading, f"{NOT_TAKEN}{trial}.", ""]
    tool = levels_of(path.name, userland_proxy)["tool"]
    return [*heading, *seen_in(trial, route, str(tool))]


def seen_in(trial: Taken, route: Route, tool: str) -> list[str]:
    """The rules that the trial matched and its evidence."""
    busy = sorted(relay.value for relay, used in trial.seen.relays.items() if used > BUSY_NS)
    idle = "docker-proxy is idle" if Relay.DOCKER_PROXY in trial.seen.relays else "no docker-proxy runs"
    return [
        f"Programs that relay: {', '.join(busy)}." if busy else f"Programs that relay: none; {idle}.",
        "",
        f"nat rules that matched connections while {tool} ran:",
        "",
        *(["```", *trial.rules, "```"] if trial.rules else ["none"]),
        "",
        "| signal | expected | seen |",
        "| --- | --- | --- |",
        *(
            f"| {signal.name} | {expected} | {MARK[signal.state]} |"
            for signal, expected in zip(trial.record.evidence.signals, trial.expected, strict=True)
            if shown(signal, route)
        ),
        "",
        f"Verdict: {trial.record.evidence.verdict}",
        "",
    ]


def page(path: PathDefinition, trial: Callable[[str, bool], Taken | str]) -> str:
    """The page of a path from its trials with and without the userland-proxy."""
    lines = [
        f"# {path.title} (`{path.name}`)",
        "",
        f"Written by tests/live/test_path_pages.py from trials on Docker Engine {ENGINE}.",
        "",
        path.summary,
        "",
        *section(path, True, trial(path.name, True)),
        *section(path, False, trial(path.name, False)),
    ]
    return "\n".join(lines)


def sampled_too_early(text: str, written: str) -> bool:
    """Whether the pages differ only in signals that were not readable this time.

    On a busy machine the samples may miss every connection of a reverse proxy: other signals prove the path.
    """
    now, then = text.splitlines(), written.splitlines()
    if text == written or len(now) != len(then):
        return False
    return all(a in (b, b.replace(MARK["agrees"], MARK["unknown"])) for a, b in zip(now, then, strict=True))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=name, marks=full_unless(has_page_by_default(name)))
        for name, path in PATHS.items()
    ],
)
@pytest.mark.usefixtures("path_servers")
def test_the_page_matches_the_measured_path(testbed: Testbed, path: PathDefinition) -> None:
    version = testbed.environment()["engine on docker"]
    if not version.startswith(ENGINE):
        pytest.skip(
            f"the pages are about Docker Engine {ENGINE}, this is {version}: its rules read differently"
        )
    file = PAGES / f"{path.name}.md"
    if os.environ.get("PLIMSOLL_WRITE_DOCS") == "1":
        PAGES.mkdir(parents=True, exist_ok=True)
        file.write_text(page(path, partial(taken, testbed)), encoding="utf-8")
    written = file.read_text(encoding="utf-8")
    text = page(path, partial(taken, testbed))
    for _ in range(TRIES - 1):
        if not sampled_too_early(text, written):
            break
        text = page(path, partial(take, testbed))
    assert MARK["disagrees"] not in text
    if text.count(NOT_TAKEN) != written.count(NOT_TAKEN):
        pytest.skip("this host can take other paths than the one where the pages were written")
    assert written == text


def test_only_signals_that_were_not_readable_are_sampled_again() -> None:
    written = "| peer address | 127.0.0.1 | as expected |\n\nVerdict: proven\n"
    assert sampled_too_early(written.replace("as expected", "not readable"), written)
    assert not sampled_too_early(written.replace("as expected", "NOT as expected"), written)
    assert not sampled_too_early(written.replace("proven", "not_proven"), written)
    assert not sampled_too_early(written.replace("127.0.0.1", "198.18.0.1"), written)


def test_there_is_a_page_for_every_path_and_no_other() -> None:
    assert {file.stem for file in PAGES.glob("*.md")} == set(PATHS)
