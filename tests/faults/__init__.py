"""Faults on demand: one seam under everything a command does to files, and what is judged after something went wrong there."""
