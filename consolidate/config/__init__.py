"""The configuration (DESIGN section 6): `settings` are its types, `reading` reads it."""

from consolidate.config.reading import DEFAULT_PATH, load_probes, load_settings
from consolidate.config.settings import (
    AlertSettings,
    ConfirmSettings,
    MetricsSettings,
    ModelSettings,
    PromoteRule,
    PromoteSettings,
    RetentionSettings,
    ReviewSettings,
    Settings,
    SourceSettings,
    StepSettings,
    StoreSettings,
    SwapSettings,
    VerifySettings,
)

__all__ = [
    "DEFAULT_PATH",
    "AlertSettings",
    "ConfirmSettings",
    "MetricsSettings",
    "ModelSettings",
    "PromoteRule",
    "PromoteSettings",
    "RetentionSettings",
    "ReviewSettings",
    "Settings",
    "SourceSettings",
    "StepSettings",
    "StoreSettings",
    "SwapSettings",
    "VerifySettings",
    "load_probes",
    "load_settings",
]
