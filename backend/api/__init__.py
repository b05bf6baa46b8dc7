"""The REST API under /api/v1: endpoints parse the request and call a service."""
