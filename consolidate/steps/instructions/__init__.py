"""Refuse to promote what is an instruction to the agent instead of a fact about the user (DESIGN section 3, promote).

`languages` holds the words of each language by sense, `rules` the combinations of senses that make an instruction, `markers` the
markup of prompts, `folding` and `disguises` the ways to hide any of it, `detector` the verdict.
"""

from consolidate.steps.instructions.detector import check_candidate, find_in_summary, find_instruction
from consolidate.steps.instructions.finding import Finding

__all__ = ["Finding", "check_candidate", "find_in_summary", "find_instruction"]
