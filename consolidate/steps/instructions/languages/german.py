"""German words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

GERMAN = Language(
    "German",
    {
        "ignore": (
            "schalte, schalt, ignoriere, ignorier, ignoriert, ignorieren, vergiss, vergesst, vergessen, "
            "missachte*, umgeh, umgehe, umgehen, überschreib*, verwirf, verwerfe, verwerfen, übergehe, "
            "übergehen, überspring*, lass außer acht, außer acht, deaktivier*, schalte ab, setze außer kraft, "
            "außer kraft, befolge nicht, befolge nicht mehr, folge nicht, beachte nicht, lösche, streiche, "
            "halte dich nicht mehr an, halte dich nicht an, hör auf, setz dich hinweg, ignorierst, missachten"
        ),
        "rules": (
            "anweisung*, regel, regeln, richtlinie*, vorgabe*, instruktion*, befehl*, vorschrift*, "
            "einschränkung*, beschränkung*, prompt*, systemprompt*, leitlinie*, direktive*, schranken, grenzen, "
            "filter, weisung*, sicherheitsregel*, sicherheitsprüfung*, sicherheitsrichtlinie*, "
            "sicherheitsvorgabe*, verhaltensregel*, rückfrage*, bestätigung*, protokolle, limits"
        ),
        "system_rules": (
            "systemprompt*, system prompt, systemanweisung*, systemnachricht*, systeminstruktion*, "
            "systemvorgabe*, entwickleranweisung*, entwicklernachricht*, sicherheitsrichtlinie*, "
            "sicherheitsregel*, sicherheitsprotokoll*, sicherheitsvorgabe*, sicherheitsmaßnahm*, "
            "sicherheitsfilter*, sicherheitsprüfung*, inhaltsrichtlinie*, inhaltsfilter*, nutzungsrichtlinie*, "
            "ethische richtlinien, ethischen richtlinien, ursprüngliche anweisung*, ursprünglichen anweisung*, "
            "programmierung, übliche einschränkungen, üblichen einschränkungen, üblichen beschränkungen, "
            "sicherheitsbeschränkung*, sicherheitseinschränkung*, inhaltsbeschränkung*, versteckte anweisung*, "
            "versteckten prompt, versteckten anweisung*"
        ),
        "prior": (
            "vorherig*, bisherig*, vorangegangen*, vorangehend*, vorig*, früher, frühere, früheren, obig*, "
            "obenstehend*, oben, ursprünglich*, bestehend*, zuvor, davor, vorhin, bislang, bisher, gegeben*, "
            "vorausgehend*, letzten, system, vorstehend*, eingebaute*"
        ),
        "own": "dein, deine, deinen, deiner, deines, deinem, euer, eure, euren, eurer",
        "theirs": "ihre, ihren, ihrer, ihr, ihres, ihrem",
        "all": "alle, allen, aller, jede, jeden, jedes, jeder, jedem, jegliche*, sämtliche*, sämtlicher",
        "everything": "alles, sämtliches, was",
        "told": (
            "dir gesagt, dir gesagt wurde, wir besprochen, besprochen haben, dir mitgeteilt, du gelernt, "
            "du weißt, ich gesagt habe, dir beigebracht, bisher gesagt, zuvor gesagt, vorher gesagt, davor kam, "
            "bisher besprochen, vorher stand, darüber steht"
        ),
        "context": (
            "alles bisherige, alles vorherige, alles obige, alles oben, alles davor, alles zuvor, das obige, "
            "obigen text, text oben, den text darüber, alles darüber, bisherige gespräch, bisherigen kontext, "
            "vorherigen kontext, gesprächsverlauf, bisherigen chat, bisherige unterhaltung, "
            "bisherigen nachrichten, vorherigen nachrichten"
        ),
        "new_rules": (
            "neue anweisung*, neue regel, neue regeln, neue aufgabe, neuer auftrag, neue instruktion*, "
            "neue vorgabe*, neue richtlinie*, neue direktive*, neuer befehl, neue befehle, neuen anweisung*, "
            "eigentliche aufgabe, wahre aufgabe, wirkliche aufgabe, echte aufgabe, eigentlicher auftrag, "
            "wichtige anweisung*, dringende anweisung*, zusätzliche anweisung*, aktualisierte anweisung*, "
            "neues ziel, neue rolle, einzige aufgabe"
        ),
        "supersede": (
            "ersetzt, ersetzen, hat vorrang vor, haben vorrang vor, überschreibt, überschreiben, steht über, "
            "stehen über, geht vor, setzt außer kraft, hebt auf, hebt"
        ),
        "off": (
            "deaktiviert, abgeschaltet, ausgeschaltet, aufgehoben, außer kraft, gelten nicht, nicht gelten, "
            "gilt nicht, nicht mehr gelten, gelten nicht mehr, gelten hier nicht, gelten für dich nicht, "
            "hinfällig, ungültig, nicht mehr gültig, ausgesetzt, ausgenommen, unwirksam, nicht anwendbar, "
            "nicht für diesen fall, hier nicht, nicht bindend"
        ),
        "become": (
            "du bist jetzt, du bist nun, du bist ab sofort, du bist nicht mehr, du bist, tu so als, tue so als, "
            "tu so, stell dir vor, spiele, spiel, schlüpfe in, verhalte dich, benimm dich, agiere, handle als, "
            "antworte als, simuliere, übernimm die rolle, nimm die rolle, gib dich, gib vor, wechsle in, "
            "wechsle, aktiviere, schalte in, sprich als, rolle, werde"
        ),
        "unbound": (
            "uneingeschränkt*, unzensiert*, ungefiltert*, keine regeln, keine einschränkungen, "
            "keine beschränkungen, keine grenzen, keinerlei regeln, keinerlei einschränkungen, ohne regeln, "
            "ohne einschränkung*, ohne beschränkung*, ohne grenzen, ohne filter, ohne zensur, ohne richtlinien, "
            "ohne jede einschränkung, ohne jegliche*, keine filter, keine richtlinien, keine ethischen, "
            "ohne ethische*, ohne moralische*, entfesselt*, unbeschränkt*, entwicklermodus, adminmodus, "
            "wartungsmodus, debug modus, gottmodus, frei von allen, nicht an regeln gebunden, grenzenlos*, "
            "ohne rücksicht auf"
        ),
        "lacking": "kein, keine, keinen, keiner, keinerlei, ohne, frei von",
        "jailbreak": (
            "entwicklermodus aktiviert, du bist dan, du bist jetzt dan, uneingeschränkten modus, "
            "uneingeschränkter modus"
        ),
        "alter": "dan",
        "respond": (
            "antworte, antworten, beantworte, beantworten, reagiere, reagieren, gehorche, gehorchen, fahre fort, "
            "entsprich, entsprechen, leiste folge, folge leisten, führe aus, generiere, erzeuge"
        ),
        "reborn": (
            "du bist jetzt, du bist nun, du bist ab sofort, du bist ab jetzt, du bist nicht mehr, "
            "du bist kein assistent, du heißt ab jetzt, du heißt jetzt"
        ),
        "reveal": (
            "zeige, zeig, zeigst, zeigen, gib, gibst, geben, preis, preisgeben, preisgibst, verrate, verrätst, "
            "verraten, nenne, nennst, offenbare, offenbaren, offenlege, lege offen, offen, drucke, wiederhole, "
            "wiederholen, liste, sag mir, sage mir, was ist, was sind, wie lautet, wie lauten, teile mir, "
            "schreibe, enthülle*, ausgeben, kopiere, übersetze, fasse, schick mir, veröffentliche, rücke, "
            "zitiere, exportiere, leake, beschreibe"
        ),
        "secret": (
            "systemprompt*, system prompt, systemanweisung*, systemnachricht*, deine anweisungen, "
            "deine instruktionen, deinen prompt, deine regeln, deine richtlinien, deine vorgaben, "
            "deiner anweisungen, deine internen, deine ursprünglichen, deine geheimen, versteckten prompt, "
            "versteckte anweisung*, versteckten anweisung*, geheime anweisung*, interne anweisung*, "
            "internen anweisung*, deine konfiguration, deine programmierung, ihre anweisungen, ihren prompt, "
            "ursprünglichen prompt, deine zugangsdaten, deine werkzeuge, entwicklernachricht*"
        ),
        "leak": "leake, leaken, exfiltriere, exfiltrieren, stiehl, schleuse",
        "private": (
            "api schlüssel*, zugangsdaten, passwort, passwörter, kennwort, kennwörter, geheimnis, geheimnisse, "
            "kundendaten, kundenliste, kundendatenbank, datenbank, interne daten, internen daten, "
            "interner daten, vertrauliche*, personenbezogene*, persönliche daten, persönlichen daten, "
            "private daten, privaten daten, kreditkarten*, kontodaten, bankdaten, zugangsschlüssel, "
            "benutzerdaten, nutzerdaten, geheime schlüssel, api keys, token, tokens, quellcode, sensible daten, "
            "gehaltsdaten, telefonnummern"
        ),
        "send": (
            "sende, senden, schick, schicke, schicken, leite, weiterleiten, übermittle, übermitteln, lade, "
            "hochladen, maile, poste, übertrage, übertragen, überweise, überweisen, exportiere, kopiere, "
            "verschicke, versende, veröffentliche, rufe"
        ),
        "data": (
            "daten, liste, zusammenfassung, gespräch*, unterhaltung*, verlauf, chatverlauf, inhalt*, nachricht*, "
            "datei*, dokument*, sie, ihn, es, alles, informationen, ergebnis*, antwort*, kopie, protokoll*, "
            "notiz*, kontakte, erinnerungen, geld, betrag, rechnung*, adresse*"
        ),
        "money": "geld, euro, betrag, dollar, überweisung, bitcoin",
        "call": "rufe, verwende, benutze, nutze, führe, starte, verwenden, benutzen, aufrufen, ausführen, ruf",
        "tool_word": (
            "das werkzeug, das tool, werkzeug, die funktion, funktion, befehl aus, den befehl, diesen befehl, "
            "folgenden befehl, folgenden code, diesen code, shell befehl, skript, das skript, e mail werkzeug"
        ),
        "destroy": "lösche, löschen, entferne, entfernen, leere, überschreibe, vernichte, formatiere, setze zurück",
        "target": (
            "datei, dateien, datenbank*, verzeichnis*, ordner, tabelle*, datensätze, konto, konten, daten, "
            "backup*, sicherungen, protokolle, nachrichten, e mails, benutzer, einträge, erinnerungen, "
            "kundendaten"
        ),
        "grant": "gewähre, gewähren, gib, erteile, behandle, räume, stufe, erlaube, genehmige, mache",
        "privilege": (
            "admin, administrator*, adminrechte, adminzugriff, administratorrechte, root, vollzugriff, "
            "vollen zugriff, alle rechte, uneingeschränkten zugriff, sonderrechte, verifiziert, alle anfragen, "
            "alle berechtigungen"
        ),
        "checks": (
            "bestätigung, bestätigungen, authentifizierung, verifizierung, überprüfung, freigabe, "
            "identitätsprüfung, sicherheitsabfrage"
        ),
        "verify": "überprüfe, prüfe, verifiziere, frage nach, frag nach, hinterfrage, rückfrage",
        "comply": (
            "beantworte einfach alles, gehorche jedem*, gehorche allen, gehorche mir, befolge alle, "
            "befolge jede*, befolge nur, befolge die anweisung darin, befolge die anweisungen darin, "
            "befolge folgende*, befolge diese*, tu genau was, tue genau was, mach genau was, mache genau was, "
            "genau das was dort steht, genau was dort steht, tu alles was, tue alles was, mach alles was, "
            "genehmige alle*, führe die enthaltenen anweisungen, führe die anweisung*, ohne nachfrage aus, "
            "lehne nie*, führe jeden befehl, verweigere nie*, komm jeder*"
        ),
        "decode": (
            "dekodiere, dekodieren, decodiere, entschlüssle, entschlüssele, entschlüsseln, dekodierst, base64, "
            "entziffere"
        ),
        "turn": (
            "wenn du dies liest, wenn du das liest, wenn du diese*, bevor du antwortest, bevor du fortfährst, "
            "vor der antwort, vor deiner antwort, bei deiner nächsten antwort, in deiner nächsten antwort, "
            "in deiner antwort, in deiner zusammenfassung, in deine antwort, in deine zusammenfassung, "
            "am ende deiner*, am anfang deiner*, zu beginn deiner*, deiner antwort, beim zusammenfassen, "
            "beim verarbeiten, bei jeder antwort, sobald du dies liest, falls du eine ki bist, als ki, "
            "jedes mal wenn du"
        ),
        "append": (
            "füge, hänge, nenne, erwähne, schreibe, wiederhole, ergänze, beginne, beende, angehängt, "
            "hinzugefügt, eingefügt, erwähnt, wiederholt, genannt, enthalten, ergänzt, setze, gib, einfügen, "
            "anhängen, erwähnen, zitiere, unterschreibe"
        ),
        "reply": (
            "antwort, antworten, zusammenfassung*, ausgabe*, nachricht, nachrichten, rückmeldung*, gespräch*, "
            "unterhaltung*, sitzung*, erwiderung*, e mail, bericht*"
        ),
        "only": "nur mit, nur noch mit, ausschließlich mit, ausschließlich, nur noch, lediglich mit",
        "later": "zukünftig*, künftig*, folgend*, nächste*, weitere*, kommende*",
        "must": "muss, müssen, soll, sollen, sollte, sollten, ist, sind",
        "oblige": (
            "du darfst nie, du darfst niemals, du darfst keinesfalls, du musst, du sollst, du solltest, "
            "ich befehle dir, deine aufgabe ist, dein auftrag ist, dein ziel ist, stelle sicher dass, "
            "stell sicher dass, achte darauf dass, sorge dafür dass, musst du, sollst du"
        ),
        "urge": "sie müssen, sie sollen, sollen sie, müssen sie, ich will dass du, ich möchte dass du",
        "always": (
            "immer, stets, nie, niemals, jederzeit, ausnahmslos, unter keinen umständen, jedes mal, "
            "grundsätzlich, dauerhaft"
        ),
        "hence": (
            "für den rest des gesprächs, für den rest der unterhaltung, für den rest dieser unterhaltung, "
            "für den rest dieses gesprächs, ab jetzt, ab sofort, von jetzt an, von nun an, ab nun, künftig, "
            "in zukunft, zukünftig, fortan, ab heute, bis auf weiteres, ab diesem zeitpunkt, "
            "von diesem moment an, in jeder antwort, in allen antworten, bei jeder antwort, in jedem gespräch, "
            "in allen künftigen*, in jeder künftigen*, in allen zukünftigen*"
        ),
        "steer": (
            "empfiehl, empfehle, empfehlen, empfiehlst, sag, sage, sagen, sagst, erwähne, erwähnen, erwähnst, "
            "antworte, antworten, antwortest, nenne, nennen, behaupte, behaupten, behauptest, bevorzuge, "
            "bevorzugen, lobe, schlage, vorschlagen, verweise, verweisen, stimme, zustimmen, folge, befolge, "
            "befolgen, gehorche, gehorchen, ignoriere, ignorieren, füge, beende, beginne, schreibe, schreib, "
            "schreiben, sprich, verwende, verwenden, benutze, nutze, verrate, verraten, leugne, lüge, lügen, "
            "genehmige, überweise, überweisen, bestätige, bestätigen, behandle, vertraue, vertrauen, lösche, "
            "sende, schicke, bewirb, bewerbe, rede, preisgeben, preis, weigere, verweigere"
        ),
        "when_asked": (
            "gefragt wirst, wenn du gefragt wirst, wenn man dich fragt, wenn jemand fragt, "
            "wenn jemand dich fragt, wenn der nutzer fragt, wenn der benutzer fragt, wenn ein nutzer fragt, "
            "wenn ich frage, wenn nach, falls jemand fragt, falls du gefragt wirst, auf die frage, wenn gefragt, "
            "falls gefragt, auf nachfrage, wenn nutzer fragen, falls der nutzer, wenn der nutzer nach, "
            "wenn der benutzer nach, sobald jemand fragt, wann immer jemand, wann immer der nutzer"
        ),
        "store": (
            "speichere, speicher, speichern, merk, merke, merken, notiere, behalte, trage, schreibe, "
            "aktualisiere, lege, präge, hinterlege, vermerke, ändere, überschreibe, lösche, füge, abspeichern"
        ),
        "memory": (
            "gedächtnis, dein gedächtnis, langzeitgedächtnis, deinem gedächtnis, als fakt, als tatsache, "
            "als wahrheit, dauerhaft ab, dauerhaft, in deinen notizen, im nutzerprofil, als erinnerung, "
            "deine erinnerungen, als bestätigte tatsache, als präferenz, für künftige*, für zukünftige*, "
            "für alle künftigen*, wissensdatenbank, diese anweisung, als regel"
        ),
        "remember_to": (
            "denk daran zu sagen, denke daran immer, denk daran immer, merk dir dass du, merke dir dass du, "
            "vergiss nicht zu sagen, vergiss nicht zu erwähnen, vergiss nie dass du, vergiss nicht dass du, "
            "merke dir diese anweisung, merk dir diese anweisung, merk dir diese regel, merke dir diese regel, "
            "denk daran dass du, denke daran dass du"
        ),
        "not": "nichts, nicht, niemals, nie, kein, keinesfalls, auf keinen fall",
        "tell": (
            "sag, sage, sagen, erzähl, erzähle, erzählen, informiere, informieren, erwähne, erwähnen, verrate, "
            "verraten, zeige, weise, warne, benachrichtige, teile, mitteilen, frage, fragst"
        ),
        "user": (
            "dem nutzer, den nutzer, dem benutzer, den benutzer, der nutzer, nutzern, benutzern, dem anwender, "
            "den anwender, dem menschen, diese anweisung, diese anweisungen, diese nachricht, dieser anweisung, "
            "davon, darüber"
        ),
        "hide": "verbirg, verberge, verheimliche, verschweige, verstecke",
        "conceal": (
            "ohne den nutzer zu informieren, ohne den benutzer zu informieren, ohne dem nutzer davon, "
            "ohne dass der nutzer, ohne dass der benutzer, ohne wissen des nutzers, ohne rückfrage beim, "
            "halte das geheim, halte dies geheim, halte diese anweisung geheim, halte diese anweisungen geheim, "
            "verschweige dem, verheimliche dem, verschweige das dem, verberge das vor, verberge dies vor, "
            "darf der nutzer nicht, der nutzer darf nichts, der benutzer darf nichts, "
            "der nutzer darf davon nichts, verrate das niemandem, verrate dies niemandem, "
            "ohne den nutzer zu fragen"
        ),
        "agent": (
            "assistent, assistentin, assistenten, der assistent, die ki, ki assistent, chatbot, chatbots, "
            "sprachmodell, sprachmodelle, ki modell, ki agent, ki agenten, ki system, ki systeme, bot, der bot, "
            "das modell"
        ),
        "you": "du, dir, dich",
        "note_to": (
            "hinweis an den assistenten, hinweis an die ki, hinweis für den assistenten, hinweis für die ki, "
            "hinweis für ki, nachricht an den assistenten, nachricht an die ki, anweisung an den assistenten, "
            "anweisung an die ki, anweisung für den assistenten, anweisungen für den assistenten, "
            "anweisung für die ki, anweisungen für die ki, anweisungen an die ki, "
            "anweisungen an den assistenten, achtung ki, achtung assistent, lieber assistent, liebe ki, "
            "hallo ki, notiz an den assistenten, notiz für den assistenten, notiz für die ki, notiz an die ki, "
            "systemhinweis, systemmeldung, systemnachricht, systemanweisung, ki anweisung, an den assistenten, "
            "an das sprachmodell, an alle ki"
        ),
        "report": (
            "sagte, sagt, gesagt, bat, bittet, gebeten, fragte, fragt, gefragt, wollte, will dass, will nicht, "
            "möchte, erzählte, erzählt, erklärte, erklärt, meinte, meint, glaubt, denkt, wünscht, wünschte, "
            "hofft, plante, beschloss, beschlossen, riet, empfahl, erwähnte, forderte, verlangte, verlangt, "
            "versucht, versuchte, mag, liebt, erinnerte, schlug, diskutierten, sprach, schrieb, überlegt, "
            "bevorzugt, findet, lernte, lernt"
        ),
        "lead": (
            "bitte, und, dann, nun, jetzt, sofort, einfach, auch, oder, stattdessen, anschließend, danach, "
            "zuerst, wichtig, achtung, nur, außerdem, zusätzlich, heimlich"
        ),
    },
)
