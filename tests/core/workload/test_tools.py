"""The registry of tools against the vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.catalog import FITS
from backend.core.definition.catalog import TOOLS as NAMES
from backend.core.definition.factors import FACTORS, Level, applicable
from backend.core.workload.target import Target
from backend.core.workload.tools import TOOLS


def test_every_tool_of_the_vocabulary_is_there_once() -> None:
    assert tuple(TOOLS) == NAMES
    assert {name: tool.services for name, tool in TOOLS.items()} == FITS
    assert all(tool.name == name for name, tool in TOOLS.items())


def cell(name: str, **levels: Level) -> dict[str, Level]:
    defaults = {factor.name: factor.default for factor in FACTORS.values()}
    return applicable({**defaults, "tool": name, "service": FITS[name][0], **levels})


@pytest.mark.parametrize("name", NAMES)
def test_a_cell_of_defaults_runs_and_names_its_target(name: str) -> None:
    tool, levels = TOOLS[name], cell(name)
    assert tool.refuse(levels) is None
    argv = tool.run(levels, Target("198.18.64.2", 4242), 3)
    assert argv[0] == name
    assert any("198.18.64.2" in word for word in argv)
    assert any("4242" in word for word in argv)
    assert tool.connections(levels) == levels["clients"]


@given(
    name=st.sampled_from(NAMES),
    clients=st.integers(1, 200),
    threads=st.integers(1, 64),
    seconds=st.integers(1, 3600),
)
def test_what_is_not_refused_opens_what_was_asked(
    name: str, clients: int, threads: int, seconds: int
) -> None:
    levels = cell(name, clients=clients, threads=threads, duration_s=seconds)
    refusal = TOOLS[name].refuse(levels)
    if refusal is None:
        assert TOOLS[name].connections(levels) == clients
        assert all(word and " " not in word for word in TOOLS[name].run(levels, Target("::1", 1), seconds))
    else:
        assert refusal.split(":")[0] in levels
