"""`scripts/bench mutants` and `scripts/bench test-coverage`."""

from __future__ import annotations

import sys

from scripts.benchmark.suite import coverage, mutants

COMMANDS = {"mutants": mutants.main, "test-coverage": coverage.main}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](sys.argv[2:])
