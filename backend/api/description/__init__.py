"""The OpenAPI document with errors, events and examples."""
