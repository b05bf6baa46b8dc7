"""Sentences by id: English texts that keep their id and figures, so that the page can translate them."""
