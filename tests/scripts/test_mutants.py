"""Mutants of source files, the tests that run for each, and what a report of contexts says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scripts.benchmark.suite import contexts, coverage, mutations, trees, trials
from scripts.benchmark.suite.groups import GROUPS

ROOT = Path(__file__).parents[2]
RULES = """LIMIT = 3
RULES = {"listRuns": READ}


def is_small(value: int, limit: int = 4) -> bool:
    if value < 0:
        return False
    return value < limit
"""
SQL = '''CLAIM = """
    SELECT id FROM trial
     WHERE id = :id
       AND fence < :fence
     FOR UPDATE"""
'''


def tree(folder: Path, **files: str) -> list[Path]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return [Path(f"{name}.py") for name in files]


def names(folder: Path, files: list[Path], seed: int = 1, size: int = 500) -> list[str]:
    return [mutant.name for mutant in mutations.sample(folder, files, seed, size)]


def test_a_seed_draws_the_same_mutants_and_another_seed_others(tmp_path: Path) -> None:
    files = tree(tmp_path, rules=RULES)
    assert names(tmp_path, files, 1, 5) == names(tmp_path, files, 1, 5)
    assert names(tmp_path, files, 1, 5) != names(tmp_path, files, 2, 5)
    assert len(names(tmp_path, files, 1, 5)) == 5


def test_a_change_of_a_file_leaves_the_mutants_of_other_files(tmp_path: Path) -> None:
    files = tree(tmp_path, rules=RULES, other=RULES.replace("3", "7"))
    before = {m.name for m in mutations.sample(tmp_path, files, 1, 500) if m.path == "rules.py"}
    tree(tmp_path, other="")
    assert set(names(tmp_path, files)) == before


def test_statements_of_a_module_and_rows_of_the_access_rules_change(tmp_path: Path) -> None:
    diffs = [m.diff for m in mutations.sample(tmp_path, tree(tmp_path, rules=RULES), 1, 500)]
    for line in ("LIMIT = 4", 'RULES = {"listRuns": PUBLIC}', "    if value <= 0:"):
        assert any(f"+{line}\n" in diff for diff in diffs), line


def test_conditions_and_clauses_of_sql_change(tmp_path: Path) -> None:
    diffs = [m.diff for m in mutations.sample(tmp_path, tree(tmp_path, sql=SQL), 1, 500)]
    for line in (
        "+     WHERE id <> :id",
        "+       AND fence > :fence",
        "-       AND fence < :fence",
        "+    ",
    ):
        assert any(line in diff for diff in diffs), line


def test_a_mutant_runs_the_tests_of_its_statement_or_of_the_group(tmp_path: Path) -> None:
    mutants = mutations.sample(tmp_path, tree(tmp_path, rules=RULES), 1, 500)
    lines = {
        ("rules.py", 1): {"a.py::t"},
        ("rules.py", 6): {"a.py::t"},
        ("rules.py", 8): {"a.py::t[1]"},
        ("x.py", 1): {"b.py::u"},
    }
    outcome = contexts.Outcome(
        {"a.py::t": 1.0, "a.py::t[1]": 2.0, "b.py::u": 0.1, "c.py::v": 0.2}, ["c.py::w"]
    )
    suite = trials.Suite("", outcome, lines)
    expected = {1: {"a.py::t", "a.py::t[1]", "b.py::u"}, 6: {"a.py::t"}, 7: set(), 8: {"a.py::t[1]"}}
    for line, tests in expected.items():
        assert {frozenset(suite.covering(m)) for m in mutants if m.lines.start == line} == {frozenset(tests)}
    assert suite.arguments({"a.py::t", "b.py::u", "c.py::v"}) == ["b.py", "c.py::v", "a.py::t"]
    suite.kills["a.py"] += 1
    assert suite.arguments({"a.py::t", "a.py::t[1]", "b.py::u"}) == ["a.py", "b.py"]


def test_a_changed_file_is_as_before_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(RULES)
    os.utime(path, (1, 1))
    with trees.with_source(path, "LIMIT = 4\n"):
        assert (path.read_text(), path.stat().st_mtime != 1) == ("LIMIT = 4\n", True)
    assert (path.read_text(), path.stat().st_mtime) == (RULES, 1)


@pytest.mark.parametrize("name", list(GROUPS))
def test_every_pattern_of_a_group_matches_a_file(name: str) -> None:
    patterns = [*GROUPS[name].sources, *GROUPS[name].tests]
    assert [pattern for pattern in patterns if not list(ROOT.glob(pattern))] == []


def test_a_report_says_what_only_full_tests_run_and_what_a_test_alone_runs() -> None:
    branches = {
        ("a.py", -1, 1): {"", "t.py::x"},
        ("a.py", 1, 2): {"t.py::x[1]", "t.py::x[2]"},
        ("a.py", 2, 3): {"t.py::slow"},
        ("a.py", 2, 4): {"t.py::x[1]", "t.py::slow"},
    }
    figures = coverage.report(branches, {"t.py::x", "t.py::x[1]", "t.py::x[2]"})
    assert figures["lines_of_full_tests_only"] == ["a.py:3"]
    assert figures["branches_of_full_tests_only"] == ["a.py:2->3"]
    assert figures["lines_of_one_test_function"] == {"t.py::slow": ["a.py:3"]}
    assert figures["full_test_functions_with_no_line_of_their_own"] == []
