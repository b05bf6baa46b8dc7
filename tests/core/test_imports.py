"""These tests run on any machine with Python: no database, Docker client or web framework is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ABSENT = {
    "alembic",
    "authlib",
    "celery",
    "docker",
    "fastapi",
    "kombu",
    "psycopg",
    "redis",
    "sqlalchemy",
    "uvicorn",
}
IMPORT_ALL = """
import importlib, sys

class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"{name} is imported", name=name)

absent, modules = (text.split() for text in sys.stdin)
sys.meta_path.insert(0, Absent())
for module in modules:
    importlib.import_module(module)
print(len(modules))
"""


def test_no_service_is_imported() -> None:
    files = [ROOT / "tests/conftest.py", *sorted((ROOT / "tests/core").rglob("*.py"))]
    modules = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    child = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL],
        cwd=ROOT,
        input=f"{' '.join(sorted(ABSENT))}\n{' '.join(modules)}\n",
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0, child.stderr
    assert int(child.stdout) == len(modules) > 100
