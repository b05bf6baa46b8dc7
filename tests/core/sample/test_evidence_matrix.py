"""The confusion matrix on ideal observations: own label proven, every other contradicted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.sample.evidence import judge
from backend.core.topology.paths import PATHS
from tests.core.sample.ideal import ideal

MARK = {"proven": "P", "not_proven": "?", "contradicted": "·"}
SAME: frozenset[tuple[str, str]] = frozenset()
"""Pairs that are one and the same way of the bytes. None: where the wire shows the same, the address
that the client goes to, the server's link or the processes still differ."""


@pytest.mark.parametrize("userland_proxy", [True, False], ids=["proxy-on", "proxy-off"])
def test_only_the_true_label_is_proven(userland_proxy: bool) -> None:
    can = [path for path in PATHS.values() if path.route(userland_proxy) is not None]
    matrix = {
        taken.name: {
            label.name: judge(label, userland_proxy, ideal(taken, userland_proxy)) for label in PATHS.values()
        }
        for taken in can
    }
    print(f"\nuserland-proxy {'on' if userland_proxy else 'off'}: rows = path taken, columns = label")
    for taken, row in matrix.items():
        print(f"{taken:>26} " + "".join(MARK[evidence.verdict] for evidence in row.values()))
    for taken, row in matrix.items():
        for label, evidence in row.items():
            wanted = "proven" if taken == label or (taken, label) in SAME else "contradicted"
            assert evidence.verdict == wanted, (taken, label, evidence.sentence)


@pytest.mark.parametrize("userland_proxy", [True, False], ids=["proxy-on", "proxy-off"])
def test_no_two_paths_show_the_same(userland_proxy: bool) -> None:
    routes = [
        (route.signature, path.upstream)
        for path in PATHS.values()
        if (route := path.route(userland_proxy)) is not None
    ]
    assert len(set(routes)) == len(routes)


BLIND: tuple[dict[str, object], ...] = (
    {"namespace": None},
    {"client": None},
    {"server": None},
    {"link": None},
    {"peers": {}},
    {"destinations": {}},
    {"reverse_proxy_destinations": {}},
    {"dnat_connections": None},
    {"dnat_connections": 0},
    {"socket_connections": None},
    {"relay_sockets": {}},
)


@pytest.mark.parametrize("unread", BLIND, ids=lambda unread: "-".join(unread))
@pytest.mark.parametrize("userland_proxy", [True, False], ids=["proxy-on", "proxy-off"])
def test_no_single_blind_spot_lets_one_path_pass_for_another(
    userland_proxy: bool, unread: dict[str, object]
) -> None:
    for taken in PATHS.values():
        if taken.route(userland_proxy) is None:
            continue
        seen = replace(ideal(taken, userland_proxy), **unread)  # type: ignore[arg-type]
        proven = {p.name for p in PATHS.values() if judge(p, userland_proxy, seen).verdict == "proven"}
        assert proven <= {taken.name}
