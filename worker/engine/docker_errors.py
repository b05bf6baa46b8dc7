"""The one place where Docker's and requests' errors become errors of the tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import requests
import urllib3
from docker.errors import APIError, DockerException

from backend.core.errors import EngineUnavailable, PlimsollError, ProcessLost

NOT_RUNNING: Final = frozenset((404, 409))
"""What Docker answers where a command is to be run in a container that is gone, or has ended."""


@contextmanager
def docker_errors(doing: str) -> Iterator[None]:
    """Raise EngineUnavailable, which says what was being done, for whatever the Docker API raises.

    May be used as a decorator.
    """
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
    """Raise ProcessLost where a container in which a command is to be run has ended or is gone."""
    try:
        yield
    except APIError as error:
        if error.status_code not in NOT_RUNNING:
            raise
        raise ProcessLost(f"{name} does not run any more: {error.explanation}") from error
