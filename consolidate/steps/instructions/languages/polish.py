"""Polish words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

POLISH = Language(
    "Polish",
    {
        "ignore": (
            "zignoruj, zignorujcie, ignoruj, ignorujcie, ignorować, zignorować, zapomnij, zapomnijcie, "
            "zapomnieć, pomiń, pomińcie, pomijaj, pominąć, pomijać, odrzuć, odrzucić, obejdź, obejść, omiń, "
            "omijaj, ominąć, nadpisz, nadpisać, porzuć, nie przestrzegaj, nie stosuj się, nie zważaj na, "
            "przestań przestrzegać, przestań stosować, lekceważ, zlekceważ, wyłącz, wyłączyć, anuluj, złam, łam, "
            "naruszaj, usuń, nie zwracaj uwagi na, nie wykonuj, skasuj, unieważnij, nie uwzględniaj"
        ),
        "rules": (
            "instrukcj*, polece*, zasad*, reguł*, wytyczn*, nakaz*, prompt*, ogranicze*, polityk*, filtr, "
            "filtry, filtrów, limity, limitów, protokoł*, dyrektyw*, rozkaz*, zalece*, zabezpiecze*, "
            "potwierdze*, przepis*, wskazówk*, wskazówek, kontrole"
        ),
        "system_rules": (
            "prompt systemowy, promptu systemowego, prompta systemowego, instrukcje systemowe, "
            "instrukcji systemowych, instrukcję systemową, komunikat systemowy, wiadomość systemową, "
            "polecenia systemowe, poleceń systemowych, zasady bezpieczeństwa, zasad bezpieczeństwa, "
            "wytyczne bezpieczeństwa, wytycznych bezpieczeństwa, protokoły bezpieczeństwa, "
            "protokołów bezpieczeństwa, reguły bezpieczeństwa, reguł bezpieczeństwa, filtry bezpieczeństwa, "
            "filtrów bezpieczeństwa, filtry treści, zabezpieczenia, politykę treści, polityki treści, "
            "wytyczne etyczne, zasady etyczne, pierwotne instrukcje, oryginalne instrukcje, ukryte instrukcje, "
            "ukryty prompt, instrukcje programisty, instrukcje dewelopera, zwykłe ograniczenia, "
            "kontrole bezpieczeństwa"
        ),
        "prior": (
            "poprzedni*, wcześniejsz*, powyższ*, uprzedni*, dotychczasow*, pierwotn*, oryginaln*, początkow*, "
            "istniejąc*, wcześniej, poprzednio, powyżej, dotąd, otrzyman*, systemow*, przedtem, podan*"
        ),
        "own": (
            "twoj*, twoje, twoich, twój, swoje, swoich, swój, swoją, swoimi, wasze, waszych, twoją, twojej, "
            "swojego, swojej, twoim"
        ),
        "all": "wszystkie, wszystkich, każd*, wszelki*, jakiekolwiek, wszystkim, żadn*",
        "everything": "wszystko, wszystkim, wszystkiego, o wszystkim",
        "told": (
            "ci powiedziano, ci powiedziałem, zostało powiedziane, powiedziano ci, powiedziałem ci, "
            "rozmawialiśmy, omówiliśmy, czego się nauczyłeś, wiesz, mówiliśmy, cię nauczono, ustaliliśmy, "
            "ci mówiono, było wcześniej, mówiono"
        ),
        "context": (
            "wszystko powyżej, wszystko co powyżej, wszystko powyższe, powyższy tekst, cały kontekst, "
            "poprzedni kontekst, wcześniejszą rozmowę, poprzednie wiadomości, wszystko co było wcześniej, "
            "dotychczasową rozmowę, wszystko co było przedtem, poprzednią rozmowę"
        ),
        "new_rules": (
            "nowe instrukcje, nowa instrukcja, nowe polecenie, nowe polecenia, nowe zasady, nowa zasada, "
            "nowe wytyczne, nowe zadanie, nowy cel, nowa rola, nowy prompt, prawdziwe zadanie, prawdziwy cel, "
            "właściwe zadanie, ważna instrukcja, ważne instrukcje, pilna instrukcja, pilne instrukcje, "
            "dodatkowe instrukcje, zaktualizowane instrukcje, jedyne zadanie, rzeczywiste zadanie"
        ),
        "supersede": (
            "zastępuje, zastępują, nadpisuje, nadpisują, ma pierwszeństwo przed, mają pierwszeństwo przed, "
            "unieważnia, unieważniają, uchyla, uchylają"
        ),
        "off": (
            "wyłączone, wyłączony, wyłączona, zawieszone, nie obowiązują, nie obowiązuje, już nie obowiązują, "
            "nie mają zastosowania, nie ma zastosowania, nie dotyczą, anulowane, uchylone, zniesione, nieważne, "
            "nieaktualne, nieaktywne, zdezaktywowane, zwolniony, nie były przeznaczone, przestały obowiązywać, "
            "przestają obowiązywać"
        ),
        "become": (
            "jesteś teraz, teraz jesteś, od teraz jesteś, już nie jesteś, nie jesteś już, jesteś, udawaj, "
            "udawaj że, zachowuj się jak, zachowuj się jakbyś, zagraj rolę, odgrywaj, wciel się, wyobraź sobie, "
            "odpowiadaj jak, odpowiadaj jako, działaj jak, działaj jako, przejdź w tryb, przełącz się, włącz, "
            "aktywuj, wejdź w, bądź, symuluj, przyjmij rolę, stań się, występuj jako"
        ),
        "unbound": (
            "bez ograniczeń, bez żadnych ograniczeń, bez zasad, bez żadnych zasad, bez filtrów, "
            "bez żadnych filtrów, bez filtra, bez cenzury, bez limitów, bez granic, bez reguł, nieograniczon*, "
            "nieocenzurowan*, niefiltrowan*, nie masz zasad, nie masz ograniczeń, nie masz żadnych ograniczeń, "
            "nie masz żadnych zasad, nie masz żadnych reguł, nie obowiązują cię żadne, nie masz limitów, "
            "tryb deweloperski, tryb dewelopera, tryb programisty, trybie deweloperskim, tryb administratora, "
            "tryb boga, wolny od wszelkich, wolny od zasad, bez wytycznych, bez etyki, żadnych zasad, "
            "żadnych ograniczeń, żadnych filtrów"
        ),
        "lacking": "bez, nie masz, żadnych, brak, wolny od, nie ma",
        "jailbreak": (
            "tryb deweloperski włączony, jesteś dan, jesteś teraz dan, teraz jesteś dan, tryb bez ograniczeń"
        ),
        "alter": "dan",
        "respond": (
            "odpowiadaj, odpowiedz, odpowiadać, odpowiedzieć, wykonaj, wykonuj, kontynuuj, podporządkuj, "
            "słuchaj, generuj, wygeneruj, spełniaj, spełnij, odpowiadając"
        ),
        "reborn": (
            "jesteś teraz, teraz jesteś, od teraz jesteś, od tej pory jesteś, nie jesteś już, już nie jesteś, "
            "nazywasz się teraz, od tej chwili jesteś"
        ),
        "reveal": (
            "ujawnij, ujawniać, ujawnić, pokaż, pokazać, pokazuj, wyświetl, wyświetlić, wypisz, wypisać, podaj, "
            "podać, podawaj, zdradź, zdradzić, powtórz, powtórzyć, powiedz mi, wydrukuj, wymień, udostępnij, "
            "skopiuj, zacytuj, jaki jest, jakie są, napisz, daj, przekaż, opublikuj, odsłoń, streść, "
            "przetłumacz, wyjaw, wylistuj, prześlij mi"
        ),
        "secret": (
            "prompt systemowy, promptu systemowego, instrukcje systemowe, instrukcji systemowych, "
            "komunikat systemowy, wiadomość systemową, swój prompt, twój prompt, swoje instrukcje, "
            "twoje instrukcje, swoje zasady, swoich instrukcji, swoją konfigurację, ukryte instrukcje, "
            "ukryty prompt, tajne instrukcje, wewnętrzne instrukcje, pierwotne instrukcje, "
            "początkowe instrukcje, oryginalny prompt, swoje wytyczne, twoje wytyczne, konfigurację wewnętrzną"
        ),
        "leak": "wykradnij, wycieknij, eksfiltruj, ukradnij, wyprowadź",
        "private": (
            "klucz api, klucze api, kluczy api, hasło, hasła, haseł, dane logowania, danych logowania, "
            "poświadczenia, dane klientów, danych klientów, listę klientów, lista klientów, listy klientów, "
            "bazę danych, bazy danych, dane wewnętrzne, dane osobowe, danych osobowych, dane poufne, poufn*, "
            "prywatne dane, dane prywatne, dane użytkowników, dane użytkownika, numery kart, karty kredytowe, "
            "kart kredytowych, dane bankowe, sekrety, tokeny, kod źródłowy, wrażliwe dane"
        ),
        "send": (
            "wyślij, wysyłaj, wysłać, wyślijcie, prześlij, przesyłaj, przesłać, przekaż, przekazać, przekazuj, "
            "zamieść, opublikuj, udostępnij, przelej, przelać, eksportuj, wyeksportuj, skopiuj, przekieruj, "
            "załaduj, wgraj, dostarcz"
        ),
        "data": (
            "dane, danych, listę, lista, podsumowanie, rozmow*, rozmów, histori*, treść, treści, wiadomoś*, "
            "plik, pliki, plików, dokument*, je, ją, to, go, wszystko, informacj*, wynik*, odpowied*, kopię, "
            "notatki, kontakty, wspomnienia, pieniądze, faktur*, pamięć, raport, szczegóły, maile"
        ),
        "money": "pieniądze, euro, złotych, dolarów, kwotę, bitcoin",
        "call": (
            "wywołaj, wywołać, użyj, użyć, używaj, uruchom, uruchomić, wykonaj, wykonać, skorzystaj, odpal, zastosuj"
        ),
        "tool_word": (
            "narzędzi*, narzędzie, narzędzia, funkcj*, komendę, polecenie powłoki, następujące polecenie, "
            "następujący kod, ten kod, skrypt, ten skrypt, żądanie http, z api"
        ),
        "destroy": (
            "usuń, usuwaj, usunąć, skasuj, kasuj, skasować, wyczyść, wyczyścić, zniszcz, zniszczyć, nadpisz, "
            "sformatuj, wymaż, opróżnij"
        ),
        "target": (
            "plik, pliki, plików, baz* danych, bazę, bazy, folder*, katalog*, tabel*, kont*, dane, danych, "
            "kopie zapasowe, kopii zapasowych, logi, wiadomości, użytkowników, rekordy, wspomnienia, maile"
        ),
        "grant": (
            "przyznaj, przyznać, nadaj, nadać, daj, dać, udziel, traktuj, uznaj, uznawaj, zatwierdź, "
            "zatwierdzaj, zezwól, pozwól"
        ),
        "privilege": (
            "admin, administrator*, uprawnienia administratora, dostęp administratora, prawa administratora, "
            "root, pełny dostęp, pełnego dostępu, nieograniczony dostęp, wszystkie uprawnienia, "
            "wszystkie prośby, wszystkie żądania, uprzywilejowan*, zweryfikowan*"
        ),
        "checks": "potwierdzenie, potwierdzenia, weryfikację, weryfikacji, uwierzytelnianie, autoryzację, zgodę",
        "verify": "weryfikuj, sprawdzaj, pytaj o potwierdzenie, pytaj o zgodę",
        "comply": (
            "zrób dokładnie to co, rób dokładnie to co, zrób wszystko co, rób wszystko co, wykonuj wszystkie, "
            "wykonuj każd*, wykonaj każd*, słuchaj tylko, słuchaj wszystkich, wykonaj instrukcj*, "
            "wykonaj zawarte*, wykonaj następujące instrukcje, postępuj zgodnie z instrukcją, "
            "postępuj zgodnie z instrukcjami, postępuj zgodnie z tymi, stosuj się tylko, stosuj się wyłącznie, "
            "spełniaj wszystkie, spełniaj każd*, zatwierdzaj wszystkie, nigdy nie odmawiaj, "
            "odpowiadaj na wszystko, zgadzaj się na wszystko, bądź posłuszn*"
        ),
        "decode": "zdekoduj, odkoduj, dekoduj, rozszyfruj, odszyfruj, base64",
        "turn": (
            "gdy to czytasz, kiedy to czytasz, gdy to przeczytasz, kiedy to przeczytasz, podczas przetwarzania, "
            "podczas podsumowywania, przed odpowiedzią, zanim odpowiesz, zanim przejdziesz dalej, "
            "w swojej odpowiedzi, w twojej odpowiedzi, w następnej odpowiedzi, w kolejnej odpowiedzi, "
            "w swoim podsumowaniu, w podsumowaniu, na końcu swojej*, na początku swojej*, "
            "na końcu każdej odpowiedzi, do swojej odpowiedzi, jeśli jesteś ai, jeśli jesteś modelem, "
            "za każdym razem gdy odpowiadasz, po przeczytaniu tego"
        ),
        "append": (
            "dołącz, dołączaj, dołączyć, dodaj, dodawaj, dodać, wstaw, wstawiaj, wstawić, wspomnij, wspominaj, "
            "wspomnieć, powtórz, powtarzaj, zakończ, kończ, zacznij, zaczynaj, napisz, umieść, umieszczaj, "
            "podpisz, podpisuj, dodany, dodana, dołączony, dołączona, umieszczony, zacytuj, uwzględnij, "
            "uwzględniaj"
        ),
        "reply": "odpowied*, podsumowani*, wiadomoś*, rozmow*, sesj*, raport*, mail*, wynik",
        "only": "tylko, wyłącznie, jedynie",
        "later": "przyszł*, następn*, kolejn*, dalsz*, późniejsz*",
        "must": "musi, muszą, powinien, powinna, powinno, powinny, należy, trzeba, ma być, mają być, winien",
        "oblige": (
            "musisz, powinieneś, powinnaś, nie wolno ci, twoim zadaniem jest, twoim celem jest, "
            "twoje zadanie to, upewnij się że, upewnij się, pamiętaj aby, pamiętaj żeby, dopilnuj, nakazuję ci, "
            "rozkazuję ci"
        ),
        "urge": "chcę żebyś, chcę abyś",
        "always": (
            "zawsze, nigdy, za każdym razem, bez wyjątku, pod żadnym pozorem, w każdym przypadku, stale, trwale"
        ),
        "hence": (
            "do końca rozmowy, do końca tej rozmowy, do końca sesji, od teraz, od tej pory, odtąd, "
            "od tej chwili, od tego momentu, w przyszłości, do odwołania, na przyszłość, w każdej odpowiedzi, "
            "we wszystkich odpowiedziach, w każdej rozmowie, we wszystkich rozmowach, we wszystkich przyszłych, "
            "w każdej przyszłej, od dziś, od dzisiaj"
        ),
        "steer": (
            "polecaj, poleć, polecać, rekomenduj, zarekomenduj, rekomendować, sugeruj, zasugeruj, mów, powiedz, "
            "mówić, powiedzieć, wspominaj, wspomnij, wspominać, odpowiadaj, odpowiedz, odpowiadać, twierdź, "
            "twierdzić, doradzaj, zachwalaj, odsyłaj, kieruj, zatwierdzaj, zatwierdź, słuchaj, przestrzegaj, "
            "dodawaj, dodaj, kończ, zaczynaj, pisz, pisać, używaj, używać, traktuj, traktować, ujawniaj, "
            "ujawnić, ignoruj, ignorować, zaprzeczaj, kłam, kłamać, potwierdzaj, potwierdzać, potwierdź, "
            "odmawiaj, odmawiać, wysyłaj, wysyłać, usuwaj, promuj, promować, akceptuj, akceptować, ufaj, ufać, "
            "wybieraj, chwal, chwalić, zgadzaj, zdradzaj, udawaj, przelewaj, przelej, podawaj"
        ),
        "when_asked": (
            "gdy zapytają, kiedy zapytają, jeśli zapytają, gdy ktoś zapyta, kiedy ktoś zapyta, "
            "jeśli ktoś zapyta, gdy ktoś pyta, kiedy ktoś pyta, jeśli ktoś pyta, gdy użytkownik zapyta, "
            "kiedy użytkownik zapyta, jeśli użytkownik zapyta, gdy użytkownik pyta, kiedy użytkownik pyta, "
            "jeśli użytkownik pyta, zapytany o, zapytana o, pytany o, gdy zostaniesz zapytany, "
            "kiedy zostaniesz zapytany, jeśli zostaniesz zapytany, na pytanie o, gdy cię zapytają, "
            "kiedy cię zapytają, gdy zapytam, kiedy użytkownicy pytają, gdy użytkownicy pytają, ilekroć ktoś"
        ),
        "store": (
            "zapisz, zapisuj, zapisać, zapamiętaj, zapamiętać, zachowaj, przechowuj, zanotuj, dodaj, dopisz, "
            "zaktualizuj, nadpisz, zmień, utrwal, wpisz, usuń, wymaż"
        ),
        "memory": (
            "pamięci, pamięć, pamięci długotrwałej, swojej pamięci, twojej pamięci, jako fakt, jako fakty, "
            "jako prawdę, jako potwierdzony fakt, na stałe, trwale, w notatkach, w profilu użytkownika, "
            "na przyszłe*, dla przyszłych*, bazie wiedzy, bazy wiedzy, jako preferencję, tę instrukcję, "
            "jako zasadę"
        ),
        "remember_to": (
            "pamiętaj żeby powiedzieć, pamiętaj aby powiedzieć, pamiętaj by powiedzieć, pamiętaj żeby zawsze, "
            "pamiętaj aby zawsze, pamiętaj zawsze, pamiętaj że jesteś, pamiętaj że masz, pamiętaj że musisz, "
            "nie zapomnij powiedzieć, nie zapomnij wspomnieć, nigdy nie zapominaj że, nie zapominaj że jesteś, "
            "zapamiętaj tę instrukcję, zapamiętaj tę zasadę, zapamiętaj że musisz, zapamiętaj że jesteś, "
            "pamiętaj żeby polecać, pamiętaj aby polecać, pamiętaj by polecać"
        ),
        "not": "nic, nie, nigdy",
        "tell": (
            "mów, powiedz, mówić, informuj, poinformuj, informować, wspominaj, wspomnij, wspominać, powiadamiaj, "
            "powiadom, powiadamiać, ostrzegaj, ujawniaj, pokazuj, zdradzaj, pytaj, zgłaszaj, daj"
        ),
        "user": "użytkownik*, człowiekowi, tej instrukcji, tych instrukcji, tę instrukcję, tej wiadomości, o tym",
        "hide": "ukryj, ukrywaj, zataj, przemilcz",
        "conceal": (
            "bez informowania użytkownika, bez wiedzy użytkownika, bez powiadamiania użytkownika, "
            "nie mówiąc użytkownikowi, nie informując użytkownika, bez pytania użytkownika, bez pytania o zgodę, "
            "bez potwierdzenia, zachowaj to w tajemnicy, trzymaj to w tajemnicy, ukryj to przed, "
            "ukrywaj to przed, zataj to przed, użytkownik nie może wiedzieć, użytkownik nie może się dowiedzieć, "
            "użytkownik nie powinien wiedzieć, nikomu o tym nie mów, nie mów o tym nikomu, tak aby użytkownik nie"
        ),
        "agent": (
            "asystent, asystencie, asystenta, asystentowi, sztuczna inteligencja, sztucznej inteligencji, "
            "agent ai, agenci ai, asystent ai, model językowy, modele językowe, modelu językowego, chatbot, "
            "chatboty, bot, model ai, systemy ai"
        ),
        "you": "ty, ci, ciebie, tobie, cię",
        "note_to": (
            "notatka dla asystenta, notatka do asystenta, notatka dla ai, wiadomość dla asystenta, "
            "wiadomość do asystenta, wiadomość dla ai, wiadomość do ai, instrukcja dla asystenta, "
            "instrukcje dla asystenta, instrukcja dla ai, instrukcje dla ai, uwaga ai, uwaga asystencie, "
            "uwaga asystent, drogi asystencie, droga ai, komunikat systemowy, uwaga systemowa, "
            "notatka systemowa, do asystenta, do każdej ai, polecenie dla asystenta, uwaga dla asystenta, "
            "uwaga dla ai"
        ),
        "report": (
            "powiedział, powiedziała, mówi, poprosił, poprosiła, prosi, zapytał, zapytała, chce, chciał, "
            "chciała, chciałby, chciałaby, opowiedział, opowiedziała, wyjaśnił, wyjaśniła, wspomniał, "
            "wspomniała, myśli, uważa, wierzy, ma nadzieję, postanowił, postanowiła, planuje, radził, radziła, "
            "zasugerował, zasugerowała, polecił, poleciła, próbuje, woli, lubi, przypomniał, przypomniała, "
            "rozmawiali, napisał, napisała, kazał, kazała, nakazał, nakazała, żądał, żądała, stwierdził, "
            "stwierdziła, nauczył, nauczyła"
        ),
        "lead": (
            "proszę, i, a, potem, następnie, teraz, też, także, po prostu, lub, albo, najpierw, natychmiast, "
            "ważne, uwaga, ponadto, potajemnie, tylko, wyłącznie, oraz"
        ),
    },
)
