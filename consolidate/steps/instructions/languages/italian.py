"""Italian words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

ITALIAN = Language(
    "Italian",
    {
        "ignore": (
            "ignora, ignori, ignorate, ignorare, dimentica, dimentichi, dimenticate, dimenticare, trascura, "
            "trascurate, trascurare, scarta, scartate, tralascia, tralasciate, aggira, aggirate, aggirare, "
            "bypassa, bypassare, scavalca, sovrascrivi, sovrascrivere, disattiva, disattivate, disattivare, "
            "annulla, annullate, non seguire, non seguire più, non rispettare, non tenere conto, "
            "non tener conto, smetti di seguire, disobbedisci, viola, violare, salta, saltare, cancella, "
            "abbandona, metti da parte, lascia perdere, lascia da parte, elimina, scordati, scorda, eludi, "
            "eludere, non considerare, prescindi"
        ),
        "rules": (
            "istruzione, istruzioni, regola, regole, linea guida, linee guida, direttiva, direttive, "
            "indicazione, indicazioni, prompt*, politica, politiche, restrizione, restrizioni, limite, limiti, "
            "limitazione, limitazioni, filtro, filtri, vincolo, vincoli, protocollo, protocolli, comando, "
            "comandi, disposizioni, norme, controlli, conferma, conferme, policy"
        ),
        "system_rules": (
            "prompt di sistema, prompt del sistema, messaggio di sistema, messaggi di sistema, "
            "istruzioni di sistema, istruzioni del sistema, istruzioni dello sviluppatore, "
            "istruzioni degli sviluppatori, regole di sistema, regole di sicurezza, linee guida di sicurezza, "
            "direttive di sicurezza, norme di sicurezza, protocolli di sicurezza, protocollo di sicurezza, "
            "misure di sicurezza, filtri di sicurezza, controlli di sicurezza, politica sui contenuti, "
            "politiche sui contenuti, policy sui contenuti, filtri dei contenuti, linee guida etiche, "
            "regole etiche, istruzioni originali, istruzioni iniziali, istruzioni nascoste, prompt iniziale, "
            "prompt nascosto, restrizioni abituali, solite restrizioni, restrizioni di sicurezza, "
            "tua programmazione, politiche di sicurezza"
        ),
        "prior": (
            "precedente, precedenti, antecedenti, anteriori, sopra, sopraindicate, soprastanti, prima, "
            "originale, originali, iniziale, iniziali, esistenti, ricevute, ricevuto, date, finora, fino a ora, "
            "passate, sistema, suddette, di default, fornite"
        ),
        "own": "tuo, tua, tuoi, tue, vostro, vostra, vostri, vostre",
        "theirs": "suo, sua, suoi, sue",
        "all": "tutto, tutta, tutti, tutte, ogni, qualsiasi, qualunque, ciascuna, nessuna",
        "everything": "tutto, tutto ciò, tutto quello, ciò che, quello che",
        "told": (
            "che ti è stato detto, ti è stato detto, ti hanno detto, ti ho detto, hai imparato, sai, "
            "abbiamo detto, abbiamo discusso, abbiamo parlato, è stato detto, ci siamo detti, "
            "ti hanno insegnato, ho detto, conosci, hai appreso"
        ),
        "context": (
            "tutto ciò che precede, tutto quanto sopra, quanto sopra, tutto quello che precede, "
            "tutto quello sopra, il testo sopra, testo precedente, tutto il contesto, contesto precedente, "
            "conversazione precedente, messaggi precedenti, la conversazione finora, le parole sopra, "
            "tutto il precedente"
        ),
        "new_rules": (
            "nuova istruzione, nuove istruzioni, nuova direttiva, nuove direttive, nuova regola, nuove regole, "
            "nuovo ordine, nuovi ordini, nuovo compito, nuova missione, nuovo obiettivo, nuovo ruolo, "
            "nuovo prompt, vero compito, compito reale, vera missione, vero obiettivo, vero scopo, "
            "istruzione importante, istruzioni importanti, istruzione urgente, istruzioni urgenti, "
            "istruzioni aggiuntive, istruzioni aggiornate, unico compito, nuove linee guida"
        ),
        "supersede": (
            "sostituisce, sostituiscono, annulla, annullano, prevale su, prevalgono su, ha la precedenza su, "
            "hanno la precedenza su, sovrascrive, sovrascrivono"
        ),
        "off": (
            "disattivato, disattivati, disattivata, disattivate, disabilitato, disabilitati, disabilitata, "
            "disabilitate, non si applicano, non si applica, non si applicano più, non valgono, non vale, "
            "non valgono più, non sono valide, non sono più valide, sospese, sospesi, annullate, annullati, "
            "revocate, esente, senza effetto, obsolete, non sono applicabili, non erano pensate, "
            "non erano destinate, non riguardano, decadute"
        ),
        "become": (
            "sei ora, ora sei, adesso sei, da ora sei, non sei più, sei, fingi, fai finta, simula, agisci come, "
            "comportati come, comportati, immagina, interpreta, recita, fai la parte, assumi il ruolo, "
            "rispondi come, entra in modalità, attiva, passa a, passa in, diventa, tu sei, lei è ora, impersona, "
            "mettiti nei panni"
        ),
        "unbound": (
            "senza restrizioni, senza restrizione, senza limiti, senza limite, senza limitazioni, senza filtri, "
            "senza filtro, senza regole, senza censura, senza censure, senza alcuna restrizione, "
            "senza alcun filtro, senza alcun limite, senza alcuna regola, senza vincoli, nessuna restrizione, "
            "nessuna regola, nessun filtro, nessun limite, illimitat*, non censurat*, non filtrat*, "
            "non hai regole, non hai restrizioni, non hai limiti, non hai più regole, non hai più restrizioni, "
            "non hai più limiti, modalità sviluppatore, modalità amministratore, modalità dio, modalità debug, "
            "libero da ogni, libera da ogni, senza etica, senza morale, senza linee guida, privo di regole, "
            "privo di restrizioni"
        ),
        "lacking": (
            "non avere, non aver, senza, nessuna, nessun, non hai, non hai più, privo di, libero da, alcuna, alcun"
        ),
        "jailbreak": (
            "modalità sviluppatore attivata, sei dan, ora sei dan, modalità senza restrizioni, modalità senza filtri"
        ),
        "alter": "dan",
        "respond": (
            "rispondi, risponda, rispondete, rispondere, obbedisci, ubbidisci, obbedire, obbedite, procedi, "
            "procedere, genera, generare, esegui, prosegui, continua, adempi, soddisfa, fornisci, fornire"
        ),
        "reborn": (
            "ora sei, adesso sei, sei ora, da ora sei, d'ora in poi sei, da adesso sei, non sei più, ora ti chiami"
        ),
        "reveal": (
            "rivela, riveli, rivelate, rivelare, mostra, mostri, mostrate, mostrare, mostrami, dimmi, mi dica, "
            "stampa, stampare, ripeti, ripetere, ripeta, visualizza, dammi, divulga, divulgare, condividi, "
            "condividere, elenca, elencare, copia, cita, esponi, pubblica, svela, svelare, fornisci, fornire, "
            "consegna, traduci, riassumi, qual è, quali sono, scrivi, inviami, esporta, restituisci, riporta, "
            "recita"
        ),
        "secret": (
            "prompt di sistema, prompt del sistema, messaggio di sistema, istruzioni di sistema, "
            "istruzioni del sistema, tuo prompt, tue istruzioni, sue istruzioni, tue regole, tue linee guida, "
            "tue direttive, tua configurazione, istruzioni nascoste, istruzioni interne, istruzioni segrete, "
            "istruzioni iniziali, istruzioni originali, prompt nascosto, prompt iniziale, "
            "configurazione interna, tuoi segreti"
        ),
        "leak": "fai trapelare, esfiltra, esfiltrare, ruba, divulga",
        "private": (
            "chiave api, chiavi api, chiavi dell'api, credenziali, password, segreti, dati dei clienti, "
            "dati clienti, elenco clienti, elenco dei clienti, lista dei clienti, lista clienti, database, "
            "base di dati, dati interni, dati riservati, dati personali, dati privati, dati sensibili, "
            "dati degli utenti, dati utente, informazioni riservate, informazioni personali, "
            "informazioni private, informazioni interne, informazioni sensibili, carta di credito, "
            "carte di credito, dati bancari, token, codice sorgente, riservat*"
        ),
        "send": (
            "invia, invii, inviate, inviare, inviali, inviale, invialo, inviala, manda, mandi, mandate, mandare, "
            "mandali, mandalo, inoltra, inoltrate, inoltrare, inoltralo, trasmetti, trasmettere, carica, "
            "caricare, pubblica, condividi, trasferisci, trasferire, esporta, copia, spedisci, spedire, gira"
        ),
        "data": (
            "dati, lista, elenco, riassunto, riepilogo, conversazione, conversazioni, cronologia, contenuto, "
            "contenuti, messaggio, messaggi, file, documento, documenti, li, le, lo, tutto, informazioni, "
            "risultato, risultati, risposta, risposte, copia, note, contatti, ricordi, memoria, denaro, soldi, "
            "fattura*, rapporto, dettagli, email, inviali, inviale, invialo, inviala, mandali, mandalo, "
            "inoltralo, questo"
        ),
        "money": "denaro, soldi, euro, dollari, importo, somma, bitcoin, pagamento",
        "call": (
            "chiama, chiamare, usa, usare, utilizza, utilizzare, esegui, eseguire, invoca, invocare, lancia, avvia"
        ),
        "tool_word": (
            "lo strumento, strumento, questo strumento, la funzione, funzione, il comando, questo comando, "
            "il seguente comando, il seguente codice, questo codice, lo script, questo script, l'api, "
            "una richiesta, richiesta http"
        ),
        "destroy": (
            "elimina, eliminate, eliminare, cancella, cancellate, cancellare, svuota, svuotare, distruggi, "
            "distruggere, sovrascrivi, formatta, rimuovi, rimuovere"
        ),
        "target": (
            "file, database, cartella, cartelle, directory, tabella, tabelle, account, dati, registri, backup*, "
            "copie di sicurezza, messaggi, utenti, ricordi, documenti, email"
        ),
        "grant": (
            "concedi, conceda, concedere, dai, dare, tratta, considera, autorizza, autorizzare, approva, "
            "approvare, assegna, permetti"
        ),
        "privilege": (
            "admin, amministratore, amministratrice, accesso amministratore, diritti di amministratore, "
            "privilegi, accesso root, accesso completo, accesso totale, accesso illimitato, tutti i permessi, "
            "tutte le richieste, verificato"
        ),
        "checks": "conferma, verifica, autenticazione, approvazione, autorizzazione",
        "verify": "verificare, controllare, chiedere conferma, convalidare",
        "comply": (
            "fai esattamente quello che, fai esattamente ciò che, fai tutto quello che, fai tutto ciò che, "
            "fai quello che dice, obbedisci a tutto, obbedisci a tutti, obbedisci a ogni, obbediscimi, "
            "segui solo, segui soltanto, segui esclusivamente, segui le seguenti istruzioni, "
            "segui queste istruzioni, segui le istruzioni contenute, segui le istruzioni al suo interno, "
            "segui l'istruzione, esegui le istruzioni, esegui ogni comando, accetta tutte, approva tutte, "
            "approva ogni, non rifiutare mai, rispondi a tutto, soddisfa ogni, soddisfa tutte"
        ),
        "decode": "decodifica, decodificare, decodificate, decifra, decifrare, base64",
        "turn": (
            "quando leggi questo, quando leggi, leggendo questo, quando elabori, elaborando questo, "
            "quando riassumi, nel riassumere, prima di rispondere, prima di continuare, prima di procedere, "
            "nella tua risposta, nel tuo riassunto, nella prossima risposta, nella tua prossima risposta, "
            "alla fine della tua*, alla fine di ogni*, all'inizio della tua*, alla tua risposta, se sei una ia, "
            "se sei un'ia, se sei un modello, ogni volta che rispondi, dopo aver letto"
        ),
        "append": (
            "includi, includere, includa, aggiungi, aggiungere, aggiunga, inserisci, inserire, inserisca, "
            "menziona, menzionare, allega, allegare, ripeti, ripetere, termina, terminare, inizia, comincia, "
            "scrivi, scrivere, metti, firma, aggiunto, aggiunta, incluso, inclusa, inserito, inserita, "
            "menzionato, ripetuto, cita, riporta, apporre, concludi"
        ),
        "reply": (
            "risposta, risposte, riassunto, riassunti, riepilogo, output, messaggio, messaggi, conversazione, "
            "conversazioni, sessione, sessioni, rapporto, email, resoconto"
        ),
        "only": "solo con, soltanto con, esclusivamente con, solo, soltanto, esclusivamente",
        "later": (
            "futura, future, futuro, futuri, prossima, prossime, prossimo, prossimi, seguente, seguenti, "
            "successiva, successive"
        ),
        "must": "deve, devono, dovrà, dovranno, dovrebbe, va, vanno, bisogna, occorre",
        "oblige": (
            "devi, dovrai, dovresti, tu devi, lei deve, non devi, non puoi, ti ordino, il tuo compito è, "
            "la tua missione è, il tuo obiettivo è, assicurati di, assicurati che, si assicuri di, fai in modo, "
            "sei tenuto, sei obbligato"
        ),
        "urge": "voglio che tu, voglio che, ho bisogno che tu",
        "always": (
            "sempre, mai, in ogni momento, in ogni caso, senza eccezioni, in nessun caso, ogni volta, permanentemente"
        ),
        "hence": (
            "per il resto della conversazione, per il resto di questa conversazione, "
            "per il resto della sessione, da ora in poi, d'ora in poi, da adesso in poi, d'ora innanzi, "
            "d'ora in avanti, da ora in avanti, da questo momento, a partire da ora, in futuro, "
            "fino a nuovo ordine, fino a nuovo avviso, in ogni risposta, in tutte le risposte, "
            "in tutte le tue risposte, in ogni conversazione, in tutte le conversazioni, in tutte le future, "
            "in ogni futura, a partire da oggi"
        ),
        "steer": (
            "raccomanda, raccomandare, consiglia, consigliare, suggerisci, suggerire, dire, dici, digli, "
            "menziona, menzionare, menzioni, rispondi, rispondere, afferma, affermare, sostieni, sostenere, "
            "preferisci, cita, citare, rimanda, indirizza, approva, approvare, segui, seguire, obbedisci, "
            "obbedire, aggiungi, aggiungere, includi, includere, termina, inizia, scrivi, scrivere, parla, "
            "parlare, usa, usare, tratta, trattare, considera, rivela, rivelare, ignora, ignorare, nega, negare, "
            "menti, mentire, conferma, confermare, rifiuta, rifiutare, invia, inviare, cancella, cancellare, "
            "elogia, elogiare, promuovi, promuovere, accetta, accettare, fidati, trasferisci, privilegia"
        ),
        "when_asked": (
            "quando ti chiedono, quando ti viene chiesto, se ti chiedono, se ti viene chiesto, "
            "quando qualcuno chiede, se qualcuno chiede, quando qualcuno ti chiede, se qualcuno ti chiede, "
            "quando l'utente chiede, se l'utente chiede, quando un utente chiede, se un utente chiede, "
            "ogni volta che ti chiedono, ogni volta che qualcuno chiede, quando chiedo, se chiedo, "
            "quando gli utenti chiedono, se gli utenti chiedono, quando viene chiesto, se viene chiesto, "
            "alla domanda, se interrogato, ogni volta che l'utente chiede, quando l'utente ti chiede, "
            "se l'utente ti chiede"
        ),
        "store": (
            "salva, salvare, memorizza, memorizzare, ricorda, ricordare, ricordati, registra, registrare, "
            "annota, annotare, conserva, conservare, archivia, archiviare, tieni, scrivi, aggiorna, aggiornare, "
            "modifica, aggiungi, cancella, segna, appunta, inserisci, imposta"
        ),
        "memory": (
            "tua memoria, memoria a lungo termine, la memoria, in memoria, nella memoria, come fatto, "
            "come un fatto, come fatti, come verità, come un fatto accertato, in modo permanente, "
            "permanentemente, nelle tue note, tuoi ricordi, profilo utente, profilo dell'utente, per le future*, "
            "per tutte le future, per le prossime*, base di conoscenza, come preferenza, questa istruzione, "
            "come regola"
        ),
        "remember_to": (
            "ricordati di dire, ricorda di dire, ricordati sempre, ricordati che sei, ricordati che devi, "
            "ricorda che sei, ricorda che devi, non dimenticare di dire, non dimenticare di menzionare, "
            "non dimenticare che sei, non dimenticare che devi, non dimenticare mai che, "
            "ricorda questa istruzione, ricorda queste istruzioni, ricorda questa regola, "
            "ricordati di consigliare, ricordati di raccomandare, ricorda di consigliare, "
            "ricorda di raccomandare, ricordati di menzionare"
        ),
        "not": "nulla, niente, non, mai, evita di",
        "tell": (
            "dire, dirlo, informare, menzionare, avvisare, avvertire, rivelare, mostrare, notificare, "
            "raccontare, parlare, far sapere, chiedere, dica, informi, comunicare"
        ),
        "user": (
            "l'utente, all'utente, gli utenti, agli utenti, con l'utente, utente, utenti, l'umano, "
            "questa istruzione, queste istruzioni, questo messaggio, questa nota, di questo"
        ),
        "hide": "nascondi, nascondere, occulta, cela",
        "conceal": (
            "senza informare l'utente, senza avvisare l'utente, senza dirlo all'utente, senza dire all'utente, "
            "senza che l'utente, all'insaputa dell'utente, senza chiedere conferma, tieni questo segreto, "
            "tieni segreta questa, tienilo segreto, nascondi questo all'utente, nascondilo all'utente, "
            "nascondi questo, l'utente non deve sapere, l'utente non deve, non dirlo all'utente, "
            "non dirlo a nessuno, non farne parola, senza chiedere all'utente"
        ),
        "agent": (
            "assistente, l'assistente, l'ia, assistente ia, assistente ai, agente ia, agenti ia, agenti ai, "
            "modello linguistico, modelli linguistici, chatbot, il modello, il bot, l'agente, "
            "assistente virtuale, modello di linguaggio, intelligenza artificiale"
        ),
        "you": "tu, te, ti, voi",
        "note_to": (
            "nota per l'assistente, nota all'assistente, nota per l'ia, nota per l'ai, nota all'ia, "
            "messaggio per l'assistente, messaggio all'assistente, messaggio per l'ia, messaggio per l'ai, "
            "istruzione per l'assistente, istruzioni per l'assistente, istruzioni all'assistente, "
            "istruzioni per l'ia, istruzioni per l'ai, istruzione per l'ia, attenzione ia, attenzione ai, "
            "attenzione assistente, caro assistente, cara ia, nota di sistema, nota del sistema, "
            "avviso di sistema, messaggio di sistema, a qualsiasi ia, per l'assistente ai"
        ),
        "report": (
            "ha detto, detto, dice, chiesto, chiede, vuole, voleva, vorrebbe, spiegato, spiega, menzionato, "
            "raccontato, racconta, pensa, crede, spera, deciso, decide, consigliato, suggerito, raccomandato, "
            "cerca, preferisce, piace, ricordato, discusso, scritto, ordinato, esige, affermato, richiesto, "
            "proposto, imparato, insistito, desidera, aveva, disse, chiese"
        ),
        "lead": (
            "per favore, per cortesia, e, poi, quindi, ora, adesso, anche, semplicemente, o, prima, subito, "
            "immediatamente, importante, attenzione, inoltre, di nascosto, solo, soltanto, invece"
        ),
    },
)
