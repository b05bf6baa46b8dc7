"""The commands `backup` and `restore`, which work on the database directly, on the server itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import ValidationError

from backend.cli.failure import API_ERROR, USAGE, Failure
from backend.cli.output import print_message
from backend.settings import Settings
from backend.store.backup import backup as making
from backend.store.backup import restore as restoring
from backend.store.backup.programs import BackupFailed
from backend.store.backup.restore import Restored
from backend.store.grants import MIGRATE
from backend.store.role_url import role_url

_ROOT: Final = Path(__file__).parents[2]


def backup(
    file: Annotated[Path, typer.Argument(help="new file, for example plimsoll-2026-11-22.tar")],
) -> None:
    """Back up all data into one file, while Plimsoll runs; on the server, as root."""
    try:
        manifest = making.back_up(owner_settings(), file)
    except BackupFailed as error:
        raise Failure(str(error)) from error
    print_message(
        f"{file}: {manifest.rows.get('run', 0)} runs, {manifest.rows.get('result', 0)} results, "
        f"{manifest.rows.get('share', 0)} links; {manifest.dump_bytes:,} bytes"
    )


def restore(
    file: Annotated[Path, typer.Argument(help="a file that `plimsoll backup` made")],
    replace: Annotated[
        bool, typer.Option("--replace", help="replace the data that the database has")
    ] = False,
    revoke_tokens: Annotated[
        bool, typer.Option("--revoke-tokens", help="revoke all tokens of hosts and accounts")
    ] = False,
) -> None:
    """Restore a backup into a database that nothing uses; see also scripts/up --restore."""
    try:
        found = restoring.restore(owner_settings(), file, replace=replace, revoke_tokens=revoke_tokens)
    except (BackupFailed, FileNotFoundError) as error:
        raise Failure(str(error)) from error
    rows = found.manifest.rows
    print_message(f"restored {rows.get('run', 0)} runs, {rows.get('result', 0)} results, from {file}")
    if found.interrupted:
        print_message(f"{found.interrupted} trials were running when the backup was made: queued again")
    for host, trials in found.waiting.items():
        print_message(
            f"{trials} trials wait for the worker of {host}; cancel their runs if it does not return"
        )
    for line in _access(found):
        print_message(line)
    if found.violations:
        raise Failure(f"{len(found.violations)} violations; plimsoll check-invariants lists them", API_ERROR)


def _access(found: Restored) -> Iterator[str]:
    """What the operator has to know about tokens and links: the backup knows none that was revoked since."""
    access = found.access
    if access.kept_ended:
        yield (
            f"{access.kept_ended} tokens, links, accounts and memberships ended after the backup: "
            "they stay so, because the replaced data had that"
        )
    if access.hosts or access.api_tokens or access.links:
        hosts = ", ".join(access.hosts) or "none"
        yield (
            f"access is that of {found.manifest.created_at:%Y-%m-%d %H:%M} UTC: tokens of these hosts work: "
            f"{hosts}; so do {access.api_tokens} API tokens and {access.links} links; passwords are those of "
            "then. Revoke what was revoked since and is not in the replaced data, on the pages, or restore "
            "with --replace --revoke-tokens"
        )


def owner_settings() -> Settings:
    """The settings of the environment, else of the installation below var/ as the owner of its schema."""
    var = Path(os.environ.get("PLIMSOLL_VAR_DIR") or _ROOT / "var")
    try:
        if "PLIMSOLL_DATABASE_URL" not in os.environ and (url := _local_database(var)) is not None:
            return Settings(database_url=url)
        return Settings()
    except ValidationError as error:
        raise Failure(f"invalid setting: {error.errors()[0]['msg']}", USAGE) from error


def _local_database(var: Path) -> str | None:
    """The database of the installation that `scripts/up` runs from this folder; None if it cannot be read."""
    try:
        password = (var / "secrets" / MIGRATE).read_text(encoding="ascii").strip()
        socket = f"/run/plimsoll-{(var / 'install-id').read_text().strip()}/postgres"
    except OSError:
        return None
    return role_url(MIGRATE, password, socket)


COMMANDS: Final = {"backup": backup, "restore": restore}
