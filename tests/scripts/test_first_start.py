"""A first start that is interrupted, loses the network or fills the disk, and the start after it."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.scripts.shell import run, start
from tests.scripts.waiting import eventually

SETUP = ("progress", "parts", "guard", "packages")
PAGE = ("progress", "guard", "packages", "python", "page")

# A host whose packages are lines of files: apt installs what is named, one after the other.
HOST = """
missing_packages() {{
    printf '%s\\n' python3-venv mmdebstrap redis-server docker.io | grep -vxFf {0}/installed || true
}}
apt_get() {{
    echo "$*" >>{0}/calls
    case $1 in
    update) [[ ${{AWAY:-}} != update ]] || return 100 ;;
    --simulate) printf 'Inst %s (1 Debian)\\n' "${{@:3}}" ;;
    install)
        local name
        for name in "${{@:2}}"; do
            if [[ ${{AWAY:-}} == "$name" ]]; then echo "E: Failed to fetch $name" >&2; return 100; fi
            if [[ ${{SLOW:-}} == "$name" ]]; then : >{0}/runs; sleep 600; fi
            echo "$name" >>{0}/installed
        done ;;
    esac
}}
export -f apt_get
dpkg() {{ :; }}
dpkg-query() {{ grep -qxF -- "${{@: -1}}" {0}/installed && printf installed; }}
keep_disabled() {{ :; }}
have() {{ :; }}
python() {{ must_log python 'Python failed' bash -c 'echo python >>{0}/done; ${{PYTHON:-true}}'; }}
prepare() {{
    install_first_packages
    part packages '' install_packages
    part python '' python
    prepare_beside
}}
prepare
"""


class Host:
    """Repeated first starts of one host."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.guards = {
            "PLIMSOLL_PACKAGES_LOCK": str(home / "packages.lock"),
            "PLIMSOLL_POLICY_RC_D": str(home / "sbin/policy-rc.d"),
            "PLIMSOLL_CREATECLUSTER_CONF": str(home / "etc/createcluster.conf"),
            "PLIMSOLL_CREATECLUSTER_DEFAULT": str(home / "none"),
        }
        (home / "installed").touch()

    def start(self, **variables: str) -> subprocess.CompletedProcess[str]:
        return run(SETUP, HOST.format(self.home), self.home, self.guards | variables)

    def begin(self, **variables: str) -> subprocess.Popen[str]:
        return start(SETUP, HOST.format(self.home), self.home, self.guards | variables)

    def installed(self) -> list[str]:
        return (self.home / "installed").read_text().split()

    def calls(self) -> list[str]:
        """The calls of apt since the last call of this."""
        file = self.home / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return [call for call in lines if not call.startswith("--simulate")]

    def has_guard(self) -> bool:
        return any(self.home.glob("sbin/*")) or any(self.home.glob("etc/*"))


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_what_others_wait_for_is_installed_first_and_the_lists_are_read_once(host: Host) -> None:
    result = host.start()
    assert result.returncode == 0, result.stderr
    assert host.calls() == ["update", "install python3-venv mmdebstrap", "install redis-server docker.io"]
    assert result.stdout.count("missing: python3-venv mmdebstrap redis-server docker.io") == 1
    assert not host.has_guard()
    again = host.start()
    assert host.calls() == [] and "all installed" in again.stdout


@pytest.mark.parametrize(
    ("away", "sentence", "installed", "next_calls"),
    [
        (
            "update",
            "the package lists could not be read from the network",
            [],
            ["update", "install python3-venv mmdebstrap", "install redis-server docker.io"],
        ),
        (
            "mmdebstrap",
            "the packages could not be installed",
            ["python3-venv"],
            ["update", "install mmdebstrap", "install redis-server docker.io"],
        ),
        (
            "docker.io",
            "the packages could not be installed",
            ["python3-venv", "mmdebstrap", "redis-server"],
            ["update", "install docker.io"],
        ),
    ],
)
def test_after_a_lost_network_the_next_start_installs_what_is_missing(
    host: Host, away: str, sentence: str, installed: list[str], next_calls: list[str]
) -> None:
    result = host.start(AWAY=away)
    assert result.returncode == 1
    assert result.stderr.count(f"plimsoll: {sentence} (the whole log is ") == 1
    assert host.installed() == installed
    assert not host.has_guard()
    host.calls()
    again = host.start()
    assert again.returncode == 0, again.stderr
    assert host.calls() == next_calls


@pytest.mark.parametrize("step", ["mmdebstrap", "docker.io"])
def test_ctrl_c_ends_apt_and_the_next_start_goes_on(host: Host, step: str) -> None:
    child = host.begin(SLOW=step)
    assert eventually((host.home / "runs").exists, limit=60)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "plimsoll: interrupted\n" in err
    assert not host.has_guard()
    assert step not in host.installed()
    again = host.start()
    assert again.returncode == 0 and sorted(host.installed()) == sorted(set(host.installed())), again.stderr
    assert set(host.installed()) == {"python3-venv", "mmdebstrap", "redis-server", "docker.io"}


def test_a_full_disk_in_one_part_is_said_once_and_ends_the_packages(host: Host) -> None:
    full = "echo 'No space left on device' >&2; until [[ -e runs ]]; do sleep 0.05; done; exit 1"
    script = host.home / "full"
    script.write_text(f"cd {host.home}\n{full}\n")
    result = host.start(PYTHON=f"bash {script}", SLOW="docker.io")
    assert result.returncode == 1
    assert result.stderr.startswith("    No space left on device\nplimsoll: Python failed (the whole log is ")
    assert "plimsoll: not ready: packages python; the next call goes on from here" in result.stderr
    assert not host.has_guard()


VITE = """#!/bin/sh
out=$3
mkdir -p "$out/assets"
echo new >"$out/index.html"
echo new >"$out/assets/new.js"
[ -z "$SLOW" ] || { : >"$SLOW"; sleep 600; }
exit "${STATUS:-0}"
"""
BUILD = """
root={0}
ensure_node_modules() {{ :; }}
{1}
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with an older page, and a fake vite."""
    for name, text in (
        ("frontend/src/main.tsx", "page"),
        ("frontend/dist/index.html", "old"),
        ("frontend/dist/assets/old.js", "old"),
        ("frontend/node_modules/.bin/vite", VITE),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "frontend/node_modules/.bin/vite").chmod(0o755)
    return tmp_path


NPM = """#!/bin/sh
echo "$@" >>"$CALLS"
for option in "$@"; do [ "$option" != --omit=dev ] || exit 0; done
mkdir -p "$2/node_modules/vitest"
"""


def test_only_the_tests_install_the_tools_of_the_tests(clone: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        (clone / "frontend" / name).write_text("{}")
    tools, calls = clone / "tools", clone / "calls"
    tools.mkdir()
    for name, text in (("npm", NPM), ("node", "#!/bin/sh\necho v24\n")):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    environment = {"PATH": f"{tools}:{os.environ['PATH']}", "CALLS": str(calls)}
    prepared = f"root={clone}\nuse_node() {{ :; }}\n"
    for wanted in ("", "", "tests", "", "tests"):
        result = run(PAGE, prepared + f"ensure_node_modules {wanted}", clone, environment)
        assert result.returncode == 0, result.stderr
    frontend = f"--prefix {clone}/frontend ci"
    assert calls.read_text().splitlines() == [f"{frontend} --omit=dev", frontend], "what is wide stays wide"


def page_files(clone: Path) -> list[str]:
    dist = clone / "frontend/dist"
    return sorted(str(path.relative_to(dist)) for path in dist.rglob("*") if path.is_file())


def test_the_page_is_built_into_the_folder_that_the_api_serves(clone: Path) -> None:
    folder = (clone / "frontend/dist").stat().st_ino
    announced = run(PAGE, BUILD.format(clone, "announce_page"), clone)
    assert announced.returncode == 0, announced.stderr
    assert page_files(clone) == ["assets/old.js", "building"], "no old page with a new API"
    result = run(PAGE, BUILD.format(clone, "ensure_page; announce_page; ensure_page"), clone)
    assert result.returncode == 0, result.stderr
    assert page_files(clone) == ["assets/new.js", "index.html"]
    assert (clone / "frontend/dist").stat().st_ino == folder
    assert [line.split()[3] for line in result.stdout.splitlines()] == ["building", "current"]


def test_a_failed_build_leaves_no_page_and_is_repeated(clone: Path) -> None:
    failed = run(PAGE, BUILD.format(clone, "announce_page; ensure_page"), clone, {"STATUS": "1"})
    assert failed.returncode == 1
    assert "plimsoll: the page could not be built" in failed.stderr
    assert "index.html" not in page_files(clone)
    assert run(PAGE, BUILD.format(clone, "announce_page; ensure_page"), clone).returncode == 0
    assert page_files(clone) == ["assets/new.js", "index.html"]


def test_an_interrupted_build_is_repeated(clone: Path) -> None:
    child = start(
        PAGE, BUILD.format(clone, "announce_page; ensure_page"), clone, {"SLOW": str(clone / "runs")}
    )
    assert eventually((clone / "runs").exists, limit=60)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 130
    assert "index.html" not in page_files(clone)
    assert run(PAGE, BUILD.format(clone, "announce_page; ensure_page"), clone).returncode == 0
    assert page_files(clone) == ["assets/new.js", "index.html"]
