"""The commands that hand a run on or take one in: export, replay-script, import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from backend.cli.failure import Failure
from backend.cli.importing import grouped
from tests.api.client import DOCUMENT, Worker
from tests.api.command import Command
from tests.services import ROOT


@pytest.fixture
def plimsoll(served: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, with PLIMSOLL_URL pointing at the served API."""
    monkeypatch.setenv("PLIMSOLL_URL", served)
    return Command(capsys, monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """An experiment in YAML."""
    path = tmp_path / "two-cells.yaml"
    path.write_text(yaml.safe_dump({**DOCUMENT, "metrics": ["tps"]}))
    return str(path)


@pytest.fixture
def run_id(plimsoll: Command, file: str, worker: Worker) -> str:
    """A finished run."""
    found = json.loads(plimsoll("run", file, "--json"))["id"]
    worker.finish()
    return str(found)


def test_export_to_a_file_or_to_standard_output(
    plimsoll: Command, run_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = plimsoll("export", run_id, "--format", "benchstat")
    assert shown.count("\nBenchmark") == 6 and "Unit tps better=higher" in shown
    target = tmp_path / "run.csv"
    assert plimsoll("export", run_id, "-f", "csv-long", "--output", str(target)) == ""
    assert target.read_bytes().count(b"\n") > 6
    plimsoll("export", run_id, "-f", "json", "-o", str(tmp_path / "none" / "x"), code=2)
    plimsoll("export", run_id, "--format", "pdf", code=2)
    assert "the formats are benchstat, csv-long" in plimsoll.err
    plimsoll("export", run_id, "--format", "markdown", "--theme", "dark", code=2)
    assert "--theme applies to svg and png" in plimsoll.err
    image = tmp_path / "ladder.svg"
    plimsoll("export", run_id, "-f", "svg", "--kind", "ladder", "-o", str(image))
    assert "more than from the path before" in image.read_text()
    plimsoll(
        "export",
        run_id,
        "-f",
        "svg",
        "--kind",
        "roles",
        "--unit",
        "us_per_txn",
        "--cells",
        "c1",
        "-o",
        str(image),
    )
    assert "µs per transaction" in image.read_text()
    plimsoll("export", run_id, "-f", "svg", "--kind", "heatmap", "--rows", "rate", code=2)
    assert "varies fewer than two factors" in plimsoll.err
    plimsoll("export", run_id, "-f", "csv-long", "--rows", "path", code=2)
    assert "--rows applies to svg and png" in plimsoll.err
    plimsoll("export", run_id, "-f", "svg", "--kind", "knee", code=2)
    assert "this run has no knee" in plimsoll.err
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    plimsoll("export", run_id, "--format", "png", code=2)
    assert "--output" in plimsoll.err
    plimsoll("export", "run_0000000000000000", "--format", "json", code=1)
    plimsoll("export", "../hosts?", "--format", "json", code=1)


def test_replay_script_prints_the_commands_of_a_cell(plimsoll: Command, run_id: str) -> None:
    script = plimsoll("replay-script", run_id, "c2")
    assert script.startswith("#!/bin/sh") and "pgbench" in script
    assert plimsoll("eject", run_id, "c2") == script  # the former name
    plimsoll("replay-script", run_id, "c99", code=1)


def test_import_makes_a_run_of_old_logs(plimsoll: Command, file: str, tmp_path: Path) -> None:
    log = (ROOT / "tests/fixtures/pgbench" / "12.stdout").read_text()
    for number in (1, 2, 3):
        (tmp_path / f"base-{number}.log").write_text(log.replace("tps = 937", f"tps = {number}37"))
    facts = tmp_path / "facts.yaml"
    facts.write_text("kernel: 5.4\ncores: 8\n")
    logs = [str(tmp_path / f"base-{number}.log") for number in (1, 2, 3)]
    found = json.loads(
        plimsoll(
            "import", "pgbench", "path=same_container", *logs[:2], "path=published_loopback", logs[2],
            "--experiment", file, "--host", "old-box", "--environment", str(facts), "--json",
        )
    )  # fmt: skip
    assert (found["origin"], found["host"], found["progress"]["done"]) == ("imported", "old-box", 3)
    model = json.loads(plimsoll("result", found["id"], "--json"))
    assert [cell["rounds"] for cell in model["cells"]] == [[1, 2], [1]]
    assert model["environment"]["kernel"] == "5.4" and model["environment"]["cores"] == "8"


def test_import_reads_a_report_beside_text_of_another_character_set(
    plimsoll: Command, file: str, tmp_path: Path
) -> None:
    log = tmp_path / "latin.log"
    report = (ROOT / "tests/fixtures/pgbench" / "12.stdout").read_bytes()
    log.write_bytes("café:~$ pgbench -c 50\n".encode("latin-1") + report)
    words = ("import", "pgbench", "path=same_container", str(log), "--experiment", file, "--host", "old-box")
    assert json.loads(plimsoll(*words, "--json"))["progress"]["done"] == 1


def test_import_names_the_files_of_a_log_that_is_there_twice(
    plimsoll: Command, file: str, tmp_path: Path
) -> None:
    log = (ROOT / "tests/fixtures/pgbench" / "12.stdout").read_text()
    logs = [str(tmp_path / f"{name}.log") for name in ("first", "copy")]
    for name in logs:
        Path(name).write_text(log)
    words = ("import", "pgbench", "path=same_container", *logs, "--experiment", file, "--host", "old-box")
    plimsoll(*words, code=2)
    assert f"{logs[1]} (/stdout): it has the same figures as the log at {logs[0]}; give" in plimsoll.err
    assert "/logs/" not in plimsoll.err
    assert json.loads(plimsoll(*words, "--allow-identical", "--json"))["progress"]["done"] == 2


def test_import_reads_a_log_in_the_encoding_of_powershell(
    plimsoll: Command, file: str, tmp_path: Path
) -> None:
    log = tmp_path / "utf16.log"
    log.write_bytes((ROOT / "tests/fixtures/logs/encodings/utf16.log").read_bytes())
    words = ("import", "pgbench", "path=same_container", str(log), "--experiment", file, "--host", "o")
    found = json.loads(plimsoll(*words, "--json"))
    model = json.loads(plimsoll("result", found["id"], "--json"))
    assert [cell["summaries"]["tps"]["median"] for cell in model["cells"] if cell["rounds"]] == [896.967]


def test_a_log_that_cannot_be_read_is_named(plimsoll: Command, file: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.log"
    bad.write_text("nothing of pgbench\n")
    plimsoll(
        "import", "pgbench", str(bad), "--levels", "path=same_container", "--experiment", file,
        "--host", "old", code=2,
    )  # fmt: skip
    assert "bad.log (/stdout):" in plimsoll.err and "/logs/0" not in plimsoll.err
    plimsoll("import", "hey", str(bad), "--experiment", file, "--host", "old", code=2)
    assert "the tools are pgbench" in plimsoll.err
    plimsoll(
        "import", "pgbench", "path=same_container", str(bad), "--experiment", str(bad), "--host", "o", code=2
    )
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [")
    plimsoll(
        "import", "wrk", "path=same_container", str(bad), "--experiment", str(broken), "--host", "o", code=2
    )
    assert "invalid document" in plimsoll.err and "line" in plimsoll.err


def test_logs_are_grouped_by_the_levels_before_them() -> None:
    words = [
        "path=same_container",
        "a1",
        "a2",
        "path=unix_socket,fsync=false",
        "./b=1",
        "path=same_container",
        "a3",
    ]
    found = grouped(words, "pgbench", None, 5)
    assert [(log.file, log.levels.get("path"), log.round) for log in found] == [
        ("a1", "same_container", 5),
        ("a2", "same_container", 6),
        ("./b=1", "unix_socket", 5),
        ("a3", "same_container", 7),
    ]
    assert found[2].levels == {"path": "unix_socket", "fsync": False, "tool": "pgbench"}
    assert grouped(["x"], "wrk", "path=same_container", 1)[0].levels == {
        "path": "same_container",
        "tool": "wrk",
    }


def test_a_file_of_stderr_belongs_to_the_log_of_its_name() -> None:
    words = ["clients=1", "old/a.log", "old/a.err", "b.log", "c.log", "c.txt", "c.err"]
    found = [(log.file, log.stderr) for log in grouped(words, "pgbench", None, 1)]
    assert found == [
        ("old/a.log", "old/a.err"),
        ("b.log", None),
        ("c.log", None),
        ("c.txt", None),
        ("c.err", None),
    ]


@pytest.mark.parametrize(
    ("words", "first", "message"),
    [
        (["a.log"], None, "a.log: write its cell's levels before it"),
        (["path=same_container"], None, "no log follows these levels"),
        (["path=same_container", "path=unix_socket", "a"], None, "path=same_container: no log follows"),
        (["pth=same_container", "a"], None, "did you mean path"),
        (["clients=many", "a"], None, "whole number"),
        (["tool=wrk", "a"], None, "these are logs of pgbench"),
    ],
)
def test_arguments_that_cannot_be_grouped_are_reported(
    words: list[str], first: str | None, message: str
) -> None:
    with pytest.raises(Failure) as refused:
        grouped(words, "pgbench", first, 1)
    assert message in str(refused.value) and refused.value.code == 2
