"""The images of one Docker Engine: find, load, pull, build and save them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import docker
import requests
from docker.errors import DockerException, ImageNotFound

from backend.core.errors import EngineUnavailable
from worker.engine.docker_arguments import checked_image
from worker.engine.docker_errors import docker_errors
from worker.host.time_limits import limit

LOAD_LIMIT_S = 600
"""For an image of some hundred megabytes on a slow disk."""


class DockerImages:
    """`connect` makes a client with a time limit in seconds, `client` returns the engine's own."""

    def __init__(
        self, client: Callable[[], docker.DockerClient], connect: Callable[[int], docker.DockerClient]
    ) -> None:
        self._client = client
        self._connect = connect

    @docker_errors("looking for an image")
    def id_of(self, tag: str) -> str | None:
        """The id of a tagged image, or None."""
        checked_image(tag)
        try:
            return str(self._client().images.get(tag).id)
        except ImageNotFound:
            return None

    @docker_errors("reading an image")
    def environment(self, tag: str) -> dict[str, str]:
        """The environment variables that a tagged image sets."""
        checked_image(tag)
        variables: list[str] = self._client().images.get(tag).attrs["Config"]["Env"]
        return dict(variable.split("=", 1) for variable in variables)

    @docker_errors("loading an image")
    def load(self, path: str, tag: str) -> str:
        """Load an image archive unless the tag exists; returns the image id."""
        if (known := self.id_of(tag)) is not None:
            return known
        client = self._connect(round(limit(LOAD_LIMIT_S)))
        try:
            with Path(path).open("rb") as archive:
                client.images.load(archive)
        finally:
            client.close()
        return self._existing(tag, f"the image archive {Path(path).name} does not hold {tag}")

    @docker_errors("importing the base image")
    def import_base(self, archive: str, tag: str) -> None:
        """Make an image of one layer from a root file system archive."""
        repository, _, version = checked_image(tag).partition(":")
        self._client().api.import_image_from_file(archive, repository=repository, tag=version)

    def pull(self, reference: str, limit_s: float) -> bool:
        """Pull an image; False where no registry answers within the limit."""
        repository, _, version = checked_image(reference).partition(":")
        client = self._connect(int(limit_s))
        try:
            client.images.pull(repository, version)
        except (DockerException, requests.RequestException):
            return False
        finally:
            client.close()
        return True

    @docker_errors("building an image")
    def build(self, directory: str, tag: str, base: str, on_line: Callable[[str], None]) -> str:
        """Build an image from a Dockerfile with the host's network; returns the image id."""
        checked_image(tag)
        checked_image(base)
        stream = self._client().api.build(
            path=directory,
            tag=tag,
            buildargs={"BASE": base},
            network_mode="host",
            rm=True,
            forcerm=True,
            decode=True,
        )
        for event in stream:
            if "error" in event:
                raise EngineUnavailable(f"building {tag} failed: {event['error'].strip()}")
            if "stream" in event and event["stream"].strip():
                on_line(event["stream"].strip())
        return self._existing(tag, f"building {tag} ended without an image")

    @docker_errors("saving an image")
    def save(self, tag: str, path: Path) -> None:
        """Write an image as an archive, whole or not at all."""
        checked_image(tag)
        partial = path.with_suffix(".partial")
        with partial.open("wb") as archive:
            for chunk in self._client().images.get(tag).save(named=True):
                archive.write(chunk)
        partial.rename(path)

    def _existing(self, tag: str, otherwise: str) -> str:
        found = self.id_of(tag)
        if found is None:
            raise EngineUnavailable(otherwise)
        return found
