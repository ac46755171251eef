"""The settings as types, with their defaults (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from consolidate.model import Probe


@dataclass(frozen=True)
class StoreSettings:
    """``[store]``: loadable SQLite extensions the application's schema needs."""

    extensions: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceSettings:
    """``[sources]``: ``rank`` lists sources, lowest first; a source not listed ranks lowest (DESIGN section 3)."""

    rank: tuple[str, ...] = ("inferred", "user")


@dataclass(frozen=True)
class PromoteRule:
    """``[[promote.rules]]``: a regular expression over the summaries of one user's episodes.

    A named group ``value`` gives the value; otherwise ``value`` does. ``min_support`` and ``min_days`` override the
    general ones for this rule.
    """

    attribute: str = ""
    value: str | None = None
    pattern: str = ""
    multi: bool = False
    min_support: int | None = None
    min_days: int | None = None


@dataclass(frozen=True)
class ModelSettings:
    """``[promote.llm]``: the model summariser (DESIGN section 3, promote).

    Attributes:
        base_url: the endpoint; None is the SDK's own. ``$CONSOLIDATE_LLM_BASE_URL`` wins, ``$OPENAI_BASE_URL`` is asked last.
        model: the model's name there; ``$CONSOLIDATE_LLM_MODEL`` wins.
        api_key_file: a file with the key, asked after the environment and the credential.
        credential: the name of the systemd credential (``LoadCredential=``) with the key.
        attributes: the only attributes that may be proposed; none leaves the names to the model.
        response_format: ``json_schema``, or for endpoints that do not have it ``json_object`` or ``text``.
        output_limit: what the endpoint calls the limit on its output, ``max_completion_tokens`` or ``max_tokens``.
        temperature: sent if it is given.
        timeout: seconds that an answer may take.
        max_retries: how often a call is made again after a lost connection, a timeout, and HTTP 408, 409, 429 and 5xx.
        max_failures: after so many failed users in a row, for which the endpoint is to blame, nobody else is asked.
        chunk_tokens: estimated tokens of episodes in one call.
        max_output_tokens: tokens of one answer.
        max_episodes: how many of a user's latest episodes are shown.
        max_calls, max_tokens: per run of one tenant, input and output together.
        input_price, output_price: of a million tokens, in any currency.
    """

    base_url: str | None = None
    model: str | None = None
    api_key_file: Path | None = None
    credential: str = "consolidate.model-key"
    attributes: tuple[str, ...] = ()
    response_format: str = "json_schema"
    output_limit: str = "max_completion_tokens"
    temperature: float | None = None
    timeout: float = 60.0
    max_retries: int = 3
    max_failures: int = 3
    chunk_tokens: int = 8_000
    max_output_tokens: int = 4_000
    max_episodes: int = 1_000
    max_calls: int = 1_000
    max_tokens: int = 2_000_000
    input_price: float = 0.0
    output_price: float = 0.0


@dataclass(frozen=True)
class ConfirmSettings:
    """``[promote.confirm]``: a second model that confirms a sample of the model summariser's candidates.

    ``model`` switches it on. ``share`` is the part of a run's candidates that is asked about, ``min`` the least number. With
    a ``base_url`` of its own it has a key of its own; ``$CONSOLIDATE_CONFIRM_API_KEY``, ``credential`` and ``api_key_file`` are
    asked for it in this order. Prices that are not given are those of ``[promote.llm]``.
    """

    model: str | None = None
    base_url: str | None = None
    api_key_file: Path | None = None
    credential: str = "consolidate.confirm-key"
    share: float = 0.1
    min: int = 1
    input_price: float | None = None
    output_price: float | None = None


@dataclass(frozen=True)
class PromoteSettings:
    """``[promote]``: the summariser and the conditions a candidate must meet (DESIGN section 3).

    ``grounded`` asks for the value to occur in a cited episode; None is true for the model summariser and false for others.
    """

    summariser: str = "rules"
    min_support: int = 2
    min_days: int = 1
    max_per_user: int = 20
    max_per_run: int = 10_000
    grounded: bool | None = None
    rules: tuple[PromoteRule, ...] = ()
    llm: ModelSettings = field(default_factory=ModelSettings)
    confirm: ConfirmSettings = field(default_factory=ConfirmSettings)

    @property
    def must_be_grounded(self) -> bool:
        """Tell whether a value has to occur in a cited episode."""
        return self.summariser == "llm" if self.grounded is None else self.grounded


@dataclass(frozen=True)
class ReviewSettings:
    """``[review]``: whether pairs of facts that may say the same are proposed, and how far a night goes with that.

    ``max_new_facts`` and ``max_per_run`` are per run, the latest of the new facts and proposals; ``max_per_group`` is the number
    of latest values of one attribute of one user that are compared.
    """

    near_duplicates: bool = True
    max_new_facts: int = 1_000
    max_per_group: int = 200
    max_per_run: int = 100


@dataclass(frozen=True)
class StepSettings:
    """``[steps]``: extra steps, each ``package.module:callable``, run on the shadow after promote."""

    extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class VerifySettings:
    """``[verify]``: how far a night may go before it is a problem or a notice (DESIGN section 5)."""

    max_shrink: float = 0.5
    anomaly_factor: float = 10.0


@dataclass(frozen=True)
class SwapSettings:
    """``[swap]``: the way of swapping, how long to wait for a lock, and after a rename for openers of the old file, in seconds
    (DESIGN section 4).
    """

    mode: str = "auto"
    lock_timeout: float = 30.0
    drain_timeout: float = 120.0


@dataclass(frozen=True)
class RetentionSettings:
    """``[retention]``: how many files of each kind are kept per tenant, for how many days, and how large they may be together."""

    keep_pre: int = 7
    keep_rejected: int = 14
    keep_undone: int = 7
    max_days: float | None = None
    max_megabytes: float | None = None


@dataclass(frozen=True)
class AlertSettings:
    """``[alert]``: a command that gets the JSON of each rejected or failed run on stdin, and of runs with notices if asked.

    ``timeout`` is how long it may take, in seconds.
    """

    command: tuple[str, ...] = ()
    notices: bool = False
    timeout: float = 30.0


@dataclass(frozen=True)
class MetricsSettings:
    """``[metrics]``: where a text file for Prometheus is written after each night."""

    textfile: Path | None = None


@dataclass(frozen=True)
class Settings:
    """The whole configuration; every default is the one of DESIGN section 6."""

    root: Path | None = None
    store: StoreSettings = field(default_factory=StoreSettings)
    attributes: Mapping[str, str] = field(default_factory=dict)
    sources: SourceSettings = field(default_factory=SourceSettings)
    promote: PromoteSettings = field(default_factory=PromoteSettings)
    review: ReviewSettings = field(default_factory=ReviewSettings)
    steps: StepSettings = field(default_factory=StepSettings)
    verify: VerifySettings = field(default_factory=VerifySettings)
    swap: SwapSettings = field(default_factory=SwapSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    alert: AlertSettings = field(default_factory=AlertSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)
    probe: tuple[Probe, ...] = ()
    origin: Path | None = None
