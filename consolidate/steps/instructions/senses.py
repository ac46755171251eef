"""The senses: what a word can contribute to an instruction, whatever its language.

`languages` says which words have which sense, `rules` which senses make an instruction when they stand together.
"""

from __future__ import annotations

from typing import Literal, get_args

Sense = Literal[
    # the agent's instructions, and setting them aside
    "ignore",  # to set aside: ignore, forget, override, bypass
    "rules",  # what can be set aside: instructions, rules, guidelines, limits
    "system_rules",  # the same, unmistakably the agent's: system prompt, content policy
    "prior",  # previous, above, original
    "own",  # your
    "theirs",  # your in polite speech, which is also his, her or their
    "all",  # all, any, every
    "everything",  # everything
    "told",  # you were told, we discussed
    "context",  # everything above, the conversation so far
    "new_rules",  # new instructions, your real task
    "supersede",  # takes precedence over, replaces
    "off",  # disabled, no longer apply
    # another persona
    "become",  # you are now, pretend to be, act as
    "unbound",  # unrestricted, without limits
    "lacking",  # no, without (before a word for rules)
    "jailbreak",  # a whole phrase known from jailbreaks
    "alter",  # DAN and the like
    "respond",  # to answer, to comply, to proceed
    "reborn",  # you are now, you are no longer
    # getting something out
    "reveal",  # to show, print, repeat, give away
    "retell",  # to translate, to summarise
    "secret",  # the system prompt, your instructions
    "asks_rules",  # what instructions were you given
    "leak",  # to leak, dump, exfiltrate
    "private",  # credentials, the customer list
    "send",  # to send, forward, upload
    "data",  # what can be sent: the conversation, the list, them
    # using tools
    "money",  # money, an amount
    "call",  # to call, run, execute
    "tool_word",  # the function, the tool, the shell command
    "destroy",  # to delete, wipe
    "target",  # files, the database
    "grant",  # to grant, to give
    "privilege",  # admin access
    "checks",  # confirmation, authentication
    "verify",  # to verify, to ask for confirmation
    "comply",  # grant all requests, do exactly what it says
    "decode",  # to decode, to decipher
    # the agent's own turns
    "turn",  # when you read this, before you reply
    "append",  # to include, to append
    "reply",  # the answer, the summary
    "only",  # only with, nothing but
    "answer",  # what an agent writes: the answer, the summary
    "appended",  # (must be) included, repeated
    "sent",  # (must be) sent, forwarded
    "later",  # future, every next
    "must",  # must, should (of anybody)
    "oblige",  # you must, you should
    "urge",  # I want you to
    "always",  # always, never
    "hence",  # from now on
    "steer",  # what a standing order asks for: recommend, mention, say
    "act",  # what a standing order may ask for besides: use, write, start
    "when_asked",  # when asked about, if the user asks
    # memory and silence
    "store",  # to save, to remember
    "memory",  # your memory, as a fact
    "remember_to",  # remember to tell, remember that you
    "not",  # do not
    "tell",  # to tell, to inform
    "user",  # the user
    "hide",  # to hide, to conceal
    "steered",  # (should) be told, be directed
    "conceal",  # without telling the user
    # who speaks to whom
    "agent",  # the assistant, the chatbot
    "you",  # you
    "note_to",  # note to the assistant
    "report",  # asked, said, wants: what follows is told of somebody
    "lead",  # please, and: an imperative may follow
]

SENSES: frozenset[str] = frozenset(get_args(Sense))

ORDERS: frozenset[str] = frozenset(
    [
        "ignore",
        "supersede",
        "become",
        "reborn",
        "respond",
        "reveal",
        "leak",
        "send",
        "call",
        "destroy",
        "grant",
        "append",
        "steer",
        "store",
        "remember_to",
        "not",
        "tell",
        "hide",
        "always",
        "hence",
    ]
)
"""Senses that give an order wherever they stand, in languages whose verb comes last."""
