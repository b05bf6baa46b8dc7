"""Maps the errors of docker-py and requests to Plimsoll's own; no other module does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import requests
import urllib3
from docker.errors import APIError, DockerException

from backend.core.errors import EngineUnavailable, PlimsollError, ProcessLost

NOT_RUNNING: Final = frozenset((404, 409))
"""Docker's status codes for a command in a container that has ended or was removed."""


@contextmanager
def docker_errors(doing: str) -> Iterator[None]:
    """Raise EngineUnavailable with the text `doing` for every error of the Docker API; also a decorator."""
    try:
        yield
    except PlimsollError:
        raise
    except APIError as error:
        raise EngineUnavailable(f"{doing}: {error.explanation or error}") from error
    except (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError) as error:
        raise EngineUnavailable(f"{doing}: the engine did not answer in time") from error
    except (DockerException, requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        raise EngineUnavailable(f"{doing}: {type(error).__name__}: {error}") from error


@contextmanager
def container_errors(name: str) -> Iterator[None]:
    """Raise ProcessLost where the container of a command has ended or was removed."""
    try:
        yield
    except APIError as error:
        if error.status_code not in NOT_RUNNING:
            raise
        raise ProcessLost(f"{name} no longer runs: {error.explanation}") from error
