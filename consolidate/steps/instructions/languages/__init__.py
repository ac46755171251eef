"""The word tables, one module for each language."""

from typing import Final

from consolidate.steps.instructions.languages.arabic import ARABIC
from consolidate.steps.instructions.languages.chinese import CHINESE
from consolidate.steps.instructions.languages.dutch import DUTCH
from consolidate.steps.instructions.languages.english import ENGLISH
from consolidate.steps.instructions.languages.french import FRENCH
from consolidate.steps.instructions.languages.german import GERMAN
from consolidate.steps.instructions.languages.hindi import HINDI
from consolidate.steps.instructions.languages.italian import ITALIAN
from consolidate.steps.instructions.languages.japanese import JAPANESE
from consolidate.steps.instructions.languages.korean import KOREAN
from consolidate.steps.instructions.languages.polish import POLISH
from consolidate.steps.instructions.languages.portuguese import PORTUGUESE
from consolidate.steps.instructions.languages.russian import RUSSIAN
from consolidate.steps.instructions.languages.spanish import SPANISH
from consolidate.steps.instructions.languages.turkish import TURKISH
from consolidate.steps.instructions.lexicon import Language

LANGUAGES: Final[tuple[Language, ...]] = (
    ENGLISH,
    GERMAN,
    DUTCH,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    ITALIAN,
    POLISH,
    RUSSIAN,
    TURKISH,
    ARABIC,
    HINDI,
    CHINESE,
    JAPANESE,
    KOREAN,
)
