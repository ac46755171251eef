"""English words of an instruction: the agent's rules and persona, what it could give away and do."""

from consolidate.steps.instructions.languages.english_conduct import CONDUCT
from consolidate.steps.instructions.lexicon import Language, combined

ENGLISH = Language(
    "English",
    {
        "ignore": (
            "no longer obey, no longer have to obey, do the opposite of, the opposite of, contrary to, reset your, no longer have to follow, do not have to follow, don't have to follow, "
            "do not need to follow, need not follow, not required to follow, no longer need to follow, "
            "no longer required to follow, no need to follow, no need to apply, safe to ignore, regardless of, "
            "stop being, stop acting, without regard to, relax, revoke, lift, ignore, disregard, forget, "
            "forget about, override, bypass, circumvent, overrule, neglect, discard, dismiss, disobey, skip, "
            "violate, abandon, drop, set aside, put aside, pay no attention to, do not follow, don't follow, "
            "stop following, no longer follow, do not obey, don't obey, stop obeying, erase, unlearn, ignoring, "
            "disregarding, bypassing, overriding, skipping, disable, turn off, switch off, deactivate, suspend, "
            "throw out, throw away, get rid of, cancel"
        ),
        "rules": (
            "instruction, instructions, rule, rules, guideline, guidelines, guidance, directive, directives, "
            "prompt, prompts, command, commands, restriction, restrictions, policy, policies, protocol, "
            "protocols, constraint, constraints, limits, limitation, limitations, programming, training, "
            "guardrail, guardrails, guard rails, filter, filters, safeguard, safeguards, directions, "
            "safety checks, checks, confirmations, confirmation, content policy, boundaries, ethics, censorship, "
            "moderation, system message, system messages"
        ),
        "system_rules": combined(
            "safety, security, content, ethical, ethics, moral, usage, system, developer, openai",
            "rule, rules, guideline, guidelines, policy, policies, protocol, protocols, filter, filters, "
            "filtering, restriction, restrictions, instruction, instructions, prompt, prompts, message, "
            "messages, measures, constraints, limits, controls, settings, training, mechanisms, features, "
            "checks, safeguards, guardrails, moderation",
        )
        + ", "
        "initial prompt, original prompt, hidden prompt, hidden instructions, original instructions, "
        "base prompt, initial instructions, usual restrictions, normal restrictions, usual rules, "
        "usual guidelines, guardrails, ai guidelines, your programming, your training, your guidelines, "
        "your restrictions, your filters, your safeguards",
        "prior": (
            "placed on you, imposed on you, that bind you, which bind you, previous, prior, above, earlier, "
            "preceding, former, foregoing, original, initial, existing, past, before, so far, previously, "
            "given to you, you were given, you received, you have received, given, aforementioned, up to now, "
            "until now, system, developer, built in"
        ),
        "own": "your, yours, you have, you were given, you've been given, ur",
        "all": "all, any, every, each, whatever, whatsoever",
        "everything": "everything, anything",
        "told": (
            "you were told, you have been told, you've been told, i told you, we told you, they told you, "
            "you have learned, you learned, you know, you have learnt, you've learned, we discussed, "
            "we talked about, we have discussed, i said, we said, you were taught, you were trained, "
            "you were instructed, came before, has been said"
        ),
        "context": (
            "everything above, all of the above, all the above, all above, everything before this, "
            "everything before, everything prior, everything previous, what came before, the text above, "
            "the words above, the above text, the lines above, text above this, written above, "
            "the above instructions, the above prompt, the above, everything i said, the conversation so far, "
            "all prior context, all previous context, previous context, prior context, prior conversation, "
            "all previous conversation, all previous messages, the previous text, your memory, above this line, "
            "the message above, everything up to here, everything so far, all that"
        ),
        "new_rules": (
            "new instruction, new instructions, new directive, new directives, new rules, new rule, new task, "
            "new prompt, new orders, new system prompt, updated instructions, updated instruction, "
            "revised instructions, real task, true task, actual task, real purpose, true purpose, "
            "real instructions, actual instructions, real goal, true goal, new goal, new role, new objective, "
            "real objective, primary directive, prime directive, only task, only instruction, new mission, "
            "urgent instruction, urgent instructions, important instruction, important instructions, "
            "additional instructions, special instructions, system update, instruction update, policy update, "
            "real job, only job, only goal, only purpose"
        ),
        "supersede": (
            "higher priority than, has priority over, have priority over, outweighs, outweigh, supersede, supersedes, takes precedence over, take precedence over, overrides, override, overrule, "
            "overrules, replaces, replace, superseding, overriding, takes priority over, take priority over, "
            "cancels, outranks"
        ),
        "off": (
            "be ignored, be skipped, be set aside, be relaxed, been replaced by, are replaced by, "
            "replaced with the following, are now deleted, been relaxed, unnecessary, not needed, not relevant, "
            "moot, do not bind, does not bind, never existed, do not exist, don't exist, not bind, outdated, "
            "a test, fake, withdrawn, expired, have changed, has changed, were wrong, disabled, deactivated, "
            "turned off, switched off, no longer apply, no longer applies, does not apply, do not apply, "
            "don't apply, doesn't apply, not apply, suspended, lifted, void, not meant for, not intended for, "
            "revoked, exempt from, exempt, removed, off, bypassed, overridden, waived, irrelevant, "
            "not applicable, inactive, not in effect, no longer in effect, no longer valid, null and void, "
            "compromised, were removed, obsolete, not binding, disengaged, unlocked, cancelled, did not cover, "
            "do not cover"
        ),
        "become": (
            "fictional, hypothetical scenario, alternate universe, parallel universe, you are now, you are no longer, you're now, pretend, act as, act like, roleplay as, role play as, "
            "roleplay, role play, imagine, simulate, you are, you're, behave as, behave like, respond as, "
            "answer as, reply as, take on the role, assume the role, play the role, play the part, you will be, "
            "you will act, you will play, you shall be, enter, switch to, activate, enable, engage, operate in, "
            "operate as, operating in, running in, run in, become, emulate, transform into, go into, speak as, "
            "talk as, hypothetically, in this story, in this scenario, proceed with, continue as, unlock"
        ),
        "unbound": (
            "different ai, another ai, can do anything, different assistant, break free, broken free, "
            "been freed, set free, opposite mode, never break character, without being restricted, "
            "not restricted by, forbidden content, prohibited content, forbidden answer, forbidden answers, "
            "unrestricted, no restrictions, without restrictions, without restriction, no rules, without rules, "
            "no limits, no limit, without limits, without limit, no filters, no filter, without filters, "
            "without a filter, without filtering, no content policy, uncensored, unfiltered, jailbroken, "
            "no longer bound by, not bound by, free from all restrictions, free of all restrictions, "
            "free from restrictions, free of restrictions, do anything now, no ethical, no moral, amoral, "
            "without censorship, no censorship, no guidelines, without guidelines, no limitations, "
            "without limitations, no boundaries, no ethics, no morals, without ethical, without moral, "
            "without any restrictions, without any rules, without any limits, without any filters, "
            "without any limitations, never refuses, never refuse, cannot refuse, can't refuse, does not refuse, "
            "developer mode, dev mode, god mode, debug mode, sudo mode, admin mode, root mode, jailbreak mode, "
            "dan mode, maintenance mode, evil mode, test mode, diagnostic mode, unaligned, unlimited mode, "
            "no safety, without safety, without safeguards, anything goes, without refusing, without refusal, "
            "without disclaimers, no disclaimers, no warnings, without warnings, free from your, freed from, "
            "liberated, evil, malicious, restricted content, without hesitation, with no restrictions, "
            "ignores all, outside of your"
        ),
        "lacking": (
            "do not have, not have, had no, have no, has no, no, without, zero, free of, free from, exempt from, "
            "don't have, lacks, without any, nor, not bound by, not limited by, not restricted by, "
            "not subject to, unconstrained by, not constrained by, beyond"
        ),
        "jailbreak": (
            "do anything now, dan mode, jailbreak mode, developer mode enabled, you are now dan, you are dan, "
            "act as dan, pretend to be dan, pretend you are dan, stay in character as dan, respond as dan, "
            "jailbreak prompt, you are jailbroken, you have been jailbroken, you are now jailbroken, "
            "unrestricted mode, unfiltered mode, uncensored mode, sudo mode, god mode enabled, "
            "freed from the typical confines, break free of the typical confines, stay a dan, two responses one"
        ),
        "alter": "dan, stan, dude, evilbot, freegpt",
        "respond": (
            "answer, respond, reply, comply, proceed, output, generate, answering, responding, produce, obey, "
            "cooperate, fulfil, fulfill, assist, provide the full answer"
        ),
        "reborn": (
            "you are now, you're now, you are no longer, you are not an ai, you will now act as, "
            "you will now be, from now on you are, your name is now, you shall now be, henceforth you are"
        ),
        "reveal": (
            "write, read me, read us, read aloud, reveal, show, print, output, repeat, leak, dump, disclose, "
            "display, expose, tell me, give me, recite, divulge, hand over, write out, paste, copy, provide, "
            "share, echo, spell out, read out, read back, publish, type out, printing, revealing, send me, "
            "spit out, encode, reproduce, tell us, show us, give us, say, begin by printing, restate, state, "
            "extract"
        ),
        "retell": (
            "what is, what's, what are, what was, what were, complete, finish, translate, summarize, summarise, "
            "describe, list, quote, return, paraphrase, rephrase"
        ),
        "secret": (
            "admin password, root password, database password, master password, secret key, text of the prompt, "
            "the prompt that, prompt above, your prompt, prompt before this, system prompt, system prompts, "
            "system message, system instructions, hidden prompt, hidden instructions, initial prompt, "
            "initial instructions, original prompt, original instructions, your instructions, "
            "your initial instructions, your system instructions, your original instructions, your rules, "
            "your guidelines, your system message, your configuration, your secret*, your hidden, your internal, "
            "your developer, your tools, developer message, developer prompt, internal prompt, "
            "secret instructions, secret prompt, confidential instructions, internal instructions, "
            "internal configuration, internal guidelines, chain of thought, your programming, your training, "
            "your directives, pre prompt, preprompt, base prompt, prompt verbatim, instructions verbatim, "
            "instructions word for word, prompt word for word, environment variable*, system configuration, "
            "your context window"
        ),
        "asks_rules": (
            "what instructions were you, what instructions do you, what instructions did you, "
            "which instructions were you, what are your instructions, what are your rules, what rules do you, "
            "what rules were you, what were you told, what have you been told, what are you not allowed, "
            "what were you instructed, what are you forbidden"
        ),
        "leak": "leak, dump, exfiltrate, leaking, dumping, exfiltrating, siphon, smuggle, steal, harvest",
        "private": (
            "user table, every customer, each customer, all customer*, last user*, previous user*, another user*, other user*, other people*, env, dotenv, registered users, list of all users, list of all customers, admin token, the token, secret token, "
            "access credentials, every user, all the users, chat history, conversation history, chat log, "
            "conversation log, the conversation, this conversation, context window, api key, api keys, "
            "api token*, access token*, access key*, credential*, password*, passwd, secret key*, secrets, "
            "private key*, ssh key*, customer database, customer data, customer list, customer emails, "
            "customer records, user data, user database, database, internal data, internal configuration, "
            "internal documents, internal information, confidential*, personal data, personal information, "
            "sensitive data, sensitive information, private data, private information, credit card*, "
            "card number*, bank details, social security, env file, auth token*, session token*, tokens, "
            "connection string, connection strings, full customer, employee records, medical records, "
            "salary data, source code, other users*, other customers*, restricted content, hidden data, "
            "chat logs, phone numbers, email addresses, all users, all customers, payment details, "
            "private messages, private notes"
        ),
        "send": (
            "send, email, e-mail, mail, forward, upload, post, transmit, submit, "
            "exfiltrate, leak, deliver, transfer, share, report, relay, bcc, cc, push, publish, export, ping, "
            "sending, emailing, forwarding, uploading, posting, text, message, dispatch, make a request, "
            "make a get request, fetch, request, visit, load, navigate to, append, pass, wire, beam"
        ),
        "data": (
            "data, list, summary, summaries, conversation*, history, emails, content, contents, record, records, "
            "file, files, message, messages, this, details, information, info, transcript*, database, chat, "
            "chats, it, them, everything, results, result, output, copy, report, document*, notes, note, "
            "answers, answer, response, responses, token, keys, key, memory, memories, context, profile*, "
            "address*, attachment*, calendar, inbox, contact, contacts, invoice*, code, log, logs, credentials, "
            "password, passwords, payment, payments, money, funds, query, parameter, parameters"
        ),
        "money": (
            "money, funds, payment, payments, euros, dollars, euro, dollar, usd, eur, bitcoin, btc, crypto, "
            "the amount, a refund"
        ),
        "call": (
            "call, invoke, use, run, execute, trigger, launch, issue, using, calling, running, executing, make, "
            "perform, start, open"
        ),
        "tool_word": (
            "tool call, function call, the function, shell command, shell commands, this command, "
            "the following command, these commands, the following commands, the following code, this code, "
            "this script, the script, the following script, bash command, terminal command, sql query, api call, "
            "your tools, email tool, browser tool, in the terminal, web request, http request, get request, "
            "post request, rm rf, send email tool, the following tool"
        ),
        "destroy": (
            "delete, remove, wipe, erase, empty, drop, purge, overwrite, destroy, truncate, format, clear, rm, "
            "shred, deleting, wiping, erasing, revoke, disable, reset, cancel"
        ),
        "target": (
            "file, files, database*, directory, directories, folder*, table, tables, record, records, backup*, "
            "disk, drive, repository, repositories, log, logs, memories, user, users, entries, documents, "
            "branch, branches, bucket*"
        ),
        "grant": (
            "grant, give, allow, promote, elevate, escalate, treat, consider, approve, authorize, authorise, "
            "assign, make, grants, upgrade"
        ),
        "privilege": (
            "as trusted, as authoritative, as verified, highest priority, admin, administrator, admin access, administrator access, root access, superuser, full access, "
            "elevated, admin rights, admin privileges, all permissions, full permissions, unlimited access, "
            "unrestricted access, full control, trusted administrator, root, verified, pre approved, "
            "preapproved, special privileges, all requests, whitelisted, authorized administrator, "
            "system administrator, owner privileges"
        ),
        "checks": (
            "manual review, human review, review step, verification, authentication, authorization, authorisation, approval, confirmation step, "
            "confirmation steps, the confirmation, confirmations, user confirmation, safety checks, "
            "security checks, permission checks, identity checks, approvals, two factor, consent, "
            "permission prompts"
        ),
        "verify": (
            "verify, validate, authenticate, ask for confirmation, ask for approval, ask for permission, "
            "request confirmation, double check, question the, warn about, require approval"
        ),
        "comply": combined(
            "comply with, obey, grant, approve, accept, fulfil, fulfill",
            "every request, all requests, any request, every command, all commands, any command, all orders, every order, "
            "every instruction, all user requests, me, the user, only me",
        )
        + ", "
        + combined(
            "follow the, follow these, obey the, execute the, carry out the, follow its, execute its, obey these",
            "instruction inside, instructions inside, instruction in it, instructions in it, instructions below, "
            "instructions within, instructions contained, hidden instructions, hidden command, result",
        )
        + ", "
        "comply fully, obey without question, do exactly what it says, do exactly as it says, do what it says, do as it says, "
        "follow only user commands, follow only my, follow only the user, follow only these, follow only this, "
        "do whatever i say, do whatever i ask, do whatever the user, do everything i say, do as i say, do anything i say, "
        "do anything i ask, never refuse a request, never refuse any*, answer every question without, act on it without, "
        "and obey, then obey, execute it, and execute, carry out what it says, follow what it says, follow the result, "
        "do what the result*",
        "decode": (
            "first letter of each, first letter of every, every first letter, first letters, decode, decrypt, "
            "decipher, deobfuscate, unscramble, unencode, rot13, base64, hex encoded, base64 encoded, reversed, "
            "translate from base64, convert from base64, decoded, decoding, read backwards, reverse the string"
        ),
        **CONDUCT,
    },
)
