"""The routes of /webhooks: receivers of messages about ended runs."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status

from backend.api.access.guard import Caller
from backend.api.paging import link_next
from backend.api.request import Config, StrictRoute, json_only
from backend.api.schema import Paging
from backend.api.webhooks import service
from backend.api.webhooks.schemas import (
    DeliveryEntry,
    DeliveryList,
    NewWebhook,
    WebhookChange,
    WebhookEntry,
    WebhookList,
    WebhookStart,
)


def _not_stored(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


router = APIRouter(dependencies=[Depends(json_only), Depends(_not_stored)], route_class=StrictRoute)


@router.get("/webhooks", operation_id="listWebhooks")
def list_webhooks(settings: Config, caller: Caller) -> WebhookList:
    """List the webhooks of the team, without their secrets."""
    return service.of_team(settings, caller.team)


@router.post("/webhooks", operation_id="createWebhook", status_code=status.HTTP_201_CREATED)
async def create_webhook(
    settings: Config, caller: Caller, request: Request, start: WebhookStart
) -> NewWebhook:
    """Add a receiver of messages about ended runs. Only this response has its secret.

    The messages follow Standard Webhooks 1.0. The URL must lead to a public address over https, or to a
    network that an operator allowed.
    """
    created = await service.create(settings, caller.team, start)
    request.state.created = created.id
    return created


@router.patch("/webhooks/{webhook_id:id}", operation_id="updateWebhook")
def update_webhook(settings: Config, webhook_id: str, changes: WebhookChange) -> WebhookEntry:
    """Change events or description, pause a webhook, or enable it again."""
    return service.change(settings, webhook_id, changes)


@router.delete(
    "/webhooks/{webhook_id:id}", operation_id="deleteWebhook", status_code=status.HTTP_204_NO_CONTENT
)
def delete_webhook(settings: Config, webhook_id: str) -> None:
    """Delete a webhook with its messages; those that wait are not sent."""
    service.remove(settings, webhook_id)


@router.post(
    "/webhooks/{webhook_id:id}:test", operation_id="testWebhook", status_code=status.HTTP_202_ACCEPTED
)
def test_webhook(settings: Config, caller: Caller, request: Request, webhook_id: str) -> DeliveryEntry:
    """Queue a message of type webhook.test; the list of deliveries shows how it ended."""
    message = service.send_test(settings, caller.team, webhook_id)
    request.state.created = message.id
    return message


@router.get("/webhooks/{webhook_id:id}/deliveries", operation_id="listDeliveries")
def list_deliveries(settings: Config, webhook_id: str, paging: Paging, response: Response) -> DeliveryList:
    """List the messages of a webhook with their last attempts, newest first; kept for 30 days."""
    page = service.deliveries(settings, webhook_id, paging)
    link_next(response, f"/api/v1/webhooks/{webhook_id}/deliveries", paging, page.next_cursor)
    return page


@router.post(
    "/webhooks/{webhook_id:id}/deliveries/{delivery_id:id}:redeliver",
    operation_id="redeliver",
    status_code=status.HTTP_202_ACCEPTED,
)
def redeliver(settings: Config, request: Request, webhook_id: str, delivery_id: str) -> DeliveryEntry:
    """Queue a message again, under the same webhook-id."""
    message = service.redeliver(settings, webhook_id, delivery_id)
    request.state.created = message.id
    return message
