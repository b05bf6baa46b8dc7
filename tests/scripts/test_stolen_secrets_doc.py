"""Every line of "what each stolen secret can do" names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.scripts.shell import ROOT

RECORD = ROOT / "docs/decisions/0071-what-each-stolen-secret-can-do.md"
LINES = [line for line in RECORD.read_text().splitlines() if line.startswith("| ")][2:]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_the_secrets_are_those_of_the_decision() -> None:
    secrets = [line.split("|")[1].strip() for line in LINES]
    for wanted in ("a host's token", "a link to a result", "the process of the API", "a backup file",
                   "the worker's user of Redis", "another user of the server's machine"):  # fmt: skip
        assert wanted in secrets
    scopes = " ".join(secrets)
    assert all(f"`{scope}`" in scopes for scope in ("run:read", "run:write", "share:write", "admin"))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split("|")[1].strip())
def test_each_line_is_held_by_tests_that_exist(line: str) -> None:
    named = NAMED.findall(line.split("|")[4])
    assert named
    for file, test in named:
        assert re.search(rf"^def {test}\(", Path(ROOT, file).read_text(), re.M), f"{file}::{test}"
