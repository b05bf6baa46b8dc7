"""One trial on each path under its own name, for the whole session: its record, observation and nat rules."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from backend.core.definition.factors import Level
from backend.core.sample.observation import Observation
from backend.core.sample.record import TrialRecord
from backend.core.topology.feasible import infeasible
from tests.live.conftest import levels_of, measured
from worker.host.commands import in_namespace, run
from worker.topology.testbed import Testbed
from worker.topology.trial_setup import TrialSetup

COUNTED = re.compile(r"^\[(\d+):\d+\] (-A .*)$", re.M)


@dataclass(frozen=True)
class Taken:
    """A real trial on a path, its observation, and two texts that do not depend on addresses.

    `rules` are the nat rules that matched connections in the trial, `expected` is what was expected of each
    signal of the evidence, in their order.
    """

    record: TrialRecord
    seen: Observation
    rules: tuple[str, ...]
    expected: tuple[str, ...]


def obstacle(testbed: Testbed, levels: dict[str, Level]) -> str | None:
    """Why this host cannot run a cell."""
    found = infeasible(levels, testbed.capabilities())
    return None if found is None else found.detail


def take(testbed: Testbed, path: str, userland_proxy: bool) -> Taken | str:
    """A trial now, or the reason why there can be none. Everything runs before the rules are counted."""
    levels = levels_of(path, userland_proxy)
    why = obstacle(testbed, levels)
    if why is not None:
        return why
    setup = testbed.setup(levels)
    try:
        before = nat_counts(setup)
        measurement = measured(testbed, levels)
        after = nat_counts(setup)
    finally:
        setup.close()
    assert measurement.record is not None
    assert measurement.observation is not None
    rules = tuple(plain(rule, setup) for rule, count in after.items() if count > before.get(rule, 0))
    expected = tuple(plain(one.expected, setup) for one in measurement.record.evidence.signals)
    return Taken(measurement.record, measurement.observation, rules, expected)


taken = functools.cache(take)
"""The same trial for every test of the session."""


def nat_counts(setup: TrialSetup) -> dict[str, int]:
    """Every nat rule of the engine with its number of matched connections."""
    text = run(in_namespace(setup.probe.targets.engine_netns, ["iptables-save", "-c", "-t", "nat"]))
    return {rule: int(count) for count, rule in COUNTED.findall(text)}


def plain(text: str, setup: TrialSetup) -> str:
    """The text with addresses and ports replaced by their meaning, which is the same in every run."""
    known = setup.addresses()
    names: Mapping[str | None, str] = {
        known.server: "SERVER",
        known.client: "CLIENT",
        known.gateway: "GATEWAY",
        known.host: "HOST",
    }
    network = f"{known.gateway.rpartition('.')[0]}.0" if known.gateway else ""
    for found, name in (*names.items(), (network, "NETWORK")):
        if found:
            text = re.sub(rf"(?<![\d.]){re.escape(found)}(?![\d.])", name, text)
    if setup.probe.targets.published:
        text = re.sub(rf"\b{setup.probe.targets.published}\b", "PUBLISHED", text)
    return text
