"""The build of the image on a fake mmdebstrap: what it leaves, what it says, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.errors import EngineUnavailable, HostCommandFailed
from tests.scripts.shell import ROOT
from tests.scripts.waiting import eventually
from worker.engine.names import InstallPaths
from worker.host.ledger import Ledger
from worker.images import bootstrap, debian, early, recipe
from worker.images.archive import unpack
from worker.images.layer import write_image
from worker.images.recipe import ImageArchive, archive_of

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mount and process namespaces need root")

# In place of mmdebstrap: makes the folder that is its last argument, with what the next steps need. As the
# real one, it keeps apt's configuration below the folder's /tmp and needs it after the hooks: without it, apt
# would clean the lists and the cache of the host.
MMDEBSTRAP = """#!/bin/sh
echo "$@" >>"$CALLS"
for folder in "$@"; do :; done
mkdir -p "$folder/usr/local/bin" "$folder/out" "$folder/tmp"
touch "$folder/tmp/mmdebstrap.apt.conf"
for option in "$@"; do
    case $option in --*-hook=*) sh -c "${option#*=}" exec "$folder" || exit 1 ;; esac
done
rm "$folder/tmp/mmdebstrap.apt.conf" || exit 1
rmdir "$folder/tmp" || exit 1
printf pong >"$folder/out/pong"
printf relay >"$folder/out/epoll-relay"
"""


class Build:
    """A folder for images, and a fake mmdebstrap and chroot on PATH."""

    def __init__(self, home: Path) -> None:
        self.calls = home / "calls"
        self.bin = home / "bin"
        self.archive = ImageArchive("plimsoll-bench:abc", home / "images" / "plimsoll-bench-abc.tar")
        self.reports: list[str] = []
        self.bin.mkdir()
        self.archive.path.parent.mkdir()
        self.program("mmdebstrap", MMDEBSTRAP)
        self.program("chroot", "#!/bin/sh\n")

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def run(self) -> None:
        debian.build_of_debian(self.archive, self.reports.append)

    def left(self) -> list[str]:
        """What is in the folder, without the logs."""
        return sorted(path.name for path in self.archive.path.parent.iterdir() if path.suffix != ".log")


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    fake = Build(tmp_path)
    monkeypatch.setattr(debian, "PATH", f"{fake.bin}:{debian.PATH}")
    monkeypatch.setenv("CALLS", str(fake.calls))
    return fake


def config_of(archive: Path) -> dict[str, Any]:
    with tarfile.open(archive) as image:
        [described] = json.load(image.extractfile("manifest.json"))  # type: ignore[arg-type]
        config: dict[str, Any] = json.load(image.extractfile(described["Config"]))  # type: ignore[arg-type]
    return config | {"tags": described["RepoTags"]}


def test_a_folder_becomes_an_image_that_unpacks_to_the_same(tmp_path: Path) -> None:
    root, archive = tmp_path / "root", tmp_path / "image.tar"
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/tool").write_text("tool" * 1000)
    (root / "usr/bin/tool").chmod(0o755)
    (root / "bin").symlink_to("usr/bin")
    write_image(root, archive, "bench:1", {"Env": ["A=b"], "User": "1:1"}, "aarch64")
    unpack(archive, tmp_path / "again")
    again = tmp_path / "again"
    assert (again / "bin/tool").read_text() == "tool" * 1000 and os.access(again / "usr/bin/tool", os.X_OK)
    assert (again / "bin").is_symlink()
    config = config_of(archive)
    assert (config["tags"], config["architecture"], config["config"]["Env"]) == (
        ["bench:1"],
        "arm64",
        ["A=b"],
    )
    assert sorted(tmp_path.iterdir()) == sorted((root, archive, again))


def test_a_folder_that_cannot_be_packed_leaves_no_archive(tmp_path: Path) -> None:
    with pytest.raises(HostCommandFailed, match="tar of the image: "):
        write_image(tmp_path / "none", tmp_path / "image.tar", "bench:1", {}, "x86_64")
    assert not (tmp_path / "image.tar").exists()


def test_containers_get_what_the_dockerfile_says() -> None:
    config = recipe.container_config()
    assert config["User"] == "10001:10001" and config["Cmd"] == ["sleep", "infinity"]
    variables = dict(variable.split("=", 1) for variable in config["Env"])
    assert variables["PATH"].startswith("/usr/lib/postgresql/15/bin:") and variables["PGDATA"] == "/data/pg"
    assert recipe.destinations() == {
        **dict.fromkeys(("serve-postgres", "serve-flask", "serve-front"), "/usr/local/bin/"),
        **dict.fromkeys(("report.lua", "app.py"), "/usr/local/share/plimsoll/"),
    }


def test_every_file_of_the_recipe_is_used_by_both_ways() -> None:
    dockerfile = (recipe.RECIPE / "Dockerfile").read_text()
    source = Path(debian.__file__).read_text()
    for path in recipe.RECIPE.iterdir():
        name = path.name
        assert name == "Dockerfile" or name in dockerfile, name
        used = name in source or name in recipe.destinations() or name in ("Dockerfile", "pong", "relay")
        assert used, f"{name} is not in the image of Debian's packages"


def test_the_build_needs_only_the_standard_library() -> None:
    """A first start runs it beside the installation of the packages of Python."""
    argv = [sys.executable, "-S", "-m", "worker.images.early", "--help"]
    assert subprocess.run(argv, cwd=ROOT, env={}, capture_output=True, check=False).returncode == 0


@needs_root
def test_a_build_leaves_the_archive_and_the_relay(build: Build) -> None:
    build.run()
    assert build.left() == ["epoll-relay-abc", "plimsoll-bench-abc.tar"]
    assert build.archive.relay.read_text() == "relay"
    unpack(build.archive.path, build.archive.root)
    assert (build.archive.root / "usr/local/bin/pong").read_text() == "pong"
    installed, extracted = sorted(build.calls.read_text().splitlines(), key=lambda line: "extract" in line)
    assert "--variant=essential" in installed and "postgresql-15,nginx," in installed
    assert "--variant=extract" in extracted and "golang-go,gcc,libc6-dev" in extracted
    assert [report.split(":")[0] for report in build.reports] == ["image", "image"]


@needs_root
@pytest.mark.parametrize(
    ("said", "error", "sentence"),
    [
        ("E: no network", HostCommandFailed, "mmdebstrap: E: no network; see "),
        ("E: write: No space left on device", EngineUnavailable, "the disk became full while the image was "),
    ],
)
def test_a_failed_build_says_why_and_leaves_only_its_logs(
    build: Build, said: str, error: type[Exception], sentence: str
) -> None:
    build.program("mmdebstrap", f'#!/bin/sh\nmkdir -p "$(dirname "$0")/x"\necho "{said}" >&2\nexit 1\n')
    with pytest.raises(error, match=f"^{sentence}"):
        build.run()
    assert build.left() == []


@needs_root
def test_a_killed_build_leaves_no_process(build: Build, tmp_path: Path) -> None:
    build.program("mmdebstrap", f"#!/bin/sh\nsleep 600 &\n: >{tmp_path}/runs\nwait\n")
    code = f"from worker.images import debian, early; debian.PATH = {debian.PATH!r}; early.main()"
    child = subprocess.Popen([sys.executable, "-c", code, "--var", str(tmp_path)], cwd=ROOT)
    assert eventually((tmp_path / "runs").exists, limit=60)
    child.send_signal(signal.SIGKILL)
    child.wait()

    def gone() -> bool:
        marks = (
            path.read_bytes() for path in Path("/proc").glob("[0-9]*/environ") if os.access(path, os.R_OK)
        )
        return not any(str(build.calls).encode() in mark for mark in _readable(marks))

    assert eventually(gone, limit=60)


def _readable(marks: Iterator[bytes]) -> Iterator[bytes]:
    while True:
        try:
            yield next(marks)
        except StopIteration:
            return
        except OSError:
            continue


def test_a_second_build_in_the_folder_waits_and_says_so(tmp_path: Path) -> None:
    reports: list[str] = []
    order: list[str] = []

    def second() -> None:
        with debian.building(tmp_path, reports.append):
            order.append("second")

    with debian.building(tmp_path, reports.append):
        waiting = threading.Thread(target=second)
        waiting.start()
        assert eventually(lambda: bool(reports), limit=60)
        order.append("first")
    waiting.join(60)
    assert order == ["first", "second"]
    assert reports == ["image: being built beside; waiting for it"]


class Engine:
    """In place of the engine that builds on a pulled base."""

    pulls = True
    stopped = 0

    def __init__(self, *_: object, **__: object) -> None:
        self.images = SimpleNamespace(pull=lambda *_: Engine.pulls, build=lambda *_: None, save=self.save)

    def save(self, _tag: str, path: Path) -> None:
        path.write_text("pulled")

    def start(self) -> SimpleNamespace:
        return SimpleNamespace(images=self.images)

    def stop(self) -> None:
        Engine.stopped += 1


@pytest.mark.parametrize("pulls", [True, False])
def test_where_debians_packages_fail_the_base_comes_from_a_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pulls: bool
) -> None:
    def fails(*_: object) -> None:
        raise HostCommandFailed("mmdebstrap: E: no mirror")

    monkeypatch.setattr(Engine, "pulls", pulls)
    monkeypatch.setattr(Engine, "stopped", 0)
    monkeypatch.setattr(bootstrap, "LabEngine", Engine)
    monkeypatch.setattr(bootstrap, "build_of_debian", fails)
    install = InstallPaths("test", tmp_path / "run", tmp_path)
    reports: list[str] = []
    ledger = Ledger(tmp_path / "ledger.jsonl")
    if pulls:
        assert bootstrap.ensure_image(install, ledger, reports.append).path.read_text() == "pulled"
    else:
        both = (
            "^the image could not be built: mmdebstrap: E: no mirror; no registry gives debian:bookworm-slim$"
        )
        with pytest.raises(EngineUnavailable, match=both):
            bootstrap.ensure_image(install, ledger, reports.append)
    assert reports[:2] == [
        "image: mmdebstrap: E: no mirror",
        "image: asking a registry for debian:bookworm-slim",
    ]
    assert Engine.stopped == 1


def test_an_early_build_that_fails_says_so_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_archive: ImageArchive, report: Any) -> None:
        report("image: installing")
        raise HostCommandFailed("mmdebstrap: E: no mirror")

    monkeypatch.setattr(early, "build_of_debian", fails)
    assert early.main(["--var", str(tmp_path), "--elapsed", "7"]) == 1
    out, err = capsys.readouterr()
    assert out == "   7 s  image      installing\n"
    assert err == "plimsoll: the image of servers and tools could not be built: mmdebstrap: E: no mirror\n"
    archive = archive_of(InstallPaths("", Path(), tmp_path)).path
    archive.touch()
    assert early.main(["--var", str(tmp_path)]) == 0, "nothing to do"
