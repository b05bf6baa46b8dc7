"""Makes the models of the Python client from the OpenAPI document."""
