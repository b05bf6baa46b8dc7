"""Commands that show results load no numerical library; services load its slow half at the first result."""

from __future__ import annotations

import subprocess
import sys

MODULES = ("experiments", "runs", "compare", "export", "completing")


def test_commands_that_show_results_load_no_numerical_library() -> None:
    code = "import sys; import " + ", ".join(f"backend.cli.{name}" for name in MODULES)
    code += "; print(*({'numpy', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_services_do_not_wait_for_the_statistics_of_scipy() -> None:
    code = "import sys, backend.api.app, worker.app, worker.runtime; print('scipy.stats' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
