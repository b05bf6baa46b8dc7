"""Each cell by itself and against its baseline: trials, summaries, pairs, comparisons."""
