"""The benchmark: whole ``nightly`` processes on stores made by seed, against a floor measured in the same run."""
