"""Completion of runs by the shell: it queries the server, is bounded in time, and never prints an error."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from backend.cli import run_argument
from backend.cli.main import completed_command
from tests.api.client import DOCUMENT, Worker
from tests.services import ROOT

BASH = """
PATH={folder}:$PATH
source <(plimsoll completion bash)
COMP_WORDS=(plimsoll {words}) COMP_CWORD={cursor}
$(complete -p plimsoll | grep -o -- '-F [^ ]*' | cut -c 4-) plimsoll
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def complete(shell: str, url: str, *words: str) -> list[str]:
    """The runs that a shell offers for the last word."""
    environment = os.environ | {"PLIMSOLL_URL": url, "PYTHONPATH": str(ROOT)}
    folder = Path(sys.executable).parent
    if shell == "bash":
        script = BASH.format(folder=folder, words=" ".join(words), cursor=len(words))
        argv = ["bash", "-c", script]
    else:
        line = " ".join(("plimsoll", *words))
        environment |= {
            "_PLIMSOLL_COMPLETE": f"complete_{shell}",
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        argv = [str(folder / "plimsoll")]
    done = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    return [
        part for part in done.stdout.replace('"', " ").replace(":", " ").split() if part.startswith("run_")
    ]


@pytest.fixture
def runs(served: str, token: dict[str, str]) -> list[str]:
    """The ids of two runs."""
    with httpx2.Client(base_url=served, headers=token, trust_env=False, timeout=60) as client:
        experiment = client.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
        path = f"/api/v1/experiments/{experiment}/runs"
        return sorted(
            client.post(path, json={}, headers={"Idempotency-Key": key}).json()["id"] for key in ("a", "b")
        )


@pytest.mark.parametrize(
    ("shell", "words"),
    [("bash", ("status",)), ("zsh", ("compare", "run_0")), ("fish", ("export", "-f", "json"))],
)
def test_the_runs_of_the_server(
    shell: str, words: tuple[str, ...], served: str, worker: Worker, runs: list[str]
) -> None:
    assert sorted(complete(shell, served, *words, "run_")) == runs
    assert complete(shell, served, *words, runs[0][:-1]) == runs[:1]


def test_no_other_run_is_offered(served: str, worker: Worker, runs: list[str], monkeypatch: Any) -> None:
    monkeypatch.setenv("PLIMSOLL_URL", served)
    assert [run for run, _ in run_argument.complete_run(runs[1])] == runs[1:]
    assert run_argument.complete_run("run_l") == []


@pytest.mark.parametrize(
    ("variable", "line", "command"),
    [
        ("COMP_WORDS", "plimsoll status run_", "status"),
        ("COMP_WORDS", "plimsoll status ", "status"),
        ("COMP_WORDS", "plimsoll status", ""),
        ("_TYPER_COMPLETE_ARGS", "plimsoll compare run_0 ", "compare"),
        ("_TYPER_COMPLETE_ARGS", "plimsoll ", ""),
    ],
)
def test_only_the_named_command_is_imported(variable: str, line: str, command: str) -> None:
    assert completed_command({"_PLIMSOLL_COMPLETE": "complete_bash", variable: line}) == command
    assert completed_command({variable: line}) == ""


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_server_that_does_not_answer_is_not_waited_for(
    silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIMSOLL_URL", silent)
    assert run_argument.complete_run("") == []
    # It did not wait for the request, which tries more than once.
    assert run_argument.READER in {thread.name for thread in threading.enumerate()}
    assert complete("bash", silent, "status", "run_") == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://192.0.2.1", "nonsense"])
def test_every_failure_is_silent(
    url: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLIMSOLL_TOKEN", "plm_x")
    monkeypatch.setenv("PLIMSOLL_URL", url)
    assert run_argument.complete_run("") == [] and capfd.readouterr() == ("", "")


def test_a_wrong_token_is_silent(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIMSOLL_TOKEN", "plm_wrong")
    assert complete("fish", served, "status", "run_") == []
