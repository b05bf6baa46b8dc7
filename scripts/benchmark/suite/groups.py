"""Groups of source files whose tests are measured, and the tests that each group is measured with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Group:
    """Source files, and the tests that may cover them; a pattern that matches no file is left out.

    So many mutants as `size` take about a quarter of an hour on two CPUs.
    """

    size: int
    sources: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self, tree: Path) -> list[Path]:
        """Its Python files in `tree`, relative to it, in order of their paths."""
        paths = [path for source in self.sources for path in tree.glob(source)]
        return sorted({path.relative_to(tree) for path in paths if path.suffix == ".py"})

    def test_paths(self, tree: Path) -> list[str]:
        """The paths of its tests in `tree`."""
        return sorted({str(path.relative_to(tree)) for test in self.tests for path in tree.glob(test)})


GROUPS: Final[dict[str, Group]] = {
    "statistics": Group(
        150,
        ("backend/core/statistics/**/*.py",),
        ("tests/core/statistics", "tests/core/plan", "tests/core/chart"),
    ),
    "sample": Group(150, ("backend/core/sample/**/*.py",), ("tests/core/sample", "tests/core/chart")),
    "claims": Group(
        90,
        (
            "backend/store/repositories/claims.py",
            "backend/store/repositories/restored_claims.py",
            "backend/store/repositories/trial_sql.py",
            "backend/store/repositories/trials.py",
            "worker/trial/claimed.py",
            "worker/trial/recording.py",
            "worker/trial_queue.py",
        ),
        (
            "tests/store/test_*claim*.py",
            "tests/store/test_endings.py",
            "tests/store/test_interim_analyses.py",
            "tests/store/test_aa_pairs.py",
            "tests/store/test_stale_connections.py",
            "tests/api/test_runs.py",
            "tests/api/test_worker_sessions.py",
            "tests/api/test_worker_trials.py",
            "tests/api/test_extensions.py",
            "tests/worker/test_spool.py",
            "tests/worker/test_faults.py",
            "tests/worker/test_http_queue.py",
            "tests/worker/test_repeats.py",
            "tests/worker/test_execute.py",
        ),
    ),
    "access": Group(
        60,
        ("backend/api/access/*.py",),
        (
            "tests/api/attacks/test_credentials.py",
            "tests/api/attacks/test_cross_site.py",
            "tests/api/test_access.py",
            "tests/api/test_audit.py",
            "tests/api/test_authorisation.py",
            "tests/api/test_hosts_apart.py",
            "tests/api/test_required_second_factor.py",
            "tests/api/test_stream.py",
            "tests/api/test_teams.py",
            "tests/api/test_tokens.py",
            "tests/api/test_worker_access.py",
        ),
    ),
}
