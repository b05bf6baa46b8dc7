"""`plimsoll init` and completion; neither needs a server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from backend.cli.beginning import experiment_file
from backend.core.definition.presets import presets, summaries
from backend.core.definition.submitted import read_submitted
from tests.api.command import Command
from tests.services import ROOT


@pytest.fixture
def plimsoll(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLIMSOLL_URL", "https://bench.example.org/")
    return Command(capsys, monkeypatch)


def test_init_writes_a_document_that_is_valid(plimsoll: Command, tmp_path: Path) -> None:
    plimsoll("init")
    text = (tmp_path / "plimsoll.yaml").read_text()
    schema = "https://bench.example.org/schema/experiment.v1.json"
    assert text.splitlines()[0] == f"# yaml-language-server: $schema={schema}"
    assert text.count("yaml-language-server") == 1
    assert read_submitted(text, "yaml").name == "pachot-2019-quick"


@pytest.mark.parametrize("preset", list(summaries()))
def test_every_preset_is_the_same_experiment_with_comments(preset: str) -> None:
    text = experiment_file(preset, "plimsoll.yaml", "http://127.0.0.1:8420")
    expected = next(each.experiment for each in presets() if each.name == preset)
    assert read_submitted(text, "yaml") == expected
    with_thresholds = text.replace("# thresholds:", "thresholds:").replace("#   - ratio", "  - ratio")
    assert len(read_submitted(with_thresholds, "yaml").thresholds) == text.count("#   - ratio") + len(
        expected.thresholds
    )


def test_init_never_overwrites(plimsoll: Command, tmp_path: Path) -> None:
    (tmp_path / "plimsoll.yaml").write_text("mine")
    plimsoll("init", code=2)
    assert "exists and is not overwritten" in plimsoll.err
    assert (tmp_path / "plimsoll.yaml").read_text() == "mine"
    (tmp_path / "link.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    plimsoll("init", "-o", "link.yaml", code=2)
    assert not (tmp_path / "elsewhere.yaml").exists()
    plimsoll("init", "host-paths-quick", "--output", "other.yaml")
    assert "name: host-paths-quick" in (tmp_path / "other.yaml").read_text()


def test_init_names_presets_near_an_unknown_one(plimsoll: Command) -> None:
    plimsoll("init", "pachot", code=2)
    assert "pachot-2019" in plimsoll.err


SHELL = """
PATH={folder}:$PATH
source <(plimsoll completion bash)
COMP_WORDS=({words}) COMP_CWORD={cursor}
$(complete -p plimsoll | grep -o -- '-F [^ ]*' | cut -c 4-) plimsoll
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("plimsoll va", ["validate"]),
        ("plimsoll plan pachot", ["pachot-2019", "pachot-2019-quick"]),
        ("plimsoll init host", ["host-paths", "host-paths-quick"]),
        ("plimsoll run --fol", ["--follow"]),
    ],
)
def test_bash_completes(words: str, expected: list[str]) -> None:
    script = SHELL.format(folder=Path(sys.executable).parent, words=words, cursor=len(words.split()) - 1)
    found = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert [line.split("\t")[0] for line in found.stdout.split("\n") if line] == expected, found.stderr


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(plimsoll: Command, shell: str) -> None:
    assert "_PLIMSOLL_COMPLETE" in plimsoll("completion", shell)
    plimsoll("completion", "tcsh", code=2)
