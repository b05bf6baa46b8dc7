"""Creates the FastAPI application."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import cache

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.gzip import GZipMiddleware

from backend.api import health, problem_details
from backend.api.access import rules
from backend.api.access.guard import GuardedRoute
from backend.api.access_log import AccessLog
from backend.api.account import endpoints as account
from backend.api.accounts import endpoints as accounts
from backend.api.annotations import endpoints as notes
from backend.api.arriving_bodies import ArrivingBodies
from backend.api.audit import endpoints as audit
from backend.api.capacity import ConcurrencyLimit
from backend.api.cell_profiles import endpoints as cell_profiles
from backend.api.client_address import TrustedProxies
from backend.api.comparisons import endpoints as comparisons
from backend.api.description import document as description
from backend.api.device_authorizations import endpoints as devices
from backend.api.enrolments import endpoints as enrolments
from backend.api.equivalence import endpoints as equivalence
from backend.api.experiments import endpoints as experiments
from backend.api.exports import endpoints as exports
from backend.api.histories import endpoints as histories
from backend.api.home import endpoints as home
from backend.api.hosts import endpoints as hosts
from backend.api.idempotency import KeyLocks
from backend.api.identity import endpoints as identity
from backend.api.identity.provider import Provider
from backend.api.imports import endpoints as imports
from backend.api.invitations import endpoints as invitations
from backend.api.library import endpoints as library
from backend.api.library import views as library_views
from backend.api.members import endpoints as members
from backend.api.monitoring.request_metrics import CountRequests
from backend.api.monitoring.service import Monitoring
from backend.api.notifier import Notifier
from backend.api.outages import OutageTracker
from backend.api.own_addresses import OwnAddresses
from backend.api.passwords import hashing
from backend.api.plans import endpoints as plans
from backend.api.presets import endpoints as presets
from backend.api.problems import pages as problems
from backend.api.quotas import endpoints as quotas
from backend.api.quotas.open_streams import OpenStreams
from backend.api.rate_limits.limiter import Limiter
from backend.api.rate_limits.middleware import AddressLimits
from backend.api.readiness import readiness
from backend.api.retention import endpoints as retention
from backend.api.retention.job import RetentionJob
from backend.api.run_ends.job import RunEndJob
from backend.api.run_groups import endpoints as run_groups
from backend.api.runs import endpoints as runs
from backend.api.runs import stream
from backend.api.runs.long_poll import LongPolls
from backend.api.runs.subscriptions import RunSubscriptions
from backend.api.schedules import endpoints as schedules
from backend.api.schedules.job import ScheduleJob
from backend.api.second_factors import endpoints as second_factors
from backend.api.security import MAX_BODY_BYTES, RequestFilter, SecurityHeaders
from backend.api.sessions import endpoints as sessions
from backend.api.shares import endpoints as shares
from backend.api.shares import pages as share_pages
from backend.api.shares.pictures import Pictures
from backend.api.sign_in import endpoints as sign_in
from backend.api.slow_bodies import SlowBodies
from backend.api.static_files import frontend_router
from backend.api.team import endpoints as team
from backend.api.teams import endpoints as teams
from backend.api.tokens import endpoints as tokens
from backend.api.trials import endpoints as trials
from backend.api.webhooks import endpoints as webhooks
from backend.api.webhooks.dispatcher import Dispatcher
from backend.api.worker import client_sessions
from backend.api.worker import endpoints as worker
from backend.api.worker import profiles as worker_profiles
from backend.api.worker.record_body import LARGE_AT_ONCE
from backend.gc_threshold import raise_gc_threshold
from backend.logs.configuration import configure_logs
from backend.settings import Settings
from backend.store import session

API = "/api/v1"


def create_app(settings: Settings) -> FastAPI:
    """The API and the page's files. Connects to nothing before the first request."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        monitoring.start()
        retention_job.start()
        schedule_job.start()
        run_ends.start()
        dispatcher.start()
        yield
        dispatcher.stop()
        run_ends.stop()
        schedule_job.stop()
        retention_job.stop()
        monitoring.stop()
        app.state.notifier.close()
        session.dispose(settings)

    retention_job = RetentionJob(settings)
    app = FastAPI(
        title="Plimsoll",
        version="1",
        summary="Run and compare container-networking experiments",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        routes=_api().routes,
    )
    app.state.settings = settings
    app.state.notifier = Notifier(settings)
    schedule_job = ScheduleJob(settings, app.state.notifier)
    app.state.subscriptions = RunSubscriptions(settings)
    app.state.cpu_slots = ConcurrencyLimit()
    app.state.share_pictures = Pictures()
    app.state.password_slots = ConcurrencyLimit(hashing.AT_ONCE, hashing.QUEUED, hashing.MAX_WAIT_S)
    app.state.import_slots = ConcurrencyLimit(at_once=1, queued=8)
    app.state.record_slots = ConcurrencyLimit(at_once=LARGE_AT_ONCE, queued=256)
    app.state.host_bodies = Counter()
    app.state.arriving = ArrivingBodies()
    app.state.key_locks = KeyLocks()
    app.state.long_polls = LongPolls()
    app.state.outages = OutageTracker()
    app.state.open_streams = OpenStreams()
    app.state.provider = None if settings.oidc_issuer is None else Provider(settings)
    app.state.limiter = Limiter(settings)
    monitoring = Monitoring(settings, lambda: readiness(settings, app.state.notifier, app.state.outages))
    app.state.monitoring = monitoring
    run_ends = RunEndJob(settings)
    dispatcher = Dispatcher(settings)
    app.include_router(health.router)
    app.include_router(share_pages.router)
    app.include_router(problems.router)
    app.include_router(frontend_router(settings.page_dir))
    problem_details.install(app)
    description.install(app)
    app.add_middleware(SlowBodies)
    app.add_middleware(GZipMiddleware)
    app.add_middleware(AddressLimits, limiter=app.state.limiter)
    app.add_middleware(RequestFilter, addresses=OwnAddresses.of(settings))
    for layer in (problem_details.UnexpectedErrors, AccessLog):
        app.add_middleware(layer)
    app.add_middleware(SecurityHeaders, strict_transport=settings.strict_transport)
    app.add_middleware(CountRequests, metrics=monitoring.requests)
    app.add_middleware(TrustedProxies, proxies=settings.trusted_proxies)
    return app


@cache
def _api() -> APIRouter:
    """The operations of the REST API, built once for each process: FastAPI reads some 170 signatures."""
    api = APIRouter(prefix=API, max_body_size=MAX_BODY_BYTES)
    routers = [worker.records, worker.router]  # first: routes are matched in turn, and workers call often
    routers += [
        feature.router
        for feature in (
            client_sessions,
            worker_profiles,
            sign_in,
            sessions,
            account,
            identity,
            second_factors,
            audit,
            tokens,
            team,
            devices,
            members,
            invitations,
            presets,
            enrolments,
            hosts,
            equivalence,
            plans,
            experiments,
            home,
            library,
            library_views,
            runs,
            run_groups,
            stream,
            trials,
            cell_profiles,
            shares,
            comparisons,
            histories,
            schedules,
            exports,
            imports,
            quotas,
            retention,
            notes,
            webhooks,
            teams,
            accounts,
        )
    ]
    for router in routers:
        api.include_router(router)
    _require_rules(route for router in routers for route in router.routes if isinstance(route, APIRoute))
    return api


def _require_rules(routes: Iterable[APIRoute]) -> None:
    """Raise LookupError unless every route has the guard, and its operation a rule."""
    found = list(routes)
    if bare := [route.path for route in found if not isinstance(route, GuardedRoute)]:
        raise LookupError(f"route_class=GuardedRoute is missing: {bare}")
    rules.check((route.operation_id or route.path, route.param_convertors) for route in found)


def app_factory() -> FastAPI:
    """The application with settings from the environment, for `backend.api.serve`."""
    raise_gc_threshold()
    settings = Settings()
    configure_logs(settings)
    return create_app(settings)
