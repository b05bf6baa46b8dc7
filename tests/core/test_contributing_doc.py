"""Every file and folder that the documents for developers name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DECISIONS = sorted(f"docs/decisions/{path.name}" for path in (ROOT / "docs/decisions").iterdir())
DOCUMENTS = [
    "CONTRIBUTING.md",
    "README.md",
    "docs/architecture.md",
    "docs/python.md",
    "docs/results.md",
    "docs/vocabulary.md",
]
NAMED = re.compile(r"(?<![\w/.*])((?:backend|worker|frontend|tests|docs|scripts|migrations)/[\w./-]*\w)")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_named_files_exist(document: str) -> None:
    text = (ROOT / document).read_text()
    named = {path for path in NAMED.findall(text) if not path.startswith("frontend/dist")}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", [*DOCUMENTS, *DECISIONS])
def test_the_links_lead_to_files(document: str) -> None:
    folder = (ROOT / document).parent
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / document).read_text())
    assert [link for link in links if not (folder / link).exists()] == []


def test_a_row_of_contributing_names_each_kind_of_addition() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for kind in ("path", "tool", "metric", "factor", "page"):
        section = text.split(f"## Add a {kind}\n")[1].split("\n## ")[0]
        assert re.search(r"`git show [0-9a-f]{7} -- ", section), kind
        assert len(NAMED.findall(section)) >= 3, kind


def test_hooks_before_a_commit_are_local() -> None:
    found = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    assert [repository["repo"] for repository in found["repos"]] == ["local"]
    assert {hook["language"] for hook in found["repos"][0]["hooks"]} == {"system"}
