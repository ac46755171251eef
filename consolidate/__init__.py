"""The unattended nightly job that keeps an AI agent's memory healthy without ever editing it in place."""

__version__ = "0.1.0"
