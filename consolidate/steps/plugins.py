"""Loading what the operator adds: ``package.module:callable`` (DESIGN section 6)."""

from __future__ import annotations

import importlib
from typing import Any

from consolidate.errors import ConfigError


def load_callable(name: str, setting: str) -> Any:
    """Import a plug-in.

    Args:
        name: ``package.module:callable``.
        setting: the setting that names it, for the error.

    Raises:
        ConfigError: it cannot be imported, or is not callable.
    """
    module_name, _, attribute = name.partition(":")
    hint = f"Correct {setting}, or make the module importable (PYTHONPATH)."
    try:
        found: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise ConfigError(f"The plug-in {name} cannot be loaded: {type(error).__name__}: {error}.", hint) from error
    if not callable(found):
        raise ConfigError(f"The plug-in {name} is not callable.", hint)
    return found
