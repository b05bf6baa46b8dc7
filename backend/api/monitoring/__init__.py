"""Metrics of the API and of the queue, on the private port."""
