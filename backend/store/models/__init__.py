"""The tables, one per file."""

from backend.store.models.account import Account
from backend.store.models.api_token import ApiToken
from backend.store.models.attempt import Attempt
from backend.store.models.audit import AuditEntry
from backend.store.models.base import Base
from backend.store.models.browser_session import BrowserSession
from backend.store.models.cell_profile import CellProfile
from backend.store.models.client_session import ClientSession
from backend.store.models.derived import Derived
from backend.store.models.derived_of_group import DerivedOfGroup
from backend.store.models.device_authorization import DeviceAuthorization
from backend.store.models.enrolment import Enrolment, HostToken
from backend.store.models.event import Event
from backend.store.models.exclusion import Exclusion
from backend.store.models.experiment import Experiment
from backend.store.models.external_identity import ExternalIdentity
from backend.store.models.history import DerivedOfHistory, HistoryChange, HistorySeen
from backend.store.models.home_visit import HomeVisit
from backend.store.models.host import Host
from backend.store.models.idempotency_key import IdempotencyKey
from backend.store.models.library_view import LibraryView
from backend.store.models.membership import Membership
from backend.store.models.one_time_link import OneTimeLink
from backend.store.models.password_failure import PasswordFailure
from backend.store.models.result import Result
from backend.store.models.run import Run
from backend.store.models.run_entry import RunEntry
from backend.store.models.run_group import RunGroup
from backend.store.models.schedule import Schedule, ScheduleStart
from backend.store.models.second_factor import SecondFactor
from backend.store.models.share import Share
from backend.store.models.star import ExperimentStar, RunStar
from backend.store.models.team import DEFAULT_TEAM, Team
from backend.store.models.team_quota import TeamQuota
from backend.store.models.trial import Trial
from backend.store.models.webhook import Delivery, DeliveryAttempt, RunEnd, Webhook

__all__ = [
    "DEFAULT_TEAM",
    "Account",
    "ApiToken",
    "Attempt",
    "AuditEntry",
    "Base",
    "BrowserSession",
    "CellProfile",
    "ClientSession",
    "Delivery",
    "DeliveryAttempt",
    "Derived",
    "DerivedOfGroup",
    "DerivedOfHistory",
    "DeviceAuthorization",
    "Enrolment",
    "Event",
    "Exclusion",
    "Experiment",
    "ExperimentStar",
    "ExternalIdentity",
    "HistoryChange",
    "HistorySeen",
    "HomeVisit",
    "Host",
    "HostToken",
    "IdempotencyKey",
    "LibraryView",
    "Membership",
    "OneTimeLink",
    "PasswordFailure",
    "Result",
    "Run",
    "RunEnd",
    "RunEntry",
    "RunGroup",
    "RunStar",
    "Schedule",
    "ScheduleStart",
    "SecondFactor",
    "Share",
    "Team",
    "TeamQuota",
    "Trial",
    "Webhook",
]
