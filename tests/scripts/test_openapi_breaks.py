"""scripts/check fails for a breaking change of the REST API since the last release."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.scripts.shell import ROOT, program

PARTS = ("progress", "preflight", "guard", "packages", "python", "openapi")
RELEASED = ROOT / "scripts" / "oasdiff" / "released.json"
BUILD_LIMIT_S = 500

Document = dict[str, Any]


def compare(tmp_path: Path, current: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The step of scripts/check on a document."""
    if shutil.which("go") is None and not (ROOT / "var/go/bin/go").exists():
        pytest.skip("there is no Go to build oasdiff with; scripts/check installs one")
    body = program(PARTS, f"openapi_unbroken {current or ''}")
    return subprocess.run(
        ["bash", "-c", f'log_dir="{tmp_path}"\n{body}'],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=BUILD_LIMIT_S,
        check=False,
    )


def schema(document: Document, name: str) -> Document:
    found: Document = document["components"]["schemas"][name]
    return found


def remove_a_field(document: Document) -> None:
    del schema(document, "Run")["properties"]["host"]
    schema(document, "Run")["required"].remove("host")


def remove_an_optional_field(document: Document) -> None:
    del schema(document, "ChartModel")["properties"]["quality"]


def narrow_an_enum_of_a_request(document: Document) -> None:
    operation = document["paths"]["/api/v1/runs/{run_id}/exports/{format}"]["get"]
    name = next(each for each in operation["parameters"] if each["name"] == "format")
    name["schema"]["enum"].remove("csv-long")


def narrow_an_enum_of_a_response(document: Document) -> None:
    schema(document, "Run")["properties"]["state"]["enum"].remove("incomplete")


def require_a_new_field(document: Document) -> None:
    schema(document, "RunStart")["properties"]["team"] = {"type": "string"}
    schema(document, "RunStart").setdefault("required", []).append("team")


def allow_null_in_a_response(document: Document) -> None:
    schema(document, "Run")["properties"]["host"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}


def lower_a_limit(document: Document) -> None:
    schema(document, "ShareStart")["properties"]["expires_in_days"]["maximum"] = 5


def remove_a_status(document: Document) -> None:
    del document["paths"]["/api/v1/runs"]["get"]["responses"]["422"]


def remove_a_path(document: Document) -> None:
    del document["paths"]["/api/v1/factors"]


def changed(tmp_path: Path, change: Callable[[Document], None]) -> Path:
    document = json.loads(RELEASED.read_text())
    change(document)
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document))
    return path


def test_the_description_breaks_nothing_of_the_last_release(tmp_path: Path) -> None:
    found = compare(tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (remove_a_field, "response-required-property-removed"),
        (remove_an_optional_field, "response-optional-property-removed"),
        (narrow_an_enum_of_a_request, "request-parameter-enum-value-removed"),
        (narrow_an_enum_of_a_response, "response-property-enum-value-removed"),
        (require_a_new_field, "new-required-request-property"),
        (allow_null_in_a_response, "response-property-list-of-types-widened"),
        (lower_a_limit, "request-property-max-decreased"),
        (remove_a_status, "response-non-success-status-removed"),
        (remove_a_path, "api-path-removed-without-deprecation"),
    ],
)
def test_a_breaking_change_fails(tmp_path: Path, change: Callable[[Document], None], check: str) -> None:
    found = compare(tmp_path, changed(tmp_path, change))
    assert found.returncode == 1 and f"[{check}]" in found.stdout, found.stdout + found.stderr


def add_much(document: Document) -> None:
    schema(document, "Run")["properties"] |= {"team": {"type": "string"}}
    schema(document, "Run")["properties"]["state"]["enum"].append("paused")
    schema(document, "RunStart")["properties"]["label"] = {"type": "string"}
    runs = document["paths"]["/api/v1/runs"]["get"]
    runs["responses"]["429"] = runs["responses"]["422"]
    document["paths"]["/api/v1/more"] = {"get": {"responses": {"200": {"description": "More"}}}}


def test_additions_pass(tmp_path: Path) -> None:
    found = compare(tmp_path, changed(tmp_path, add_much))
    assert found.returncode == 0, found.stdout + found.stderr
