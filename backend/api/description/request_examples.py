"""Examples for the OpenAPI document: bodies of requests about notes, schedules, tokens and hosts."""

from __future__ import annotations

from typing import Any, Final

_NOTE: Final = {"note": "After the update of Docker.", "tags": ["docker-29", "kernel-6.1"]}

REQUEST_EXAMPLES: Final[dict[str, Any]] = {
    "annotateExperiment.request": _NOTE,
    "annotateRun.request": _NOTE,
    "excludeTrial.request": {"reason": "a backup ran"},
    "createSchedule.request": {"cron": "0 2 * * *", "time_zone": "Europe/Berlin", "hosts": ["bench-1"]},
    "previewSchedule.request": {"cron": "0 2 * * 1-5", "time_zone": "Europe/Berlin"},
    "updateSchedule.request": {"enabled": False},
    "createWebhook.request": {
        "url": "https://chat.example.org/hooks/plimsoll",
        "events": ["run.completed", "run.threshold_failed"],
        "description": "the team's channel",
    },
    "updateWebhook.request": {"enabled": True},
    "createToken.request": {"name": "nightly", "scopes": ["run:read", "run:write"], "expires_in_days": 30},
    "createInvitation.request": {"role": "runner", "expires_in_days": 7},
    "updateMember.request": {"role": "admin"},
    "setRetention.request": {"days": 365},
    "createEnrolment.request": {"host_name": "bench-2", "note": "rack 4", "expires_in_hours": 24},
    "updateHost.request": {"labels": ["kernel-6.1"], "host_network": True},
    "setHostPolicy.request": {"engines": ["on", "off"], "host_network": False, "longest_trial_s": 120},
    "previewHostPolicy.request": {"engines": ["on", "off"], "host_network": False},
    "createTeam.request": {"name": "Networks", "email": "ada@example.org"},
    "updateTeam.request": {"name": "Networks"},
    "createTeamInvitation.request": {"role": "admin", "expires_in_days": 7},
    "setTeamMember.request": {"role": "viewer"},
}
"""Examples by operation id and `request`."""
