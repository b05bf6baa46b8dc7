"""The levels of a stored cell are checked like those of a submitted experiment."""

from __future__ import annotations

from typing import Any

import pytest

from backend.core.definition.cell_levels import NEEDED, cell_problem
from backend.core.definition.factors import FACTORS, applicable
from backend.core.definition.presets import presets
from backend.core.plan.cells import enumerate_rows

LEVELS: dict[str, Any] = applicable({name: factor.default for name, factor in FACTORS.items()})
HOSTILE = [None, [], {}, "$(id)", "a\x00b", 10**30, float("nan"), "\u202e", "0," * 200, "-1"]


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"path": "/etc"}, "/path", "unknown_level"),
        ({"path": ["same_container"]}, "/path", "unknown_level"),
        ({"clients": "8; id"}, "/clients", "wrong_type"),
        ({"clients": True}, "/clients", "wrong_type"),
        ({"clients": 1e9}, "/clients", "wrong_type"),
        ({"clients": -1}, "/clients", "out_of_bounds"),
        ({"duration_s": 864_000}, "/duration_s", "out_of_bounds"),
        ({"userland_proxy": 1}, "/userland_proxy", "unknown_level"),
        ({"script": "--file=/etc/passwd"}, "/script", "unknown_level"),
        ({"proxy_program": "../../bin/sh"}, "/proxy_program", "bad_form"),
        ({"server_cpuset": "0\n--privileged"}, "/server_cpuset", "bad_form"),
        ({"binds": "/:/host"}, "/binds", "unknown_factor"),
        ({"host_config": {"Privileged": True}}, "/host_config", "unknown_factor"),
        ({"keep_alive": True}, "/keep_alive", "inapplicable_factor"),
        ({"app_workers": 2}, "/app_workers", "inapplicable_factor"),
    ],
)
def test_a_hostile_level_is_refused(change: dict[str, Any], pointer: str, code: str) -> None:
    problem = cell_problem(LEVELS | change)
    assert problem is not None and (problem.pointer, problem.code) == (pointer, code)


@pytest.mark.parametrize("name", list(FACTORS))
@pytest.mark.parametrize("value", HOSTILE)
def test_no_factor_takes_a_hostile_value(name: str, value: object) -> None:
    assert cell_problem(LEVELS | {name: value}) is not None


@pytest.mark.parametrize("levels", [None, [], "x", 5])
def test_levels_are_an_object(levels: object) -> None:
    problem = cell_problem(levels)
    assert problem is not None and problem.code == "wrong_type"


@pytest.mark.parametrize("name", NEEDED)
def test_what_every_cell_has_may_not_be_missing(name: str) -> None:
    problem = cell_problem({key: level for key, level in LEVELS.items() if key != name})
    assert problem is not None


def test_every_cell_of_every_preset_passes() -> None:
    for preset in presets():
        for row in enumerate_rows(preset.experiment):
            assert cell_problem(row.levels) is None, (preset.name, row.levels)
