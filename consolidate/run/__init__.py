"""One run of one tenant, from the run lock to the record."""
