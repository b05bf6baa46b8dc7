"""compose.yaml as a team uses it: build, start, sign-in, runs, restarts, faults."""

from __future__ import annotations

import json
import os
import signal

from tests.compose.installation import await_condition, give_image
from tests.compose.remains import lab_processes, waiting_for_a_lock
from tests.compose.server import CELLS, PAIR, Server, ended, measuring_after
from tests.live.conftest import ROOT
from worker.host.locks import MEASURING_FOLDERS, measuring


def test_the_image_has_no_trace_of_the_builds_configuration(server: Server) -> None:
    history = server.compose.docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", "plimsoll")
    assert "scripts/compose/build packages" in history
    given = "find /run/secrets /etc/apt/apt.conf.d/99plimsoll-build /root/.npmrc /etc/pip.conf -type f"
    kept = "ls .venv/bin/plimsoll frontend/dist/index.html && ! ls .venv/bin/node"
    command = ["run", "--rm", "--network", "none", "plimsoll", "sh", "-c", f"{given}; {kept}"]
    assert server.compose.docker(*command).split() == [".venv/bin/plimsoll", "frontend/dist/index.html"]


def test_the_image_holds_each_file_once_and_nothing_that_only_its_build_needs(server: Server) -> None:
    """A file that a later layer changes, be it only its mode, is stored twice."""
    run = ("run", "--rm", "--network", "none", "plimsoll")
    sizes = server.compose.docker("inspect", "--format", "{{.Size}}", "plimsoll").split()
    visible = server.compose.docker(*run, "du", "-sx", "--apparent-size", "--block-size=1", "/").split()
    assert int(sizes[0]) < 1.03 * int(visible[0]), "the layers hold more than the files that are visible"
    needless = (
        "-name node_modules -o -name .git -o -path */site-packages/*/tests -o -path /srv/plimsoll/var/*"
    )
    further = "-o -path /var/cache/apt/* -o -path /var/lib/apt/lists/* -o -path /root/.cache/*"
    assert server.compose.docker(*run, "find", "/", "-xdev", *needless.split(), *further.split()) == ""


def test_it_starts_in_order_and_the_administrator_signs_in(server: Server) -> None:
    compose = server.compose
    compose("create", "--pull", "never")
    give_image(server.engine, ROOT / "var" / "live-tests" / "images")
    compose("up", "--detach", "--wait")
    states = compose.containers()
    once = {"prepare", "roles", "migrate"}
    assert states == dict.fromkeys(once, "exited") | dict.fromkeys(
        ("postgres", "redis", "api", "worker"), "running"
    )
    server.browser.sign_in(compose("exec", "api", "plimsoll", "admin", "link"))
    [host] = server.browser.get("/hosts")["data"]
    assert host["name"] == "compose-host" and host["online"] is True
    passwords = [path.read_text().strip() for path in server.volume("secrets").iterdir()]
    assert len(set(passwords)) == len(passwords) >= 8
    text = json.dumps(compose("config")) + compose.logs()
    assert not [password for password in passwords if len(password) > 6 and password in text]


def test_a_small_experiment_has_a_proven_result(server: Server) -> None:
    server.small = server.proven("small", rounds=2)
    server.share = server.browser.post(f"/runs/{server.small}/shares", {"kind": "private"})["token"]


def test_every_service_is_restarted_in_a_run_and_nothing_is_lost_or_twice(server: Server) -> None:
    run_id = server.browser.start_run("restarted", CELLS, rounds=5)
    done = 0
    for service in ("redis", "api", "postgres", "worker"):
        done = server.browser.await_run(run_id, measuring_after(done))["progress"]["done"]
        server.compose("restart", service)
    server.browser.await_run(run_id, measuring_after(done))
    victim = server.compose.pid("worker")
    os.kill(victim, signal.SIGKILL)
    finished = server.browser.await_run(run_id, ended)
    assert finished["state"] == "done" and finished["progress"]["failed"] == 0, finished
    trials = server.browser.get(f"/runs/{run_id}/trials")["data"]
    assert len(trials) == len({(trial["cell_id"], trial["round"]) for trial in trials}) == 25
    assert {trial["state"] for trial in trials} == {"done"}
    server.compose("exec", "api", "plimsoll", "check-invariants")
    assert server.compose.pid("worker") != victim


def test_whoever_measures_on_the_host_keeps_the_worker_from_measuring(server: Server) -> None:
    """The lock is the host's, not the container's: another installation waits, and is waited for."""
    with measuring():
        run_id = server.browser.start_run("waiting", PAIR, rounds=1)
        worker = server.compose.pid("worker")
        await_condition(lambda: worker in waiting_for_a_lock(MEASURING_FOLDERS[-1]))
        run = server.browser.get(f"/runs/{run_id}")
        assert run["current"] is None and run["progress"]["done"] == 0
    assert server.browser.await_run(run_id, ended)["state"] == "done"


def test_a_worker_that_was_removed_by_force_leaves_containers_that_its_next_start_removes(
    server: Server,
) -> None:
    run_id = server.browser.start_run("removed", CELLS, rounds=2)
    server.browser.await_run(run_id, measuring_after(1))
    server.compose.docker("rm", "--force", server.container("worker", "{{.Id}}"))
    left = lab_processes(server.install_id)
    assert left, "processes of the lab engines are in other cgroups than the worker's container"
    server.compose("up", "--detach", "--wait")
    assert lab_processes(server.install_id).isdisjoint(left)
    finished = server.browser.await_run(run_id, ended)
    assert finished["state"] == "done" and finished["progress"]["failed"] == 0, finished
