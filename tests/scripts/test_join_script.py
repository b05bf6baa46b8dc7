"""What scripts/join and scripts/leave refuse before they do anything: one sentence, nothing left."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.scripts.shell import ROOT, run

URL = "https://bench.example.org:8420/join#plme_secret"
PREFLIGHT = ("progress", "preflight")
HYBRID = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n32 31 0:29 / {v1} rw - cgroup cgroup rw,memory\n"
UNIFIED = "31 23 0:28 / {v2} rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"


def script(
    name: str, *arguments: str, var: Path, path: str = "", given: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "scripts" / name), *arguments],
        env={"PATH": f"{path}{os.environ['PATH']}", "PLIMSOLL_VAR_DIR": str(var)},
        input=given,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def refusal(result: subprocess.CompletedProcess[str]) -> str:
    """The one sentence; fails if there is anything else."""
    assert result.returncode != 0
    assert result.stdout == ""
    assert result.stderr.startswith("plimsoll: ") and result.stderr.count("\n") == 1, result.stderr
    return result.stderr.strip()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "this host has not joined a server yet"),
        (("https://bench.example.org/join",), "no URL of an enrolment"),
        (("https://bench.example.org/join#",), "no URL of an enrolment"),
        (("bench.example.org/join#plme_secret",), "no URL of an enrolment"),
        (("https://bench.example.org/join?x=1#plme_secret",), "no URL of an enrolment"),
        (("https://bench.example.org/join#two words",), "no URL of an enrolment"),
        (("-",), "standard input has no URL"),
        ((URL, URL), "one URL is enough"),
        ((URL, "--name"), "--name needs a value"),
        ((URL, "--fingerprint"), "--fingerprint needs a value"),
        ((URL, "--fingerprint", "AB:CD", "--cacert", "/etc/hostname"), "one of --fingerprint and --cacert"),
        ((URL, "--cacert", "/absent"), "there is no file /absent"),
        ((URL, "--foreground", "--no-start"), "--foreground and --no-start exclude each other"),
        ((URL, "--forground"), "unknown argument --forground"),
    ],
)
def test_join_refuses_what_it_does_not_know(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    text = refusal(script("join", *arguments, var=tmp_path / "var"))
    assert sentence in text and "plme_secret" not in text
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(("name", "arguments"), [("join", (URL,)), ("leave", ())])
def test_only_root_joins_and_leaves(name: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "id").write_text("#!/bin/sh\necho 1000\n")
    (fake / "id").chmod(0o755)
    result = script(name, *arguments, var=tmp_path / "var", path=f"{fake}:")
    assert f"scripts/{name} must run as root" in refusal(result)
    assert not (tmp_path / "var").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="the script answers anyone but root earlier")
def test_a_full_disk_is_refused_before_anything_is_installed(tmp_path: Path) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "df").write_text(
        "#!/bin/sh\nprintf 'Filesystem 1024-blocks Used Available\\n/dev/x 9 9 102400\\n'\n"
    )
    (fake / "df").chmod(0o755)
    text = refusal(script("join", URL, var=tmp_path / "var", path=f"{fake}:"))
    assert "has 100 MiB free, and Plimsoll needs 3584 MiB" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="the script answers anyone but root earlier")
@pytest.mark.parametrize("name", ["join", "leave"])
def test_the_folder_of_a_server_is_left_alone(name: str, tmp_path: Path) -> None:
    for folder in ("postgres", "enrolment"):
        (tmp_path / "var" / folder).mkdir(parents=True)
    arguments = (URL,) if name == "join" else ()
    assert "belongs to a server" in refusal(script(name, *arguments, var=tmp_path / "var"))
    assert sorted(entry.name for entry in (tmp_path / "var").iterdir()) == ["enrolment", "postgres"]


@pytest.mark.skipif(os.geteuid() != 0, reason="the script answers anyone but root earlier")
def test_leave_refuses_where_no_worker_has_joined(tmp_path: Path) -> None:
    assert "no worker has joined from" in refusal(script("leave", var=tmp_path / "var"))
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize("name", ["join", "leave"])
def test_help_needs_nothing(name: str, tmp_path: Path) -> None:
    result = script(name, "--help", var=tmp_path / "var")
    assert result.returncode == 0 and f"Usage: scripts/{name}" in result.stdout
    assert not (tmp_path / "var").exists()


def need_cgroups(table: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    (tmp_path / "mountinfo").write_text(table)
    return run(PREFLIGHT, f'need_cgroups "{tmp_path}/mountinfo"', tmp_path)


def test_cgroups_of_both_versions_are_accepted_and_the_probe_is_removed(tmp_path: Path) -> None:
    for name in ("v1", "v2"):
        (tmp_path / name).mkdir()
    (tmp_path / "v2/cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    places = {name: str(tmp_path / name) for name in ("v1", "v2")}
    for table in (HYBRID, UNIFIED, HYBRID + UNIFIED):
        result = need_cgroups(table.format(**places), tmp_path)
        assert result.returncode == 0, result.stderr
    assert [entry.name for entry in tmp_path.glob("v?/*")] == ["cgroup.controllers"]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n", "no cgroup file system is mounted"),
        ("32 31 0:29 / /x rw - cgroup cgroup rw,cpu\n", "boot with cgroup_enable=memory"),
        (UNIFIED, "no memory controller: boot the kernel with cgroup_enable=memory"),
        (UNIFIED.replace("{v2}", "/proc"), "or in a container with --privileged"),
    ],
)
def test_cgroups_that_cannot_be_used_are_refused_with_a_remedy(
    table: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "v2").mkdir()
    (tmp_path / "v2/cgroup.controllers").write_text("cpu pids\n")
    result = need_cgroups(table.format(v2=tmp_path / "v2"), tmp_path)
    assert result.returncode == 1 and sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_host_without_docker_is_refused_with_a_remedy(tmp_path: Path) -> None:
    result = run(PREFLIGHT, "need_engine", tmp_path, {"PATH": "/usr/bin:/bin:/nowhere"})
    hidden = run(PREFLIGHT, "PATH=/nowhere; need_engine", tmp_path)
    assert hidden.returncode == 1, result
    assert "Docker is not complete on this host, dockerd" in hidden.stderr
    assert "install docker.io, or Docker's own docker-ce" in hidden.stderr


def test_a_worker_needs_neither_servers_nor_fonts_nor_the_page(tmp_path: Path) -> None:
    parts = ("progress", "preflight", "guard", "packages", "python")
    body = "have() { false; }; have_engine() { false; }; missing_packages worker; venv_groups worker"
    found = run(parts, body, tmp_path).stdout.split()
    assert "docker.io" in found and "iptables" in found
    assert not {"postgresql", "redis-server", "chromium", "fonts-dejavu-core", "page"} & set(found)
