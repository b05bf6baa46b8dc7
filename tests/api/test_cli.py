"""The `plimsoll` command against a served API."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from fastapi.testclient import TestClient

from backend.cli import follow, lists
from backend.cli.threshold_report import threshold_exit_code
from backend.settings import Settings
from backend.store.repositories import trials
from backend.store.session import session_scope
from tests.api.client import DOCUMENT, Worker, start_run
from tests.api.command import Command, play
from tests.api.test_run_groups import change_host


@pytest.fixture
def plimsoll(served: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, with PLIMSOLL_URL pointing at the served API."""
    monkeypatch.setenv("PLIMSOLL_URL", served)
    return Command(capsys, monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """An experiment in YAML."""
    path = tmp_path / "two-cells.yaml"
    path.write_text(yaml.safe_dump(DOCUMENT))
    return str(path)


def test_validate_and_plan(plimsoll: Command, file: str, tmp_path: Path, worker: Worker) -> None:
    assert "valid: 3 cells, 6 trials" in plimsoll("validate", file)
    assert json.loads(plimsoll("validate", file, "--json"))["factors"]["clients"] == [5]
    shown = plimsoll("plan", file, "--host", "bench-1")
    assert "[baseline]" in shown and "[A/A duplicate]" in shown
    assert len(json.loads(plimsoll("plan", file, "--json"))["plan"]["trials"]) == 6
    assert "Servers restart every round: assumed" in shown and "of the run." in shown
    assert "min" in plimsoll("plan", file, "--host", "bench-1", "--budget-minutes", "30")
    plimsoll("plan", file, "--budget-minutes", "0", code=2)
    assert "a difference of 2 %: " in plimsoll("plan", file, "--effect", "0.03")
    as_json = tmp_path / "two.json"
    as_json.write_text(json.dumps(DOCUMENT))
    assert "valid" in plimsoll("validate", str(as_json))


def test_an_invalid_definition_is_exit_code_2_with_the_pointer(plimsoll: Command, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(yaml.safe_dump({**DOCUMENT, "rounds": 0, "factors": {"colour": "red"}}))
    assert plimsoll("validate", str(bad), code=2) == ""
    assert "/rounds:" in plimsoll.err and "/factors/colour: unknown factor" in plimsoll.err
    bad.write_text("a: [")
    plimsoll("plan", str(bad), code=2)
    assert "line" in plimsoll.err
    plimsoll("validate", str(tmp_path / "none.yaml"), code=2)
    plimsoll("run", "no-such-preset", code=2)
    assert "pachot-2019" in plimsoll.err
    plimsoll("frobnicate", code=2)


def test_a_preset_is_planned_and_validated_by_its_name(plimsoll: Command) -> None:
    found = json.loads(plimsoll("plan", "pachot-2019-quick", "--json"))
    assert (found["experiment"]["name"], len(found["plan"]["trials"])) == ("pachot-2019-quick", 56)
    assert plimsoll("validate", "pachot-2019-quick").startswith("valid: ")
    plimsoll("plan", "no-such-preset", code=2)
    assert "neither a file nor a preset" in plimsoll.err


def test_run_status_cancel(plimsoll: Command, file: str, worker: Worker) -> None:
    run = json.loads(plimsoll("run", file, "--json"))
    assert run["state"] == "queued" and f"/runs/{run['id']}" in plimsoll.err
    assert "0 of 6 trials done" in plimsoll("status", run["id"])
    assert "6 cancelled" in plimsoll("cancel", run["id"])
    assert json.loads(plimsoll("status", run["id"], "--json"))["state"] == "cancelled"
    plimsoll("status", "run_0000000000000000", code=1)
    assert "no such run" in plimsoll.err
    plimsoll("run", file, "--host", "nope", code=2)
    assert "bench-1" in plimsoll.err


def test_a_run_that_waits_for_its_host_says_why(
    plimsoll: Command, file: str, worker: Worker, settings: Settings
) -> None:
    plimsoll("run", file)
    assert "wait" not in plimsoll.err
    change_host(settings, "bench-1", drained_at="clock_timestamp()")
    plimsoll("run", file, "--host", "bench-1")
    drained = "it starts no new trial until an administrator of the installation resumes it. The trials of"
    assert re.search(rf"^bench-1 was drained at [0-9:]+: {drained} this run wait", plimsoll.err, re.M)
    never = (
        '{"hours": {"time_zone": "UTC", "windows": [{"days": ["DAY"], "opens": "00:00", "closes": "00:01"}]}}'
    )
    day = (datetime.now(UTC) + timedelta(days=3)).strftime("%a").lower()
    change_host(settings, "bench-1", drained_at="NULL", policy=f"'{never.replace('DAY', day)}'")
    plimsoll("run", file)
    assert "bench-1 starts trials again at 2" in plimsoll.err and "its policy has hours." in plimsoll.err


def test_follow_shows_trials_and_the_table(plimsoll: Command, worker: Worker) -> None:
    thread = play(worker, worker.finish)
    shown = plimsoll("run", "pachot-2019-quick", "--follow")
    thread.join()
    assert "done, 10,000 tps" in plimsoll.err
    assert "ratio" in shown and "Published port on 127.0.0.1" in shown
    run_id = plimsoll.err.split(":")[0]
    assert plimsoll("result", run_id) == shown
    assert plimsoll("result", run_id, "--markdown").count("|") > 20
    assert json.loads(plimsoll("result", run_id, "--json"))["state"] == "done"
    plimsoll("result", run_id, "--json", "--markdown", code=2)
    assert plimsoll("share", run_id, "--days", "2").startswith("http://127.0.0.1:8420/shared#")
    posted = ("share", run_id, "--unfurl", "--live", "--expires", "1", "--title", "For you")
    assert re.fullmatch(r"http://127\.0\.0\.1:8420/x/\w{22}\n?", plimsoll(*posted))
    assert json.loads(plimsoll(*posted, "--json"))["mode"] == "live"
    assert json.loads(plimsoll("share", run_id, "--json"))["token"]
    plimsoll("share", run_id, "--days", "0", code=2)


def test_follow_ends_3_for_incomplete_and_130_for_cancelled(
    plimsoll: Command, file: str, worker: Worker
) -> None:
    def fail_one() -> None:
        worker.fail(worker.claim())
        worker.finish()

    thread = play(worker, fail_one)
    found = json.loads(plimsoll("run", file, "--follow", "--json", code=3))
    thread.join()
    assert found["run"]["state"] == found["result"]["state"] == "incomplete"

    def cancel() -> None:
        claimed = worker.claim()
        worker.cancel(claimed)

    thread = play(worker, cancel)
    plimsoll("run", file, "--follow", code=130)
    thread.join()


def test_lists_and_open(
    plimsoll: Command, worker: Worker, monkeypatch: pytest.MonkeyPatch, served: str
) -> None:
    assert "pachot-2019-quick" in plimsoll("presets")
    assert "bench-1" in plimsoll("hosts") and "online" in plimsoll("hosts")
    assert json.loads(plimsoll("hosts", "--json"))["data"][0]["name"] == "bench-1"
    opened: list[str] = []
    monkeypatch.setattr(lists.webbrowser, "open", opened.append)
    assert plimsoll("open").strip() == served and opened == [served]


def test_runs_are_searched(plimsoll: Command, worker: Worker, api: TestClient) -> None:
    run = start_run(api)["id"]
    worker.finish()
    assert run in plimsoll("runs") and run in plimsoll("runs", "--search", "path:same_container")
    assert "no run matches" in plimsoll("runs", "--search", "path:macvlan")
    assert json.loads(plimsoll("runs", "--search", "cells", "--json"))["data"][0]["id"] == run
    assert run in plimsoll("runs", "--search", "cells verdict:slower")
    assert "left out verdict:slower" in plimsoll.err


def test_nobody_there_is_exit_code_1(plimsoll: Command, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.client.transport.PAUSE_S", 0.0)
    monkeypatch.setenv("PLIMSOLL_URL", "http://127.0.0.1:9")
    plimsoll("run", file, code=1)
    assert "does not answer" in plimsoll.err and "Traceback" not in plimsoll.err
    monkeypatch.setenv("PLIMSOLL_URL", "nonsense")
    plimsoll("hosts", code=2)


def test_check_invariants(
    plimsoll: Command, file: str, worker: Worker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", settings.database_url)
    plimsoll("run", file)
    plimsoll("check-invariants")
    with session_scope(settings) as session:
        trials.claim(session, worker.host_id, "w")
    plimsoll("check-invariants")
    worker.damage()
    assert plimsoll("check-invariants", code=1).startswith("I")
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", "postgresql+psycopg:///none?host=/nowhere")
    plimsoll("check-invariants", code=1)
    monkeypatch.setenv("PLIMSOLL_LISTEN_HOST", "0.0.0.0")
    plimsoll("check-invariants", code=2)
    assert "unencrypted" in plimsoll.err


def test_the_progress_line() -> None:
    run = {
        "state": "running", "current": {"label": "published loopback, userland-proxy on", "round": 2},
        "progress": {"total": 70, "done": 12, "failed": 1, "cancelled": 0, "skipped": 0, "running": 1,
                     "eta_s": 720.0},
    }  # fmt: skip
    assert follow.progress(run, 10432.4) == (
        "13/70 trials · running · published loopback, userland-proxy on, round 2 · 10,432 now "
        "· 1 failed · 12 min left"
    )


@pytest.mark.parametrize(
    ("outcome", "state", "plain", "strict"),
    [
        ("pass", "done", 0, 0),
        ("pass", "incomplete", 0, 0),
        ("pass", "running", 0, 4),
        ("pass", "queued", 0, 4),
        ("fail", "done", 99, 99),
        ("fail", "cancelled", 99, 99),
        ("fail", "running", 0, 4),
        ("not_enough_evidence", "done", 0, 4),
        ("not_enough_evidence", "running", 0, 4),
        (None, "running", 0, 0),
    ],
)
def test_a_gate_is_an_exit_code_only_once_its_run_has_ended(
    outcome: str | None, state: str, plain: int, strict: int
) -> None:
    gate = None if outcome is None else {"outcome": outcome}
    model = {"state": state, "gate": gate, "duplicates": []}
    assert (threshold_exit_code(model, strict=False), threshold_exit_code(model, strict=True)) == (
        plain,
        strict,
    )


def test_several_hosts_are_one_group(
    plimsoll: Command, file: str, settings: Settings, tmp_path: Path
) -> None:
    workers = [Worker(settings), Worker(settings)]
    for name, worker in zip(("bench-a", "bench-b"), workers, strict=True):
        worker.announce(name)
    started = plimsoll("run", file, "--host", "bench-a", "--host", "bench-b")
    group = started.split()[0]
    assert group.startswith("grp_") and f"/run-groups/{group}" in plimsoll.err
    assert "  bench-b  queued: 0 of 6 trials done" in started
    for worker in workers:
        worker.finish()
    assert "  bench-a  done: 6 of 6 trials done" in plimsoll("status", group)
    shown = plimsoll("result", group)
    assert "Undecided whether hosts disagree" in shown and "Note: Each host was measured in one run" in shown
    assert "  bench-b" in shown and "at least 6 are needed" in shown
    assert json.loads(plimsoll("result", group, "--json"))["group_id"] == group
    plimsoll("result", group, "--strict", code=2)
    table, picture = tmp_path / "group.csv", tmp_path / "group.svg"
    plimsoll("export", group, "--format", "csv", "--output", str(table))
    assert "bench-b" in table.read_text(encoding="utf-8-sig")
    plimsoll("export", group, "--format", "svg", "--theme", "dark", "--output", str(picture))
    assert "<svg" in picture.read_text(encoding="utf-8")
    plimsoll("export", group, "--format", "html", code=2)
    assert "the formats are csv, json, markdown, svg, png" in plimsoll.err
    plimsoll("export", group, "--format", "csv", "--kind", "dots", code=2)
    assert "--kind does not apply to csv of a group of runs" in plimsoll.err
    plimsoll("cancel", group, code=1)
    plimsoll("run", file, "--label", "metal", code=2)
    assert "/host_label: no host has the label metal" in plimsoll.err
    plimsoll("run", file, "--host", "bench-a", "--host", "bench-a", code=2)
    assert "/hosts/1: bench-a is named twice" in plimsoll.err
    plimsoll("run", file, "--host", "bench-a", "--host", "bench-b", "--follow", "--strict", code=2)


def test_a_client_host_is_named_for_plan_run_and_group(
    plimsoll: Command, tmp_path: Path, settings: Settings
) -> None:
    able = {"engines": ["on", "off", "host"], "host_userland_proxy": True}
    for name in ("bench-a", "bench-b", "bench-c"):
        Worker(settings).announce(name, **able)
    path = tmp_path / "far.yaml"
    factors = {"path": ["container_address", "published_remote"], "engine": ["host"]}
    path.write_text(
        yaml.safe_dump(DOCUMENT | {"factors": factors, "baseline": {"path": "container_address"}})
    )
    file = str(path)
    assert "start the run with a client host" in plimsoll("plan", file, "--host", "bench-a")
    shown = plimsoll("plan", file, "--host", "bench-a", "--client-host", "bench-b")
    assert "start the run with a client host" not in shown
    started = plimsoll("run", file, "--host", "bench-a", "--client-host", "bench-b", "--json")
    assert json.loads(started)["client_host"] == "bench-b"
    plimsoll("run", file, "--host", "bench-a", "--client-host", "bench-a", code=2)
    assert "/client_host: the client host is another one" in plimsoll.err
    hosts = ("--host", "bench-a", "--host", "bench-c")
    group = json.loads(plimsoll("run", file, *hosts, "--client-host", "bench-b", "--json"))
    assert group["client_host"] == "bench-b"
    plimsoll("run", file, *hosts, "--client-host", "bench-c", code=2)
    assert "/client_host: bench-c is one of the group's hosts" in plimsoll.err
