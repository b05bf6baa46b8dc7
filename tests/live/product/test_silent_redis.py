"""The Redis of a running installation: no user of it can run scripts, and one that is silent is restarted."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from tests.live.product.installation import CELLS, Product, terminal
from tests.live.product.test_product import environment
from tests.scripts.waiting import eventually

SCRIPTS = (
    ("EVAL", "while true do end", "0"),
    ("EVALSHA", "0" * 40, "0"),
    ("SCRIPT", "LOAD", "return 1"),
    ("FCALL", "f", "0"),
    ("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() end)"),
    ("CONFIG", "GET", "*"),
)


def redis_pid(product: Product) -> int:
    return int(Path("/run", f"plimsoll-{product.install_id}", "redis.pid").read_text().split()[0])


def test_the_worker_runs_no_scripts(product: Product) -> None:
    url = environment(product)["PLIMSOLL_REDIS_URL"]
    assert urlsplit(url).username == "worker"
    with redis.Redis.from_url(url, socket_timeout=5) as client:
        assert client.ping()
        for command in SCRIPTS:
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command)


@pytest.mark.full
def test_a_silent_redis_is_restarted_and_a_run_goes_on(product: Product) -> None:
    """A stopped process keeps its connections: only its silence shows."""
    run_id = product.run("silent", rounds=3, factors=CELLS | {"duration_s": [2], "userland_proxy": [True]})
    product.await_run(run_id, lambda run: run["current"] is not None)
    silent = redis_pid(product)
    os.kill(silent, signal.SIGSTOP)
    done = product.await_run(run_id, terminal)
    assert done["state"] == "done" and done["progress"]["failed"] == 0, done
    assert eventually(lambda: redis_pid(product) != silent, 60)
    assert not Path(f"/proc/{silent}").exists()
    log = (product.var / "log/redis.log").read_text()
    assert log.lower().count("ready to accept connections") >= 2
    after = product.run("after", rounds=1, factors=CELLS | {"userland_proxy": [True]})
    assert product.await_run(after, terminal)["state"] == "done"
