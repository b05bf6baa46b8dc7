"""Creates, lists and revokes share links."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from fastapi.concurrency import run_in_threadpool

from backend.api.access.actor import Actor
from backend.api.capacity import ConcurrencyLimit
from backend.api.paging import read_page
from backend.api.quotas import service as quotas
from backend.api.schema import PageQuery
from backend.api.shares.opening import About, frozen
from backend.api.shares.schemas import Share, ShareEntry, ShareList, SharePage, ShareStart
from backend.api.shares.tokens import new_token, token_hash, url_of
from backend.core.errors import Conflict
from backend.core.plan.states import RUN_ENDED
from backend.settings import Settings
from backend.store.repositories import result_rows, shares
from backend.store.repositories.shares import ListedShare, NewShare
from backend.store.session import session_scope

MOST_OPEN: Final = 100
"""Open links of one run: each frozen one stores its result, up to a megabyte."""


async def create(
    settings: Settings, slots: ConcurrencyLimit, caller: Actor, run_id: str, start: ShareStart
) -> Share:
    """Make a link in the name of an account.

    Raises NotFound, QuotaExceeded for a frozen link, and Conflict for a frozen link to a run that has not
    ended or a run with MOST_OPEN links.
    """
    expires_at = await run_in_threadpool(_expiry, settings, run_id, start)
    about = About(expires_at, start.title, start.mode)
    snapshot = None if start.mode == "live" else await frozen(settings, slots, run_id, about)
    token = new_token(start.kind)
    new = NewShare(
        run_id=run_id,
        token_sha256=token_hash(token),
        kind=start.kind,
        mode=start.mode,
        title=start.title,
        created_by=caller.account_id,
        expires_at=expires_at,
        snapshot=snapshot,
    )
    return await run_in_threadpool(_store, settings, caller.team, new, token)


def _expiry(settings: Settings, run_id: str, start: ShareStart) -> datetime:
    with session_scope(settings) as session:
        state = result_rows.state(session, run_id)
        if start.mode == "snapshot" and state not in RUN_ENDED:
            raise Conflict("only a live link can show a run that has not ended: wait, cancel it, or make one")
        if shares.open_links(session, run_id) >= MOST_OPEN:
            raise Conflict(f"{MOST_OPEN} links to this run are open: revoke one that is no longer needed")
        shares.forget_expired(session)
        return shares.expiry(session, start.expires_in_days)


def _store(settings: Settings, team_id: str, new: NewShare, token: str) -> Share:
    with session_scope(settings) as session:
        if new.snapshot is not None:
            quotas.reserve(session, settings, team_id)
        share_id = shares.create(session, new)
    url = url_of(new.kind, token)
    return Share(
        id=share_id,
        token=token,
        url=url,
        absolute_url=f"{settings.base_url}{url}",
        expires_at=new.expires_at,
        kind=new.kind,
        mode=new.mode,
        title=new.title,
    )


def of_run(settings: Settings, run_id: str) -> ShareList:
    """The links of a run, newest first. Raises NotFound."""
    with session_scope(settings) as session:
        result_rows.state(session, run_id)
        listed = shares.of_run(session, run_id)
    return ShareList(data=tuple(map(_entry, listed)))


def page(settings: Settings, team_id: str, paging: PageQuery) -> SharePage:
    """One page of all links of a team, newest first."""
    rows, next_cursor = read_page(settings, team_id, paging, shares.page)
    return SharePage(data=tuple(map(_entry, rows)), next_cursor=next_cursor)


def _entry(share: ListedShare) -> ShareEntry:
    return ShareEntry(
        id=share.id,
        run_id=share.run_id,
        run_title=share.run_title,
        kind=share.kind,
        mode=share.mode,
        title=share.title,
        created_by=share.created_by,
        created_at=share.created_at,
        expires_at=share.expires_at,
        state="revoked" if share.revoked else "expired" if share.expired else "open",
        last_used_at=share.last_used_at,
        opens=share.opens,
    )


def revoke(settings: Settings, share_id: str) -> None:
    """Revoke a link. Raises NotFound."""
    with session_scope(settings) as session:
        shares.revoke(session, share_id)
