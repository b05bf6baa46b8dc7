"""Results as Vega-Lite specifications: the pictures of an export, drawn by backend.render."""
