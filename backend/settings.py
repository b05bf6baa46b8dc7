"""Settings from the environment (`PLIMSOLL_…`); unsafe values are rejected."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from backend.identity_settings import IdentitySettings
from backend.joined_settings import JoinedSettings
from backend.rate import read_rate
from backend.reach_settings import ReachSettings
from backend.web_address import Networks, read_networks

PROGRAM_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
OWN_PROGRAM = "docker-proxy"


def _is_rate(value: str) -> str:
    read_rate(value)
    return value


def _are_networks(value: str) -> str:
    read_networks(value)
    return value


RateText = Annotated[str, AfterValidator(_is_rate)]
"""A rate such as "50/s burst 500" or "10/min", or "off"."""


class Settings(ReachSettings, IdentitySettings, JoinedSettings):
    """The configuration of a Plimsoll process. The core never reads it.

    `redis_url` has precedence over `redis_socket`; without either, the socket is `runtime_dir`/redis.sock.
    Raises pydantic's ValidationError, a ValueError, for an invalid value.
    """

    model_config = SettingsConfigDict(env_prefix="PLIMSOLL_", extra="forbid", frozen=True)

    database_url: Annotated[str, Field(pattern=r"^postgresql\+psycopg://")] = "postgresql+psycopg:///plimsoll"
    redis_socket: Path | None = None
    redis_url: Annotated[str, Field(pattern=r"^(redis|rediss|unix)://")] | None = None
    var_dir: Path = Path("var")
    runtime_dir: Path = Path("var/run")
    install_id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")] = "plimsoll"
    page_dir: Path = Path("frontend/dist")
    log_format: Literal["auto", "json", "text"] = "auto"
    """Form of the logs; "auto" is text on a terminal and JSON lines elsewhere."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """The API's private port for metrics and full readiness; not set: none is opened."""
    worker_metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """The worker's private port for metrics; not set: none is opened."""
    metrics_address: str = "127.0.0.1"
    """The address of both private ports: one of this host, in a network that only monitoring reaches."""

    result_every_s: Annotated[float, Field(ge=0, le=60)] = 2.0
    """Minimum interval of computing the result of a running run."""
    host_docker_socket: Path = Path("/var/run/docker.sock")
    time_factor: Annotated[float, Field(ge=1, le=20)] = 1.0
    """Multiplies every time limit of this host's services and engines: 2 or more on slow disks and CPUs."""
    proxy_programs: str = ""
    """Programs that may replace docker-proxy: "name=/absolute/path,name=/absolute/path"."""

    rate_address_reads: RateText = "100/s burst 1000"
    """Requests of one client address that change nothing; clients on this host have no such limit."""
    rate_address_writes: RateText = "10/s burst 100"
    """Requests of one client address that may change something; clients on this host have no such limit."""
    rate_caller_reads: RateText = "50/s burst 500"
    """Requests of one session or token that change nothing."""
    rate_caller_writes: RateText = "5/s burst 60"
    """Requests of one session or token that may change something."""
    rate_worker_requests: RateText = "100/s burst 1000"
    """Requests of one enrolled host's worker, and of all workers behind one client address."""
    rate_secret_guesses: RateText = "10/min burst 30"
    """Attempts of one client address with a wrong secret, for each kind of secret."""

    webhook_allow: Annotated[str, AfterValidator(_are_networks)] = ""
    """Networks beside the public internet to which webhooks may be sent: "10.1.2.0/24, fd00::1"."""
    run_ends_every_s: Annotated[float, Field(ge=0, le=60)] = 2.0
    """How often ended runs get their result, verdict and messages; 0: this process handles none."""
    webhook_every_s: Annotated[float, Field(ge=0, le=60)] = 2.0
    """How often webhooks are sent; 0: this process sends none."""

    quota_queued_trials: Annotated[int, Field(ge=1)] = 10_000
    """Queued trials of a team."""
    quota_active_runs: Annotated[int, Field(ge=1)] = 50
    """Runs of a team that have not ended."""
    quota_host_seconds_per_day: Annotated[int, Field(ge=1)] = 172_800
    """Host time of a team in 24 h, used and planned."""
    quota_stored_bytes: Annotated[int, Field(ge=1)] = 10_000_000_000
    """Bytes of a team's experiments, runs, results and raw output."""
    quota_open_streams: Annotated[int, Field(ge=1)] = 300
    """Event streams of a team that are open at the same time."""
    quota_cells_per_plan: Annotated[int, Field(ge=1)] = 10_000
    """Feasible cells of a plan, A/A duplicates counted."""
    quota_seconds_per_trial: Annotated[int, Field(ge=1)] = 4200
    """Window and warm-up of a trial."""

    @field_validator("proxy_programs")
    @classmethod
    def _programs_named(cls, value: str) -> str:
        read_programs(value)
        return value

    @property
    def webhook_networks(self) -> Networks:
        """The networks of `webhook_allow`."""
        return read_networks(self.webhook_allow)

    @property
    def programs(self) -> dict[str, Path]:
        """The registered proxy programs by name."""
        return read_programs(self.proxy_programs)

    @field_validator("metrics_address")
    @classmethod
    def _private_address(cls, value: str) -> str:
        try:
            address = ip_address(value)
        except ValueError:
            raise ValueError(f"{value!r} is not an IP address: metrics listen on one address") from None
        if address.is_unspecified or address.is_multicast:
            raise ValueError(
                f"metrics must not listen on {value}: name the one address of the private network"
            )
        return value

    @model_validator(mode="after")
    def _ports_differ(self) -> Self:
        ports = [
            port for port in (self.port, self.metrics_port, self.worker_metrics_port) if port is not None
        ]
        if len(set(ports)) < len(ports):
            raise ValueError("PORT, METRICS_PORT and WORKER_METRICS_PORT must be different ports")
        return self

    @property
    def has_redis(self) -> bool:
        """Whether there is a Redis: a worker of an enrolled host may have none, and polls."""
        return self.server_url is None or self.redis_url is not None or self.redis_socket is not None

    @property
    def redis(self) -> str:
        """The URL of Redis for redis-py."""
        if self.redis_url is not None:
            return self.redis_url
        path = self.redis_socket or self.runtime_dir / "redis.sock"
        return f"unix://{path.absolute()}"

    @property
    def broker(self) -> str:
        """The URL of Redis for Celery."""
        url = self.redis
        return "redis+socket://" + url.removeprefix("unix://") if url.startswith("unix://") else url


def read_programs(text: str) -> dict[str, Path]:
    """Parses "name=/absolute/path,…" into programs by name. Raises ValueError with the invalid part."""
    found: dict[str, Path] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, path = part.partition("=")
        if not PROGRAM_NAME.fullmatch(name) or not Path(path).is_absolute():
            raise ValueError(
                f"{part!r} is not a proxy program: write name=/absolute/path, the name in a-z, 0-9 and -"
            )
        if name == OWN_PROGRAM or name in found:
            raise ValueError(f"the name of the proxy program {name} is already in use: choose another one")
        found[name] = Path(path)
    return found
