"""What the types of problem documents mean: the pages below /problems."""
