"""The web application behind gunicorn: one view, no work, so that the way to it is what is measured."""
# mypy: ignore-errors
# Flask is in the image, not where this is checked.

from flask import Flask

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    """Answer with a fixed greeting."""
    return "Hello there!"
