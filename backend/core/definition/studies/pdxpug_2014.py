"""PDX PostgreSQL user group, 2014: PostgreSQL in Docker and beside it. The study published charts only.

Its container on the bridge is our container_address with the data in the container's layer or on a volume.
"""

from __future__ import annotations

from typing import Final

from backend.core.definition.studies.model import (
    HIGHEST,
    Levels,
    PublishedStudy,
    RatioClaim,
    UntestedClaim,
)

_BEST: Final[Levels] = {"scale": HIGHEST, "clients": HIGHEST, "fsync": True}
_BARE: Final[Levels] = {"path": "bare_host", "storage": "volume", **_BEST}

PDXPUG_2014: Final = PublishedStudy(
    name="pdxpug-2014",
    title="PostgreSQL performance on Docker",
    author="PDX PostgreSQL user group",
    year=2014,
    medium="talk and blog post",
    environment=(
        "Ubuntu 14.04, kernel 3.11, Docker 1.0.1, PostgreSQL 9.3.4, 1 CPU, 512 MB, 20 GB SSD (cloud); "
        "pgbench-tools"
    ),
    settings={"tool": "pgbench", "shared_buffers_mb": 120, "fresh_server": True},
    figures=(),
    claims=(
        RatioClaim(
            text="a container on the bridge with its data in its own layer is slower than the bare host",
            cell={"path": "container_address", "storage": "layer", **_BEST},
            against=_BARE,
            at_most=1.0,
        ),
        RatioClaim(
            text="a container on the host network with a volume was faster than the bare host, "
            "which the author did not trust",
            cell={"path": "host_network", "storage": "volume", **_BEST},
            against=_BARE,
            at_least=1.0,
        ),
        RatioClaim(
            text="PostgreSQL in a container made far fewer context switches than on the bare host",
            cell={"path": "container_address", "storage": "volume", **_BEST},
            against=_BARE,
            at_most=0.8,
            metric="server_switches_per_txn",
        ),
        UntestedClaim(
            text="the base image made no difference",
            reason="Plimsoll runs the same files from one image everywhere",
        ),
    ),
)
