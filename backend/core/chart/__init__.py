"""Trials to the ChartModel, the one value that page, terminal table and exports draw."""
