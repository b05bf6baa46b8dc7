"""The CI action and the examples of docs/pipelines.md, run against a served API."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from backend.client import Plimsoll
from tests.api.client import DOCUMENT, Worker
from tests.api.command import play
from tests.api.composite_action import Job
from tests.scripts.waiting import eventually
from tests.services import ROOT

ACTION = ROOT / ".ci" / "action"
PLIMSOLL = str(Path(sys.executable).parent / "plimsoll")
PASSES, FAILS, OPEN = "tps >= 1", "tps >= 1000000", "ratio(tps, baseline) >= 0.99"
EXAMPLES = dict(
    re.findall(r"^## ([^\n]+)\n.*?```\w+\n(.*?)```", (ROOT / "docs/pipelines.md").read_text(), re.M | re.S)
)


@pytest.fixture
def job(served: str, tmp_path: Path) -> Callable[..., Job]:
    """The action on an experiment with these thresholds."""

    def made(*thresholds: str, rounds: int = 8, **inputs: str) -> Job:
        document = DOCUMENT | {"thresholds": list(thresholds), "rounds": rounds}
        (tmp_path / "plimsoll.yaml").write_text(yaml.safe_dump(document))
        given = {"url": served, "token": os.environ["PLIMSOLL_TOKEN"], "command": PLIMSOLL} | inputs
        return Job(ACTION, given, tmp_path, {"XDG_CONFIG_HOME": str(tmp_path)})

    return made


def finished(job: Job, worker: Worker, end: Callable[[], None] | None = None) -> Job:
    """The job, while the worker carries out its run."""
    thread = play(worker, end or worker.finish)
    job.run()
    assert job.outputs["measure"]["run-id"], job.log
    thread.join()
    assert job.inputs["token"] not in job.log + job.summary + str(job.outputs)
    return job


@pytest.mark.parametrize(
    ("threshold", "rounds", "strict", "code", "outcome", "sentence"),
    [
        (PASSES, 8, "true", 0, "pass", "pass: every threshold is met"),
        (FAILS, 8, "true", 99, "fail", "fail: a threshold is not met"),
        # The command line's own tests have this exit code, too.
        pytest.param(
            *(OPEN, 2, "true", 4, "not_enough_evidence", "not enough evidence"), marks=pytest.mark.full
        ),
        (OPEN, 2, "false", 0, "not_enough_evidence", "not strict, so the job passes"),
    ],
)
def test_the_gate(
    job: Callable[..., Job],
    worker: Worker,
    threshold: str,
    rounds: int,
    strict: str,
    code: int,
    outcome: str,
    sentence: str,
) -> None:
    found = finished(job(threshold, rounds=rounds, strict=strict), worker)
    outputs = found.outputs["measure"]
    assert (found.exit_code, outputs["exit-code"], outputs["outcome"]) == (code, str(code), outcome), (
        found.log
    )
    assert found.summary.startswith("## Plimsoll: ")
    assert sentence in found.summary and f"`{threshold}`" in found.summary
    assert f"[Result of {outputs['run-id']}]({outputs['run-url']})" in found.summary
    assert "Published port on 127.0.0.1" in found.summary and "| ---" in found.summary
    assert json.loads(found.artefacts[0].read_text())["run"]["id"] == outputs["run-id"]
    # Output is no command for the runner.
    guard = re.search(r"::stop-commands::([0-9a-f]{32})\n", found.log)
    assert guard is not None and f"::{guard[1]}::" in found.log.split(guard[0])[1]


def test_an_experiment_without_thresholds(job: Callable[..., Job], worker: Worker) -> None:
    found = finished(job(host="bench-1", strict="false"), worker)
    assert (found.exit_code, found.outputs["measure"]["outcome"]) == (0, "none")
    assert "the experiment has no thresholds" in found.summary


def test_an_incomplete_run(job: Callable[..., Job], worker: Worker) -> None:
    def fail_one() -> None:
        worker.fail(worker.claim())
        worker.finish()

    found = finished(job(strict="false"), worker, fail_one)
    assert found.exit_code == 3 and "the run is incomplete" in found.summary


@pytest.mark.parametrize(
    "inputs", [{"definition": "$(touch pwned)"}, {"host": "`touch pwned`"}, {"definition": "--help; id"}]
)
def test_inputs_are_no_commands(
    job: Callable[..., Job], worker: Worker, inputs: dict[str, str], tmp_path: Path
) -> None:
    found = job(**inputs).run()
    assert found.exit_code == 2 and not (tmp_path / "pwned").exists()
    assert "error (exit code 2)" in found.summary and found.artefacts == []


def test_an_unreachable_server(job: Callable[..., Job]) -> None:
    found = job(url="http://127.0.0.1:9").run()
    assert found.exit_code == 1 and "does not answer" in found.summary
    refused = job(url="http://192.0.2.1").run()
    assert (
        refused.exit_code == 2
        and "plain http" in refused.summary
        and refused.inputs["token"] not in refused.summary
    )


@pytest.mark.full  # the example for GitHub makes a link, too
def test_a_link_for_readers(job: Callable[..., Job], worker: Worker) -> None:
    found = finished(job(PASSES, share="private", **{"share-days": "3"}), worker)
    assert re.search(r"\[Link for readers without an account\]\(http\S+\)", found.summary)


def test_no_expression_is_part_of_a_command() -> None:
    steps: list[dict[str, Any]] = yaml.safe_load((ACTION / "action.yml").read_text())["runs"]["steps"]
    assert all("${{" not in step.get("run", "") for step in steps)


def test_a_cancelled_job_cancels_its_run(served: str, worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "plimsoll.yaml").write_text(yaml.safe_dump(DOCUMENT))
    environment = {**os.environ, "PLIMSOLL_URL": served, "INPUT_COMMAND": PLIMSOLL}
    child = subprocess.Popen([ACTION / "measure"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE)

    def states() -> list[str]:
        return [run.state for run in Plimsoll(served).runs()]

    assert eventually(lambda: states() == ["queued"], limit=60)
    assert child.stderr is not None and child.stderr.readline().startswith(b"run_")
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    assert child.returncode == 130 and states() == ["cancelled"]


def test_the_github_example_uses_the_action(served: str, job: Callable[..., Job], worker: Worker) -> None:
    workflow = yaml.safe_load(EXAMPLES["GitHub Actions"])
    step = workflow["jobs"]["measure"]["steps"][1]
    assert step["uses"].split("@")[0].removeprefix("OWNER/plimsoll/") == ".ci/action"
    inputs = step["with"] | {"url": served, "token": os.environ["PLIMSOLL_TOKEN"]}
    assert step["with"]["token"] == "${{ secrets.PLIMSOLL_TOKEN }}"
    found = finished(job(PASSES, **inputs), worker)
    assert found.exit_code == 0 and "Link for readers" in found.summary


def test_the_gitlab_example_gates(served: str, worker: Worker, tmp_path: Path) -> None:
    example = yaml.safe_load(EXAMPLES["GitLab"])["network"]
    (tmp_path / "plimsoll.yaml").write_text(yaml.safe_dump(DOCUMENT | {"thresholds": [FAILS], "rounds": 8}))
    environment = {**os.environ, "PLIMSOLL_URL": served}
    environment["PATH"] = f"{Path(PLIMSOLL).parent}:{environment['PATH']}"
    thread = play(worker, worker.finish)
    codes = []
    for part in ("script", "after_script"):
        text = "\n".join(example[part])
        codes.append(
            subprocess.run(["bash", "-e", "-c", text], cwd=tmp_path, env=environment, check=False).returncode
        )
    thread.join()
    assert codes == [99, 0]
    assert "Published port" in (tmp_path / "result.md").read_text()
    assert all((tmp_path / name).exists() for name in example["artifacts"]["paths"])
