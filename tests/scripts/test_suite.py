"""The map from files to parts of the suite, what has passed, and the table of durations."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import date
from pathlib import Path

import pytest

from scripts.suite import durations, parts
from scripts.suite.parts import Parts, SuiteError
from tests.scripts.shell import ROOT

DAY = date(2026, 11, 27)
SMALL = Parts(("core",), ("compose", "large"), {"core/**": ("core", "large"), "*.yaml": ("compose",)})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of three files, one of which git does not know yet."""
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "core" / "plan").mkdir(parents=True)
    (tmp_path / "core" / "plan" / "cells.py").write_text("cells\n")
    (tmp_path / "compose.yaml").write_text("services\n")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "core" / "new.py").write_text("new\n")
    return tmp_path


def _pass_all(checkout: Path) -> None:
    for part, digest in parts.digests(checkout, SMALL).items():
        parts.record_pass(checkout, SMALL, part, digest, DAY)


def test_every_file_of_the_repository_is_claimed_by_a_part() -> None:
    suite = parts.read_map(ROOT)
    unclaimed = parts.files(ROOT) - parts.files(ROOT, suite.paths)
    assert not unclaimed, f"{parts.MAP} has no part for: {', '.join(sorted(unclaimed)[:10])}"


def test_no_row_of_the_map_is_without_a_file() -> None:
    suite = parts.read_map(ROOT)
    assert [glob for glob in suite.paths if not parts.files(ROOT, [glob]) and glob != str(parts.PASSED)] == []


def test_every_part_has_files_and_is_known_to_the_script() -> None:
    suite = parts.read_map(ROOT)
    assert set(suite.names) == {name for names in suite.paths.values() for name in names}
    script = (ROOT / "scripts" / "test").read_text()
    for name, value in (("always", suite.always), ("long", suite.long)):
        listed = re.search(rf"^{name}=\((.*)\)$", script, re.MULTILINE)
        assert listed is not None and tuple(listed[1].split()) == value
    order = re.search(r"^order=\((.*)\)$", script, re.MULTILINE)
    assert order is not None and sorted(order[1].split()) == sorted(suite.names)


def test_a_long_part_without_a_record_is_named(checkout: Path) -> None:
    assert parts.unrecorded(checkout, SMALL) == ["compose", "large"]
    assert parts.changed(checkout, SMALL) == {}
    _pass_all(checkout)
    assert parts.unrecorded(checkout, SMALL) == []
    assert parts.changed(checkout, SMALL) == {}


@pytest.mark.parametrize(
    ("name", "affected"),
    [("core/plan/cells.py", ["large"]), ("core/new.py", ["large"]), ("compose.yaml", ["compose"])],
)
def test_a_changed_file_makes_its_long_parts_run_again(
    checkout: Path, name: str, affected: list[str]
) -> None:
    _pass_all(checkout)
    (checkout / name).write_text("changed\n")
    assert list(parts.changed(checkout, SMALL)) == affected


def test_a_new_file_and_a_removed_one_are_changes(checkout: Path) -> None:
    _pass_all(checkout)
    (checkout / "core" / "more.py").write_text("more\n")
    assert parts.changed(checkout, SMALL) == {
        "large": "files that can affect it have changed since it passed on 2026-11-27"
    }
    (checkout / "core" / "more.py").unlink()
    assert parts.changed(checkout, SMALL) == {}
    (checkout / "compose.yaml").unlink()
    assert list(parts.changed(checkout, SMALL)) == ["compose"]


def test_a_pass_counts_for_the_files_with_which_it_began(checkout: Path) -> None:
    """The digest is taken before the tests run: what is edited meanwhile has not been tested."""
    before = parts.digests(checkout, SMALL)
    (checkout / "compose.yaml").write_text("edited meanwhile\n")
    parts.record_pass(checkout, SMALL, "compose", before["compose"], DAY)
    assert "compose" in parts.changed(checkout, SMALL)


def test_only_a_long_part_is_recorded(checkout: Path) -> None:
    with pytest.raises(SuiteError, match="core is no long part; those are compose, large"):
        parts.record_pass(checkout, SMALL, "core", "0", DAY)


def test_a_part_that_does_not_exist_is_refused_with_its_row(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / parts.MAP).write_text('[parts]\nalways = ["core"]\nlong = []\n[paths]\n"*.py" = ["cores"]\n')
    with pytest.raises(SuiteError, match=r"tests/parts.toml: \*\.py names the unknown part cores"):
        parts.read_map(tmp_path)


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="git cannot list the files"):
        parts.files(tmp_path)


def test_the_table_adds_up_the_phases_of_each_test_and_lists_the_dearest_first(tmp_path: Path) -> None:
    def report(test: str, when: str, seconds: float) -> str:
        return json.dumps({"$report_type": "TestReport", "nodeid": test, "when": when, "duration": seconds})

    rows = [json.dumps({"$report_type": "SessionStart"}), report("a", "setup", 2), report("a", "call", 1)]
    (tmp_path / "core.jsonl").write_text(
        "\n".join([*rows, report("b", "call", 0.5), report("b", "teardown", 4)])
    )
    assertions = [{"duration": 250.0}, {"duration": None}]
    page = {
        "name": "/x/frontend/src/a.test.ts",
        "startTime": 1000,
        "endTime": 2000,
        "assertionResults": assertions,
    }
    (tmp_path / "page.json").write_text(json.dumps({"testResults": [page]}))
    lines = durations.table(durations.costs_of(tmp_path.iterdir()), most=2).splitlines()
    assert lines[1].split() == ["core", "2", "2.00", "1.50", "4.00", "7.50"]
    assert lines[2].split() == ["page", "1", "0.75", "0.25", "0.00", "1.00"]
    assert [line.split() for line in lines[-2:]] == [
        ["0.00", "0.50", "4.00", "4.50", "b"],
        ["2.00", "1.00", "0.00", "3.00", "a"],
    ]
