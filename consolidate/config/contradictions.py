"""What is wrong with settings whose types are right (DESIGN section 6)."""

from __future__ import annotations

import re
from math import inf

from consolidate.config.settings import PromoteSettings, Settings


def contradictions(settings: Settings) -> list[str]:
    """Return what is wrong with settings whose types are right."""
    mistakes = []
    promote, retention, review = settings.promote, settings.retention, settings.review
    if settings.swap.mode not in ("auto", "rename", "in-place"):
        mistakes.append("swap.mode must be auto, rename or in-place")
    for name in ("lock_timeout", "drain_timeout"):
        if not 0 <= getattr(settings.swap, name) <= 86_400:
            mistakes.append(f"swap.{name} must lie between 0 and 86400 seconds")
    if not 0 <= settings.verify.max_shrink <= 1:
        mistakes.append("verify.max_shrink must lie between 0 and 1")
    for key, limit in (("max_days", retention.max_days), ("max_megabytes", retention.max_megabytes)):
        if limit is not None and not limit >= 0:
            mistakes.append(f"retention.{key} must be at least 0")
    if not 0 < settings.alert.timeout <= 3600:
        mistakes.append("alert.timeout must lie between 0 and 3600 seconds")
    if settings.alert.notices and not settings.alert.command:
        mistakes.append("alert.notices needs an alert.command")
    if not settings.verify.anomaly_factor > 0:
        mistakes.append("verify.anomaly_factor must be above 0")
    if len(set(settings.sources.rank)) != len(settings.sources.rank):
        mistakes.append("sources.rank names a source twice")
    least = {
        "promote.min_support": (promote.min_support, 1),
        "promote.min_days": (promote.min_days, 1),
        "promote.max_per_user": (promote.max_per_user, 0),
        "promote.max_per_run": (promote.max_per_run, 0),
        "review.max_new_facts": (review.max_new_facts, 1),
        "review.max_per_group": (review.max_per_group, 2),
        "review.max_per_run": (review.max_per_run, 0),
        "retention.keep_pre": (retention.keep_pre, 1),
        "retention.keep_rejected": (retention.keep_rejected, 0),
        "retention.keep_undone": (retention.keep_undone, 0),
    }
    for number, rule in enumerate(promote.rules, 1):
        for key in ("min_support", "min_days"):
            if getattr(rule, key) is not None:
                least[f"promote.rules[{number}].{key}"] = (getattr(rule, key), 1)
    least |= _least_of_models(promote)
    mistakes += _model_mistakes(promote)
    mistakes += [f"{key} must be at least {floor}" for key, (value, floor) in least.items() if value < floor]
    if not (promote.summariser in ("rules", "llm") or ":" in promote.summariser):
        mistakes.append('promote.summariser must be "rules", "llm" or "package.module:callable"')
    mistakes += [
        f"steps.extra: {name} is not package.module:callable" for name in settings.steps.extra if ":" not in name
    ]
    return mistakes


def _least_of_models(promote: PromoteSettings) -> dict[str, tuple[int, int]]:
    llm, confirm = promote.llm, promote.confirm
    return {
        "promote.llm.max_retries": (llm.max_retries, 0),
        "promote.llm.max_failures": (llm.max_failures, 1),
        "promote.llm.chunk_tokens": (llm.chunk_tokens, 100),
        "promote.llm.max_output_tokens": (llm.max_output_tokens, 100),
        "promote.llm.max_episodes": (llm.max_episodes, 1),
        "promote.llm.max_calls": (llm.max_calls, 0),
        "promote.llm.max_tokens": (llm.max_tokens, 0),
        "promote.confirm.min": (confirm.min, 0),
    }


def _model_mistakes(promote: PromoteSettings) -> list[str]:
    llm, confirm = promote.llm, promote.confirm
    mistakes = []
    if promote.summariser == "llm" and not llm.model:
        mistakes.append("promote.llm.model is missing, and so is $CONSOLIDATE_LLM_MODEL")
    if confirm.model and promote.summariser != "llm":
        mistakes.append('promote.confirm needs promote.summariser = "llm"')
    for where, url in (("promote.llm", llm.base_url), ("promote.confirm", confirm.base_url)):
        if url is not None and not re.fullmatch(r"https?://[^\s@]+", url):
            mistakes.append(f"{where}.base_url must be an http or https address without a password")
    for where, name in (("promote.llm", llm.credential), ("promote.confirm", confirm.credential)):
        if not re.fullmatch(r"[\w.-]+", name) or not name.strip("."):
            mistakes.append(f"{where}.credential must be the name of a systemd credential")
    if llm.response_format not in ("json_schema", "json_object", "text"):
        mistakes.append("promote.llm.response_format must be json_schema, json_object or text")
    if llm.output_limit not in ("max_completion_tokens", "max_tokens"):
        mistakes.append("promote.llm.output_limit must be max_completion_tokens or max_tokens")
    if not 0 < llm.timeout <= 3600:
        mistakes.append("promote.llm.timeout must lie between 0 and 3600 seconds")
    if llm.temperature is not None and not 0 <= llm.temperature <= 2:
        mistakes.append("promote.llm.temperature must lie between 0 and 2")
    prices = {
        "promote.llm.input_price": llm.input_price,
        "promote.llm.output_price": llm.output_price,
        "promote.confirm.input_price": confirm.input_price,
        "promote.confirm.output_price": confirm.output_price,
    }
    mistakes += [
        f"{key} must be a price, 0 or more"
        for key, price in prices.items()
        if price is not None and not 0 <= price < inf
    ]
    if not 0 <= confirm.share <= 1:
        mistakes.append("promote.confirm.share must lie between 0 and 1")
    if any(not name.strip() for name in llm.attributes):
        mistakes.append("promote.llm.attributes names an empty one")
    return mistakes
