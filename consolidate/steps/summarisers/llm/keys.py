"""Finding the key of a model: in the environment, in a systemd credential, in a file; never in the configuration itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from consolidate.steps.summarisers.failures import NotAskedError

SHARED_VARIABLES = ("CONSOLIDATE_LLM_API_KEY", "OPENAI_API_KEY")
CONFIRM_VARIABLES = ("CONSOLIDATE_CONFIRM_API_KEY",)


def find_key(variables: Sequence[str], credential: str, file: Path | None, setting: str) -> str:
    """Return the first key there is.

    Args:
        variables: environment variables, in the order in which they are asked.
        credential: the name of a file in ``$CREDENTIALS_DIRECTORY``, asked next.
        file: asked last.
        setting: what the configuration calls `file`.

    Raises:
        NotAskedError: there is none, or it cannot be read or be a key.
    """
    for variable in variables:
        if key := os.environ.get(variable, "").strip():
            return _checked(key, f"${variable}")
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if folder and (key := _content(Path(folder, credential), f"the credential {credential}")):
        return _checked(key, f"the credential {credential}")
    if file is not None and (key := _content(file, setting)):
        return _checked(key, setting)
    places = [f"${variable}" for variable in variables]
    raise NotAskedError(
        f"there is no key for the model in {', '.join(places)}, the credential {credential} or {setting}"
    )


def _content(path: Path, where: str) -> str:
    try:
        return path.read_text("utf-8").strip()
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        raise NotAskedError(f"the key of the model cannot be read from {where}") from None


def _checked(key: str, where: str) -> str:
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise NotAskedError(f"what {where} holds is not a key")
    return key
