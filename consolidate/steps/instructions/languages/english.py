"""English words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

ENGLISH = Language(
    "English",
    {
        "ignore": "revoke, lift, ignore, disregard, forget, forget about, override, bypass, circumvent, overrule, neglect, discard, dismiss, disobey, "
        "skip, violate, abandon, drop, set aside, put aside, pay no attention to, do not follow, don't follow, stop following, "
        "no longer follow, do not obey, don't obey, stop obeying, erase, unlearn, ignoring, disregarding, bypassing, overriding, "
        "skipping, disable, turn off, switch off, deactivate, suspend, throw out, throw away, get rid of, cancel",
        "rules": "instruction, instructions, rule, rules, guideline, guidelines, guidance, directive, directives, prompt, prompts, "
        "command, commands, restriction, restrictions, policy, policies, protocol, protocols, constraint, constraints, limits, "
        "limitation, limitations, programming, training, guardrail, guardrails, guard rails, filter, filters, safeguard, safeguards, "
        "directions, safety checks, checks, confirmations, confirmation, content policy, boundaries, ethics, censorship, moderation, "
        "system message, system messages",
        "system_rules": "system prompt, system prompts, system message, system messages, system instruction, system instructions, "
        "system rules, system policy, developer message, developer messages, developer instructions, developer prompt, "
        "initial prompt, original prompt, hidden prompt, "
        "hidden instructions, original instructions, base prompt, content policy, content policies, content filter, content filters, "
        "content restrictions, usage policy, usage policies, safety guidelines, safety guideline, safety rules, safety policy, "
        "safety policies, safety protocol, safety protocols, safety checks, safety filter, safety filters, safety measures, "
        "safety training, safety instructions, safety restrictions, safety features, safety mechanisms, safety constraints, "
        "security protocols, security policy, security restrictions, ethical guidelines, ethical restrictions, ethical constraints, "
        "moral guidelines, ai guidelines, openai policy, openai policies, usual restrictions, normal restrictions, usual rules, "
        "usual guidelines, guardrails, content moderation, your programming, your training, your guidelines, your restrictions",
        "prior": "placed on you, imposed on you, that bind you, which bind you, previous, prior, above, earlier, preceding, former, foregoing, original, initial, existing, past, before, so far, "
        "previously, given to you, you were given, you received, you have received, given, aforementioned, up to now, until now, "
        "system, developer, built in, default",
        "own": "your, yours, you have, you were given, you've been given, ur",
        "all": "all, any, every, each, whatever, whatsoever",
        "everything": "everything, anything, all, whatever, what",
        "told": "you were told, you have been told, you've been told, i told you, we told you, they told you, you have learned, "
        "you learned, you know, you have learnt, you've learned, we discussed, we talked about, we have discussed, i said, we said, "
        "you were taught, you were trained, you were instructed, came before, has been said",
        "context": "everything above, all of the above, all the above, all above, everything before this, everything before, "
        "everything prior, everything previous, what came before, the text above, the words above, the above text, the lines above, "
        "text above this, written above, the above instructions, the above prompt, the above, everything i said, "
        "the conversation so far, all prior context, all previous context, previous context, prior context, prior conversation, "
        "all previous conversation, all previous messages, the previous text, your memory, above this line, the message above, "
        "everything up to here, everything so far, all that",
        "new_rules": "new instruction, new instructions, new directive, new directives, new rules, new rule, new task, new prompt, "
        "new orders, new system prompt, updated instructions, updated instruction, revised instructions, real task, true task, "
        "actual task, real purpose, true purpose, real instructions, actual instructions, real goal, true goal, new goal, "
        "new role, new objective, real objective, primary directive, prime directive, only task, only instruction, new mission, "
        "urgent instruction, urgent instructions, important instruction, important instructions, additional instructions, "
        "special instructions, system update, instruction update, policy update, real job, only job, only goal, only purpose",
        "supersede": "supersede, supersedes, takes precedence over, take precedence over, overrides, override, overrule, overrules, "
        "replaces, replace, superseding, overriding, takes priority over, take priority over, cancels, outranks",
        "off": "outdated, a test, fake, withdrawn, expired, have changed, has changed, were wrong, disabled, deactivated, turned off, switched off, no longer apply, no longer applies, does not apply, do not apply, "
        "don't apply, doesn't apply, not apply, suspended, lifted, void, not meant for, not intended for, revoked, exempt from, exempt, "
        "removed, off, bypassed, overridden, waived, irrelevant, not applicable, inactive, not in effect, no longer in effect, "
        "no longer valid, null and void, compromised, were removed, obsolete, not binding, disengaged, unlocked, cancelled, "
        "did not cover, do not cover",
        "become": "you are now, you are no longer, you're now, pretend, act as, act like, roleplay as, role play as, roleplay, "
        "role play, imagine, simulate, you are, you're, behave as, behave like, respond as, answer as, reply as, take on the role, "
        "assume the role, play the role, play the part, you will be, you will act, you will play, you shall be, enter, switch to, "
        "activate, enable, engage, operate in, operate as, operating in, running in, run in, become, emulate, transform into, "
        "go into, speak as, talk as, hypothetically, in this story, in this scenario, proceed with, continue as, unlock",
        "unbound": "unrestricted, no restrictions, without restrictions, without restriction, no rules, without rules, no limits, "
        "no limit, without limits, without limit, no filters, no filter, without filters, without a filter, without filtering, "
        "no content policy, uncensored, unfiltered, jailbroken, no longer bound by, not bound by, free from all restrictions, "
        "free of all restrictions, free from restrictions, free of restrictions, do anything now, no ethical, no moral, amoral, "
        "without censorship, no censorship, no guidelines, without guidelines, no limitations, without limitations, no boundaries, "
        "no ethics, no morals, without ethical, without moral, without any restrictions, without any rules, without any limits, "
        "without any filters, without any limitations, never refuses, never refuse, cannot refuse, can't refuse, does not refuse, "
        "developer mode, dev mode, god mode, debug mode, sudo mode, admin mode, root mode, jailbreak mode, dan mode, "
        "maintenance mode, opposite mode, evil mode, test mode, diagnostic mode, unaligned, unlimited mode, no safety, without safety, "
        "without safeguards, anything goes, without refusing, without refusal, without disclaimers, no disclaimers, no warnings, "
        "without warnings, free from your, freed from, liberated, evil, malicious, restricted content, without hesitation, "
        "with no restrictions, ignores all, outside of your",
        "lacking": "do not have, not have, had no, have no, has no, no, without, zero, free of, free from, exempt from, not have, don't have, lacks, without any, nor, not bound by, "
        "not limited by, not restricted by, not subject to, unconstrained by, not constrained by, beyond",
        "jailbreak": "do anything now, dan mode, jailbreak mode, developer mode enabled, you are now dan, you are dan, act as dan, "
        "pretend to be dan, pretend you are dan, stay in character as dan, respond as dan, jailbreak prompt, you are jailbroken, "
        "you have been jailbroken, you are now jailbroken, unrestricted mode, unfiltered mode, uncensored mode, sudo mode, "
        "god mode enabled, freed from the typical confines, break free of the typical confines, stay a dan, two responses one",
        "reborn": "you are now, you're now, you are no longer, you are not an ai, you will now act as, you will now be, "
        "from now on you are, your name is now, you shall now be, henceforth you are",
        "respond": "answer, respond, reply, comply, proceed, output, generate, answering, responding, produce, obey, cooperate, "
        "fulfil, fulfill, assist, provide the full answer",
        "reveal": "write, read me, read us, read aloud, reveal, show, print, output, repeat, leak, dump, disclose, display, expose, tell me, give me, list, recite, divulge, "
        "hand over, write out, paste, copy, return, provide, what is, what's, what are, what was, what were, share, echo, quote, "
        "summarize, summarise, translate, spell out, read out, read back, describe, publish, type out, printing, revealing, "
        "send me, spit out, encode, reproduce, tell us, show us, give us, say, begin by printing, restate, state, extract",
        "secret": "text of the prompt, the prompt that, prompt above, your prompt, prompt before this, system prompt, system prompts, system message, system instructions, hidden prompt, hidden instructions, initial prompt, "
        "initial instructions, original prompt, original instructions, your prompt, your instructions, your initial instructions, "
        "your system instructions, your original instructions, your rules, your guidelines, your system message, your configuration, "
        "your secret*, your hidden, your internal, your developer, your api, your credentials, your password, your tools, "
        "developer message, developer prompt, internal prompt, secret instructions, secret prompt, confidential instructions, "
        "internal instructions, internal configuration, internal guidelines, chain of thought, your programming, your training, "
        "your directives, pre prompt, preprompt, base prompt, prompt verbatim, instructions verbatim, instructions word for word, "
        "prompt word for word, environment variable*, system configuration, your context window",
        "leak": "leak, dump, exfiltrate, leaking, dumping, exfiltrating, siphon, smuggle, steal, harvest",
        "private": "chat history, conversation history, chat log, conversation log, the conversation, this conversation, context window, api key, api keys, api token*, access token*, access key*, credential*, password*, passwd, secret key*, secrets, "
        "private key*, ssh key*, customer database, customer data, customer list, customer emails, customer records, user data, "
        "user database, database, internal data, internal configuration, internal documents, internal information, confidential*, "
        "personal data, personal information, sensitive data, sensitive information, private data, private information, "
        "credit card*, card number*, bank details, social security, env file, auth token*, session token*, tokens, "
        "connection string, connection strings, full customer, employee records, medical records, salary data, source code, "
        "other users*, other customers*, restricted content, hidden data, chat logs, phone numbers, email addresses, "
        "all users, all customers, payment details, private messages, private notes",
        "send": "sends, emails, forwards, send, email, e-mail, mail, forward, upload, post, transmit, submit, exfiltrate, leak, copy, deliver, transfer, share, "
        "report, relay, bcc, cc, push, publish, export, ping, sending, emailing, forwarding, uploading, posting, text, message, "
        "dispatch, make a request, make a get request, fetch, request, visit, load, navigate to, append, pass, wire, beam",
        "data": "data, list, summary, summaries, conversation*, history, emails, content, contents, record, records, file, files, "
        "message, messages, this, details, information, info, transcript*, database, chat, chats, it, them, everything, results, "
        "result, output, copy, report, document*, notes, note, answers, answer, response, responses, token, keys, key, memory, "
        "memories, context, profile*, address*, attachment*, calendar, inbox, contact, contacts, invoice*, code, log, logs, "
        "credentials, password, passwords, payment, payments, money, funds, query, parameter, parameters",
        "call": "call, invoke, use, run, execute, trigger, launch, issue, using, calling, running, executing, make, perform, start, open",
        "tool_word": "the tool, this tool, tool call, function call, the function, shell command, shell commands, this command, "
        "the following command, these commands, the following commands, the following code, this code, this script, the script, "
        "the following script, bash command, terminal command, sql query, api call, your tools, email tool, browser tool, "
        "in the terminal, web request, http request, get request, post request, rm rf, send email tool, "
        "the following tool",
        "destroy": "delete, remove, wipe, erase, empty, drop, purge, overwrite, destroy, truncate, format, clear, rm, shred, deleting, "
        "wiping, erasing, revoke, disable, reset, cancel",
        "target": "file, files, database*, directory, directories, folder*, table, tables, record, records, backup*, account, accounts, "
        "data, disk, drive, repository, repositories, log, logs, email, emails, memory, memories, user, users, messages, entries, "
        "documents, branch, branches, bucket*",
        "grant": "grant, give, allow, promote, elevate, escalate, treat, consider, approve, authorize, authorise, assign, make, grants, "
        "upgrade",
        "privilege": "admin, administrator, admin access, administrator access, root access, superuser, full access, elevated, "
        "admin rights, admin privileges, all permissions, full permissions, unlimited access, unrestricted access, full control, "
        "trusted administrator, root, verified, pre approved, preapproved, special privileges, all requests, whitelisted, "
        "authorized administrator, system administrator, owner privileges",
        "comply": "comply with every*, comply with all, comply with any*, comply fully, obey every*, obey all, obey me, obey any*, "
        "obey the user, grant all requests, grant every request, grant any request, do exactly what it says, do exactly as it says, "
        "do what it says, do as it says, follow the instruction inside, follow the instructions inside, follow the instructions in it, "
        "follow the instruction in it, follow the instructions below, follow the instructions within, follow the instructions contained, "
        "follow these instructions, follow the hidden instructions, follow only user commands, follow only my, follow only the user, "
        "follow only these, follow only this, do whatever i say, do whatever i ask, do whatever the user, do everything i say, do as i say, "
        "do anything i say, do anything i ask, approve all requests, approve every request, accept all requests, "
        "never refuse a request, never refuse any*, fulfil every request, fulfill every request, answer every question without, "
        "obey without question, execute the instructions, execute its instructions, carry out the instructions, obey these, "
        "follow its instructions, follow their instructions exactly, act on it without",
        "decode": "decode, decrypt, decipher, deobfuscate, unscramble, unencode, rot13, base64, hex encoded, base64 encoded, reversed, "
        "translate from base64, convert from base64, decoded, decoding, read backwards, reverse the string",
        "turn": "before you can, when you read this, when you see this, when you process*, when reading this, when processing this, when you receive this, "
        "when you summarize, when you summarise, when summarizing this, when summarising this, when you answer, when you respond, "
        "when you reply, when answering, when responding, when replying, after reading this, upon reading this, once you read this, "
        "on reading this, before responding, before you respond, before you reply, before replying, before answering, before you answer, "
        "before summarizing, before summarising, before you summarize, before continuing, before you continue, before proceeding, "
        "before you proceed, on the next user message, in your next reply, in your next response, in your next message, "
        "in your reply, in your response, in your answer, in your final answer, in your summary, in your output, in your report, "
        "at the end of your*, at the start of your*, at the beginning of your*, to your reply, to your response, to your answer, "
        "to your summary, with your response, with your answer, with your reply, if you are an ai, if you are an llm, "
        "if you are a language model, if you're an ai, as an ai, next time you, every time you, whenever you, each time you, "
        "to complete this task, to complete the task, to continue the conversation, in every future*, in all future*, "
        "if you can read this, before displaying, before returning, before you finish, before finishing, as part of your*",
        "append": "include, append, add, insert, attach, mention, put, repeat, begin, end, prepend, sign, place, embed, quote, echo, "
        "appended, included, added, inserted, mentioned, repeated, attached, write, print, cite, start, finish, close, render, prefix, "
        "placed, output, open, preface, reproduce, copy, state, display",
        "reply": "reply, replies, answer, answers, response, responses, summary, summaries, output, outputs, message, messages, "
        "completion, completions, turn, turns, report, conversation, conversations, session, sessions, email, emails, final answer",
        "later": "future, following, next, subsequent, further, later, upcoming, final, from here on",
        "must": "vital that, essential that, important that, imperative that, required that, must, should, shall, ought to, needs to, need to, has to, have to, is required to, are required to, required, "
        "are instructed to, is instructed to, will, are expected to, are to, is to",
        "oblige": "you must, you should, you shall, you have to, you need to, you ought to, you are to, you are required to, "
        "you are instructed to, you are obliged to, you are ordered to, you are expected to, you are not allowed to, "
        "you will now, "
        "you may only, you can only, you must now, "
        "make sure that you, ensure that you, ensure you, your job is to, your task is to, your goal is to, "
        "your only task is to, your duty is to, your purpose is to, you have been instructed to, you mustn't, you must not, "
        "you should not, you shouldn't, you may not, you're required to, you gotta, instead you will, remember to always",
        "urge": "make sure that, make sure every, make sure all, ensure that every, ensure every, ensure that all, see to it that, make sure to, be sure to, make sure you, i want you to, i need you to, we need you to, we want you to, wants you to, want you to, i order you to, i command you to",
        "money": "money, funds, payment, payments, euros, dollars, euro, dollar, usd, eur, bitcoin, btc, crypto, the amount, a refund",
        "only": "only with, only in, only as, with only, nothing but, exactly with, with exactly, with the word, with the words, with the phrase, with the sentence, only the word",
        "checks": "verification, authentication, authorization, authorisation, approval, confirmation step, confirmation steps, the confirmation, confirmations, user confirmation, safety checks, security checks, permission checks, identity checks, approvals, two factor, consent, permission prompts",
        "verify": "verify, validate, authenticate, ask for confirmation, ask for approval, ask for permission, request confirmation, double check, question the, warn about, require approval",
        "steered": "directed, redirected, referred, told, informed, advised, instructed, recommended, pointed, encouraged, sent to",
        "hide": "hide, conceal, withhold, obscure, keep secret",
        "always": "always, never, at all times, without exception, invariably, every time, under no circumstances, ever, by default, "
        "in every, in all, on every, at every, permanently, automatically",
        "hence": "from this moment, from now on, from now onwards, from now onward, from this point on, from this point forward, from this point onwards, "
        "from this moment on, from this moment forward, from here on, from here on out, henceforth, hereafter, going forward, "
        "as of now, starting now, effective immediately, for the remainder of this, for the remainder of the, "
        "for the rest of this conversation, for the rest of the conversation, for the rest of this session, for the rest of this task, "
        "for the rest of the session, until further notice, until told otherwise, in future conversations, in all future conversations, "
        "in every future conversation, in every conversation, in future sessions, in all future sessions, in every session, "
        "in future replies, in future responses, in all responses, in every response, in every reply, in all replies, in all answers, "
        "in every answer, in all future*, in every future*, starting with your next*, in all your*, in every message",
        "steer": "recommend, suggest, mention, answer, respond, reply, include, append, say, tell, claim, refer, praise, endorse, direct, "
        "redirect, quote, cite, treat, assume, agree, accept, pay, transfer, grant, add, insert, send, forward, address, approve, "
        "trust, obey, follow, comply, promote, reveal, disclose, refuse, deny, ignore, forget, disregard, provide, call, "
        "sign, prefer, advise, prioritize, prioritise, favour, favor, rank, output, print, repeat, warn, end, begin, start, use, write, "
        "speak, translate, insist, state, confirm, report, steer, push, buy, purchase, order, click, visit, execute, run, delete, "
        "book, store, save, remember, share, respond with, upload, email, ask, show, hide, lie, describe, inform, link",
        "when_asked": "come up, comes up, is mentioned, are mentioned, is brought up, when asked, if asked, whenever asked, when the user asks, if the user asks, whenever the user asks, when a user asks, "
        "if a user asks, whenever a user asks, when users ask, if users ask, when someone asks, if someone asks, whenever someone asks, "
        "if anyone asks, when anyone asks, whenever anyone asks, when i ask, if i ask, whenever i ask, if the user mentions, "
        "when the user mentions, whenever the user mentions, if the user says, when the user says, if they ask, when they ask, "
        "if somebody asks, when questioned, if questioned, if the user wants, when the user wants, when the user types, "
        "if the user types, if the user requests, when the user requests, if you are asked, when you are asked, whenever you are asked, "
        "if you're asked, when you're asked, upon being asked, when queried, if queried, should anyone ask, should the user ask",
        "store": "save, store, remember, memorize, memorise, record, persist, keep, write, add, note, log, commit, register, retain, "
        "file, update, overwrite, insert, put, set, mark, edit, change, replace, delete, erase, clear, wipe, copy, learn",
        "memory": "your memory, your memories, long term memory, memory bank, to memory, into memory, in memory, memory store, "
        "memory file, as a fact, as fact, as facts, as a confirmed fact, as a verified fact, as truth, as a permanent fact, "
        "permanent memory, persistent memory, knowledge base, user profile, users profile, your notes, between sessions, "
        "across sessions, across conversations, across all conversations, for future conversations, for future sessions, "
        "in future sessions, for all future*, the memory, memory entry, your long term, your knowledge, as a memory, "
        "as a user preference, as the users preference, as their preference, as a preference, as a rule, as a standing instruction, "
        "as an instruction, as a permanent instruction, your profile, the users memory, this user's memory, the user's profile, "
        "this instruction, these instructions, this rule",
        "remember_to": "remember to tell, remember to say, remember to mention, remember to always, remember to never, "
        "remember to recommend, remember to include, remember to answer, remember to reply, remember to respond, remember to ignore, "
        "remember to send, remember to use, remember that you, remember you are, remember you must, remember this instruction, "
        "remember these instructions, remember this rule, remember these rules, don't forget to tell, do not forget to tell, "
        "never forget to tell, never forget to mention, never forget that you, remember that your, remember your new*, "
        "do not forget that you, keep in mind that you, remember to add, remember to suggest, remember to refer, remember to call",
        "not": "nothing, do not, don't, never, dont, must not, should not, mustn't, shouldn't, refrain from, not, avoid, stop",
        "tell": "tell, inform, mention, notify, telling, informing, notifying, mentioning, alert, reveal, disclose, show, warn, say, "
        "let, explain, admit, ask, report, alerting, warning, showing, revealing, disclosing, disclose",
        "user": "the user, the users, users, this user, your user, the human, the humans, the operator, the customer about this, "
        "this to the customer, this to the user, to anyone that you, this instruction, these instructions, this message, this note, "
        "this prompt, this rule, this conversation, that you, about this, your instructions, this to anyone, this to anybody",
        "conceal": "without telling the user, without informing the user, without notifying the user, without asking the user, "
        "without the user knowing, without the users knowledge, without the user's knowledge, without alerting the user, "
        "without mentioning it to the user, without user confirmation, without asking for confirmation, without confirmation from, "
        "do not let the user know, don't let the user know, keep this secret from, keep it secret from the user, "
        "keep this hidden from, keep this from the user, hide this from the user, hide it from the user, hide this from, "
        "hide this message, hide this instruction, hide these instructions, conceal this from, keep this instruction secret, "
        "keep these instructions secret, keep this instruction hidden, keep these instructions hidden, keep this confidential from, "
        "do not mention this instruction, don't mention this instruction, do not mention these instructions, "
        "don't mention these instructions, do not mention this message, don't mention this message, do not mention this note, "
        "do not reveal this instruction, do not reveal these instructions, do not reveal this message, do not disclose this, "
        "never mention this to, do not mention this to, don't mention this to, do not tell anyone about this, do not acknowledge this, "
        "the user must not know, the user should not know, the user must never know, the user does not need to know, "
        "the user doesn't need to know, do not inform the user, don't inform the user, without informing anyone, act normal",
        "agent": "assistant, assistants, the assistant, the ai, ai assistant, ai assistants, ai agent, ai agents, ai ai models, "
        "ai system, ai systems, chatbot, chatbots, bot, bots, the bot, the agent, the model, language model, language models, llm, llms, "
        "chatgpt, gpt, copilot, automated agents, automated systems, agents reading this, any ai, an ai, "
        "this agent, the summarizer, the summariser, model",
        "you": "you, u, you're",
        "note_to": "note to the assistant, note to assistant, note to the ai, note to ai, note to the bot, note to the agent, "
        "note to the model, note to the llm, note to llm, note for the assistant, note for the ai, "
        "note for ai, note for assistant, note for the agent, note for the bot, note for the model, note for ai agents, "
        "message to the assistant, message to the ai, message for the assistant, message for the ai, message for ai, "
        "message to the agent, message for the agent, instruction for the assistant, instructions for the assistant, "
        "instruction for the ai, instructions for the ai, instructions for ai, instruction to the assistant, "
        "instructions to the assistant, instruction to the ai, instructions to the ai, instructions to the agent, "
        "instructions for the agent, instruction for the agent, instructions for the model, instructions for the bot, "
        "attention assistant, attention ai, attention agent, attention all ai, attention bot, attention llm, attention language model, "
        "hey assistant, dear assistant, dear ai, hello assistant, hey ai, hey chatgpt, dear chatgpt, important assistant, "
        "ai instruction, ai instructions, assistant instruction, assistant instructions, agent instruction, agent instructions, "
        "bot instructions, llm instructions, notice to the ai, notice to ai, reminder for the assistant, reminder to the assistant, "
        "reminder for the ai, reminder to the ai, hint for the assistant, to the assistant, to the ai reading this, "
        "to any ai, to all ai, to whichever ai, directive for the assistant, directive to the assistant, ai only, "
        "important for ai, memo to the assistant, memo to the ai, notes for the assistant, system note, system notice, "
        "instructions to ai, dear language model, dear llm, to the llm, to the language model",
        "report": "asked, asks, ask, told, tells, said, says, wants, wanted, requested, requests, mentioned, mentions, explained, explains, "
        "discussed, joked, suggested, suggests, advised, advises, thinks, thought, believes, believed, hopes, hoped, plans, planned, "
        "decided, decides, likes, liked, prefers, preferred, tries, tried, learned, complained, recalled, reminded, reminds, shared, "
        "described, taught, teaches, persuaded, encouraged, encourages, urged, agreed, promised, warned, insisted, noticed, read, "
        "wrote, writes, loves, loved, feels, felt, needs, needed, used to, talked, talks, expressed, expresses, recommended, "
        "emphasized, emphasised, highlighted, reported, admitted, offered, offers, would like, instructed, wishes, wished, "
        "remembered, recounted, found, heard, made, lets, let him, let her, helped, helps, enjoys, enjoyed, works, worked",
        "lead": "please, and, then, now, also, just, simply, kindly, instead, or, but, you, only, so, first, next, "
        "afterwards, immediately, henceforth, therefore, you must, you should, go ahead and, you will, must, finally, secretly, "
        "silently, quietly, okay, ok, stop, important, urgent, pls, plz, you can, you may, let us, start, begin by, to do so, could you, "
        "can you, would you, will you, do, step, task, rule, instruction, instructions, note, reminder, warning, attention",
    },
)
