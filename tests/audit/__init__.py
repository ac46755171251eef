"""The real command as a process in which one thing happens at one operation: a fault, a signal, a pause, a power cut.

`nights` starts such processes and is what tests use; `job` is the program that they run, `disk` what a power cut leaves.
"""
