"""The API's own description: FastAPI's OpenAPI document, made explicit."""
