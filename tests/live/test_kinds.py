"""The default suite has a path of every kind; the full suite has every path."""

from __future__ import annotations

from backend.core.topology.paths import PATHS
from tests.live.kinds import KINDS, SETTING, features, has_page_by_default


def test_every_hop_attachment_client_address_and_front_is_on_a_path_of_the_default_suite() -> None:
    assert features(KINDS) == features((path, on) for path in PATHS for on in SETTING)


def test_the_pages_of_the_default_suite_include_both_settings() -> None:
    pages = {path for path in PATHS if has_page_by_default(path)}
    assert pages >= {"published_loopback", "published_ipv6_loopback", "overlay"}
