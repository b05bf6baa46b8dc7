"""What the tests prove: which lines only some tests run, and how many defects put in on purpose they find."""
