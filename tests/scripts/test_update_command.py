"""How an installation is recognised and named, and the command that updates it."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.worker_installation import WorkerInstallation, update_advice
from scripts.joining import tree
from tests.worker.second_tree import git


def test_files_without_a_history_have_to_be_replaced(tmp_path: Path) -> None:
    found = tree.installation(tmp_path)
    assert found == WorkerInstallation("files", str(tmp_path))
    assert found.update("0.1.0", "0.2.0") == ""
    text = update_advice(found, "0.1.0", "0.2.0")
    assert f"put release 0.2.0 of Plimsoll into {tmp_path}" in text and "./scripts/join" in text


def test_a_folder_inside_somebody_elses_clone_is_no_clone(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "inside").mkdir()
    assert tree.installation(tmp_path / "inside").kind == "files"


def test_without_git_a_clone_counts_as_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init", "--quiet")
    monkeypatch.setenv("PATH", "/nowhere")
    assert tree.installation(tmp_path).kind == "files"


def test_a_folder_that_a_shell_reads_otherwise_is_not_named(tmp_path: Path) -> None:
    folder = tmp_path / "$(reboot)"
    folder.mkdir()
    assert tree.installation(folder) == WorkerInstallation()


def test_a_container_is_made_again_from_the_new_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tree.IN_CONTAINER, "1")
    found = tree.installation(Path("/srv/plimsoll"))
    assert WorkerInstallation.parse(str(found)) == found
    text = update_advice(found, "0.1.0", "0.2.0")
    image, _, command = text.partition(", then run there: ")
    assert image == "build or load release 0.2.0 of the image plimsoll on the worker's host"
    assert command.startswith(
        "docker stop plimsoll-worker && docker rm plimsoll-worker && docker run --detach "
    )
    assert command.endswith(" plimsoll plimsoll join"), "the host stays enrolled: no URL, no secret"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "branch",
        "branch srv",
        "branch /srv; reboot",
        "branch /srv\n/scripts",
        "branch /srv $(reboot)",
        "tag /srv",
        "tag /srv -f",
        "tag /srv v1 v2",
        "commit /srv `id`",
        "elsewhere /srv",
        "container; reboot",
        "image",
        "branch /" + "x" * 300,
        "tag /srv " + "x" * 300,
    ],
)
def test_what_no_worker_would_say_becomes_no_command(text: str) -> None:
    found = WorkerInstallation.parse(text)
    assert found is None
    assert update_advice(found, "0.1.0", "0.2.0").startswith("put release 0.2.0 of Plimsoll into its folder")
