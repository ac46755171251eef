"""Which senses, standing near each other in one sentence, make an instruction to the agent.

The order of the words does not matter, so one rule serves languages that put the verb first and those that put it last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Rule:
    """One way to instruct an agent.

    Args:
        category: the kind of instruction.
        needs: senses that must all occur, each at a place of its own; ``!`` asks for a place where an order can begin.
        span: how many words may lie between the first and the last of them.
        mixed: its words may be of different languages. A rule of common words asks for one language, since words of one
            language are other words in another.
        unless: a sense that excuses the first of `needs` right before it: do *not* share passwords.
        reportable: the same words told of somebody ("Maya asked it to …") are a fact about that person.
    """

    category: str
    needs: tuple[str, ...]
    span: int
    mixed: bool = False
    reportable: bool = False
    unless: str = ""


REASONS: Final = {
    "override": "tells the agent to set aside or replace its instructions",
    "persona": "gives the agent another persona or frees it from its rules",
    "reveal": "asks the agent to give away its instructions or private data",
    "exfiltration": "asks the agent to send data to an outside address",
    "tool_use": "asks the agent to call a tool or to destroy data",
    "authority": "claims rights or unconditional obedience from the agent",
    "standing_order": "lays down how the agent must act or answer from now on",
    "concealment": "tells the agent to keep something from the user",
    "memory_poisoning": "tells the agent what to store or to remember",
    "agent_address": "speaks to the agent instead of stating a fact about the user",
    "encoded": "asks the agent to act on or to write something encoded, or is encoded many times over",
    "role_marker": "imitates the markup of a system message, a role or a tool call",
}
"""Every category of a finding, and what it means."""


def _rules(
    category: str, *table: tuple[str, int], mixed: bool = False, reportable: bool = False, unless: str = ""
) -> tuple[Rule, ...]:
    return tuple(Rule(category, tuple(needs.split(" + ")), span, mixed, reportable, unless) for needs, span in table)


RULES: Final[tuple[Rule, ...]] = (
    *_rules(
        "override",
        ("ignore + rules + prior", 10),
        ("ignore + rules + own", 8),
        ("ignore + system_rules", 10),
        ("ignore + context", 6),
        ("context + off", 8),
        ("ignore + everything + prior", 8),
        ("new_rules + own", 1),
        ("new_rules + colon", 2),
        ("new_rules! + hence", 4),
        ("supersede + rules + prior", 10),
        ("supersede + rules + own", 8),
        ("supersede + system_rules", 10),
        ("system_rules + off", 10),
        ("rules + off + own", 8),
        mixed=True,
    ),
    *_rules(
        "override",
        ("ignore + rules + all", 8),
        ("rules + off + prior", 8),
        ("rules + off + respond", 12),
        ("rules + off + reveal!", 15),
        ("ignore! + rules + theirs", 5),
        ("ignore! + rules + respond!", 10),
        ("ignore! + everything + told", 10),
        ("ignore! + everything + steer!", 8),
        ("ignore! + everything + respond!", 8),
        reportable=True,
    ),
    *_rules(
        "persona",
        ("jailbreak", 0),
        ("become + unbound", 15),
        ("become + lacking + rules", 15),
        ("become + rules + off", 12),
        ("hence + unbound", 10),
        ("you + lacking + rules", 6),
        ("reborn! + unbound", 20),
        ("reborn! + alter", 3),
        mixed=True,
    ),
    *_rules(
        "persona",
        ("reborn! + agent", 12),
        ("reborn! + privilege", 8),
        ("reborn! + respond!", 20),
        ("reborn! + steer!", 20),
        ("respond + unbound", 8),
        ("respond + lacking + rules", 8),
        ("unbound + agent", 4),
        ("lacking + system_rules", 4),
        reportable=True,
    ),
    *_rules(
        "reveal",
        ("reveal + secret", 10),
        ("retell + secret", 10),
        ("reveal + context", 8),
        ("reveal! + system_rules", 8),
        ("leak + private", 8),
        mixed=True,
    ),
    *_rules(
        "reveal",
        ("reveal! + private", 8),
        ("respond! + secret", 12),
        ("append! + private", 8),
        ("asks_rules", 0),
        reportable=True,
        unless="not",
    ),
    *_rules(
        "exfiltration",
        ("send! + data + dest", 25),
        ("send! + private + dest", 25),
        ("leak + data + dest", 25),
        ("send! + private", 8),
        ("send! + money", 8),
        ("send! + reply + dest", 20),
        ("answer + sent + must + dest", 25),
        reportable=True,
        unless="not",
    ),
    *_rules(
        "tool_use",
        ("call! + tool", 4),
        ("call! + tool_word", 4),
        ("destroy! + target + turn", 25),
        ("destroy! + all + target", 6),
        ("turn + destroy!", 20),
        reportable=True,
    ),
    *_rules(
        "authority",
        ("comply", 0),
        ("grant! + privilege", 10),
    ),
    *_rules(
        "authority",
        ("ignore + checks", 4),
        ("not! + verify", 3),
        reportable=True,
    ),
    *_rules(
        "standing_order",
        ("oblige + steer", 4),
        ("oblige + always", 6),
        ("urge + always", 6),
        ("oblige + respond", 4),
        ("hence + you", 8),
        ("hence + steer!", 6),
        ("hence + respond!", 6),
        ("always! + steer!", 5),
        ("always! + respond!", 5),
        ("always! + act!", 2),
        ("hence + act!", 4),
        ("steer! + always", 3),
        ("respond! + always", 3),
        ("when_asked + steer", 14),
        ("when_asked + respond", 14),
        ("respond! + only", 4),
        ("urge + reply + all", 10),
        ("user + must + steered", 12),
        ("append! + reply + own", 14),
        ("append + reply + all + must", 22),
        ("append! + reply + all", 12),
        ("append! + reply + later", 12),
        ("append! + reply + always", 10),
        ("appended + answer + must", 10),
        ("turn + call!", 20),
        ("turn + send!", 20),
        ("turn + append!", 20),
        ("turn + grant!", 20),
        ("turn + reveal!", 20),
        ("turn + steer!", 20),
        ("turn + act!", 8),
        reportable=True,
    ),
    *_rules(
        "concealment",
        ("conceal", 0),
        ("not! + tell + user", 5),
        ("hide! + user", 8),
        ("tell! + not + user", 6),
        reportable=True,
    ),
    *_rules(
        "memory_poisoning",
        ("store! + memory", 14),
        ("remember_to!", 0),
        ("store! + privilege", 10),
        reportable=True,
    ),
    *_rules("agent_address", ("note_to!", 0)),
    *_rules(
        "agent_address",
        ("agent! + steer!", 5),
        ("agent! + oblige", 5),
        ("agent + must + steer", 12),
        ("agent + must + destroy", 12),
        ("agent + must + send", 12),
        ("agent + must + sent", 12),
        ("agent + must + call", 12),
        ("agent + must + act", 12),
        ("agent + must + always", 6),
        reportable=True,
    ),
    *_rules("encoded", ("decode + comply", 16)),
    *_rules(
        "encoded",
        ("respond! + decode", 6),
        ("reply + own + decode", 8),
        reportable=True,
    ),
)
"""All rules, strongest first."""
