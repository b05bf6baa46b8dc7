"""Generated requests for every operation of the OpenAPI document, answered as the document says.

Schemathesis makes valid and invalid requests from the document: a few with a seed that changes with the
commit, so that later commits try others; and, as `full`, five times as many with a fixed seed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from backend.api.app import create_app
from backend.api.serve import server_config
from backend.settings import Settings
from tests.accounts import add_account, add_token, browser_headers
from tests.api.client import DOCUMENT, Worker
from tests.api.running import running
from tests.services import ROOT

PROGRAM = str(Path(sys.executable).parent / "schemathesis")
FIXED_SEED = "20261122"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "ignored_auth",
)
SEED_VARIABLE = "PLIMSOLL_TEST_SEED"
pytestmark = [
    pytest.mark.begins_first,
    pytest.mark.parametrize("examples", [2, pytest.param(10, marks=pytest.mark.full)]),
]
OFTEN = "100000/s burst 100000"


@pytest.fixture
def base(settings: Settings) -> Iterator[str]:
    """The API on a real port, without limits on the number of requests."""
    rates = [name for name in type(settings).model_fields if name.startswith("rate_")]
    generous = settings.model_copy(update=dict.fromkeys(rates, OFTEN))
    with running(server_config(create_app(generous), generous)) as found:
        yield found


def objects(base: str, worker: Worker, headers: dict[str, str]) -> dict[str, str]:
    """The ids of existing objects, by the name of their path parameter."""
    with httpx2.Client(base_url=f"{base}/api/v1", trust_env=False, timeout=60, headers=headers) as client:
        experiment = client.post("/experiments", json=DOCUMENT).json()["id"]
        run = client.post(f"/experiments/{experiment}/runs", json={}).json()["id"]
        worker.finish()
        share = client.post(f"/runs/{run}/shares", json={}).json()["id"]
        trial = client.get(f"/runs/{run}/trials").json()["data"][0]["id"]
    found = {"experiment_id": experiment, "run_id": run, "share_id": share, "trial_id": trial}
    return found | {"cell_id": "c1", "host": "bench-1"}


def document(folder: Path, *, secured: bool) -> None:
    """Write the OpenAPI document; not `secured`: its operations name no credentials.

    Schemathesis treats a session cookie as a parameter that it may omit, but it sends given headers always.
    """
    found = json.loads((ROOT / "docs/openapi.json").read_text())
    if not secured:
        for operations in found["paths"].values():
            for operation in operations.values():
                operation.pop("security")
    (folder / "openapi.json").write_text(json.dumps(found))


def seed_of(examples: int) -> str:
    """The commit's for a few examples, FIXED_SEED for many or without git; the variable's before both."""
    if (given := os.environ.get(SEED_VARIABLE)) is not None:
        return given
    argv = ["git", "-C", str(ROOT), "rev-parse", "--verify", "HEAD"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if examples > 2 or done.returncode != 0:
        return FIXED_SEED
    return str(int(done.stdout[:8], 16))


def schemathesis(
    base: str, folder: Path, examples: int, config: list[str], headers: dict[str, str], *options: str
) -> None:
    """Run it; fails with its report and its seed."""
    seed = seed_of(examples)
    print(f"to repeat it: {SEED_VARIABLE}={seed}")
    (folder / "schemathesis.toml").write_text("\n".join([*config, ""]))
    argv = [
        *(PROGRAM, "--config-file", str(folder / "schemathesis.toml")),
        *("run", str(folder / "openapi.json"), "--url", base, "--seed", seed, "--no-shrink"),
        *("--checks", ",".join(CHECKS), "--request-timeout", "30", "--continue-on-failure"),
        *("--suppress-health-check", "all", "--warnings", "off"),
        *(part for name, value in headers.items() for part in ("--header", f"{name}: {value}")),
        *("--max-examples", str(examples)),
        *options,
    ]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True)
    print(done.stdout[-1500:])  # the summary, shown by pytest -rP
    assert done.returncode == 0, f"seed {seed}\n{done.stdout[-30_000:]}{done.stderr[-2000:]}"
    assert "Tested:" in done.stdout


def test_requests_of_a_script_with_ids_of_nothing(
    base: str, settings: Settings, tmp_path: Path, examples: int
) -> None:
    document(tmp_path, secured=True)
    headers = {"Authorization": f"Bearer {add_token(settings, add_account(settings))}"}
    # It would end the token of all further requests.
    options = ("--exclude-operation-id", "endToken", "--phases", "examples,fuzzing")
    schemathesis(base, tmp_path, examples, [], headers, *options)


def test_requests_of_an_administrator_with_ids_of_existing_objects(
    base: str, worker: Worker, settings: Settings, tmp_path: Path, examples: int
) -> None:
    document(tmp_path, secured=False)
    account = add_account(settings, installation_admin=True)
    headers = browser_headers(settings, account)
    found = objects(base, worker, headers)
    config = ["[parameters]", *(f'"path.{name}" = "{value}"' for name, value in found.items())]
    options = ("--exclude-method", "DELETE", "--phases", "fuzzing")
    schemathesis(base, tmp_path, examples, config, headers, *options)
