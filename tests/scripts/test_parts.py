"""Parts that are prepared side by side: their order, progress lines and failures, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from scripts.starter.parts import Part, Parts
from scripts.starter.terminal import Refusal, Terminal
from tests.scripts.shell import run, start
from tests.scripts.waiting import eventually

PARTS = ("progress", "parts")
WORK = """
work() {{ say "$1" "begins"; must_log "$1" "$1 failed" bash -c "echo $1 >>{0}/order"; }}
hang() {{
    must_log "$1" "$1 failed" bash -c 'trap "echo $0 >>{0}/ended; exit 1" INT
        : >{0}/$0.runs; while :; do sleep 0.05; done' "$1"
}}
"""


def body(tmp_path: Path, text: str) -> str:
    return WORK.format(tmp_path) + text


def test_a_part_begins_when_what_it_needs_is_ready(tmp_path: Path) -> None:
    text = body(tmp_path, "part page 'python' work page; part python '' work python; prepare_beside")
    result = run(PARTS, text, tmp_path)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "order").read_text().split() == ["python", "page"]
    lines = [line.split(maxsplit=2)[2] for line in result.stdout.splitlines()]
    assert [line.split()[0:2] for line in lines] == [
        *(["python", "begins"], ["python", "ready"], ["page", "begins"], ["page", "ready"])
    ]


def test_a_log_whose_folder_was_removed_stops_no_part(tmp_path: Path) -> None:
    """The log of a part is a link to that of its last start, which may lie in a folder of its own."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/image.log").symlink_to(tmp_path / "removed/build.log")
    result = run(PARTS, body(tmp_path, "part image '' work image; prepare_beside"), tmp_path)
    assert result.returncode == 0, result.stderr


def test_parts_run_side_by_side(tmp_path: Path) -> None:
    """Each of them waits for the other one."""
    meet = f"""
    meet() {{
        must_log "$1" failed bash -c ": >{tmp_path}/$1; until [[ -e {tmp_path}/$2 ]]; do sleep 0.05; done"
    }}
    part one '' meet one two; part two '' meet two one; prepare_beside"""
    assert run(PARTS, meet, tmp_path).returncode == 0


def test_parts_that_are_not_awaited_go_on(tmp_path: Path) -> None:
    text = body(
        tmp_path, "part short '' work short; part long '' hang long; prepare_beside short; running_parts"
    )
    result = run(PARTS, text, tmp_path)
    name, pid, printed = result.stdout.splitlines()[-1].split()
    assert (name, printed) == ("long", "0") and int(pid) > 1
    assert result.stderr == "plimsoll: not ready: long; the next call goes on from here\n"
    assert (tmp_path / "ended").read_text() == "long\n", "it ends with its script"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            "must_log broken 'it could not be made' sh -c 'seq 20; exit 4'",
            "it could not be made (the whole log",
        ),
        ("refuse 'there is no network'", "there is no network"),
        ("bash -c 'exit 3'", "broken ended with exit code 3"),
    ],
)
def test_a_failure_prints_its_own_sentence_once_and_ends_the_others(
    command: str, sentence: str, tmp_path: Path
) -> None:
    text = body(
        tmp_path,
        f"""
        broken() {{ until [[ -e {tmp_path}/other.runs ]]; do sleep 0.05; done; {command}; }}
        part other '' hang other; part broken '' broken; part last broken work last
        prepare_beside; echo wrong""",
    )
    result = run(PARTS, text, tmp_path)
    assert result.returncode == 1
    assert result.stderr.count(f"plimsoll: {sentence}") == 1
    assert result.stderr.count("plimsoll: ") == 2, result.stderr
    assert result.stderr.endswith("plimsoll: not ready: other broken last; the next call goes on from here\n")
    assert "wrong" not in result.stdout
    assert (tmp_path / "ended").read_text() == "other\n"
    assert not (tmp_path / "order").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_script_ends_and_awaits_every_part(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    text = body(
        tmp_path, "part one '' hang one; part two '' hang two; part three two work three; prepare_beside"
    )
    child = start(PARTS, text, tmp_path)
    assert eventually(lambda: (tmp_path / "one.runs").exists() and (tmp_path / "two.runs").exists())
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code
    assert err.split("\n", 1)[1].splitlines() == [
        "plimsoll: interrupted",
        "plimsoll: not ready: one two three; the next call goes on from here",
    ]
    assert sorted((tmp_path / "ended").read_text().split()) == ["one", "two"]


def test_a_part_undoes_what_it_has_begun(tmp_path: Path) -> None:
    text = body(
        tmp_path,
        f"""
        guarded() {{ on_exit touch {tmp_path}/undone; hang guarded; }}
        on_exit echo outer; part guarded '' guarded; prepare_beside""",
    )
    child = start(PARTS, text, tmp_path)
    assert eventually((tmp_path / "guarded.runs").exists)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert (tmp_path / "undone").exists()
    assert out.splitlines().count("outer") == 1, "only the script itself undoes its own steps"


def test_parts_end_when_their_script_was_killed(tmp_path: Path) -> None:
    child = start(PARTS, body(tmp_path, "part one '' hang one; prepare_beside"), tmp_path)
    assert eventually((tmp_path / "one.runs").exists)
    child.kill()
    child.communicate(timeout=60)
    assert eventually((tmp_path / "ended").exists, limit=60)


def parts_of_child(tmp_path: Path, script: str, out: str = "", error: str = "") -> Parts:
    """A part that is a child of this process, as after the exec of scripts/up."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "page.out").write_text(out)
    (folder / "page.error").write_text(error)
    child = subprocess.Popen(["sh", "-c", script], start_new_session=True)
    child.returncode = 0  # Popen leaves waiting to the class under test
    return Parts(tmp_path, Terminal(), [Part.parse(f"page {child.pid} 1")])


def have_ended(parts: Parts) -> bool:
    parts.watch()
    return not parts.running


def test_the_starter_prints_the_rest_of_a_parts_lines_and_its_end(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = parts_of_child(
        tmp_path, "true", out="   1 s  page       one\n   2 s  page       two\n   3 s  unfinished"
    )
    assert parts.runs("page")
    assert eventually(lambda: have_ended(parts))
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "   2 s  page       two" and lines[1].endswith("page       ready") and len(lines) == 2
    parts.end()


@pytest.mark.parametrize(("text", "refused"), [("part page '' true", False), ("part page '' false", True)])
def test_a_part_that_ends_just_before_the_services_start_is_no_failure(
    tmp_path: Path, text: str, refused: bool
) -> None:
    """bash reaps it while it becomes the starter, which cannot await it any more."""
    script = f"{text}; begin_part page; wait ${{part_pids[page]}} || true; running_parts; trap - EXIT"
    result = run(PARTS, f'mkdir -p "$log_dir/parts"; {script}', tmp_path)
    name, pid, printed = result.stdout.splitlines()[-1].split()
    parts = Parts(next(tmp_path.rglob("parts")).parent, Terminal(), [Part(name, int(pid), int(printed))])
    if refused:
        with pytest.raises(Refusal, match="page ended with exit code 1"):
            parts.watch()
    else:
        parts.watch()
    assert not parts.runs("page")


def test_the_starter_refuses_with_the_parts_own_sentence(tmp_path: Path) -> None:
    error = "    npm error\nplimsoll: the page could not be built (the whole log is x)\n"
    parts = parts_of_child(tmp_path, "exit 1", error=error)
    with pytest.raises(Refusal, match=r"^the page could not be built \(the whole log is x\)\n    npm error$"):
        eventually(lambda: have_ended(parts))
    parts.end()


def test_the_starter_ends_and_awaits_parts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    parts = parts_of_child(tmp_path, "exec sleep 60")
    pid = parts.running[0].pid
    parts.end()
    parts.end()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert capfd.readouterr().err == "plimsoll: not ready: page; the next start goes on from here\n"
