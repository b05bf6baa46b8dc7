"""The REST API under /api/v1: endpoints parse, call a service, return."""
