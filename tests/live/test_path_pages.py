"""docs/paths: one page a path, written from what real trials showed; a page that is not true fails.

`PLIMSOLL_WRITE_DOCS=1` writes the pages instead of comparing them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

import pytest

from backend.core.sample.record import Signal
from backend.core.topology.model import PathDefinition
from backend.core.topology.paths import PATHS
from tests.live.conftest import ROOT, trial
from worker.engine.names import SERVER_PORT
from worker.host.commands import in_namespace, run
from worker.measure.process_clock import cpu_ns_of_all, docker_proxies
from worker.trial.bench import Bench
from worker.trial.provision import Deployment

PAGES = ROOT / "docs" / "paths"
ENGINE = "20.10"
COUNTED = re.compile(r"^\[(\d+):\d+\] (-A .*)$", re.M)
BUSY_NS = 5_000_000


def nat_counts(deployment: Deployment) -> dict[str, int]:
    """Every nat rule of the engine with the connections that it has matched."""
    text = run(in_namespace(deployment.netns, ["iptables-save", "-c", "-t", "nat"]))
    return {rule: int(count) for count, rule in COUNTED.findall(text)}


def plain(text: str, deployment: Deployment) -> str:
    """Addresses by their meaning, so that a page does not depend on what was free."""
    names: Mapping[str | None, str] = {
        deployment.server.address: "SERVER",
        deployment.sibling.address: "CLIENT",
        deployment.server.gateway: "GATEWAY",
        deployment.host_address: "HOST",
    }
    for address, name in names.items():
        text = re.sub(rf"(?<![\d.]){re.escape(str(address))}(?![\d.])", name, text)
    return text.replace("198.18.64.0/24", "NETWORK")


def signal_row(signal: Signal, deployment: Deployment) -> str:
    mark = {"agrees": "as expected", "disagrees": "NOT as expected", "unknown": "not readable"}[signal.state]
    return f"| {signal.name} | {plain(signal.expected, deployment)} | {mark} |"


def section(bench: Bench, path: PathDefinition, userland_proxy: bool) -> list[str]:
    deployment = bench.deployment(userland_proxy)
    proxies = docker_proxies(deployment.engine_pid, SERVER_PORT)
    rules, used = nat_counts(deployment), cpu_ns_of_all(proxies)
    record = trial(bench, path.name, userland_proxy)
    after = nat_counts(deployment)
    moved = [plain(rule, deployment) for rule, count in after.items() if count > rules.get(rule, 0)]
    busy = [pid for pid, ns in cpu_ns_of_all(proxies).items() if ns - used[pid] > BUSY_NS]
    return [
        f"## userland-proxy {'on' if userland_proxy else 'off'}",
        "",
        "Hops: " + " → ".join(record.evidence.hops),
        "",
        f"Processes that relay: {len(busy)} of {len(proxies)} docker-proxy processes spend CPU."
        if proxies
        else "Processes that relay: none; the engine runs no docker-proxy.",
        "",
        "nat rules that matched the workload's connections:",
        "",
        *(["```", *moved, "```"] if moved else ["none"]),
        "",
        "| signal | expected | seen |",
        "| --- | --- | --- |",
        *(signal_row(signal, deployment) for signal in record.evidence.signals),
        "",
        f"Verdict: {record.evidence.verdict}",
        "",
    ]


def page(bench: Bench, path: PathDefinition) -> str:
    lines = [
        f"# {path.name}",
        "",
        f"Written by tests/live/test_path_pages.py from trials on Docker Engine {ENGINE}.",
        "",
        f"{path.summary} Command: `pgbench … -h {path.address.value} address -p {SERVER_PORT}`.",
        "",
        *section(bench, path, True),
        *section(bench, path, False),
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda path: path.name)
def test_the_page_says_what_the_wire_shows(bench: Bench, path: PathDefinition) -> None:
    version = bench.environment()["engine on docker"]
    if not version.startswith(ENGINE):
        pytest.skip(
            f"the pages are about Docker Engine {ENGINE}, this is {version}: its rules read differently"
        )
    text = page(bench, path)
    assert "NOT as expected" not in text
    file = PAGES / f"{path.name}.md"
    if os.environ.get("PLIMSOLL_WRITE_DOCS") == "1":
        PAGES.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
