"""The ChartModel and its parts: frozen values for the page, the terminal and the exports."""
