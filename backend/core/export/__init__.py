"""A run in the formats of other programs, from its trials and its ChartModel. No statistic is made here."""
