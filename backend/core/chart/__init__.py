"""The ChartModel, ready to draw: one value for page, terminal table and exports."""
