"""How the program of a host's worker was installed, and the command that brings it to another release."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from backend.worker_container import IMAGE, restart_command

HEADER: Final = "Plimsoll-Installed"
"""The header by which a worker names its installation."""
# Neither a space nor anything that a shell would read otherwise: an administrator copies the command.
_FORM: Final = re.compile(
    r"(?P<kind>branch|tag|commit|files|container)"
    r"(?: (?P<folder>/[A-Za-z0-9._/+@=,:-]{0,200})(?: (?P<ref>[A-Za-z0-9][A-Za-z0-9._/+-]{0,99}))?)?"
)


@dataclass(frozen=True)
class WorkerInstallation:
    """A worker's program.

    `kind`: a git clone at a `branch` that follows another one, at a `tag` or at a `commit`; or `files`
    without a history, or the image of a `container`. `ref` is the name of the tag.
    """

    kind: str = "files"
    folder: str = ""
    ref: str = ""

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The installation of a header's value; None where it is none."""
        found = _FORM.fullmatch(text)
        if found is None:
            return None
        made = cls(found["kind"], found["folder"] or "", found["ref"] or "")
        return made if made._is_whole() else None

    def _is_whole(self) -> bool:
        return (
            bool(self.ref) if self.kind == "tag" else bool(self.folder) or self.kind in ("files", "container")
        )

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, self.folder, self.ref)))

    def update(self, theirs: str, own: str) -> str:
        """The shell command, for root on the worker's host, from release `theirs` to the server's `own`.

        Empty where there is none: files have to be replaced first. That of a container needs the new image.
        """
        if self.kind == "container":
            return restart_command()
        git = f"git -C {self.folder}"
        join = f"{self.folder}/scripts/join"
        if self.kind == "branch":
            return f"{git} pull --ff-only && {join}"
        if self.kind == "tag" and theirs in self.ref:
            return f"{git} fetch --tags && {git} checkout {self.ref.replace(theirs, own)} && {join}"
        if self.kind in ("tag", "commit"):
            return f"{git} fetch && {git} checkout --detach origin/HEAD && {join}"
        return ""


def update_advice(installed: WorkerInstallation | None, theirs: str, own: str) -> str:
    """How a worker of release `theirs` gets the server's `own`: a clause that ends with the command."""
    command = "" if installed is None else installed.update(theirs, own)
    if installed is None or not command:
        folder = (installed.folder if installed is not None else "") or "its folder"
        return (
            f"put release {own} of Plimsoll into {folder} on the worker's host and run ./scripts/join there"
        )
    if installed.kind == "container":
        there = f"build or load release {own} of the image {IMAGE} on the worker's host"
        return f"{there}, then run there: {command}"
    return f"run on the worker's host: {command}"
