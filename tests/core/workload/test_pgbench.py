"""pgbench's command lines, word for word."""

from __future__ import annotations

from backend.core.workload.pgbench import Target, initialise, run

LEVELS = {"protocol": "prepared", "clients": 5, "threads": 1, "scale": 5}


def test_the_run_names_every_setting_and_a_literal_address() -> None:
    argv = run(LEVELS, Target("198.18.64.2", 5432), 10)
    wanted = "pgbench -n -S -M prepared -c 5 -j 1 -T 10 -P 1 -h 198.18.64.2 -p 5432 -U bench bench_s5"
    assert " ".join(argv) == wanted


def test_filling_is_done_inside_the_server() -> None:
    assert " ".join(initialise(20)) == "pgbench -i -q -s 20 -h 127.0.0.1 -U bench bench_s20"
