"""The word tables, one module for each language."""

from consolidate.steps.instructions.languages.english import ENGLISH
from consolidate.steps.instructions.lexicon import Language

LANGUAGES: tuple[Language, ...] = (ENGLISH,)
