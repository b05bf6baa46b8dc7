"""Two runs, or two cells, against each other."""
