"""Which hosts a group runs on: by name or by label, all of them or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from backend.api.hosts.service import left_detail
from backend.api.run_groups.schemas import RunGroupStart
from backend.core.errors import Conflict, Invalid, Problem
from backend.store.repositories import hosts
from backend.store.repositories.hosts import KnownHost

MOST_HOSTS: Final = 64
_NAMED: Final = 20


@dataclass(frozen=True)
class ChosenHost:
    """A host of the group, and the field of the request that named it."""

    host: KnownHost
    pointer: str


def choose_hosts(session: Session, start: RunGroupStart) -> list[ChosenHost]:
    """The hosts of a group. Raises Invalid with every problem, and Conflict if there is no host."""
    known = hosts.list_all(session)
    if not known:
        raise Conflict("no host is known yet: start a worker on each Docker host to be measured")
    if (start.hosts is None) == (start.host_label is None):
        raise Invalid.at("/hosts", "missing", "name either the hosts or a host_label, and not both")
    chosen = _by_name(start.hosts, known) if start.hosts is not None else _by_label(start.host_label, known)
    problems = tuple(_refused(chosen))
    if problems:
        raise Invalid(problems)
    return chosen


def _by_name(names: Sequence[str], known: Sequence[KnownHost]) -> list[ChosenHost]:
    if not names:
        raise Invalid.at("/hosts", "empty", f"name at least one host; the known hosts are: {_list(known)}")
    _refuse_many(len(names), "/hosts", "name fewer, and start further groups")
    by_name = {host.name: host for host in known}
    problems = tuple(_problems(names, by_name))
    if problems:
        raise Invalid(problems)
    return [ChosenHost(by_name[name], f"/hosts/{place}") for place, name in enumerate(names)]


def _problems(names: Sequence[str], known: dict[str, KnownHost]) -> Iterator[Problem]:
    for place, name in enumerate(names):
        pointer = f"/hosts/{place}"
        if name in names[:place]:
            yield Problem(pointer, "duplicate_host", f"{name} is named twice: one run a host; name it once")
        elif name not in known:
            detail = f"unknown host {name}; the known hosts are: {_list(list(known.values()))}"
            yield Problem(pointer, "unknown_host", detail)


def _by_label(label: str | None, known: Sequence[KnownHost]) -> list[ChosenHost]:
    there = [host for host in known if not host.left]
    chosen = [ChosenHost(host, "/host_label") for host in there if label in host.labels]
    if not chosen:
        labels = sorted({str(one) for host in there for one in host.labels})
        given = f"there is {', '.join(labels[:_NAMED])}" if labels else "no host has a label yet"
        detail = f"no host has the label {label}; {given}. An administrator gives labels on the hosts page"
        raise Invalid.at("/host_label", "unknown_label", detail)
    _refuse_many(len(chosen), "/host_label", "name the hosts, or use a narrower label")
    return chosen


def _refuse_many(number: int, pointer: str, remedy: str) -> None:
    if number > MOST_HOSTS:
        raise Invalid.at(pointer, "too_many", f"{number} hosts, at most {MOST_HOSTS} are allowed; {remedy}")


def _refused(chosen: Sequence[ChosenHost]) -> Iterator[Problem]:
    for one in chosen:
        if one.host.left:
            yield Problem(one.pointer, "host_left", left_detail(one.host.name))
        elif one.host.drained_at is not None:
            remedy = "resume it, or leave it out"
            if one.pointer == "/host_label":
                remedy = "resume it, take the label from it, or name the other hosts"
            detail = f"{one.host.name} is drained and starts no new trial: {remedy}"
            yield Problem(one.pointer, "host_drained", detail)


def _list(known: Sequence[KnownHost]) -> str:
    names = [host.name for host in known]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
