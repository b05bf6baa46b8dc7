"""Missing capabilities become reasons with a remedy; registered programs are checked."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from backend.core.definition.catalog import PATH_NAMES
from backend.settings import Settings, read_programs
from worker.host.capabilities import (
    ENGINES,
    NEEDS,
    REMEDIES,
    engine_version,
    reasons_for,
    unusable_program,
)


def test_every_need_has_an_existing_path_and_a_remedy() -> None:
    for thing, needs in NEEDS.items():
        kind, name, *_ = thing.split(".")
        assert name in (PATH_NAMES if kind == "path" else ENGINES)
        assert set(needs) <= set(REMEDIES)
    assert {need for needs in NEEDS.values() for need in needs} == set(REMEDIES)


def test_a_missing_capability_is_the_reason_of_what_needs_it() -> None:
    assert reasons_for({}) == {}
    assert reasons_for({"ipvlan_l3": "no ipvlan l3"}) == {
        "path.ipvlan_l3": f"no ipvlan l3; {REMEDIES['ipvlan_l3']}"
    }
    both = reasons_for({"vxlan": "no vxlan", "esp": "no esp"})
    assert set(both) == {"path.overlay", "path.overlay_encrypted", "engine.swarm", "path.overlay.two_hosts"}
    assert both["path.overlay_encrypted"].startswith("no vxlan; use a kernel with CONFIG_VXLAN; no esp;")
    assert json.loads(json.dumps(both)) == both


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("Docker version 20.10.24+dfsg1, build 5d6db84", (20, 10, 24)),
        ("Docker version 29.7.2, build abc", (29, 7, 2)),
        ("nonsense", ()),
    ],
)
def test_the_engine_version_is_parsed_from_its_output(said: str, version: tuple[int, ...]) -> None:
    assert engine_version(said) == version


def test_a_program_that_dockerd_may_start_is_an_executable_of_root(tmp_path: Path) -> None:
    program = tmp_path / "relay"
    assert "absolute path" in unusable_program(Path("relay"))
    assert unusable_program(program) == f"does not exist: no file {program}"
    program.touch(mode=0o644)
    if os.geteuid() != 0:
        pytest.skip("only a file of root may be registered")
    program.chmod(0o600)
    assert "chmod +x" in unusable_program(program)
    program.chmod(0o775)
    assert "chmod go-w" in unusable_program(program)
    program.chmod(0o755)
    assert unusable_program(program) == ""
    os.chown(program, 10001, 10001)
    assert "chown root" in unusable_program(program)


def test_programs_are_registered_by_name_and_absolute_path() -> None:
    assert read_programs("") == {}
    expected = {"relay": Path("/opt/relay"), "go-2": Path("/opt/go=2")}
    assert Settings(proxy_programs="relay=/opt/relay, go-2=/opt/go=2,").programs == expected
    assert Settings().host_docker_socket == Path("/var/run/docker.sock")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("relay", "write name=/absolute/path"),
        ("relay=bin/relay", "write name=/absolute/path"),
        ("Relay=/bin/relay", "name in a-z"),
        ("a=/x,a=/y", "choose another one"),
        ("docker-proxy=/x", "choose another one"),
    ],
)
def test_a_wrong_registration_is_refused_with_the_part_that_is_wrong(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Settings(proxy_programs=text)
