"""Runs the steps of a composite GitHub action, as far as .ci/action uses their language.

https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#runs-for-composite-actions
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
_EQUAL = re.compile(r"inputs\.([\w-]+) == '([^']*)'")


@dataclass
class Job:
    """One use of an action in a job: its folders, and afterwards its logs, outputs and result."""

    action: Path
    inputs: dict[str, str]
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    log: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    artefacts: list[Path] = field(default_factory=list)
    exit_code: int = 0

    @property
    def summary(self) -> str:
        """The job summary."""
        path = self.folder / "summary.md"
        return path.read_text() if path.exists() else ""

    def run(self) -> Job:
        """Run the steps: after a failed one, only those with always()."""
        document = yaml.safe_load((self.action / "action.yml").read_text())
        defaults = {name: each.get("default", "") for name, each in document["inputs"].items()}
        assert set(self.inputs) <= set(defaults)
        required = {name for name, each in document["inputs"].items() if each.get("required")}
        assert required <= set(self.inputs)
        self.inputs = defaults | self.inputs
        for step in document["runs"]["steps"]:
            condition = step.get("if", "success()")
            if condition == "always()" or (self.exit_code == 0 and self._holds(condition)):
                self._step(step)
        return self

    def _holds(self, condition: str) -> bool:
        if condition == "success()":
            return True
        found = _EQUAL.fullmatch(condition)
        assert found is not None, condition
        return self.inputs[found[1]] == found[2]

    def _step(self, step: dict[str, Any]) -> None:
        if "uses" in step:
            assert step["uses"].startswith("actions/upload-artifact@")
            path = Path(self._value(step["with"]["path"]) or "/nonexistent")
            if path.exists():
                kept = self.folder / "artefacts" / path.name
                kept.parent.mkdir(exist_ok=True)
                self.artefacts.append(Path(shutil.copy(path, kept)))
            return
        assert step["shell"] == "bash" and "${{" not in step["run"]
        environment = {name: self._value(value) for name, value in step.get("env", {}).items()}
        ended = subprocess.run(
            # The shell of GitHub's runner: https://docs.github.com/en/actions, "shell: bash".
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env={**os.environ, **self.environment, **environment, **self._runner(step)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.log += ended.stdout + ended.stderr
        self.exit_code = self.exit_code or ended.returncode
        self._read_outputs(step.get("id", ""))

    def _runner(self, step: dict[str, Any]) -> dict[str, str]:
        return {
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_OUTPUT": str(self.folder / f"output-{step.get('id', '')}"),
            "RUNNER_TEMP": str(self.folder / "temp"),
        }

    def _read_outputs(self, step_id: str) -> None:
        path = self.folder / f"output-{step_id}"
        lines = path.read_text().splitlines() if path.exists() else []
        self.outputs[step_id] = dict(line.split("=", 1) for line in lines)

    def _value(self, text: str) -> str:
        def value(found: re.Match[str]) -> str:
            match found[1].split("."):
                case ["inputs", name]:
                    return self.inputs[name]
                case ["steps", step, "outputs", name]:
                    return self.outputs.get(step, {}).get(name, "")
            raise AssertionError(found[1])

        return _EXPRESSION.sub(value, str(text))
