"""Notes, tags and stars of runs and experiments: what people say of them, apart from what was measured."""
