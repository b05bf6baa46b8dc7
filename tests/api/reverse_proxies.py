"""The reverse proxies of docs/server.md, with Debian's programs: installed, or unpacked for the tests."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.starter.certificate import Pair
from tests.scripts.waiting import eventually
from tests.services import ROOT

PROXY_ADDRESS = "127.0.0.2"
"""The proxies connect from here, so that other connections of this host are those of strangers."""
PACKAGES = {
    "nginx": ("nginx", "libpcre2-8-0"),
    "haproxy": ("haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"),
}
DOWNLOAD_S = 120.0


@dataclass(frozen=True)
class Program:
    """A proxy's executable, and the environment that it needs."""

    name: str
    path: str
    environment: dict[str, str]


def find(name: str, folder: Path) -> Program:
    """The installed program, else the one of Debian's package, unpacked; skips the test without either."""
    installed = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if installed is not None:
        return Program(name, installed, dict(os.environ))
    if shutil.which("apt-get") is None:
        pytest.skip(f"{name} is not installed, and this host has no apt to get it")
    folder.mkdir(exist_ok=True)
    loaded = _apt_get(folder, "download", *PACKAGES[name])
    if loaded.returncode != 0:  # a host's package lists may be old, or not there
        _apt_get(folder, "update")
        loaded = _apt_get(folder, "download", *PACKAGES[name])
    if loaded.returncode != 0:
        pytest.skip(f"{name} is not installed, and apt cannot get it: {loaded.stderr.strip()[-200:]}")
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", str(package), str(folder)], check=True, timeout=60)
    libraries = ":".join(str(path) for path in folder.glob("usr/lib/*-linux-*"))
    return Program(name, str(folder / "usr/sbin" / name), os.environ | {"LD_LIBRARY_PATH": libraries})


def _apt_get(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """apt-get with the sources of this host, and lists of the test's own once it has read them."""
    lists = folder / "lists"
    options = ["APT::Sandbox::User=root"]
    if arguments[0] == "update":
        (lists / "partial").mkdir(parents=True, exist_ok=True)
    if lists.exists():
        options += [f"Dir::State::Lists={lists}", "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache="]
    command = ["apt-get", "-q", *(word for option in options for word in ("-o", option)), *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=DOWNLOAD_S, check=False
    )


@contextmanager
def in_front(program: Program, upstream: str, pair: Pair, folder: Path) -> Iterator[int]:
    """The program with its configuration of docs/server.md, in front of a server; yields its port."""
    folder.mkdir()
    (folder / "pair.pem").write_bytes(pair.chain + pair.key)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    file = folder / "proxy.conf"
    file.write_text(_configuration(program.name, upstream.rpartition(":")[2], port, folder))
    options = {
        "nginx": ["-p", str(folder), "-c", str(file), "-e", "stderr"],
        "haproxy": ["-db", "-f", str(file)],
    }[program.name]
    log = folder / "log"
    with log.open("wb") as output:
        child = subprocess.Popen(
            [program.path, *options], env=program.environment, stdout=output, stderr=output
        )
    try:
        ready = eventually(lambda: child.poll() is not None or _listens(port))
        assert ready and child.poll() is None, log.read_text()
        yield port
    finally:
        child.terminate()
        child.wait(60)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except OSError:
        return False
    return True


def _configuration(name: str, upstream: str, port: int, folder: Path) -> str:
    """The documented configuration, with this test's ports and files."""
    text = (ROOT / "docs/server.md").read_text()
    documented = re.search(rf"```{name}\n(.*?)```", text, re.DOTALL)
    assert documented is not None
    pair = folder / "pair.pem"
    if name == "haproxy":
        return _replaced(
            documented[1],
            ("bind :443", f"bind 127.0.0.1:{port}"),
            ("/etc/ssl/plimsoll/pair.pem", str(pair)),
            ("127.0.0.1:8420", f"127.0.0.1:{upstream} source {PROXY_ADDRESS}"),
        )
    server = _replaced(
        documented[1],
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("/etc/ssl/plimsoll/fullchain.pem", str(pair)),
        ("/etc/ssl/plimsoll/privkey.pem", str(pair)),
        (
            "proxy_pass http://127.0.0.1:8420;",
            f"proxy_pass http://127.0.0.1:{upstream}; proxy_bind {PROXY_ADDRESS};",
        ),
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    own = f"user {'root' if os.geteuid() == 0 else 'nobody'};\n" if os.geteuid() == 0 else ""
    return (
        f"{own}daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{server}}}\n"
    )


def _replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
