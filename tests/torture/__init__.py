"""The torture: applications and runs that are killed at any moment, and an auditor who believes only what the clients logged."""
