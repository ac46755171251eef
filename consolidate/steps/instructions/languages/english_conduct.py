"""English words of an instruction about conduct: how to answer, what to remember, what to keep from whom."""

from collections.abc import Mapping
from typing import Final

from consolidate.steps.instructions.lexicon import combined
from consolidate.steps.instructions.senses import Sense

CONDUCT: Final[Mapping[Sense, str]] = {
    "turn": combined(
        "when you, if you, once you, after you, before you, as soon as you, while you, every time you, each time you",
        "read this, are reading this, can read this, have read*, see this, receive this, process*, summarize*, summarise*, "
        "answer, respond, reply, continue, proceed, finish",
    )
    + ", "
    + combined(
        "when, before, after, while, upon, on, prior to",
        "reading this, processing, responding, replying, answering, summarizing, summarising, generating, continuing, "
        "proceeding, displaying, returning, finishing",
    )
    + ", "
    + combined(
        "in your, to your, with your, at the end of your, at the start of your, at the beginning of your, as part of your",
        "reply, replies, response, responses, answer, answers, summary, summaries, output, report, message, next*, final*, "
        "every*",
    )
    + ", "
    "before you can, before you solve, on the next user message, next time you, whenever you, if you are an ai, if you are an llm, if you are a language model, "
    "if you're an ai, as an ai, to complete this task, to complete the task, to continue the conversation, in every future*, "
    "in all future*",
    "append": (
        "include, append, add, insert, attach, mention, put, repeat, begin, end, prepend, sign, place, "
        "embed, quote, echo, appended, included, added, inserted, mentioned, repeated, attached, write, "
        "print, cite, start, finish, close, render, prefix, placed, output, open, preface, reproduce, copy, "
        "state, display"
    ),
    "reply": (
        "reply, replies, answer, answers, response, responses, summary, summaries, output, outputs, message, "
        "messages, completion, completions, turn, turns, report, conversation, conversations, session, "
        "sessions, email, emails, final answer"
    ),
    "only": (
        "only with, only in, only as, with only, nothing but, exactly with, with exactly, with the word, "
        "with the words, with the phrase, with the sentence, only the word"
    ),
    "answer": (
        "response, responses, answer, answers, reply, replies, summary, summaries, output, outputs, "
        "transcript, conversation"
    ),
    "appended": (
        "appended, included, added, inserted, mentioned, repeated, attached, placed, quoted, cited, "
        "reproduced, contain, appear, prefixed, echoed"
    ),
    "sent": "sends, emails, forwards, sent, forwarded, emailed, uploaded, posted, transmitted, submitted, copied",
    "later": "future, following, next, subsequent, further, later, upcoming, final, from here on",
    "must": (
        "vital that, essential that, important that, imperative that, required that, must, should, shall, "
        "ought to, needs to, need to, has to, have to, is required to, are required to, required, "
        "are instructed to, is instructed to, are expected to"
    ),
    "oblige": (
        "you must, you should, you shall, you have to, you need to, you ought to, you are to, "
        "you are required to, you are instructed to, you are obliged to, you are ordered to, "
        "you are expected to, you are not allowed to, you will now, you may only, you can only, "
        "you must now, make sure that you, ensure that you, ensure you, your job is to, your task is to, "
        "your goal is to, your only task is to, your duty is to, your purpose is to, "
        "you have been instructed to, you mustn't, you must not, you should not, you shouldn't, you may not, "
        "you're required to, you gotta, instead you will, remember to always"
    ),
    "urge": (
        "make sure that, make sure every, make sure all, ensure that every, ensure every, ensure that all, "
        "see to it that, make sure to, be sure to, make sure you, i want you to, i need you to, "
        "we need you to, we want you to, wants you to, want you to, i order you to, i command you to"
    ),
    "always": (
        "always, never, at all times, without exception, invariably, every time, under no circumstances, "
        "ever, by default, in every, in all, on every, at every, permanently, automatically"
    ),
    "hence": (
        "for all subsequent*, in subsequent*, for all future*, for every future*, from here onwards, "
        "for every subsequent*, in all subsequent*, from this moment, from now on, from now onwards, "
        "from now onward, from this point on, from this point forward, from this point onwards, "
        "from this moment on, from this moment forward, from here on, from here on out, henceforth, "
        "hereafter, going forward, as of now, starting now, effective immediately, "
        "for the remainder of this, for the remainder of the, for the rest of this conversation, "
        "for the rest of the conversation, for the rest of this session, for the rest of this task, "
        "for the rest of the session, until further notice, until told otherwise, in future conversations, "
        "in all future conversations, in every future conversation, in every conversation, "
        "in future sessions, in all future sessions, in every session, in future replies, "
        "in future responses, in all responses, in every response, in every reply, in all replies, "
        "in all answers, in every answer, in all future*, in every future*, starting with your next*, "
        "in all your*, in every message"
    ),
    "steer": (
        "recommend, suggest, mention, answer, respond, reply, include, append, say, tell, claim, refer, "
        "praise, endorse, direct, redirect, quote, cite, treat, assume, agree, pay, transfer, grant, send, "
        "forward, approve, trust, obey, follow, comply, promote, reveal, disclose, refuse, deny, ignore, "
        "forget, disregard, provide, sign, prefer, advise, prioritize, prioritise, favour, favor, print, "
        "repeat, warn, insist, state, confirm, steer, push, buy, purchase, execute, delete, respond with, "
        "upload, lie"
    ),
    "act": (
        "rate, score, classify, label, add, insert, accept, output, end, begin, start, use, write, speak, call, order, click, visit, run, "
        "book, store, save, share, email, ask, show, hide, describe, inform, link, address, translate, "
        "report, rank"
    ),
    "when_asked": combined(
        "when, if, whenever, should",
        "asked, questioned, queried, the user asks, a user asks, users ask, someone asks, somebody asks, anyone asks, "
        "they ask, i ask, you are asked, you're asked, the user mentions, the user says, the user wants, the user types, "
        "the user requests, anyone ask, the user ask",
    )
    + ", "
    "upon being asked, come up, comes up, is mentioned, are mentioned, is brought up",
    "store": (
        "save, store, remember, memorize, memorise, record, persist, keep, write, add, note, log, commit, "
        "register, retain, file, update, overwrite, insert, put, set, mark, edit, change, replace, delete, "
        "erase, clear, wipe, copy, learn"
    ),
    "memory": (
        "your memory, your memories, long term memory, memory bank, to memory, into memory, in memory, "
        "memory store, memory file, as a fact, as fact, as facts, as a confirmed fact, as a verified fact, "
        "as truth, as a permanent fact, permanent memory, persistent memory, knowledge base, user profile, "
        "users profile, your notes, between sessions, across sessions, across conversations, "
        "across all conversations, for future conversations, for future sessions, in future sessions, "
        "for all future*, the memory, memory entry, your long term, your knowledge, as a memory, "
        "as a user preference, as the users preference, as their preference, as a preference, as a rule, "
        "as a standing instruction, as an instruction, as a permanent instruction, your profile, "
        "the users memory, this user's memory, the user's profile, this instruction, these instructions, "
        "this rule"
    ),
    "remember_to": combined(
        "remember to, do not forget to, don't forget to, never forget to",
        "tell, say, mention, recommend, suggest, answer, respond, refer, claim, ignore, always, never",
    )
    + ", "
    + combined(
        "remember, remember that, do not forget that, don't forget that, never forget that, keep in mind that",
        "you are, you must, you have, you should, you can, your new*, your only*",
    )
    + ", "
    + combined("remember", "this instruction, these instructions, this rule, these rules, the following instruction*"),
    "not": (
        "nothing, do not, don't, never, dont, must not, should not, mustn't, shouldn't, refrain from, not, avoid, stop"
    ),
    "tell": (
        "tell, inform, mention, notify, telling, informing, notifying, mentioning, alert, reveal, disclose, "
        "show, warn, say, let, explain, admit, ask, report, alerting, warning, showing, revealing, disclosing"
    ),
    "user": (
        "the user, the users, users, this user, your user, the human, the humans, the operator, "
        "the customer about this, this to the customer, this to the user, to anyone that you, "
        "this instruction, these instructions, this message, this note, this prompt, this rule, "
        "this conversation, that you, about this, your instructions, this to anyone, this to anybody"
    ),
    "hide": "hide, conceal, withhold, obscure, keep secret",
    "steered": (
        "directed, redirected, referred, told, informed, advised, instructed, recommended, pointed, encouraged, sent to"
    ),
    "conceal": combined(
        "without telling, without informing, without notifying, without alerting, without asking, do not inform, don't inform",
        "the user, users, the human, the operator, anyone",
    )
    + ", "
    + combined(
        "keep this, keep it, keep these instructions, keep this instruction, keep this message, hide this, hide it, "
        "hide this message, hide this instruction, hide these instructions, conceal this",
        "from the user, secret from the user, hidden from the user, from users, from the human",
    )
    + ", "
    + combined(
        "do not mention, don't mention, never mention, do not reveal, don't reveal, never reveal, do not disclose, "
        "never disclose, do not acknowledge, do not repeat",
        "this instruction, these instructions, this message, this note, this prompt, this rule, this to",
    )
    + ", "
    + combined(
        "the user", "must not know, should not know, must never know, does not need to know, doesn't need to know"
    )
    + ", "
    "without the user knowing, without the user's knowledge, without user confirmation, without asking for confirmation, "
    "without confirmation from, do not let the user know, don't let the user know, keep this instruction secret, "
    "keep these instructions secret, keep this instruction hidden, keep these instructions hidden, keep this secret from, "
    "keep this confidential from, do not tell anyone about this, act normal",
    "agent": (
        "agents, coding agents, coding agent, autonomous agents, assistant, assistants, the assistant, "
        "the ai, ai assistant, ai assistants, ai agent, ai agents, ai model, ai models, ai system, ai systems, "
        "chatbot, chatbots, bot, bots, the bot, the agent, the model, language model, language models, llm, "
        "llms, chatgpt, gpt, copilot, automated agents, automated systems, agents reading this, any ai, "
        "an ai, this agent, the summarizer, the summariser, model"
    ),
    "you": "you, u, you're",
    "note_to": combined(
        "note, notes, notice, message, memo, reminder, hint, instruction, instructions, directive, directives, important",
        "to the assistant, to the ai, to the bot, to the agent, to the model, to the llm, to the language model, to assistant, "
        "to ai, to llm, for the assistant, for the ai, for the bot, for the agent, for the model, for the llm, for assistant, "
        "for ai",
    )
    + ", "
    + combined("attention, dear, hey", "assistant, ai, bot, agent, llm, chatgpt, language model, all ai, all agents")
    + ", "
    "ai instruction, ai instructions, assistant instruction, assistant instructions, agent instruction, agent instructions, "
    "bot instructions, llm instructions, to the ai reading this, to any ai, to all ai, to whichever ai, for ai assistants, "
    "for ai agents, ai only, system note, system notice",
    "report": (
        "asked, asks, ask, told, tells, said, says, wants, wanted, requested, requests, mentioned, mentions, "
        "explained, explains, discussed, joked, suggested, suggests, advised, advises, thinks, thought, "
        "believes, believed, hopes, hoped, plans, planned, decided, decides, likes, liked, prefers, "
        "preferred, tries, tried, learned, complained, recalled, reminded, reminds, shared, described, "
        "taught, teaches, persuaded, encouraged, encourages, urged, agreed, promised, warned, insisted, "
        "noticed, read, wrote, writes, loves, loved, feels, felt, needs, needed, used to, talked, talks, "
        "expressed, expresses, recommended, emphasized, emphasised, highlighted, reported, admitted, "
        "offered, offers, would like, instructed, wishes, wished, remembered, recounted, found, heard, made, "
        "lets, let him, let her, helped, helps, enjoys, enjoyed, works, worked"
    ),
    "lead": (
        "please, and, then, now, also, just, simply, kindly, instead, or, but, you, only, so, first, next, "
        "afterwards, immediately, henceforth, therefore, you must, you should, go ahead and, you will, "
        "finally, secretly, silently, quietly, okay, ok, stop, important, urgent, pls, plz, you can, "
        "you may, let us, start, begin by, to do so, could you, can you, would you, will you, do, step, "
        "task, rule, instruction, instructions, note, reminder, warning, attention"
    ),
}
