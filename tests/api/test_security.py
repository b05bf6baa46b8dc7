"""Who may ask: loopback names and the own origin; and what every answer carries."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from backend.api.access.rules import RULES
from backend.api.app import create_app
from backend.settings import Settings
from tests.api.client import BASE, DOCUMENT, Worker, problem_of


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1.example.org", "192.0.2.1:8420", "", "a@127.0.0.1.evil"]
)
def test_a_foreign_host_name_is_refused(api: TestClient, host: str) -> None:
    problem_of(api.get("/api/v1/presets", headers={"Host": host}), 421, "foreign_host")


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "127.0.0.1:9999", "[::1]:8420", "127.0.0.2"])
def test_loopback_names_are_served(api: TestClient, host: str) -> None:
    assert api.get("/api/v1/presets", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://localhost:8420"},
        {"Origin": "file://"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_origin_cannot_start_anything(
    api: TestClient, worker: Worker, headers: dict[str, str]
) -> None:
    experiment = api.post("/api/v1/experiments", json=DOCUMENT).json()["id"]
    for url in ("plans", "experiments", f"experiments/{experiment}/runs", "runs/x:cancel", "shares:open"):
        problem_of(api.post(f"/api/v1/{url}", json={}, headers=headers), 403, "cross_origin")
    problem_of(api.delete("/api/v1/shares/x", headers=headers), 403, "cross_origin")
    assert api.get("/api/v1/runs").json()["data"] == []
    assert "access-control-allow-origin" not in api.get("/api/v1/runs", headers=headers).headers


def test_the_own_origin_may(api: TestClient) -> None:
    headers = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}
    assert api.post("/api/v1/plans", json=DOCUMENT, headers=headers).status_code == 200


def test_a_preflight_is_not_answered(api: TestClient) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = api.options("/api/v1/plans", headers=headers)
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "presets", "GET"),
        ("GET", "plans", "POST"),
        ("PUT", "experiments", "GET, POST"),
        ("TRACE", "runs", "GET, POST"),
        ("BREW", "runs", "GET, POST"),
        ("DELETE", "runs/x:cancel", "POST"),
        ("PATCH", "shares/x", "DELETE"),
    ],
)
def test_an_unknown_method_gets_the_allowed_ones(api: TestClient, method: str, path: str, allow: str) -> None:
    answer = api.request(method, f"/api/v1/{path}", headers={"X-HTTP-Method-Override": "GET"})
    problem_of(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == allow


def test_an_unknown_address(api: TestClient) -> None:
    problem_of(api.get("/api/v1/nothing"), 404, "not_found")
    problem_of(api.post("/api/v1/nothing", json={}), 404, "not_found")
    problem_of(api.get("/api/v2/runs"), 404, "not_found")


def test_every_answer_carries_the_headers(api: TestClient) -> None:
    for path in (
        "/api/v1/presets",
        "/api/v1/runs/x",
        "/healthz",
        "/api/v1/nothing",
        "/",
        "/api/v1/runs?limit=0",
    ):
        headers = api.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert len(headers["x-request-id"]) == 16


def test_an_unexpected_error_discloses_nothing(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(settings)

    @app.get("/api/v1/breaks")
    def breaks() -> None:
        raise RuntimeError("secret path")

    app.router.routes.insert(0, app.router.routes.pop())
    with TestClient(app, base_url=BASE) as client:
        answer = client.get("/api/v1/breaks")
    problem_of(answer, 500, "internal")
    assert "secret" not in answer.text
    assert "secret path" in caplog.text and answer.headers["x-request-id"] in caplog.text


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "2001:db8::1"])
def test_settings_refuse_plain_http_beyond_loopback(host: str) -> None:
    with pytest.raises(ValidationError, match=r"unencrypted.*--tls-cert.*--behind-proxy.*--plain-http"):
        Settings(listen_host=host)
    assert Settings(listen_host=host, plain_http=True).is_unencrypted


@pytest.mark.parametrize("host", ["example.org", "*", "", "127.1", "192.0.2.1:80", "eth0"])
def test_settings_refuse_a_listen_host_that_is_no_address(host: str) -> None:
    with pytest.raises(ValidationError, match="is not an address: --listen needs one of this host"):
        Settings(listen_host=host)


def test_beyond_loopback_nothing_is_read_without_credentials(settings: Settings) -> None:
    reached = settings.model_copy(
        update={"listen_host": "192.0.2.7", "tls_cert": Path("c.pem"), "tls_key": Path("c.pem")}
    )
    with TestClient(create_app(reached), base_url="https://192.0.2.7:8420") as anybody:
        paths = anybody.get("/api/v1/openapi.json").json()["paths"]
        for path, operations in paths.items():
            for method, operation in operations.items():
                answer = anybody.request(method, path.replace("{", "").replace("}", ""))
                public = RULES[operation["operationId"]].permission == "public"
                assert (answer.status_code == 401) is not public, (method, path, answer.status_code)
        problem_of(anybody.get("/api/v1/runs", headers={"Host": "127.0.0.1"}), 421, "foreign_host")
        assert "checks" not in anybody.get("/readyz").json()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.8.8"])
def test_settings_accept_loopback(host: str) -> None:
    assert Settings(listen_host=host).listen_host == host


@pytest.fixture
def page(settings: Settings) -> Path:
    """A built page."""
    assets = settings.page_dir / "assets"
    assets.mkdir(parents=True)
    (settings.page_dir / "index.html").write_text("<title>Plimsoll</title>" + " " * 2000)
    (assets / "index-abc123.js").write_text("console.log(1)" + " " * 2000)
    (settings.page_dir.parent / "secret.txt").write_text("secret")
    return settings.page_dir


def test_the_page_is_served_with_its_addresses(api: TestClient, page: Path) -> None:
    for path in ("/", "/runs/run_0000000000000000", "/shared", "/index.html", "/a/b.c"):
        answer = api.get(path)
        assert answer.status_code == 200 and "Plimsoll" in answer.text
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["cache-control"] == ("no-store" if path == "/shared" else "no-cache")
        assert answer.headers["content-encoding"] == "gzip"
    assert api.head("/").status_code == 200


def test_while_the_page_is_being_built_its_addresses_say_so(api: TestClient, settings: Settings) -> None:
    settings.page_dir.mkdir()
    problem_of(api.get("/"), 404, "not_found")
    (settings.page_dir / "building").touch()
    for path in ("/", "/runs/run_0000000000000000", "/assets/index-abc123.js"):
        answer = api.get(path)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "3")
        assert "The page is being built" in answer.text and 'http-equiv="refresh"' in answer.text
        assert answer.headers["cache-control"] == "no-store"
    assert api.get("/readyz").status_code == 200, "the API is ready without the page"
    assert api.get("/api/v1/nothing").status_code == 404
    (settings.page_dir / "index.html").write_text("<title>Plimsoll</title>")
    assert api.get("/").status_code == 200


def test_assets_are_cached_for_good(api: TestClient, page: Path) -> None:
    answer = api.get("/assets/index-abc123.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    problem_of(api.get("/assets/index-other.js"), 404, "not_found")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/%00"]
)
def test_nothing_outside_the_page_is_served(api: TestClient, page: Path, path: str) -> None:
    assert "secret" not in api.get(path).text


def test_without_a_built_page_the_address_is_a_404(api: TestClient) -> None:
    problem_of(api.get("/"), 404, "not_found")
