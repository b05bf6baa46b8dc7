"""Pictures from Vega-Lite specifications, drawn on the server in processes of their own."""
