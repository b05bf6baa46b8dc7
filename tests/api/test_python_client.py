"""The Python client against a served API; the code of docs/python.md with the package installed alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.client import Misconfigured, Plimsoll, Refused, Unfinished, frames
from backend.settings import Settings
from scripts.client_models.__main__ import models
from tests.api.client import DOCUMENT, Worker
from tests.api.command import play
from tests.api.test_comparisons import measured
from tests.services import ROOT

CLIENT = ROOT / "backend" / "client"


@pytest.fixture
def server(served: str) -> Plimsoll:
    """A client of the served API."""
    return Plimsoll(served)


def test_the_models_are_those_of_the_openapi_document() -> None:
    assert (CLIENT / "models.py").read_text() == models(), (
        "run: python -m scripts.client_models > backend/client/models.py"
    )


def test_submit_start_wait_result(server: Plimsoll, worker: Worker) -> None:
    document = DOCUMENT | {"thresholds": ["tps >= 1"]}
    assert len(server.plan(document).plan.trials) == 6
    run = server.submit(document).start()
    assert run.read().state == "queued"
    with pytest.raises(Unfinished, match="queued after 0 s"):
        run.wait(timeout_s=0)
    thread = play(worker, worker.finish)
    assert run.wait().state == "done"
    thread.join()
    found = run.result()
    assert found.outcome in ("pass", "not_enough_evidence") and found.headline
    assert [each.id for each in server.runs()] == [run.id]
    frame = found.to_frame()
    rates = frame[(frame.metric == "tps") & (frame["factor.path"] == "published_loopback")]
    assert [*rates["median"]] == [8000.0] and [*rates.ratio] == [pytest.approx(0.8)]
    trials = run.trials_frame()
    assert len(trials) == 6 and trials.in_statistics.all() and set(trials["round"]) == {1, 2}
    assert len(run.trial(trials.trial[0]).history) == 1
    assert run.export("csv-long").startswith(b"\xef\xbb\xbf")


def test_a_start_is_queued_once(server: Plimsoll, worker: Worker) -> None:
    experiment = server.submit(DOCUMENT)
    first, second = experiment.start(), experiment.start("bench-1")
    assert first.id != second.id and len(list(server.runs())) == 2
    assert first.cancel().state == "cancelled" and first.wait().state == "cancelled"


def test_runs_reads_all_pages(server: Plimsoll, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.client.session._PAGE", 2)
    started = [server.submit(DOCUMENT).start().id for _ in range(5)]
    assert [run.id for run in server.runs()] == started[::-1]


def test_search_reads_all_pages(server: Plimsoll, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.client.session._PAGE", 2)
    started = [server.submit(DOCUMENT).start().id for _ in range(3)]
    assert [run.id for run in server.search("path:same_container is:active")] == started[::-1]
    assert list(server.search("path:macvlan")) == []


def test_documents_are_mappings_text_and_files(server: Plimsoll, worker: Worker, tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(
        "name: one\ntitle: One\nbaseline: {path: same_container}\nfactors: {path: same_container}\n"
    )
    assert server.submit(file).id == server.submit(file.read_text()).id
    with pytest.raises(Refused) as found:
        server.submit({"name": "one"})
    assert found.value.status == 422 and ("/title" in dict(found.value.fields))


def test_a_value_that_a_later_server_adds_is_accepted(server: Plimsoll, worker: Worker) -> None:
    run = server.submit(DOCUMENT).start().read()
    later = run.model_dump() | {"state": "paused", "team": "blue"}
    assert type(run).model_validate(later).state == "paused"


def test_without_pandas_rows_remain(
    server: Plimsoll, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = server.submit(DOCUMENT).start().result()

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(frames.importlib, "import_module", missing)
    assert isinstance(result.rows(), list)
    with pytest.raises(Misconfigured, match="pip install pandas"):
        result.to_frame()


def test_nothing_shows_the_token() -> None:
    token = "plm_" + "B" * 36
    server = Plimsoll("https://bench.example.org", token)
    assert token not in repr(server) + repr(server.run("run_1")) + str(vars(server.run("run_1")))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the built wheel of the client, and with nothing else of this repository."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(build, cwd=CLIENT, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr
    place = folder / "site"
    subprocess.run(
        [sys.executable, "-m", "zipfile", "-e", str(next(folder.glob("*.whl"))), str(place)], check=True
    )
    return place


def test_the_page_about_python_is_true(
    served: str, worker: Worker, installed: Path, tmp_path: Path, server: Plimsoll
) -> None:
    thread = play(worker, worker.finish)
    server.submit(DOCUMENT).start().wait(60)
    thread.join()
    code = "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S))
    program = tmp_path / "notebook.py"
    program.write_text(
        code + "\nimport sys\nassert not [m for m in sys.modules if m.startswith('backend')]\n"
    )
    # The page starts a run, and then a group of runs on all hosts.
    thread = play(worker, lambda: (worker.finish(), play(worker, worker.finish).join()))
    ran = subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(installed),
            "PLIMSOLL_URL": served,
            "XDG_CONFIG_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    thread.join()
    assert ran.returncode == 0, ran.stderr
    assert "Undecided whether hosts disagree" in ran.stdout
    assert "404 not_found" in ran.stdout and "Published port" in ran.stdout and "done pass" in ran.stdout


def test_several_runs_are_compared(server: Plimsoll, worker: Worker, api: TestClient) -> None:
    ids = [measured(api, worker), measured(api, worker, scale=0.5), measured(api, worker)]
    compared = server.compare_all(ids, reference=1, metric="tps")
    model = compared.model
    assert (model.metric, model.reference, compared.refused) == ("tps", 1, False)
    assert [column.run_id for column in model.columns] == ids
    frame = compared.to_frame()
    assert len(frame) == 6 and [*frame["column"]] == [*"ABCABC"]
    assert frame[frame["column"] == "B"].ratio.isna().all()
    assert [*frame[frame["column"] == "A"].ratio] == pytest.approx([2, 2], rel=0.01)
    cell = model.rows[0].entries[0]
    assert cell is not None
    alone = server.compare_all(ids[:2], [cell.cell_id] * 2, metric="tps")
    assert [row["cell"] for row in alone.rows()] == [cell.cell_id] * 2
    with pytest.raises(Refused) as refused:
        server.compare_all(ids[:1])
    assert refused.value.status == 422


def test_a_group_runs_on_several_hosts(server: Plimsoll, worker: Worker, settings: Settings) -> None:
    other = Worker(settings)
    other.announce("bench-2")
    group = server.submit(DOCUMENT).start_on(["bench-1", "bench-2"])
    with pytest.raises(Unfinished):
        group.wait(0)
    worker.finish()
    other.finish()
    assert group.wait().state == "done" and group.runs().keys() == {"bench-1", "bench-2"}
    result = server.group(group.id).result()
    assert [member.host for member in result.members] == ["bench-1", "bench-2"]
    assert group.result("cpu_us_per_txn").table.metric == "cpu_us_per_txn"
    assert result.headline in group.export("markdown").decode()
    assert b"cpu_us_per_txn" in group.export("csv", metric="cpu_us_per_txn")
    with pytest.raises(Refused):
        group.cancel()
    with pytest.raises(Refused, match="no host has the label"):
        server.submit(DOCUMENT).start_on(label="metal")


def test_a_client_host_is_another_one(server: Plimsoll, worker: Worker, settings: Settings) -> None:
    able = {"engines": ["on", "off", "host"], "host_userland_proxy": True}
    for name in ("bench-1", "bench-2"):
        worker.announce(name, **able)
    factors = {"path": ["container_address", "published_remote"], "engine": ["host"]}
    document = DOCUMENT | {"factors": factors, "baseline": {"path": "container_address"}}
    planned = server.plan(document, "bench-1", client_host="bench-2").plan.cells
    assert [cell.infeasible for cell in planned] == [None] * len(planned)
    experiment = server.submit(document)
    assert experiment.start("bench-1", client_host="bench-2").read().client_host == "bench-2"
    assert experiment.start_on(["bench-1"], client_host="bench-2").read().client_host == "bench-2"
    with pytest.raises(Refused, match="one of the group's hosts"):
        experiment.start_on(["bench-1", "bench-2"], client_host="bench-2")
