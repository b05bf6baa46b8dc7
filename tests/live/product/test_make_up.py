"""A make-up round on a real installation: one trial is disturbed on purpose, measured again, and decides."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from tests.live.product.installation import CELLS, Product, terminal

pytestmark = pytest.mark.full
BUSY_S = 60
BUSY = f"import time\nend = time.monotonic() + {BUSY_S}\nwhile time.monotonic() < end: pass"
CPUS = os.cpu_count() or 1
BUSY_PROCESSES = 4 * CPUS
"""Each in a session of its own, so that each has a share as large as that of what is measured (sched(7),
autogroup). With a higher priority they would hold up the start of the servers until they end."""
LIMIT = 0.4 * CPUS
"""Less than they use, and more than what else runs on a quiet host that tests."""
ROUNDS = 8
DISTURBED = 3


def test_a_disturbed_trial_is_measured_again_in_a_make_up_round_and_the_comparison_decides(
    product: Product,
) -> None:
    quality = {"wait_for_quiet_s": 0, "max_other_cores": LIMIT, "max_steal": None, "retakes": 0}
    factors = CELLS | {"userland_proxy": [True]}
    run_id = product.run("make-up", rounds=ROUNDS, factors=factors, quality=quality)
    product.await_run(run_id, in_round(DISTURBED))
    busy = [
        subprocess.Popen([sys.executable, "-c", BUSY], start_new_session=True) for _ in range(BUSY_PROCESSES)
    ]
    try:
        product.await_run(run_id, in_round(DISTURBED + 1))
    finally:
        for process in busy:
            process.kill()
            process.wait()
    done = product.await_run(run_id, terminal)
    trials: list[dict[str, Any]] = product.get(f"/runs/{run_id}/trials")["data"]
    lost = [trial for trial in trials if trial["contaminated"]]
    assert lost and all("other processes" in trial["contaminated"][0] for trial in lost)
    made_up = [trial for trial in trials if trial["round"] > ROUNDS]
    assert done["state"] == "done" and done["progress"]["made_up"] == len(made_up) > 0
    assert {trial["state"] for trial in made_up} == {"done"}
    chart = product.get(f"/runs/{run_id}/result")
    assert any("measured in make-up rounds" in text for text in chart["warnings"])
    proxied = next(cell for cell in chart["cells"] if cell["levels"]["path"] == "published_loopback")
    lost_rounds = {trial["round"] for trial in lost}
    assert proxied["comparisons"]["tps"]["n"] > ROUNDS - len(lost_rounds), "the lost pair was made up"
    assert proxied["comparisons"]["tps"]["verdict"] == "worse"


def in_round(number: int) -> Any:
    """Whether a trial of this round, or a later one, is measured."""
    return lambda run: run["current"] is not None and run["current"]["round"] >= number
