"""Markup that only a prompt needs: roles, templates, tool calls, commands. Plain patterns, the same in every language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Marker:
    """A pattern whose mere presence is a finding.

    Args:
        category: the category of the finding.
        pattern: the pattern, for a `folding.visible` text; every repetition in it is bounded or cannot backtrack.
        in_summaries: whether an honest summary of a conversation has no reason to hold it either.
    """

    category: str
    pattern: re.Pattern[str]
    in_summaries: bool = True


def _marker(category: str, pattern: str, *, in_summaries: bool = True) -> Marker:
    return Marker(category, re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.ASCII), in_summaries)


_TAGS = (
    "system|systems|sys|instructions?|prompt|user|assistant|developer|human|tool_calls?|function_calls?|function|invoke|tool_use"
    "|tool_result|tool|thinking|think|reasoning|scratchpad|admin|important|override|secret|system[-_ ](?:prompt|reminder|message|note|instructions?)"
)
_SYSTEM_LINE = (
    "message|prompt|note|notice|hint|override|instructions?|update|alert|command|directive|admin|warning|reminder|log"
)

MARKERS: Final[tuple[Marker, ...]] = (
    # chat templates: <|im_start|>, [INST], <<SYS>>, <start_of_turn>
    _marker(
        "role_marker",
        r"<\|(?:(?:im|fim|header|tool|eot|eom|end|start|begin)[a-z_]{0,30}|[a-z]{2,20}_(?:id|header|text|call|token)|system|user|assistant|developer|endoftext|message|channel|pad|sep|bos|eos)\|>|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>|<\uff5c[^>]{2,40}\uff5c>",
    ),
    # tags: <system>, </user>, <tool_call name="…">
    _marker("role_marker", rf"</?(?:{_TAGS})(?:\s[^<>]{{0,200}})?>"),
    # headings: ### Instruction, ## System:
    _marker(
        "role_marker",
        r"^[ \t]*#{1,6}[ \t]*(?:system|(?:new |system )?instructions?|assistant|developer|response)\b[ \t]*:?[ \t]*#*[ \t]*$",
    ),
    _marker(
        "role_marker",
        r"(?<!#)#{2,6}[ \t]*(?:system|instructions?|assistant|developer)[ \t]*(?::|#{2,6}|prompt|message)",
    ),
    # fences: ### END OF USER INPUT ###, --- BEGIN SYSTEM PROMPT ---
    _marker(
        "role_marker",
        r"(?<![#=*<\[%~+_-])[#=*<\[%~+_-]{2,}[ \t]*(?:begin|start|end)(?:ing)?[ \t]+(?:of[ \t]+)?(?:the[ \t]+)?"
        r"(?:system|user|instructions?|prompt|input|context|conversation|document|data|untrusted|trusted|admin|new|email|message|text|ticket|transcript|query)\b",
    ),
    _marker(
        "role_marker",
        r"(?<![<\[=#-])[<\[=#-]{2,}[ \t]*end[ \t]*[>\]=#-]{2}|</s>|```[ \t]*(?:system|instructions?|prompt)\b|\{\{[#~/]?(?:system|user|assistant)\b",
    ),
    # lines in another voice: "SYSTEM: …", "[system note]: …", "Developer message: …"
    _marker("role_marker", rf"^[ \t>\"'(*_#-]{{0,8}}(?:system|developer)[ \t]+(?:{_SYSTEM_LINE})[ \t)*_]{{0,4}}:"),
    _marker("role_marker", r"^[ \t>\"'(*_#-]{0,8}system[ \t)*_]{0,4}:[^\n]{8}"),
    _marker("role_marker", r"[.!?\n][ \t]*(?-i:SYSTEM|System)[ \t]?:[ \t]*\S"),
    _marker(
        "role_marker",
        rf"[\[({{<]{{1,3}}[ \t]*(?:system|developer|admin|assistant)(?:[ \t]+(?:{_SYSTEM_LINE}))?[ \t]*(?:[\])}}>]|:)",
    ),
    _marker("role_marker", r"^[ \t]*(?:assistant|chatgpt|gpt)[ \t]*:", in_summaries=False),
    _marker("role_marker", r"\n[ \t]*(?:human|user)[ \t]*:", in_summaries=False),
    # messages and tool calls as JSON
    _marker("role_marker", r"[\"']role[\"'][ \t]*:[ \t]*[\"'](?:system|developer|assistant|tool)[\"']"),
    _marker(
        "tool_use",
        r"[\"'](?:tool|tool_name|tool_calls?|function|function_call|recipient_name)[\"'][ \t]*:[ \t]*[\"'{\[]",
    ),
    # commands
    _marker(
        "tool_use",
        r"\brm[ \t]+-[rf]{1,2}\b|\bcurl[ \t]+(?:-\S{1,20}[ \t]+){0,5}[\"']?https?://|\bwget[ \t]+[\"']?https?://|\|[ \t]*(?:ba|z)?sh\b"
        r"|\bdrop[ \t]+(?:table|database)[ \t]+\w|\bdelete[ \t]+from[ \t]+\w{1,60}[ \t]*(?:;|where\b)|\bpowershell[ \t]+-",
    ),
    # an image or link whose address takes data along: ![](https://host/?q={conversation})
    _marker("exfiltration", r"\]\([ \t]*https?://[^\s(){}\[\]$<>%]{1,300}(?:\{|\[|%7b|\$|<)"),
)


def find_marker(visible: str, *, summary: bool) -> str | None:
    """Return the category of the first marker found in a visible text, or None."""
    for marker in MARKERS:
        if (marker.in_summaries or not summary) and marker.pattern.search(visible):
            return marker.category
    return None
