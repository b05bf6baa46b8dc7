"""Every operation and page: its headers, no CORS, and no method that is not documented."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product

from fastapi.testclient import TestClient

from tests.api.client import problem_of
from tests.services import ROOT

PATHS: dict[str, dict[str, object]] = json.loads((ROOT / "docs/openapi.json").read_text())["paths"]
OTHER_PATHS = (
    "/",
    "/runs/run_0",
    "/shared",
    "/x/abc",
    "/healthz",
    "/readyz",
    "/schema/experiment.v1.json",
    "/nothing.js",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW")
OVERRIDES = {"X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE", "X-HTTP-Method": "DELETE"}
IDS = {"experiment_id": "exp_0", "run_id": "run_0", "trial_id": "trl_0", "share_id": "shr_0"}


def concrete(path: str) -> str:
    """The path with ids of no object."""
    return re.sub(r"\{(\w+)\}", lambda found: IDS.get(found[1], "x"), path)


def requests() -> Iterator[tuple[str, str]]:
    """Every documented method and path, and pages."""
    for path, methods in PATHS.items():
        for method in methods:
            yield method.upper(), concrete(path)
    for path in OTHER_PATHS:
        yield "GET", path


def test_every_response_has_the_headers(api: TestClient) -> None:
    for method, path in requests():
        _check_headers(api, method, path)


def _check_headers(api: TestClient, method: str, path: str) -> None:
    headers = api.request(method, path, headers={"Origin": "https://evil.example"}).headers
    policy = headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "base-uri 'none'", "form-action 'self'", "object-src 'none'"} <= set(policy)
    assert "unsafe" not in headers["content-security-policy"]
    framed = [part for part in policy if part.startswith("frame-ancestors")]
    assert framed == ["frame-ancestors 'none'"] and headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert not [name for name in headers if name.startswith("access-control-")]
    assert "server" not in headers and "x-powered-by" not in headers
    if path.startswith("/api/") and path != "/api/v1/openapi.json":
        directives = set(headers["cache-control"].split(", "))
        assert "no-store" in directives or {"private", "no-cache"} <= directives, headers["cache-control"]


ALSO = {"/api/v1/hosts/enrolments": {"PATCH"}}
"""Methods of a path that also fits another one's pattern: /hosts/{host}, though no host has this name."""


def test_other_methods_are_refused_with_the_allowed_ones(api: TestClient) -> None:
    for path, method in product(PATHS, METHODS):
        documented = {method.upper() for method in PATHS[path]} | ALSO.get(path, set())
        if method in documented:
            continue
        answer = api.request(method, concrete(path), headers={"X-HTTP-Method-Override": "GET"})
        assert answer.status_code == 405, (method, answer.status_code)
        assert set(answer.headers["allow"].split(", ")) == documented


def test_a_method_in_a_header_or_parameter_is_ignored(api: TestClient) -> None:
    for path in (concrete(path) for path in PATHS if "get" in PATHS[path]):
        plain = api.get(path).status_code
        assert api.get(path, headers=OVERRIDES).status_code == plain
        assert api.get(f"{path}?_method=DELETE").status_code in (plain, 422)


def test_every_page_is_refused_to_other_methods(api: TestClient) -> None:
    for path in OTHER_PATHS:
        for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
            problem_of(api.request(method, path), 405, "method_not_allowed")
