"""The trials of one cell over their time: the rate and CPU of each, with the warm-up."""
