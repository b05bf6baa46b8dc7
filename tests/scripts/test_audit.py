"""scripts/audit fails where no registry gives advisories, says what to do, and is no part of the checks."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.scripts.shell import ROOT

NOWHERE = "http://127.0.0.1:1"
"""A proxy that does not answer: no registry is reached, on any machine."""


@pytest.mark.skipif(not (ROOT / "var/tools/bin/uv").exists(), reason="the setup has not installed uv")
def test_without_a_registry_it_fails_and_says_what_to_do() -> None:
    proxies = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "ALL_PROXY"), NOWHERE)
    once = {"UV_HTTP_RETRIES": "0", "NPM_CONFIG_FETCH_RETRIES": "0", "NO_PROXY": "", "no_proxy": ""}
    done = subprocess.run(
        [ROOT / "scripts/audit"], env=os.environ | proxies | once, capture_output=True, text=True, timeout=120
    )
    last = done.stdout.splitlines()[-3:]
    assert done.returncode == 1 and last[-1] == "scripts/audit: failed: python page", (
        done.stdout + done.stderr
    )
    assert all("run scripts/audit where PyPI and npm themselves can be reached" in line for line in last[:2])


@pytest.mark.parametrize("script", [".ci/run", "scripts/check", "scripts/test"])
def test_no_check_depends_on_advisories(script: str) -> None:
    text = (ROOT / script).read_text()
    assert "scripts/audit" not in text and "pip-audit" not in text
