"""The question as a typed document: factors, levels, metrics, presets and published studies."""
