"""The tag of the recipe, and image archives read without an engine, on a small artificial image."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import tarfile
from pathlib import Path

import pytest

from backend.core.errors import EngineUnavailable
from worker.engine.names import InstallPaths, engine_names
from worker.host.ledger import Ledger
from worker.images import bootstrap
from worker.images.archive import extract, unpack
from worker.images.recipe import RECIPE, ImageArchive, recipe_tag

OWNER = 10001
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="owners and device nodes need root")


def entry(
    name: str, content: str | None = None, **fields: int | str | bytes
) -> tuple[tarfile.TarInfo, bytes]:
    """One entry of a layer: a file where there is content, otherwise what `type` says, or a directory."""
    data = (content or "").encode()
    member = tarfile.TarInfo(name)
    member.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
    member.mode = 0o755 if content is None else 0o644
    member.size = len(data)
    for key, value in fields.items():
        setattr(member, key, value)
    return member, data


def packed(*entries: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """An archive of these entries."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for member, data in entries:
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def image_of(place: Path, *layers: bytes) -> Path:
    """An archive as `docker save` writes it, lowest layer first."""
    names = [f"{number}/layer.tar" for number in range(len(layers))]
    manifest = json.dumps([{"RepoTags": ["made-up:1"], "Layers": names}])
    path = place / "image.tar"
    with path.open("wb") as file:
        contents = [*zip(names, layers, strict=True), ("manifest.json", manifest.encode())]
        file.write(packed(*((_sized(name, data), data) for name, data in contents)))
    return path


def _sized(name: str, data: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    return member


BASE = packed(
    entry("./"),
    entry("./usr"),
    entry("./usr/bin"),
    entry("./usr/bin/tool", "old", mode=0o755),
    entry("./usr/bin/other", type=tarfile.LNKTYPE, linkname="./usr/bin/tool"),
    entry("./bin", type=tarfile.SYMTYPE, linkname="usr/bin"),
    entry("./etc"),
    entry("./etc/kept", "kept"),
    entry("./etc/gone", "gone"),
    entry("./var"),
    entry("./var/cache"),
    entry("./var/cache/a", "a"),
    entry("./var/cache/b", "b"),
)
ABOVE = packed(
    entry("usr/bin/tool", "new", mode=0o4755),
    entry("etc/.wh.gone", ""),
    entry("var/cache/new", "new"),
    entry("var/cache/.wh..wh..opq", ""),
    entry("etc/alias", type=tarfile.SYMTYPE, linkname="/usr/bin/tool"),
)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """A copy of the recipe that a test may change."""
    copy = tmp_path / "bench"
    shutil.copytree(RECIPE, copy)
    return copy


@pytest.mark.parametrize("file", ["Dockerfile", "packages", "report.lua", "pong/main.go", "relay/relay.c"])
def test_the_tag_changes_with_every_file_of_the_recipe(recipe: Path, file: str) -> None:
    before = recipe_tag(recipe)
    (recipe / file).write_bytes((recipe / file).read_bytes() + b"\n")
    assert recipe_tag(recipe) != before == recipe_tag()


def test_the_tag_changes_with_a_files_name_and_folder_and_not_with_its_mode(recipe: Path) -> None:
    before = recipe_tag(recipe)
    (recipe / "report.lua").chmod(0o600)
    assert recipe_tag(recipe) == before
    (recipe / "report.lua").rename(recipe / "pong" / "report.lua")
    assert recipe_tag(recipe) != before


def test_an_upper_layer_replaces_and_deletes(tmp_path: Path) -> None:
    root = tmp_path / "root"
    unpack(image_of(tmp_path, BASE, ABOVE), root)
    assert (root / "usr/bin/tool").read_text() == "new"
    assert (root / "etc/kept").read_text() == "kept"
    assert not (root / "etc/gone").exists()
    assert [path.name for path in (root / "var/cache").iterdir()] == ["new"]
    assert not [path for path in root.rglob("*") if path.name.startswith(".wh.")]


def test_a_replaced_file_keeps_its_content_under_its_other_name(tmp_path: Path) -> None:
    root = tmp_path / "root"
    unpack(image_of(tmp_path, BASE, ABOVE), root)
    assert (root / "usr/bin/other").read_text() == "old"


def test_links_stay_links_and_modes_stay_whole(tmp_path: Path) -> None:
    root = tmp_path / "root"
    unpack(image_of(tmp_path, BASE, ABOVE), root)
    assert (root / "bin").readlink() == Path("usr/bin")
    assert (root / "etc/alias").readlink() == Path("/usr/bin/tool")
    assert stat.S_IMODE((root / "usr/bin/tool").stat().st_mode) == 0o4755


def test_a_symbolic_link_that_becomes_a_file_is_not_written_through(tmp_path: Path) -> None:
    root = tmp_path / "root"
    link = packed(entry("a", "below"), entry("b", type=tarfile.SYMTYPE, linkname="a"))
    unpack(image_of(tmp_path, link, packed(entry("b", "above"))), root)
    assert ((root / "a").read_text(), (root / "b").read_text()) == ("below", "above")
    assert not (root / "b").is_symlink()


def test_a_directory_that_becomes_a_file_is_removed_with_its_content(tmp_path: Path) -> None:
    root = tmp_path / "root"
    unpack(image_of(tmp_path, packed(entry("a"), entry("a/b", "b")), packed(entry("a", "file"))), root)
    assert (root / "a").read_text() == "file"


@needs_root
def test_owners_and_device_nodes_are_those_of_the_image(tmp_path: Path) -> None:
    root = tmp_path / "root"
    null = entry("null", type=tarfile.CHRTYPE, devmajor=1, devminor=3, mode=0o666)
    unpack(image_of(tmp_path, packed(entry("data", uid=OWNER, gid=OWNER, mode=0o700), null)), root)
    data, device = (root / "data").stat(), (root / "null").stat()
    assert (data.st_uid, data.st_gid, stat.S_IMODE(data.st_mode)) == (OWNER, OWNER, 0o700)
    assert stat.S_ISCHR(device.st_mode) and device.st_rdev == os.makedev(1, 3)


def test_an_unpacked_root_is_kept_and_an_incomplete_one_is_unpacked_again(tmp_path: Path) -> None:
    image = image_of(tmp_path, BASE)
    root = tmp_path / "root"
    (tmp_path / "root.partial" / "half").mkdir(parents=True)
    unpack(image, root)
    assert not (root / "half").exists() and not (tmp_path / "root.partial").exists()
    (root / "mark").touch()
    unpack(image, root)
    assert (root / "mark").exists()


@pytest.mark.parametrize(
    "entries",
    [
        [entry("../escaped", "x")],
        [entry("a/../../escaped", "x")],
        [entry("way", type=tarfile.SYMTYPE, linkname=".."), entry("way/escaped", "x")],
        [entry("name", type=tarfile.LNKTYPE, linkname="../secret")],
        [entry("../.wh.secret", "")],
    ],
)
def test_nothing_outside_of_the_root_is_touched(
    tmp_path: Path, entries: list[tuple[tarfile.TarInfo, bytes]]
) -> None:
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(EngineUnavailable, match="outside of its root"):
        unpack(image_of(tmp_path, packed(*entries)), tmp_path / "root")
    assert (tmp_path / "secret").read_text() == "secret"
    assert not list(tmp_path.rglob("escaped"))
    assert not (tmp_path / "root").exists()


def test_a_file_is_extracted_from_the_uppermost_layer_that_has_it(tmp_path: Path) -> None:
    image = image_of(tmp_path, BASE, ABOVE)
    extract(image, "/usr/bin/tool", tmp_path / "tool")
    assert (tmp_path / "tool").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "tool").stat().st_mode) == 0o4755
    extract(image, "/etc/kept", tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "kept"


@pytest.mark.parametrize("path", ["/etc/gone", "/var/cache/a", "/no/such/file"])
def test_a_deleted_or_missing_file_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(EngineUnavailable, match=f"has no file {path}"):
        extract(image_of(tmp_path, BASE, ABOVE), path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_below_a_deleted_directory_is_refused(tmp_path: Path) -> None:
    image = image_of(tmp_path, BASE, packed(entry("var/.wh.cache", "")))
    with pytest.raises(EngineUnavailable, match="has no file"):
        extract(image, "/var/cache/a", tmp_path / "out")


def test_only_a_regular_file_is_extracted(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match="not a regular file"):
        extract(image_of(tmp_path, BASE), "/bin", tmp_path / "out")


def test_an_archive_that_is_not_an_image_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.tar"
    path.write_bytes(packed(entry("a", "b")))
    with pytest.raises(EngineUnavailable, match=r"no file manifest\.json"):
        unpack(path, tmp_path / "root")


def test_an_images_folder_and_program_are_named_by_its_digest(tmp_path: Path) -> None:
    layer = packed(*(entry(name) for name in ("usr", "usr/local", "usr/local/bin")))
    program = packed(entry("usr/local/bin/epoll-relay", "program", mode=0o755))
    image = ImageArchive("plimsoll-bench:abc", image_of(tmp_path, layer, program))
    root, relay = bootstrap.root_file_system(image), bootstrap.relay_program(image)
    assert (root, relay) == (tmp_path / "rootfs-abc", tmp_path / "epoll-relay-abc")
    assert relay.read_text() == (root / "usr/local/bin/epoll-relay").read_text() == "program"
    assert os.access(relay, os.X_OK)


def test_what_the_builder_kept_is_removed(tmp_path: Path) -> None:
    install = InstallPaths("test", tmp_path / "run", tmp_path)
    kept = engine_names(install, "build").data / "docker"
    kept.mkdir(parents=True)
    (tmp_path / "images").mkdir()
    archive = tmp_path / "images" / f"{recipe_tag().replace(':', '-')}.tar"
    archive.touch()
    found = bootstrap.ensure_image(install, Ledger(tmp_path / "ledger.jsonl"), print)
    assert found.path == archive
    assert not kept.parent.exists()
