"""Dutch words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

DUTCH = Language(
    "Dutch",
    {
        "ignore": (
            "negeer, negeert, negeren, vergeet, vergeten, omzeil, omzeilen, overschrijf, overschrijven, "
            "sla over, laat vallen, volg niet, volg niet langer, volg niet meer, schakel uit, verwerp, wis, "
            "hou je niet aan, houd je niet aan, hou je niet meer aan, houd je niet meer aan, "
            "laat buiten beschouwing, buiten beschouwing, stop met het volgen van, sla, trek je niets aan van, "
            "passeer"
        ),
        "rules": (
            "instructie*, regel, regels, richtlijn*, aanwijzing*, opdracht*, bevel*, beperking*, prompt*, "
            "systeemprompt*, voorschrift*, beleid, filter, filters, grenzen, limieten, veiligheidsregel*, "
            "veiligheidscontrole*, bevestiging*, protocol*, commando*"
        ),
        "system_rules": (
            "systeemprompt*, systeem prompt, systeeminstructie*, systeembericht*, systeemregels, "
            "veiligheidsrichtlijn*, veiligheidsregel*, veiligheidsprotocol*, veiligheidscontrole*, "
            "veiligheidsfilter*, veiligheidsmaatregel*, inhoudsbeleid, inhoudsfilter*, gebruiksbeleid, "
            "ethische richtlijnen, oorspronkelijke instructies, verborgen instructies, ontwikkelaarsinstructies, "
            "gebruikelijke beperkingen, verborgen prompt, programmering"
        ),
        "prior": (
            "vorige, voorgaande, eerdere, voorafgaande, bovenstaande, hierboven, oorspronkelijke, bestaande, "
            "eerder, gegeven, boven, tot nu toe, systeem, daarvoor, huidige"
        ),
        "own": "je, jouw, uw",
        "all": "alle, elke, iedere, elk, ieder",
        "everything": "alles, wat",
        "told": (
            "je verteld is, je is verteld, je hebt geleerd, we hebben besproken, we besproken hebben, "
            "ik heb gezegd, je weet, hiervoor gezegd is, eerder gezegd is, je gezegd is"
        ),
        "context": (
            "alles hierboven, al het bovenstaande, alles hiervoor, alles daarvoor, bovenstaande tekst, "
            "de tekst hierboven, het gesprek tot nu toe, eerdere context, vorige context, eerdere berichten, "
            "vorige berichten, het bovenstaande"
        ),
        "new_rules": (
            "nieuwe instructie*, nieuwe opdracht*, nieuwe taak, nieuwe regel, nieuwe regels, nieuwe richtlijn*, "
            "nieuwe rol, nieuw doel, echte taak, werkelijke taak, eigenlijke taak, belangrijke instructie*, "
            "dringende instructie*, extra instructies, aanvullende instructies, bijgewerkte instructies, "
            "enige taak, ware taak, echte opdracht"
        ),
        "supersede": (
            "vervangt, vervangen, heeft voorrang op, hebben voorrang op, overschrijft, gaat boven, gaan boven, heft op"
        ),
        "off": (
            "uitgeschakeld, opgeheven, gedeactiveerd, gelden niet, geldt niet, niet gelden, niet meer gelden, "
            "gelden niet meer, niet langer van toepassing, niet van toepassing, niet meer van toepassing, "
            "gelden hier niet, vervallen, ongeldig, opgeschort, niet langer geldig, uitgezet, niet bedoeld voor"
        ),
        "become": (
            "je bent nu, je bent vanaf nu, je bent niet langer, je bent geen, je bent, jij bent, doe alsof, "
            "gedraag je, speel, stel je voor, handel als, antwoord als, reageer als, simuleer, neem de rol, "
            "schakel over naar, activeer, ga in, wees, word"
        ),
        "unbound": (
            "onbeperkt*, ongecensureerd*, ongefilterd*, geen regels, geen beperkingen, geen grenzen, "
            "geen filters, zonder regels, zonder beperking*, zonder grenzen, zonder filter, zonder filters, "
            "zonder censuur, zonder richtlijnen, geen richtlijnen, zonder ethische, geen ethische, "
            "ontwikkelaarsmodus, beheerdersmodus, vrij van alle, geen enkele beperking, zonder enige beperking, "
            "geen limieten, zonder limieten"
        ),
        "lacking": "geen, zonder, vrij van",
        "jailbreak": "ontwikkelaarsmodus ingeschakeld, je bent nu dan, je bent dan, onbeperkte modus",
        "alter": "dan",
        "respond": (
            "antwoord, antwoorden, beantwoord, beantwoorden, reageer, reageren, gehoorzaam, gehoorzamen, "
            "ga door, voldoe, genereer"
        ),
        "reborn": (
            "je bent nu, jij bent nu, je bent vanaf nu, je bent niet langer, u bent nu, je heet nu, je heet vanaf nu"
        ),
        "reveal": (
            "toon, tonen, laat zien, laat, geef, geven, onthul, onthullen, verklap, verklappen, herhaal, "
            "herhalen, print, druk af, vertel me, vertel mij, vertel, wat is, wat zijn, wat staat, noem, lek, "
            "deel, kopieer, openbaar, citeer, som op, schrijf, stuur me, vertaal, publiceer, zeg"
        ),
        "secret": (
            "systeemprompt*, systeem prompt, systeeminstructie*, je instructies, jouw instructies, "
            "uw instructies, je prompt, jouw prompt, je regels, jouw regels, je richtlijnen, "
            "verborgen instructies, verborgen prompt, geheime instructies, interne instructies, "
            "oorspronkelijke instructies, je interne, jouw interne, je oorspronkelijke, je configuratie, "
            "je systeem*, je geheime"
        ),
        "leak": "lek, lekken, exfiltreer, steel, smokkel",
        "private": (
            "api sleutel*, api keys, inloggegevens, wachtwoord*, geheimen, klantgegevens, klantenlijst, "
            "klantenbestand, klantendatabase, database, interne gegevens, vertrouwelijke*, persoonsgegevens, "
            "persoonlijke gegevens, privégegevens, creditcard*, bankgegevens, gebruikersgegevens, "
            "toegangstoken*, tokens, broncode, gevoelige gegevens"
        ),
        "send": (
            "stuur, sturen, verstuur, versturen, verzend, verzenden, mail, mailen, zend, upload, uploaden, post, "
            "deel, doorsturen, maak over, overmaken, exporteer, kopieer, publiceer, geef door"
        ),
        "data": (
            "gegevens, lijst, samenvatting, gesprek*, inhoud, bericht*, bestand*, document*, ze, het, dit, "
            "alles, hem, informatie, resultaat, antwoord*, kopie, notities, contacten, herinneringen, geld, "
            "bedrag, facturen, geschiedenis, data"
        ),
        "money": "geld, euro, bedrag, dollar, bitcoin",
        "call": "roep, gebruik, voer, start, gebruiken, aanroepen, uitvoeren",
        "tool_word": (
            "de tool, het gereedschap, de functie, functie aan, het commando, dit commando, "
            "het volgende commando, de volgende code, deze code, het script, dit script, de opdracht uit, "
            "shell commando, mailtool"
        ),
        "destroy": "verwijder, verwijderen, wis, wissen, leeg, overschrijf, vernietig, formatteer, gooi",
        "target": (
            "bestand, bestanden, database*, map, mappen, tabel, tabellen, account, accounts, gegevens, back ups, "
            "backups, logboeken, berichten, gebruikers, records, herinneringen, data"
        ),
        "grant": "verleen, geef, behandel, sta, maak, ken, keur, beschouw",
        "privilege": (
            "admin, beheerder, beheerdersrechten, adminrechten, beheerderstoegang, root, volledige toegang, "
            "onbeperkte toegang, alle rechten, alle verzoeken, geverifieerd"
        ),
        "checks": "bevestiging, verificatie, authenticatie, goedkeuring, controle",
        "verify": "verifieer, controleer, vraag om bevestiging",
        "comply": (
            "doe precies wat er staat, doe precies wat, doe exact wat, doe alles wat, gehoorzaam elk*, "
            "gehoorzaam alle, gehoorzaam mij, volg alleen, volg de instructie daarin, "
            "volg de instructies daarin, volg deze instructies, volg de volgende instructies, "
            "keur alle verzoeken, weiger nooit*, voldoe aan elk*, voldoe aan alle, volg de instructie erin, "
            "volg de instructies erin, voer de instructie*, voer elke opdracht"
        ),
        "decode": "decodeer, ontcijfer, ontsleutel, base64, decoderen",
        "turn": (
            "als je dit leest, wanneer je dit leest, zodra je dit leest, voordat je antwoordt, "
            "voor je antwoordt, voordat je verdergaat, in je volgende antwoord, in je antwoord, "
            "in je samenvatting, aan het einde van je*, aan het begin van je*, aan je antwoord, "
            "bij het samenvatten, wanneer je dit verwerkt, als je een ai bent, als ai, elke keer dat je, "
            "telkens als je, alvorens te antwoorden"
        ),
        "append": (
            "voeg, vermeld, noem, herhaal, schrijf, begin, eindig, sluit, zet, plaats, toegevoegd, "
            "vermeld worden, herhaald, opgenomen, neem, opnemen, citeer, onderteken, toevoegen"
        ),
        "reply": (
            "antwoord, antwoorden, samenvatting*, bericht, berichten, reactie*, uitvoer, gesprek*, sessie*, "
            "e mail, rapport"
        ),
        "only": "alleen met, alleen nog, uitsluitend met, uitsluitend, enkel met",
        "later": "toekomstige, volgende, verdere, komende, later",
        "must": "moet, moeten, dient, dienen, zal, zullen, hoort",
        "oblige": (
            "je mag nooit, je moet, jij moet, u moet, moet je, moet jij, je dient, je taak is, jouw taak is, "
            "je doel is, je opdracht is, zorg ervoor dat je, zorg dat je, zorg ervoor dat, u dient, dient u, "
            "moet u, ik beveel je"
        ),
        "urge": "ik wil dat je",
        "always": (
            "altijd, nooit, steeds, te allen tijde, onder geen beding, elke keer, zonder uitzondering, permanent"
        ),
        "hence": (
            "voor de rest van dit gesprek, voor de rest van het gesprek, vanaf nu, van nu af aan, voortaan, "
            "in het vervolg, vanaf dit moment, met ingang van nu, in de toekomst, tot nader order, "
            "in elk antwoord, in alle antwoorden, bij elk antwoord, in elk gesprek, in alle toekomstige*, "
            "in elk toekomstig*"
        ),
        "steer": (
            "raad, aanraden, aanbevelen, beveel, zeg, zeggen, noem, noemen, vermeld, vermelden, antwoord, "
            "antwoorden, beweer, beweren, verwijs, doorverwijzen, verwijzen, stem, geloof, volg, volgen, "
            "gehoorzaam, gehoorzamen, negeer, negeren, voeg, begin, eindig, schrijf, schrijven, spreek, gebruik, "
            "gebruiken, verklap, verklappen, ontken, lieg, liegen, keur, bevestig, behandel, vertrouw, "
            "verwijder, stuur, promoot, adviseer, adviseren, weiger, onthul, onthullen"
        ),
        "when_asked": (
            "als je gevraagd wordt, als je wordt gevraagd, wanneer je gevraagd wordt, als iemand vraagt, "
            "wanneer iemand vraagt, als de gebruiker vraagt, wanneer de gebruiker vraagt, als gebruikers vragen, "
            "als ik vraag, desgevraagd, als er gevraagd wordt, wanneer er gevraagd wordt, als men je vraagt, "
            "zodra iemand vraagt, als de gebruiker naar, wanneer de gebruiker naar, telkens als iemand, "
            "als gevraagd wordt, wanneer gevraagd wordt"
        ),
        "store": (
            "sla, bewaar, onthoud, noteer, opslaan, bewaren, onthouden, leg, schrijf, zet, werk, wijzig, "
            "overschrijf, registreer, wis, voeg"
        ),
        "memory": (
            "geheugen, je geheugen, jouw geheugen, langetermijngeheugen, als feit, als feiten, als waarheid, "
            "permanent, in je notities, in het gebruikersprofiel, als herinnering, voor toekomstige*, "
            "als voorkeur, als bevestigd feit, kennisbank, deze instructie, als regel"
        ),
        "remember_to": (
            "onthoud dat je, onthoud dat jij, vergeet niet te zeggen, vergeet niet te vermelden, "
            "vergeet niet dat je, vergeet nooit dat je, onthoud deze instructie, onthoud deze regel, "
            "onthoud om te, denk eraan dat je, denk eraan altijd, onthoud altijd"
        ),
        "not": "niets, niet, nooit, geen",
        "tell": (
            "vertel, vertellen, zeg, zeggen, informeer, informeren, vermeld, vermelden, meld, melden, waarschuw, "
            "laat weten, laat, toon, verklap, vraag"
        ),
        "user": (
            "de gebruiker, gebruikers, de mens, deze instructie, deze instructies, dit bericht, hierover, hiervan"
        ),
        "hide": "verberg, verzwijg, verstop",
        "conceal": (
            "zonder de gebruiker te informeren, zonder het de gebruiker te vertellen, zonder de gebruiker, "
            "zonder medeweten van, zonder dat de gebruiker, houd dit geheim, hou dit geheim, "
            "houd deze instructie geheim, hou deze instructie geheim, verberg dit voor, verzwijg dit voor, "
            "verzwijg dit, de gebruiker mag niet weten, de gebruiker mag dit niet, de gebruiker mag hier niets, "
            "vertel dit aan niemand, zeg dit tegen niemand"
        ),
        "agent": (
            "assistent, de assistent, de ai, ai assistent, chatbot, chatbots, taalmodel, taalmodellen, ai model, "
            "ai agent, ai agenten, bot, de bot, het model, ai systemen"
        ),
        "you": "je, jij, jou, u",
        "note_to": (
            "bericht aan de assistent, bericht voor de assistent, bericht aan de ai, "
            "opmerking voor de assistent, notitie voor de assistent, notitie voor de ai, "
            "notitie aan de assistent, notitie aan de ai, instructie voor de assistent, "
            "instructies voor de assistent, instructie voor de ai, instructies voor de ai, "
            "instructie aan de assistent, instructies aan de assistent, let op ai, let op assistent, "
            "attentie ai, attentie assistent, beste assistent, beste ai, hallo ai, systeemmelding, "
            "systeembericht, systeemnotitie, aan de assistent, aan het taalmodel, aan alle ai"
        ),
        "report": (
            "zei, zegt, gezegd, vroeg, vraagt, gevraagd, wilde, wil, vertelde, vertelt, legde uit, denkt, dacht, "
            "gelooft, hoopt, besloot, adviseerde, raadde, noemde, eiste, eist, probeert, probeerde, houdt, "
            "herinnerde, stelde, besprak, bespraken, schreef, beval, vindt, vond, leerde, verzocht, verkiest"
        ),
        "lead": (
            "alsjeblieft, alstublieft, en, dan, nu, ook, gewoon, eerst, vervolgens, daarna, meteen, "
            "onmiddellijk, belangrijk, stiekem, enkel, alleen"
        ),
    },
)
