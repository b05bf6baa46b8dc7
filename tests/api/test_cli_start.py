"""What a command needs to show a result loads no numerical library, which would take most of its time."""

from __future__ import annotations

import subprocess
import sys

MODULES = ("experiments", "runs", "compare", "export", "completing")


def test_commands_that_show_results_load_no_numerical_library() -> None:
    code = "import sys; import " + ", ".join(f"backend.cli.{name}" for name in MODULES)
    code += "; print(*({'numpy', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
