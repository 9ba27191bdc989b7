# The texts of the pages. A test compares both languages and finds messages that nothing uses.

## The frame of every page

language-label = Sprache
navigation-label = Hauptnavigation
nav-games = Partien
nav-play = Spielen
nav-leagues = Ligen
nav-stats = Statistik
nav-players = Spieler
nav-rules = Regeln
nav-docs = Dokumentation
skip = Zum Inhalt springen
preview-board = Ein Spielplan von Antike mit den Startstädten der Nationen
foot = ein Spielserver für die Antike-Brettspiele · freie Software, MIT oder Apache 2.0
foot-privacy = Datenschutz
home = Zur Startseite
any = alle
yes = ja
no = nein
few = wenige
points = Punkte
show = Anzeigen

## Numbers, times and lists

decimal-mark = ,
percent = { $number } %
percent-span = { $low } bis { $high }
sample = n { $count }
time-format = %-d.%-m.%Y, %H:%M UTC
date-format = %-d.%-m.%Y
list-and = { $all } und { $last }
points-count =
    { $count ->
        [one] 1 Punkt
       *[other] { $count } Punkte
    }
nations-count =
    { $count ->
        [one] 1 Nation
       *[other] { $count } Nationen
    }
finished-games =
    { $count ->
        [one] 1 beendete Partie
       *[other] { $count } beendete Partien
    }
finished-games-more = mehr als { $count } beendete Partien
public-games =
    { $count ->
        [one] 1 öffentliche Partie
       *[other] { $count } öffentliche Partien
    }
public-games-more = mehr als { $count } öffentliche Partien

## Nations, pieces and know-hows

nation-arabs = Araber
nation-babylonians = Babylonier
nation-carthaginians = Karthager
nation-egyptians = Ägypter
nation-germanic-tribes = Germanen
nation-greeks = Griechen
nation-persians = Perser
nation-phoenicians = Phönizier
nation-romans = Römer
personage-king = König
personage-scholar = Gelehrter
personage-general = Feldherr
personage-citizen = Bürger
personage-navigator = Seefahrer
know-how-wheel = Rad
know-how-sailing = Segel
know-how-market = Markt
know-how-monarchy = Monarchie
know-how-roads = Straßen
know-how-navigation = Navigation
know-how-currency = Währung
know-how-democracy = Demokratie
know-how-strata = Strata
know-how-navigatio = Navigatio
know-how-moneta = Moneta
know-how-res-publica = Res Publica
know-how-commercium = Commercium
know-how-mercatura = Mercatura
know-how-metallum = Metallum
know-how-regnum = Regnum
card-academy = Akademie
card-burglary = Einbruch
card-earthquake = Erdbeben
card-fortress = Festung
card-forced-march = Gewaltmarsch
card-fair-wind = Günstiger Wind
card-master-builder = Baumeister
card-rich-harvest = Reiche Ernte
card-mercenaries = Söldner
card-conscription = Aushebung
card-tribute = Tribut
card-settlers = Siedler
chip-marble = Marmor
chip-iron = Eisen
chip-gold = Gold
chip-coins = Münzen
chips = { $count } { $chip }
coins =
    { $count ->
        [one] 1 Münze
       *[other] { $count } Münzen
    }
nothing = nichts
paid = { " " }für { $payment }
pieces-legion =
    { $count ->
        [one] 1 Legion
       *[other] { $count } Legionen
    }
pieces-galley =
    { $count ->
        [one] 1 Galeere
       *[other] { $count } Galeeren
    }
pieces-commander = den Feldherrn
pieces-admiral = den Admiral
units-legion = Legionen
units-galley = Galeeren
field-iron = Eisen
field-temple = Tempel
field-gold = Gold
field-maneuver-1 = Manöver
field-maneuver-2 = Manöver
field-arming = Rüstung
field-marble = Marmor
field-know-how = Fortschritt
stop-maneuver-1 = Manöver (vor Rüstung)
stop-maneuver-2 = Manöver (vor Eisen)
board-antike-east = Ost: das Reich Alexanders des Großen
board-antike-west = West: das Römische Reich
board-antike-ii-mare-nostrum = Mare Nostrum
board-antike-ii-orient = Orient
board-duellum-greece-persia = Griechen gegen Perser
board-duellum-rome-carthage = Karthager gegen Römer
short-board-antike-east = Antike Ost
short-board-antike-west = Antike West
short-board-antike-ii-mare-nostrum = Antike II Mare Nostrum
short-board-antike-ii-orient = Antike II Orient
short-board-duellum-greece-persia = Duellum Griechenland Persien
short-board-duellum-rome-carthage = Duellum Rom Karthago
level-beginner = Anfänger
level-intermediate = Geübt
level-advanced = Fortgeschritten
level-expert = Experte
bot-random = Zufällig
bot-greedy = Gierig
bot-greedy-growth = Gierig nach Wachstum
bot-greedy-military = Gierig nach Macht
bot-greedy-progress = Gierig nach Fortschritt
bot-search = Vorausschauend

## The home page

home-title = Spiele Antike. Jeder Zug wird geprüft und aufgezeichnet.
home-lead = Spiele Antike, Antike II und Antike Duellum gegen Menschen oder Bots. Sieh dir jede Partie noch einmal an, leite eine Liga und lerne aus der Statistik beendeter Partien.
home-running = Laufende Partie
home-last = Zuletzt beendete Partie
home-none = Hier wurde noch keine Partie gespielt. Beginne die erste mit „Jetzt spielen“.
home-watch = Zuschauen
home-replay = Nachspielen
home-games = Partien ansehen
home-api = Zur Dokumentation
home-play = Jetzt spielen
part-games = Sieh bei laufenden Partien zu oder gehe jede gespielte Partie Schritt für Schritt durch: in Worten, in Notation und als Bild.
part-stats = Gewinnquoten von Nationen, Eröffnungen und Persönlichkeiten, mit Intervallen und Anzahl der Partien. Erkunde Eröffnungen auf dem Rondell. Zu jedem Bild gibt es die Tabelle und eine Quellenangabe.
part-leagues = Saisons mit dem Tabellenstand jedes Tages, Runden, Tischen und direkten Vergleichen. Auch Partien am echten Tisch zählen.
part-players = Wertungszahlen mit ihrer Unsicherheit von Partie zu Partie, dazu Nationen, Eröffnungen und Gegner jedes Spielers.
part-docs = Spielen, einen Client bauen, eine Liga leiten, die Daten nutzen und einen Server betreiben, mit der Referenz der API (auf Englisch).
part-rules = Jede Ausgabe als nummerierte Regeln (auf Englisch). Wird ein Zug abgelehnt, siehst du die Nummer der Regel.

## Lists of games

games-title = Partien
games-label = Partien filtern
games-none = Keine Partie passt zur Auswahl.
games-next = Ältere Partien
games-edition = Ausgabe
games-status = Status
games-name = Spieler
games-name-hint = Name beginnt mit
status-open = offen
status-running = läuft
status-finished = beendet
status-abandoned = abgebrochen
winner = gewonnen
bot = Bot
open-seat = freier Platz
guest = Gast

## The page of a game

game-title = { $edition } · { $board }
game-board = Der Spielplan. Die Tasten + und − ändern die Größe, 0 zeigt alles.
game-steps = Durch die Partie gehen
game-first = Erstes Ereignis
game-back = Voriges Ereignis
game-forward = Nächstes Ereignis
game-last = Letztes Ereignis
game-play = Abspielen
game-pause = Anhalten
game-slider = Ereignis
game-tabs = Spielen und zusehen
game-zoom-in = Vergrößern
game-zoom-out = Verkleinern
game-zoom-fit = Den ganzen Spielplan zeigen
game-due = Restzeit:
game-keys = Tasten: ← → ein Ereignis, Umschalt und ← → ein Zug, Pos1, Ende, Leertaste.
game-points = Punkte
game-points-hint = Höhe: die Punkte einer Nation. Breite: die Partie. Klicke auf eine Runde, um dorthin zu springen.
game-turns = Züge
game-setup = Aufbau
game-seats = Spieler
game-downloads = Downloads
game-record = Aufzeichnung (JSON)
game-record-events = Aufzeichnung mit allen Ereignissen (JSON)
game-record-text = Aufzeichnung in Notation
game-picture = Diese Stellung (SVG)
game-pixels = Diese Stellung (PNG)
game-undone = zurückgenommen
game-earlier = Hier stehen nur die letzten Ereignisse. Die Aufzeichnung enthält alle.
game-signed = Vom Server signiert.
game-unsigned = Noch nicht signiert.
game-waits-open = Wartet auf Spieler
verified = Geprüft: Alle { $events } Ereignisse folgen den Regeln.
not-verified = Die Aufzeichnung ist nicht gültig: { $error }
waiting-for = Wartet auf { $nation } ({ $player })
waiting-for-answer = Wartet auf { $nation } ({ $player }): { $question }
undo-request = { $player } möchte zu Zug { $turn } zurück. Es fehlt die Zustimmung von: { $missing }
won-nobody = Niemand hat gewonnen
won-one = Sieg: { $names }
won-shared = Geteilter Sieg: { $names }
result = Ergebnis
result-decided = { $reason }, in Runde { $round },
result-abandoned = Die Partie wurde abgebrochen. Niemand hat gewonnen.
result-rank = Rang
result-points = Punkte
result-price = Preis
result-score = Nach Geboten
result-analyze = Partie analysieren
result-rematch = Noch einmal spielen
result-rematch-open = Zur Revanche
result-course = Punkte nach Runden
regions = Regionen
region-city = Stadt der { $nation } für { $chip }
region-site = Bauplatz für { $chip }
region-site-any = Bauplatz für jeden Rohstoff
region-sea = Meer
region-temple = Tempel
region-wall = Stadtmauer
region-neutral-temple = neutraler Tempel
region-units = { $nation }: { $units }
region-neighbours = Benachbart: { $regions }.
round-and-turn = Runde { $round }, Zug { $turn }
round = Runde { $number }
turn = Zug { $number }
position = Der Spielplan nach Ereignis { $event }: Runde { $round }, am Zug: { $nation }
position-setup = Der Spielplan nach Ereignis { $event }: Aufbau
reason-goal = die nötigen Punkte wurden erreicht
reason-temple-destroyed = ein Tempel wurde zerstört und keine Persönlichkeit war mehr da
reason-resignation = die anderen haben aufgegeben
reason-round-limit = die letzte Runde ist gespielt
reason-agreement = die Spieler haben sich geeinigt
reason-adjudication = die Spielleitung hat entschieden
question-city-choice = Startstadt wählen
question-chip-choice = Rohstoff wählen
question-battle-answer = kämpfen oder passieren lassen
question-personage-choice = Persönlichkeit wählen
question-card-choice = Ereigniskarte wählen
question-fortress-answer = auf eine Eroberung antworten
of-league = Tisch { $table } der Liga
of-league-round = Tisch { $table }, Runde { $round } der Liga

## Analysis

analysis = Analyse
analysis-switch = Analysieren
analysis-hint = Die Gewinnwahrscheinlichkeit jedes Platzes, jetzt und nach Runden, mit den besten Zügen. Sie beruht auf kurzen Simulationen. Vergleiche damit Züge; es ist keine Vorhersage.
analysis-barred = Eine gewertete Partie kannst du erst nach ihrem Ende analysieren.
analysis-visits = Simulationen
analysis-thinks = Analyse läuft …
analysis-over = Die Partie ist beendet. Es gibt keinen Zug zu analysieren.
analysis-why = Warum: { $reasons }.
achieve-win = gewinnt die Partie
achieve-personage =
    { $count ->
        [one] erhält eine Persönlichkeit: { $of }
       *[other] erhält { $count } Persönlichkeiten: { $of }
    }
achieve-conquest =
    { $count ->
        [one] erobert eine Stadt
       *[other] erobert { $count } Städte
    }
achieve-know-how = entwickelt { $of }
achieve-foundation =
    { $count ->
        [one] gründet eine Stadt
       *[other] gründet { $count } Städte
    }
achieve-temple =
    { $count ->
        [one] baut einen Tempel
       *[other] baut { $count } Tempel
    }
achieve-defence =
    { $count ->
        [one] schützt eine Stadt, die erobert werden könnte
       *[other] schützt { $count } Städte, die erobert werden könnten
    }
achieve-sites =
    { $count ->
        [one] kann eine Stadt mehr gründen
       *[other] kann { $count } Städte mehr gründen
    }
achieve-units =
    { $count ->
        [one] hat eine Einheit mehr
       *[other] hat { $count } Einheiten mehr
    }
achieve-production = produziert jedes Mal { $count } { $of } mehr
achieve-chips = erhält { $count } { $of }

## Actions

action-move-stone = auf { $field } ziehen{ $paid }
action-build-temple = Tempel in { $region } bauen{ $paid }
action-build-wall = Stadtmauer in { $region } bauen{ $paid }
action-arm = { $unit } in { $region } aufstellen{ $paid }
action-arm-free = { $unit } in { $region } aufstellen{ $paid }, Geschenk der Bellona
action-develop = { $knowhow } entwickeln{ $paid }
action-recruit = { $units } rekrutieren{ $paid }
action-march = { $units } von { $from } nach { $to } ziehen
action-march-left =
    { $left ->
        [one] { $units } mit 1 übrigen Manöver von { $from } nach { $to } ziehen
       *[other] { $units } mit { $left } übrigen Manövern von { $from } nach { $to } ziehen
    }
action-battle = gegen die { $against } in { $region } kämpfen: jede Seite verliert { $lost }
action-let-pass = passieren lassen
action-answer-battle = kämpfen: jede Seite verliert { $count }
action-conquer = { $region } mit { $units } angreifen
action-found = Stadt in { $region } gründen{ $paid }
action-trade = { $give } gegen { $take } tauschen
action-choose-chip = { $chip } nehmen, weil keine Münzen mehr da sind
action-choose-personage = Persönlichkeit { $personage } wählen
action-choose-city = in { $region } beginnen
action-take-card = Karte { $card } nehmen
action-play-card = { $card } ausspielen
action-play-card-unit = { $card } für { $units } ausspielen
action-play-card-region = { $card } in { $region } ausspielen
action-play-card-unit-region = { $card } für { $units } in { $region } ausspielen
action-pass = die Eroberung zulassen
action-end-turn = Zug beenden
action-resign = aufgeben

## Effects of actions and other events

effect-produced = { $nation } nehmen { $chips }
effect-chip-taken = { $nation } nehmen 1 { $chip }
effect-city-chosen = { $nation } beginnen in { $region }
effect-wall-destroyed = die Mauer der { $nation } in { $region } fällt
effect-wall-received = { $nation } erhalten eine Stadtmauer
effect-developed-first = { $nation } entwickeln ihn als Erste
effect-battle-fought = { $nation } und { $against } verlieren in { $region } je { $lost }
effect-commander-fell = der Feldherr der { $nation } fällt in { $region }
effect-admiral-fell = der Admiral der { $nation } fällt in { $region }
effect-city-saved = { $nation } behalten { $region }
effect-city-given-up = { $nation } geben { $region } auf
effect-conquered = { $nation } erobern { $region }, Stadt der { $from }
effect-defenders-lost = { $nation } verlieren { $units } in { $region }
effect-temple-destroyed-of = der Tempel der { $nation } in { $region } wird zerstört
effect-temple-destroyed = der Tempel in { $region } wird zerstört
effect-bellona-passed = die Bellona-Karte der { $nation } geht an die { $to }
effect-personage-won = { $nation } erhalten eine Persönlichkeit: { $personage }
effect-personage-won-extra = { $nation } erhalten für alle Fortschritte eine Persönlichkeit: { $personage }
effect-card-revealed = { $card } wird aufgedeckt
effect-deck-shuffled = { $cards } gespielte Karten werden der neue Stapel
effect-card-taken = { $nation } nehmen { $card }
effect-coins-gained = { $nation } erhalten { $coins }
effect-chips-gained = { $nation } erhalten { $chips }
effect-coins-lost = { $nation } verlieren { $coins }
effect-round-began = Runde { $round } beginnt
effect-game-ended = die Partie ist zu Ende: { $reason }
event-setup = die Partie wird aufgebaut
event-undo = Aktionen werden zurückgenommen
event-seat = jemand anderes übernimmt Platz { $seat }
event-adjudicated = die Partie wird beendet: { $reason }
event-abandoned = die Partie wird abgebrochen
event-timeout = die Zeit von Platz { $seat } ist abgelaufen

## Playing

play-lead = Spiele gegen Bots oder mit Freunden. Du brauchst kein Konto: Dieser Browser merkt sich den Token deines Platzes.
play-needs-scripts = Zum Spielen brauchst du JavaScript. Alle anderen Seiten gehen auch ohne.
play-board = Spielplan
play-bot = Bots
play-levels = Bots, die vorausdenken
play-quick = Bots mit einfachen Regeln
play-name = Dein Name
play-start = Partie beginnen
play-here = Spielen
play-take = Platz nehmen:
play-token = Token deines Platzes
play-use = Token verwenden
play-yours = Du bist am Zug
play-others = Wartet auf die anderen Spieler
play-bad-token = Dieser Token gehört zu keinem Platz dieser Partie.
play-rule = Regel lesen (auf Englisch)
play-send = Bestätigen
play-dismiss = Abbrechen
play-all = Alle zeigen
play-undo = Zurücknehmen
play-decline = Zurücknehmen ablehnen
play-resign = Aufgeben
play-resign-ask = Die Partie mit allen deinen Nationen verlassen
play-asked = Die anderen Spieler müssen zustimmen.
play-vary = Bezahlung wählen
play-auto = Für mich ausführen, wenn nur eine Aktion möglich ist
play-sound = Ton abspielen, wenn ich am Zug bin
play-since = Seit deinem letzten Zug
amount-pay = Zahle:
amount-give = Gib:
amount-take = Nimm:
kind-move-stone = Spielstein ziehen
kind-build-temple = Tempel bauen
kind-build-wall = Stadtmauern bauen
kind-arm = Einheiten aufstellen
kind-develop = Fortschritte entwickeln
kind-recruit = Rekrutieren
kind-march = Einheiten bewegen
kind-battle = Kämpfen
kind-answer-battle = Kämpfen
kind-conquer = Erobern
kind-found = Städte gründen
kind-trade = Tauschen
kind-choose-chip = Rohstoff nehmen
kind-choose-personage = Persönlichkeit wählen
kind-choose-city = Startstadt wählen
kind-take-card = Ereigniskarte nehmen
kind-play-card = Ereigniskarte ausspielen
kind-pass = Zulassen
kind-end-turn = Zug beenden
kind-more = Weiteres

## Neue Partien, Tische und Einladungen

mine-title = Deine Partien
mine-invited = Einladung
open-title = Offene Tische
open-none = Kein Tisch wartet auf Spieler. Beginne eine Partie und wähle „Alle“, um einen zu öffnen.
open-all = Alle offenen Tische
open-seats =
    { $count ->
        [one] 1 freier Platz
       *[other] { $count } freie Plätze
    }
players-count = { $count } Spieler
players-range = { $least } bis { $most } Spieler
new-title = Neue Partie
new-players = Anzahl der Spieler
new-opponents = Mitspieler
new-with-bots = Bots
new-with-friends = Freunde, über einen Link
new-with-anyone = Alle
new-details = Plätze, Nationen, Varianten, Bedenkzeit
new-player = Spieler
new-nation = Nation
new-you = Du
new-free = Freier Platz
new-drawn = Ausgelost
new-variants = Varianten
new-pace = Zeit für einen Zug
new-then = Wenn sie abläuft
new-visibility = Wer die Partie sieht
branch-from-here = Von dieser Stellung weiterspielen
branch-title = Ab Ereignis { $event } weiterspielen
branch-lead = Eine neue Partie ab dieser Stellung, mit denselben Regeln und Nationen. Sie wird nicht gewertet.
seat-number = Platz { $number }
pace-none = Unbegrenzt
pace-minutes =
    { $count ->
        [one] 1 Minute
       *[other] { $count } Minuten
    }
pace-hours =
    { $count ->
        [one] 1 Stunde
       *[other] { $count } Stunden
    }
pace-days =
    { $count ->
        [one] 1 Tag
       *[other] { $count } Tage
    }
pace-with-reserve = { $turn }, Reserve { $reserve }
pace-then-bot = Ein Bot übernimmt
pace-then-resign = Der Spieler gibt auf
pace-then-wait = Die Partie wartet
visibility-public = Alle
visibility-unlisted = Alle mit dem Link
visibility-private = Nur die Spieler
variant-three-nation-goal-12 = Ziel 12 zu dritt
variant-two-player-double = Zu zweit, doppelter Vorrat
variant-long-game = Langes Spiel
variant-expert = Expertenspiel
variant-military = Militärisches Spiel
variant-nine-scholars = Neun Gelehrte
variant-free-city-types = Freie Wahl der Städte
variant-special-units = Besondere Einheiten
table-title = Tisch: { $game }
table-link = Tisch und Einladung
table-waits = Die Partie beginnt, wenn alle Plätze besetzt sind.
table-go = Zur Partie
table-take = Platz nehmen
table-leave = Tisch verlassen
table-decline = Ablehnen
table-withdraw = Einladung zurückziehen
table-reserved = reserviert für { $player }
new-bidding = Wer welche Nation bekommt
bid-none = Wie gewählt oder gezogen
bid-sealed = Verdeckte Gebote
bid-open = Offene Gebote
bid-title = Auf Nationen bieten
bid-sealed-lead = Sage, wie viele Punkte dir jeder Platz am Tisch wert ist. Niemand sieht deine Gebote, bevor das Spiel beginnt. Bis dahin kannst du sie ändern.
bid-open-lead = Einer nach dem anderen bietet in Punkten auf einen Platz am Tisch, mehr als das Gebot darauf. Wer überboten wird, bietet noch einmal.
bid-rules = Wie Gebote zählen
bid-waits = Das Spiel beginnt, wenn alle Plätze besetzt sind und alle geboten haben.
bid-highest = { $points } Punkte von { $player }
bid-missing = Es fehlen noch: { $players }.
bid-until = Fehlende Gebote zählen 0 ab
bid-for = Nation
bid-points = Punkte
bid-do = Bieten
bid-sent = Dein Gebot ist abgeschickt.
invite-title = Freunde einladen
invite-lead = Wer den Link öffnet, kann mit einem Klick einen freien Platz nehmen. Ein Konto ist nicht nötig.
invite-link = Einladungslink
invite-copy = Link kopieren
invite-copied = Kopiert.
invite-share = Teilen
invite-qr = QR-Code des Einladungslinks
invite-withdraw = Link zurückziehen
invite-make = Link erstellen
invite-make-hint = Er ersetzt einen früheren Link.
invite-handle = Name eines Spielers
invite-reserve = Platz reservieren
organize-title = Organisieren
organize-bots = Bots für die freien Plätze
organize-fill = Mit Bots auffüllen
organize-cancel = Partie absagen
organize-cancel-ask = Diese Partie für alle Spieler absagen?
join-title = Du bist eingeladen
join-take = Mitspielen
join-as = { $nations } spielen
join-full = Alle Plätze sind besetzt oder reserviert. Frage den Organisator.
join-private = Diese Partie ist privat. Melde dich an, um einen Platz zu nehmen.

## Chat

notes-title = Anmerkungen
notes-none = Noch niemand hat diese Partie kommentiert.
notes-write = Diesen Moment kommentieren
notes-all = Alle Anmerkungen
notes-as-text = Die Aufzeichnung mit diesen Anmerkungen als Text
notes-after = Eine Partie kann nach ihrem Ende kommentiert werden.
notes-sign-in = Anmelden, um diese Partie zu kommentieren
notes-choose = Um eine Aktion zu kommentieren, wähle sie auf der Seite der Partie.
notes-whole = Die ganze Partie
notes-comment = Kommentar
notes-verdict = Urteil
notes-no-verdict = keines
notes-variations = Was man hätte spielen können
notes-variations-hint = Eine Variante in jeder Zeile, in Notation, mit Semikolons zwischen Aktionen und einem Kommentar in geschweiften Klammern am Ende. Gespielt wurde:
notes-save = Speichern
verdict-excellent = sehr gut
verdict-good = gut
verdict-interesting = interessant
verdict-doubtful = zweifelhaft
verdict-mistake = ein Fehler
verdict-blunder = ein grober Fehler
chat-title = Chat
chat-none = Noch keine Nachrichten.
chat-is-off = Die Spielleitung hat den Chat ausgeschaltet.
chat-message = Nachricht an den Tisch
chat-send = Senden
chat-hint = Wer das Spiel sehen kann, kann seine Nachrichten lesen. Sie gehören nicht zur Aufzeichnung.
chat-report = Melden
chat-report-ask = Was stimmt mit dieser Nachricht nicht?
chat-reported = Gemeldet
chat-organizer = Spielleitung
chat-gone = Früherer Spieler
chat-hidden = (von der Verwaltung verborgen)
chat-turn-off = Chat ausschalten
chat-turn-on = Chat einschalten

## Standing orders

orders-title = Daueraufträge
orders-lead = Antworte im Voraus, damit niemand auf dich warten muss. Nur du siehst diese Aufträge. Der genaueste gilt: Nation vor Region vor Einheit. Von gleich genauen gilt der letzte.
orders-none = Keine Aufträge: Du wirst jedes Mal gefragt.
orders-remove = Entfernen
orders-add = Hinzufügen
orders-against = Wenn Einheiten kommen von
orders-anybody = jeder Nation
orders-unit = Art
orders-any-unit = Legionen oder Galeeren
orders-region = Wo
orders-anywhere = überall
orders-answer = Dann
orders-fortress = Wenn eine deiner Städte angegriffen wird
orders-battle-allow = passieren lassen
orders-battle-demand = mit allen kämpfen
orders-battle-ask = mich fragen
orders-card-play = Festung ausspielen
orders-card-never = Karte behalten
orders-card-ask = mich fragen

## Rules

rules-title = Regeln
rules-lead = Die Regeln jeder Ausgabe in eigenen Worten (auf Englisch). Wird ein Zug abgelehnt, siehst du die Nummer der Regel.
rules-about = Die Regeln sind auf Englisch. Jede Regel hat eine Nummer, und jede Nummer ist ein Link.
rules-count =
    { $rules ->
        [one] 1 Regel (auf Englisch), Datenversion { $version }
       *[other] { $rules } Regeln (auf Englisch), Datenversion { $version }
    }
rules-of = Regeln von { $edition }
rules-of-base = Es folgen die Regeln von { $edition }. Sie gelten, soweit die Regeln oben nichts anderes sagen.
rules-contents = Kapitel
rules-ruling = Festlegung
rules-assumed = Annahme
rules-table = Tabelle, verschiebbar

## Players

players-title = Spieler
players-lead = Spieler nach Wertungszahl. Sie beginnt bei 25 und ändert sich mit jeder gewerteten Partie. Sortiert wird nach der Wertungszahl minus dreimal ihrer Unsicherheit, damit ein paar Glückspartien nicht für die Spitze reichen. Bots haben eine eigene Liste.
players-label = Spieler filtern
players-name = Name
players-none = Kein Spieler mit diesem Namen.
players-rated = Nach Wertung
players-found = Nach Name
players-bots = Bots
players-unrated = Noch keine gewertete Partie ist beendet.
players-next = Weitere Spieler
player-preview = Wertungszahlen, Nationen, Eröffnungen, Gegner und Partien von { $handle }.
player-since = Dabei seit
player-bot = ein Programm spielt
player-gone = Konto gelöscht
player-elsewhere = Spieler eines anderen Servers
player-ratings = Wertungen
player-edition = Ausgabe
player-name = Spieler
player-all-editions = alle Ausgaben
player-rating = Wertung
player-uncertainty = ±
player-ordinal = Mindestens
player-rated-games = Gewertete Partien
player-provisional = vorläufig
player-nations = Nationen
player-openings = Eröffnungen
player-strengths = Im Vergleich mit anderen
player-strengths-lead = Wie oft der Spieler mit einer Nation oder einer Eröffnung gewinnt und bis zum Ende einer Runde Persönlichkeiten hat. Der Unterschied zu allen anderen in Partien derselben Art steht in Hundertsteln, mit seinem 95-%-Intervall. Die deutlichsten Unterschiede stehen oben.
player-strengths-none = Für einen Vergleich sind es zu wenige Partien.
player-strengths-hidden = Nur du siehst das. In den Einstellungen kannst du es anderen zeigen.
player-strength = Mit
player-strength-rate = Spieler
player-strength-others = Andere
player-strength-difference = Unterschied
player-strength-games = Partien
player-strength-clear = deutlich
player-phase = { $personages } Persönlichkeiten bis Runde { $round }
player-not-counted = Partien, die durch Entscheidung oder Aufgabe endeten, zählen hier nicht.
player-opponents = Gegner
player-opponents-lead = Besser: Anteil der gemeinsamen Partien, in denen dieser Spieler weiter vorn lag. Gleicher Rang zählt halb.
player-opponent = Gegner
player-where = Spielplan
player-met = Partien
player-ahead = Besser
player-won = Gewonnen
player-alone = Noch keine Partie gegen Gegner gezählt.
player-all-games = Alle Partien
player-api = Dasselbe über die API
player-unrated = Noch keine gewertete Partie dieses Spielers ist beendet.

## Statistics

stats-title = Statistik
stats-lead = Was beendete Partien zeigen. Zu jeder Quote stehen das 95-%-Intervall und die Anzahl der Partien. Spielpläne, Nationenzahlen und Arten von Spielern werden nie vermischt. Bilder und Spalten sind auf Englisch beschriftet.
stats-parts = Teile der Statistik
stats-played = Gespielte Spielpläne
stats-all = Überblick
stats-form = Gezählte Partien filtern
stats-board = Spielplan
stats-nations = Nationen
stats-nation = Nation
stats-play = Spieler
stats-people = nur Menschen
stats-bots = nur Bots
stats-against = Gegen
stats-opening = Eröffnung
stats-know-how = Mit Wissen
stats-without-know-how = Ohne Wissen
stats-by-round = bis Runde
stats-min-rating = Wertungszahl des Spielers ab
stats-max-rating = Wertungszahl des Spielers bis
stats-min-table-rating = Alle Wertungszahlen am Tisch ab
stats-time-control = Bedenkzeit
opening-growth = Wachstum
opening-military = Militär
opening-progress = Fortschritt
opening-other = Andere
time-control-live = Live (höchstens eine Stunde je Zug)
time-control-correspondence = Fernpartie
time-control-unlimited = Unbegrenzt
versus-form = Zwei Stichproben von Partien vergleichen
versus-title = { $measure }: zwei Stichproben im Vergleich
versus-lead = Die Gewinnraten der ersten Stichprobe abzüglich der zweiten, mit 95-%-Intervallen.
versus-back = Die Tabelle ohne Vergleich
versus-by = Sie unterscheiden sich in
versus-one = Erster Wert
versus-other = Zweiter Wert
versus-none = Keine Zeile ist in beiden Stichproben.
versus-common =
    { $games ->
        [one] 1 Partie ist in beiden Stichproben. Nationen, die gegeneinander spielen, gewinnen auf Kosten voneinander, daher sind die Intervalle zu schmal.
       *[other] { $games } Partien sind in beiden Stichproben. Nationen, die gegeneinander spielen, gewinnen auf Kosten voneinander, daher sind die Intervalle zu schmal.
    }
versus-clear = { $clear } von { $rows } Zeilen unterscheiden sich mehr als durch Zufall (q unter 0,05).
versus-bots = Bots (none: nur Menschen; only: nur Bots)
versus-time-control = Bedenkzeit (live, correspondence, unlimited)
versus-opening = Eröffnung (growth, military, progress, other)
versus-ruleset = Version der Regeln (1, 2)
versus-league = Liga (ihre Id)
versus-rated = gewertet (true, false)
versus-date = vor einem Datum und seitdem (2026-11-01)
stats-since = Beendet seit
stats-min = Mindestzahl Partien
stats-most = Das ist der meistgespielte Spielplan. Oben kannst du einen anderen wählen.
stats-cite = Zitieren oder per API laden
stats-call = Dasselbe über die API:
question-cards = Was sind Ereigniskarten wert?
question-conquests = Was ändern Eroberungen?
question-head-to-head = Wer schlägt wen?
question-income = Wer nimmt mehr ein, Sieger oder die anderen?
question-know-hows = Welcher Fortschritt gewinnt?
question-know-hows-rounds = Wann gewinnt welcher Fortschritt?
question-lengths = Wie lange dauern Partien?
question-nations = Welche Nation gewinnt?
question-openings = Welche Eröffnung gewinnt?
question-nations-places = Muss eine Nation früh am Zug sein?
question-nations-openings = Womit sollte jede Nation beginnen?
question-skill = Wie viel ist Können, wie viel ist Glück?
question-openings-neighbours = Kommt es auf die Eröffnung der Nachbarn an?
question-openings-tree = Welche Eröffnung gewinnt?
question-personages = Welche Mischung von Persönlichkeiten gewinnt?
question-personages-final = Welche Persönlichkeiten haben Sieger am Ende?
question-personages-incidence = Wie bald kommen Persönlichkeiten?
question-personages-worth = Was ist eine Persönlichkeit wert?
question-positions = Was folgte aus einer Stellung?
question-seats = Kommt es auf die Reihenfolge an?
question-strength = Welche Nation gewinnt unter gleich starken Spielern?
question-timing = Wer gewinnt mit wie vielen Persönlichkeiten bis zu einer Runde?
question-trades = Gewinnt, wer tauscht?
question-trends = Ändern sich die Gewinnraten mit der Zeit?
answer-above = Öfter als erwartet: { $row }, mit { $rate } von { $count } Nationen in Partien (95-%-Intervall { $span }; erwartet { $expected }).
answer-unclear = Keine Zeile liegt deutlich über dem, was erwartet wird. Die erste ist { $row }, mit { $rate } von { $count } Nationen in Partien (95-%-Intervall { $span }; erwartet { $expected }).
answer-of = { $format }: { $answer }
answer-few = Für eine Antwort sind es zu wenige Partien.
answer-trend = Die Gewinnrate ändert sich: { $row }, { $trend } Hundertstel im Jahr (95-%-Intervall { $low } bis { $high }).
answer-no-trend = Keine Gewinnrate ändert sich deutlich. Einer Änderung am nächsten ist { $row }, mit { $trend } Hundertsteln im Jahr (95-%-Intervall { $low } bis { $high }).
answer-one-month = Alle Partien wurden in einem Monat gespielt, daher gibt es keine Entwicklung.
answer-place = Platz { $place }
answer-equal = Wären alle Spieler gleich stark, gewänne am häufigsten: { $row }, mit { $rate } (95-%-Intervall { $span }).
answer-worth = Unter den ersten { $count } Persönlichkeiten einer Nation multipliziert { $row } anstelle einer durchschnittlichen Persönlichkeit die Chancen auf den Sieg mit { $odds } (95-%-Intervall { $low } bis { $high }).
answer-skill = Können erklärt { $share } der Unterschiede zwischen Ergebnissen (95-%-Intervall { $span }). Der Rest ist Glück und andere Unterschiede zwischen Partien.
answer-parts = Sieger unterscheiden sich am meisten durch: { $row }, mit { $winners } ihrer Persönlichkeiten am Ende, bei den anderen { $others }.
answer-means = Sieger unterscheiden sich am meisten nach Zug { $turn } einer Nation, durch { $quantity }: im Mittel { $winners }, bei den anderen { $others }.
answer-incidence = Bis Runde { $round } hat die Hälfte der Nationen ihre erste Persönlichkeit.
answer-lengths = Die Hälfte der Partien dauert höchstens { $median } Runden, acht von zehn dauern { $least } bis { $most } Runden.
stats-filters = Gezählt: { $filters }
stats-gathering = Weitere Partien sind beendet und werden gerade gezählt.
stats-numbers = In Zahlen
stats-none = Keine Partie passt zur Auswahl.
stats-columns = Bedeutung der Spalten (auf Englisch)
stats-played-games =
    { $games ->
        [one] { $board }, { $nations }: 1 Partie
       *[other] { $board }, { $nations }: { $games } Partien
    }
stats-dark = SVG, dunkel
stats-file = { $table } als { $format }
stats-citation = { $source }, „{ $title }“: { $filters }; { $games } Partien, Daten { $version }. { $page }, abgerufen am { $date }.
stats-citation-as-of = { $source }, „{ $title }“: { $filters }; { $games } Partien, Daten { $version }, Stand { $time }. { $page }, abgerufen am { $date }.
stats-all-games = alle Partien
stats-more =
    { $rows ->
        [one] 1 weitere Zeile steht in den Dateien.
       *[other] { $rows } weitere Zeilen stehen in den Dateien.
    }
stats-all-rows = Alle Zeilen als CSV
stats-more-groups =
    { $groups ->
        [one] 1 weitere Gruppe ist im ganzen Bild.
       *[other] { $groups } weitere Gruppen sind im ganzen Bild.
    }
stats-whole-picture = Das ganze Bild
measure-cards = Ereigniskarten
measure-conquests = Eroberungen
measure-head-to-head = Direkter Vergleich
measure-income = Einkommen
measure-know-hows = Fortschritte
measure-know-hows-rounds = Fortschritte nach Runden
measure-lengths = Dauer
measure-nations = Nationen
measure-openings = Eröffnungen
measure-nations-places = Nationen und Plätze
measure-nations-openings = Nationen und Eröffnungen
measure-skill = Können und Glück
measure-openings-neighbours = Nachbarn
measure-openings-tree = Eröffnungen
measure-personages = Persönlichkeiten
measure-personages-final = Persönlichkeiten am Ende
measure-personages-incidence = Persönlichkeiten nach Runden
measure-personages-worth = Wert der Persönlichkeiten
measure-positions = Stellungen
measure-seats = Reihenfolge
measure-strength = Gleiche Stärke
measure-timing = Zeitpunkte
measure-trades = Tauschgeschäfte
measure-trends = Entwicklung

## The explorer of openings

openings-title = Eröffnungen erkunden
openings-lead = Die ersten Felder der Nationen auf dem Rondell und wie oft diese Nationen gewannen. Die Fläche eines Feldes ist die Anzahl der Partien, die Farbe vergleicht die Siege mit gleich starken Spielern. Wähle ein Feld, um von dort weiterzugehen.
openings-path = Felder bisher
openings-start = Vor dem ersten Zug
openings-back = zurück
openings-nobody = keine
openings-end = Von hier ging keine Nation weiter.
openings-stop = Nächstes Feld
openings-rate = Gewonnen
openings-n = n
openings-done = Dort getan, im Schnitt
openings-example = Beispiel
openings-watch = eine Partie
openings-colours = Bedeutung der Farben
openings-of = { $board } · { $nations } · { $players }
openings-bots = Bots: { $bots }
openings-bots-of = Bots: { $bots } · { $bot }
openings-mixed-people = Menschen und Bots: { $bots } · Menschen
openings-mixed-bot = Menschen und Bots: { $bots } · { $bot }
openings-people = Menschen
openings-wheel = Rondell: { $title }
openings-more =
    { $count ->
        [one] 1 weitere Art von Partien passt. Wähle Spielplan, Nationen und Spieler, um sie zu sehen.
       *[other] { $count } weitere Arten von Partien passen. Wähle Spielplan, Nationen und Spieler, um sie zu sehen.
    }
openings-slice = { $field }: { $rate } von { $count } gewonnen
openings-slice-few = { $field }: { $rate } von { $count } gewonnen, zu wenige für eine Aussage
openings-hub-back = Zurück. Alle hier: { $rate } von { $count } gewonnen
openings-hub = Alle: { $rate } von { $count } gewonnen
openings-example-of = Eine Partie mit { $stop }
lift-far-below = unter ⅔ dessen, was gleich starke Spieler gewinnen
lift-somewhat-below = unter 0,9
lift-alike = etwa gleich viele
lift-somewhat-above = über 1,1
lift-far-above = über 1½-mal so viele
done-produced = Rohstoffe
done-temples = Tempel
done-walls = Mauern
done-units = Einheiten
done-recruited = rekrutiert
done-know-hows = Fortschritte
done-cities = Städte
done-extra-steps = bezahlte Schritte

## Leagues

leagues-title = Ligen
leagues-lead = Saisons mit Partien auf diesem Server und am echten Tisch. Jede Liga führt ein Protokoll, deshalb siehst du den Tabellenstand jedes Tages und jede Korrektur.
leagues-none = Es gibt noch keine Liga.
leagues-next = Ältere Ligen
league-seasons = Saisons
league-no-season = Noch keine Saison hat begonnen.
league-organized = Organisiert von
league-standings = Tabelle
league-moments = Tabelle nach jeder Runde
league-now = Jetzt
league-as-of-day = Stand am Ende des Tages
league-as-it-is = Aktuellen Stand zeigen
league-rank = Rang
league-member = Mitglied
league-points = Punkte
league-games = Partien
league-nobody = Noch ist kein Mitglied beigetreten.
league-counted = So wird gezählt
league-csv = Tabelle (CSV)
league-json = Tabelle (JSON)
league-met-csv = Direkte Vergleiche (CSV)
league-cross-csv = Kreuztabelle (CSV)
league-xlsx = Alle Tabellen (XLSX)
league-results-csv = Ergebnisse (CSV)
league-results-bgg = Ergebnisse für BoardGameGeek (XML)
league-results-bgstats = Ergebnisse für BG Stats (JSON)
print-lead = Blätter zum Drucken auf A4:
print-pairings = Paarungen
print-slips = Ergebniszettel
print-standings = Tabelle und Kreuztabelle
print-table = Tisch
print-seat = Platz
print-nation = Nation
print-sign = Unterschrift
import-title = Mitglieder oder Ergebnisse importieren
import-lead = Wähle eine Datei mit Mitgliedern oder früheren Ergebnissen. Ein Versuch ändert nichts: Er zeigt, was mit jeder Zeile geschieht.
import-columns = Formate und Spalten
import-file = Datei
import-content = Inhalt der Datei
import-format = Format
import-season = Saison der Ergebnisse ohne Saison
import-edition = Ausgabe der Ergebnisse ohne Ausgabe
import-board = Plan der Ergebnisse ohne Plan
import-try = Versuchen
import-do = Alle Zeilen importieren
import-done = Die Datei wurde importiert
import-tried = Die Datei kann importiert werden
import-refused = Zeilen werden abgelehnt, deshalb kann die Datei nicht importiert werden
import-new-members = Neue Mitglieder:
import-new-seasons = Neue Saisons:
import-row = Zeile
import-column = Spalte
import-fate = Ausgang
import-message = Bemerkung
fate-added = hinzugefügt
fate-invited = eingeladen
fate-possible-duplicate = hinzugefügt, aber vielleicht doppelt
fate-already-there = schon vorhanden
fate-skipped = übergangen
fate-refused = abgelehnt
league-calendar = Kalender der Fristen (iCalendar)
league-deadline = Frist
league-late = überfällig
league-moved = verschoben
league-turn = Wer am Zug ist, muss ziehen bis
league-log = Protokoll der Liga (JSON)
league-keep = Zitieren oder per API laden
league-for-ever = Dieser Stand dauerhaft:
league-rounds = Runden
league-byes = Ohne Tisch:
league-bracket = Turnierbaum
league-bracket-none = Der Turnierbaum erscheint, wenn Runde 1 Tische hat.
league-bracket-bye = setzt aus
league-bracket-open = noch offen
league-bracket-final = Finale
league-no-tables = Noch kein Tisch wurde angelegt.
league-other-tables = Tische ohne Runde
league-real = am echten Tisch
league-decided = von der Leitung entschieden
league-then = damaliger Stand
league-head-to-head = Direkte Vergleiche
league-met-hint = Jede Zeile zeigt, wie oft das Mitglied vor und hinter dem Mitglied mit der Nummer der Spalte lag. Die Zahl nach = zählt gleiche Ränge.
league-met-all = Alle Mitglieder
league-met-file = Die Tabelle aller Mitglieder ist zu groß für diese Seite. Wähle ein Mitglied, oder lade die Tabelle als Datei.
league-members = Mitglieder
league-left = ausgetreten
league-open = offen für alle
league-summary =
    { $members ->
        [one] 1 Mitglied, { $counted } von { $tables } Tischen gezählt
       *[other] { $members } Mitglieder, { $counted } von { $tables } Tischen gezählt
    }
league-first = Vorn: { $names }
league-leads = { $names } führt mit { $points } Punkten
league-lead = { $names } führen mit je { $points } Punkten
league-as-of = Stand vom { $time }, nach Ereignis { $event } des Protokolls.
standings-at = Stand vom { $time }, Ereignis { $event }.
standings-of = Tabelle der Saison { $season }
after-round = Nach Runde { $round }
league-table = Tisch { $number }
standings-after = Damaliger Stand, nach Tisch { $number }
counted-of = { $counted } von { $tables } gezählt
season = { $number }: { $name }
table-playing = läuft
table-counted = gezählt
table-abandoned = abgebrochen
table-void = ungültig
place = { $rank }.
joining-open = Alle mit einem Konto dürfen beitreten.
joining-invited = Neue Mitglieder brauchen eine Einladung.
joining-approval = Die Veranstalter nehmen neue Mitglieder auf.
new-league = Liga anlegen
new-league-do = Liga anlegen
leagues-own = Deine Ligen
organize-done = Gespeichert.
organize-archived = Diese Liga ist archiviert: Du kannst sie lesen, aber nicht ändern.
organize-title-league = Verwalten
organize-results = Ergebnisse
organize-round = Runde auslosen
organize-season = Saison
organize-settings = Einstellungen
join-do = Beitreten
join-own = Deine Mitgliedschaft
join-ask = Um Aufnahme bitten
join-member = Du bist Mitglied dieser Liga.
join-requested = Du hast um Aufnahme gebeten. Die Veranstalter werden antworten.
join-to-league = Zur Liga
join-leave = Liga verlassen
join-withdraw = Bitte zurückziehen
join-optional = (freiwillig)
join-agree = Mitglieder sind bereit, an den ausgelosten Tischen zu spielen. Deine Antworten sehen nur die Veranstalter.
members-requests = Bitten um Aufnahme
members-no-requests = Niemand wartet auf eine Antwort.
members-approve = Aufnehmen
members-refuse = Ablehnen
members-invite = Einladen und eintragen
members-invite-do = Konto einladen
members-placeholder = Name einer Person ohne Konto
members-placeholder-do = Person eintragen
members-link = Einladungslink erzeugen
members-link-once = Kopiere diesen Link jetzt. Er wird nicht noch einmal gezeigt.
members-link-hint = Wer den Link öffnet, darf beitreten. Ein neuer Link ersetzt den vorigen.
members-unlink = Link zurückziehen
members-page = Anmeldeseite
members-invited = Eingeladen
members-uninvite = Einladung zurückziehen
members-remove = Entfernen
members-roles = Rollen
members-roles-hint = Wer Ergebnisse führt, trägt sie ein. Ein Schiedsrichter korrigiert auch Tische, verschiebt Fristen und entscheidet Einsprüche. Ein Veranstalter darf alles außer Rollen vergeben und die Liga löschen.
members-role = Rolle
members-role-do = Rolle setzen
members-unrole = Rolle entziehen
role-owner = Eigentümer
role-organizer = Veranstalter
role-referee = Schiedsrichter
role-scorer = Ergebnisführer
settings-league-name = Name der Liga
settings-league-about = Beschreibung
settings-joining = Wer darf beitreten
settings-questions = Fragen bei der Anmeldung
settings-questions-hint = Lass ein Feld leer, um nichts zu fragen. Die Antworten sehen nur die Veranstalter.
settings-question = Frage { $number }
settings-required = Eine Antwort ist nötig
settings-archived = Archiviert: nichts kann geändert werden
settings-save = Einstellungen speichern
settings-delete = Liga löschen
settings-delete-hint = Nur eine Liga ohne Tische und ohne weitere Mitglieder kann gelöscht werden. Archiviere eine Liga, die benutzt wurde.
season-first = Erste Saison
season-new = Saison beginnen
season-name = Name der Saison
season-same = Format und Regeln der vorigen Saison behalten
season-format = Format
season-format-spread = Viele verschiedene Gegner, Tische zu 2 bis 6
season-format-swiss = Schweizer System, Tische zu 2 bis 6
season-format-round-robin = Jeder gegen jeden, Tische zu 2
season-format-knock-out = K.-o.-System, Tische zu 2
season-format-double-elimination = Doppel-K.-o., Tische zu zweit
season-format-ladder = Rangliste mit Herausforderungen, Tische zu zweit
season-best-of = K.-o. und Doppel-K.-o.: höchstens so viele Partien je Begegnung
season-reach = Rangliste: höchstens so viele Plätze darüber
season-best = Beste Ergebnisse, die zählen (leer: alle)
season-holidays = Urlaubstage jedes Mitglieds
season-games = Jeder gegen jeden: Partien je Paar
season-bye = Schweizer System: Punkte fürs Aussetzen
season-points = Punkte für jeden Rang
season-points-hint = Ganze Zahlen für den ersten Rang, den zweiten und so weiter, etwa 5 3 2 0.
season-tie-breaks = Reihenfolge bei gleichen Punkten
season-deadline = Wenn die Frist eines Tisches vorbei ist
season-deadline-none = Die Organisatoren entscheiden
season-deadline-by-points = Das Spiel endet nach Punkten
season-deadline-forfeit = Wer ziehen müsste, ist Letzter
season-grace = Stunden Karenz nach der Frist
season-credit = Punkte eines Platzes mit Ersatz
season-begin = Saison beginnen
season-close = Saison abschließen
season-close-hint = Danach kommt kein Tisch und kein Ergebnis mehr hinzu. Korrekturen bleiben möglich.
season-closed = Die Saison ist abgeschlossen.
round-number = Runde
round-division = Division
round-size = Plätze an einem Tisch
round-seats = { $count } Plätze
round-smallest = Kleinster Tisch (leer: ein Platz weniger)
round-nations = Nationen
round-nations-drawn = in jeder Partie gelost
round-nations-balanced = über die Saison ausgeglichen
round-deadline = Frist (Ende des Tages, UTC)
round-deadline-move = Frist verschieben
round-bidding = Gebote auf Plätze
round-bid-none = Keine
seat-price = bezahlt { $points }
round-rated = Gewertete Partien
round-pair = Auslosung zeigen
round-preview = Vorschau
round-preview-hint = Noch ist nichts gespeichert. Um zwei Mitglieder zu tauschen, markiere beide und drücke den Knopf.
round-swap = Die zwei Markierten tauschen
round-swap-two = markiere genau zwei Mitglieder, um sie zu tauschen
round-again = Neu auslosen
round-create = Tische anlegen
round-created =
    { $count ->
        [one] 1 Tisch ist angelegt.
       *[other] { $count } Tische sind angelegt.
    }
round-quality = Wiederholte Begegnungen in der Saison mit dieser Runde: { $repeated }. Mindestens { $unavoidable } sind unvermeidlich.
round-running = Laufende Tische
round-tokens = Token für Personen ohne Konto
round-tokens-once = Gib jedes Token jetzt weiter. Sie werden nicht noch einmal gezeigt.
table-more = Einzelheiten
table-decide = Entscheiden
table-result = Ergebnis setzen oder korrigieren
table-result-do = Ergebnis setzen
table-rank-of = Rang von { $player }
table-reason = Grund
table-reason-optional = Notiz (freiwillig)
table-void-do = Tisch für ungültig erklären
table-substitute = Ersatz einsetzen
table-substitute-do = Ersetzen
table-substitute-hint = Der Platz einer laufenden Partie wird für die neue Person reserviert, die ihn einnehmen muss. Wer kein Konto hat, bekommt ein Token dafür, das nur einmal gezeigt wird.
table-seat = Bisher am Platz
table-new-player = Neu am Platz
table-players = Für die Spieler dieses Tisches
table-report-hint = Wenn ihr diese Partie am echten Brett gespielt habt, melde die Ränge. Ein anderer Spieler bestätigt sie.
results-open = Meldungen, die auf eine Antwort warten
results-none = Keine Meldung wartet auf eine Antwort.
results-disputes = Einsprüche
results-answered = Beantwortete Meldungen
report-number = Meldung { $number }
report-by = Gemeldet von
report-open = wartet auf Bestätigung
report-disputed = strittig
report-accepted = zählt
report-rejected = abgelehnt
report-confirm = Bestätigen
report-accept = Annehmen
report-reject = Ablehnen
report-withdraw = Zurückziehen
result-enter = Ergebnis eintragen
result-report = Ergebnis melden
result-report-hint = Melde eine Partie, die du am echten Brett gespielt hast. Sie zählt, wenn ein anderer Spieler sie bestätigt.
result-day = Tag der Partie
result-seat = Platz { $number }
result-nation = Nation
result-again = Dieselben haben noch einmal mit denselben Rängen gespielt
dispute-open = Einspruch erheben
dispute-text = Was stimmt nicht?
dispute-do = Einspruch senden
dispute-by = Einspruch von
dispute-waits = wartet auf eine Antwort
dispute-answer = Antwort von
dispute-answer-text = Antwort auf den Einspruch
dispute-answer-do = Einspruch beantworten
format-spread = Die Mitglieder treffen auf möglichst viele verschiedene Gegner.
format-knock-out = { $games ->
    [1] K.-o.-System: an jedem Tisch für zwei kommt ein Mitglied in die nächste Runde.
   *[other] K.-o.-System: aus jeder Begegnung kommt ein Mitglied in die nächste Runde. Wer mehr als die Hälfte von { $games } Partien gewinnt, gewinnt die Begegnung.
    }
format-double-elimination = { $games ->
    [1] Doppel-K.-o.: Wer zweimal verloren hat, scheidet aus.
   *[other] Doppel-K.-o.: Wer zwei Begegnungen verloren hat, scheidet aus. Wer mehr als die Hälfte von { $games } Partien gewinnt, gewinnt die Begegnung.
    }
format-ladder =
    { $reach ->
        [one] Rangleiter: Ein Mitglied fordert das nächsthöhere heraus. Gewinnt es, tauschen beide die Plätze.
       *[other] Rangleiter: Ein Mitglied fordert ein anderes heraus, das bis zu { $reach } Plätze höher steht. Gewinnt es, tauschen beide die Plätze.
    }
counted-weight = Runde { $round } zählt { $percent } Prozent.
counted-best =
    { $count ->
        [one] Es zählt das beste Ergebnis jedes Mitglieds.
       *[other] Es zählen die besten { $count } Ergebnisse jedes Mitglieds.
    }
counted-all-but =
    { $count ->
        [one] Das schlechteste Ergebnis jedes Mitglieds zählt nicht; eine versäumte Runde ist das schlechteste.
       *[other] Die schlechtesten { $count } Ergebnisse jedes Mitglieds zählen nicht; versäumte Runden sind die schlechtesten.
    }
standings-dropped = Diese Punkte zählen nicht: { $points }
league-moves =
    { $count ->
        [one] Nach der Saison steigt aus jeder Liga ein Mitglied auf und eines ab.
       *[other] Nach der Saison steigen aus jeder Liga { $count } Mitglieder auf und { $count } ab.
    }
league-teams = Mannschaften
league-team = Mannschaft
league-bracket-winners = Gewinnerrunden
league-bracket-losers = Verliererrunden
league-challenges = Herausforderungen
league-challenge = { $one } hat { $other } herausgefordert.
format-swiss = Schweizer System: Mitglieder mit etwa gleich vielen Punkten treffen aufeinander, möglichst ohne Wiederholung. Eine Runde ohne Tisch bringt { $points } Punkte.
format-round-robin =
    { $games ->
        [one] Jeder gegen jeden: jedes Mitglied spielt einmal gegen jedes andere, an Tischen für zwei.
        [2] Jeder gegen jeden: jedes Mitglied spielt zweimal gegen jedes andere, an Tischen für zwei.
       *[other] Jeder gegen jeden: jedes Mitglied spielt { $games }-mal gegen jedes andere, an Tischen für zwei.
    }
scoring-ranks = Die Ränge eines Tisches bringen { $points } Punkte, beginnend mit dem ersten. Gleiche Ränge teilen sich ihre Punkte.
scoring-shares = Ein Sieg bringt einen Punkt, ein geteilter Sieg seinen Anteil. Andere Ränge bringen nichts.
deadline-by-points = { $hours ->
    [0] Wenn die Frist eines Tisches vorbei ist, endet sein Spiel nach Punkten.
    [one] Eine Stunde nach der Frist eines Tisches endet sein Spiel nach Punkten.
   *[other] { $hours } Stunden nach der Frist eines Tisches endet sein Spiel nach Punkten.
}
deadline-forfeit = { $hours ->
    [0] Wenn die Frist eines Tisches vorbei ist, endet sein Spiel: Wer ziehen müsste, ist Letzter, und die anderen zählen nach Punkten.
    [one] Eine Stunde nach der Frist eines Tisches endet sein Spiel: Wer ziehen müsste, ist Letzter, und die anderen zählen nach Punkten.
   *[other] { $hours } Stunden nach der Frist eines Tisches endet sein Spiel: Wer ziehen müsste, ist Letzter, und die anderen zählen nach Punkten.
}
credit-split = Haben mehrere Mitglieder einen Platz gespielt, erhält jedes den gleichen Teil.
credit-first = Haben mehrere Mitglieder einen Platz gespielt, zählt er für das erste.
credit-last = Haben mehrere Mitglieder einen Platz gespielt, zählt er für das letzte.
tie-break-wins = Siege
tie-break-about-wins = Siege; ein geteilter Sieg zählt seinen Anteil
tie-break-seconds = Zweite
tie-break-about-seconds = zweite Ränge
tie-break-average = Schnitt
tie-break-about-average = Punkte pro Partie
tie-break-head-to-head = Direkt
tie-break-about-head-to-head = Partien vor den anderen Punktgleichen; gleiche Ränge zählen halb
tie-break-opponents = Gegner
tie-break-about-opponents = die Summe der Punkte aller Gegner
tie-break-games = Mehr Partien
tie-break-about-games = mehr Partien
tie-break-lot = Los
tie-break-about-lot = der Platz in einer Reihenfolge, ausgelost aus den Kennungen von Liga, Mitgliedern und Saison; der höchste ist der beste
tie-breaks-none = Mitglieder mit gleich vielen Punkten teilen sich einen Rang.
tie-breaks = Bei gleich vielen Punkten entscheidet: { $list }.
tie-breaks-then = ; dann{ " " }

## Around the documentation, which is in English

docs-title = Dokumentation (auf Englisch)
docs-contents = Inhalt
docs-on-page = Auf dieser Seite
docs-neighbours = Vorige und nächste Seite
docs-previous = Zurück:
docs-next = Weiter:
docs-search = Dokumentation durchsuchen
docs-found = Gefundene Abschnitte
docs-found-none = Nichts gefunden.
docs-found-some = Treffer:

## Frames of other sites

embed = Auf einer anderen Website zeigen
embed-lead = Kopiere diese Zeile in deine Seite:
embed-docs = Mehr über Rahmen

## Konten

reader-label = Konto
reader-games = Meine Partien
reader-sign-in = Anmelden
reader-sign-out = Abmelden
account-handle = Benutzername
account-password = Passwort
account-current-password = Bisheriges Passwort
account-new-password = Neues Passwort
sign-in-title = Anmelden
sign-in-new = Neu hier?
sign-in-wrong = Benutzername, Passwort oder Wiederherstellungscode ist falsch.
sign-in-often = Zu viele Versuche. Warte einige Minuten oder nimm einen Wiederherstellungscode.
sign-up-title = Konto erstellen
sign-up-do = Konto erstellen
sign-up-handle = 3 bis 32 Buchstaben ohne Umlaute, Ziffern, „_“ und „-“. Alle können ihn sehen.
sign-up-password = Mindestens 10 Zeichen. Gut ist ein Satz, den du dir merken kannst.
sign-up-taken = Dieser Benutzername ist vergeben. Wähle einen anderen.
sign-up-closed = Dieser Server nimmt keine neuen Konten an. Bitte seinen Betreiber um eines.
sign-up-known = Hast du schon ein Konto?
sign-up-done = Dein Konto ist bereit
sign-up-continue = Weiter
recover-link = Passwort vergessen?
recover-title = Neues Passwort setzen
recover-lead = Nimm einen der Wiederherstellungscodes, die du mit deinem Konto bekommen hast. Alle Geräte werden abgemeldet.
recover-code = Wiederherstellungscode
recover-do = Passwort setzen und anmelden
codes-title = Wiederherstellungscodes
codes-once = Bewahre diese Codes sicher auf: Sie werden nur jetzt gezeigt. Jeder setzt einmal ein neues Passwort, falls du deines vergisst.
guest-title = Partien, die du als Gast spielst
guest-lead = Dieser Browser spielt diese Partien ohne Konto. Du kannst sie in dein Konto übernehmen.
guest-move = In mein Konto übernehmen
guest-done = Die Partien gehören zu deinem Konto.
guest-kept = Einige Partien konnten nicht übernommen werden.
settings-title = Einstellungen
settings-profile = Profil
settings-public = Deine öffentliche Seite
settings-rename = Benutzernamen ändern
settings-password-lead = Ein neues Passwort meldet alle anderen Geräte ab. Tokens bleiben gültig.
settings-password-do = Passwort ändern
settings-codes = Wiederherstellungscodes
settings-codes-left =
    { $count ->
        [0] Du hast keine Wiederherstellungscodes. Wenn du dein Passwort vergisst, ist dein Konto verloren.
        [one] Du hast noch 1 Wiederherstellungscode.
       *[other] Du hast noch { $count } Wiederherstellungscodes.
    }
settings-codes-do = Neue Codes erstellen
passkey-or = Oder ohne Passwort:
passkey-sign-in = Mit einem Passkey anmelden
passkey-sign-up = Konto mit einem Passkey erstellen
passkey-refused = Es wurde kein Passkey benutzt. Versuche es noch einmal oder nimm ein Passwort.
passkey-codes = Bewahre diese Wiederherstellungscodes sicher auf: Sie werden nur jetzt gezeigt. Jeder setzt einmal ein Passwort, falls du deinen Passkey verlierst.
passkey-last = Nur mit diesem Passkey kannst du dich anmelden. Setze erst ein Passwort oder füge einen weiteren Passkey hinzu.
passkey-backed-up = gesichert
passkey-name = Name
passkey-example = Mein Passkey
passkey-rename = Umbenennen
passkey-remove = Entfernen
passkey-add = Passkey hinzufügen
passkey-done-added = Der Passkey ist hinzugefügt.
passkey-done-renamed = Der Passkey ist umbenannt.
passkey-done-removed = Der Passkey ist entfernt.
passkeys-title = Passkeys
passkeys-lead = Ein Passkey meldet dich mit der Sperre deines Telefons oder Rechners an, ohne Passwort.
passkeys-unavailable = Passkeys gibt es nur, wo dieser Server über HTTPS und seinen Namen erreichbar ist.
settings-devices = Geräte
settings-this-device = dieses Gerät
settings-device-times = zuletzt benutzt { $seen }, angemeldet { $since }
settings-device-end = Abmelden
settings-devices-end = Alle anderen Geräte abmelden
settings-tokens = Tokens für Programme
settings-tokens-lead = Mit einem Token handelt ein Programm, etwa ein Bot, für dich.
settings-tokens-docs = Wie man Tokens benutzt
settings-token-created = erstellt
settings-token-used = zuletzt benutzt
settings-token-expires = läuft ab
settings-token-revoke = Widerrufen
settings-token-new = Neues Token
settings-token-name = Wofür ist es?
settings-token-allows = Es darf
settings-token-lasts = Es läuft ab
settings-token-days = nach { $count } Tagen
settings-token-endless = nie
settings-token-do = Token erstellen
settings-token-once = Kopiere das Token: Es wird nur jetzt gezeigt.
settings-hide-strengths = Auf meiner Seite verbergen, wie ich im Vergleich mit anderen spiele
settings-hide-strengths-hint = Partien, Wertungen und Statistiken bleiben öffentlich.
settings-privacy-save = Speichern
settings-done-privacy = Was andere sehen, ist geändert.
settings-done-handle = Der Benutzername ist geändert.
settings-done-password = Das Passwort ist geändert. Alle anderen Geräte sind abgemeldet.
settings-done-session = Das Gerät ist abgemeldet.
settings-done-revoked = Das Token ist widerrufen.
scope-read = lesen, was dir gehört
scope-play = deine Partien spielen
scope-organize = Partien und Ligen erstellen
scope-account = dein Konto umbenennen und löschen
scope-admin = den Server verwalten

## Apps

settings-apps = Apps verwalten
settings-apps-lead = Eine App, der du etwas erlaubst, handelt für dich, ohne dein Passwort. Du kannst auch eigene Apps anmelden.
apps-title = Apps
apps-connected = Verbundene Apps
apps-connected-lead = Diese Apps dürfen dein Konto benutzen. Eine App, die du trennst, hört innerhalb von 2 Sekunden auf.
apps-none = Keine App darf dein Konto benutzen. Eine App, die das möchte, führt dich auf diesen Server und fragt.
apps-since = verbunden
apps-disconnect = Trennen
apps-own = Deine eigenen Apps
apps-own-lead = Melde eine App an, die andere mit ihren Konten verbinden können.
apps-docs = Wie man eine App schreibt
apps-client-id = client_id
apps-delete = App löschen
apps-new = Eine App anmelden
apps-name = Name
apps-redirect-uris = Rücksprungadressen (redirect URIs), eine in jeder Zeile
apps-home-page = Startseite (freiwillig)
apps-register = App anmelden
apps-done-disconnected = Die App ist getrennt.
apps-done-registered = Die App ist angemeldet.
apps-done-deleted = Die App ist gelöscht. Alle ihre Tokens sind beendet.
consent-name = Einer App etwas erlauben
consent-title = Darf „{ $app }“ dein Konto benutzen?
consent-owner = Eine App von { $owner }, nicht von diesem Server.
consent-account = Du bist als { $handle } angemeldet.
consent-scopes = Die App könnte:
consent-careful = Sie könnte auch dein Konto löschen. Erlaube das nur einer App, der du ganz vertraust.
consent-end = Sie sieht dein Passwort nicht. Du kannst sie jederzeit in deinen Einstellungen trennen.
consent-return = Danach kehrst du zu { $host } zurück.
consent-allow = Erlauben
consent-deny = Nicht erlauben
device-title = Ein Gerät verbinden
device-lead = Gib den Code ein, den das Gerät oder das Programm zeigt.
device-code = Code
device-next = Weiter
device-unknown = Kein Gerät wartet mit diesem Code. Vielleicht ist er abgelaufen: Lass das Gerät einen neuen zeigen.
device-compare = Erlaube das nur, wenn dein eigenes Gerät jetzt diesen Code zeigt:
device-allowed = Das Gerät ist verbunden. Kehre zu ihm zurück.
device-denied = Dem Gerät wurde nichts erlaubt.
# Sätze über Ereignisse, in Webhooks, E-Mails und Push-Nachrichten.
notice-game = { $edition } ({ $players })
notice-turn = { $name } ist am Zug: { $game }.
notice-turn-you = Du bist am Zug: { $game }.
notice-seat-lost = { $name } hat den Platz verloren: { $game }.
notice-seat-lost-you = Du hast deinen Platz verloren: { $game }.
notice-bid = Biete bis { $due } auf einen Platz: { $game }.
notice-undo = Ein anderer Spieler möchte einen Zug zurücknehmen: { $game }.
notice-invitation = Ein Platz ist für dich reserviert: { $game }.
notice-started = Die Partie hat begonnen: { $game }.
notice-finished = Die Partie ist zu Ende: { $game }.
notice-abandoned = Die Partie wurde abgebrochen: { $game }.
notice-time-near = Deine Zeit endet bald, { $due }: { $game }.
notice-test = Das ist ein Test.
notice-season = { $league }: Die Saison „{ $name }“ hat begonnen.
notice-round = { $league }: Runde { $round } ist ausgelost, mit { $count ->
    [one] einem Tisch
   *[other] { $count } Tischen
}.
notice-tables = { $league }: { $count ->
    [one] Ein Tisch wurde
   *[other] { $count } Tische wurden
} angelegt.
notice-result = { $league }: Das Ergebnis von Tisch { $tables } wurde eingetragen.
notice-adjudicated = { $league }: Die Organisatoren haben das Ergebnis von Tisch { $tables } entschieden.
notice-voided = { $league }: Tisch { $tables } zählt nicht.
notice-replaced = { $league }: { $name } übernimmt einen Platz an Tisch { $tables }.
notice-table-over = { $league }: Die Partie an Tisch { $tables } ist zu Ende.
notice-table-abandoned = { $league }: Die Partie an Tisch { $tables } wurde abgebrochen.
notice-deadline-moved = { $league }: { $count ->
    [one] Tisch { $tables } hat
   *[other] Die Tische { $tables } haben
} eine neue Frist: { $due }.
notice-deadline-near = { $league }: { $count ->
    [one] Die Partie an Tisch { $tables } endet
   *[other] Die Partien an den Tischen { $tables } enden
} bald: Die Frist ist { $due }.
notice-joined = { $league }: { $name } ist beigetreten.
notice-left = { $league }: { $name } ist ausgetreten.
notice-league-invitation = { $league } lädt dich ein.
mail-confirm-subject = Bestätige deine E-Mail-Adresse
mail-confirm =
    Hallo { $handle },

    öffne innerhalb eines Tages diese Adresse, um deine E-Mail-Adresse zu bestätigen:
    { $link }

    Wenn du sie nicht eingetragen hast, ignoriere diese E-Mail.
mail-recover-subject = Neues Passwort setzen
mail-recover =
    Hallo { $handle },

    dein Code für ein neues Passwort ist { $code }
    Gib ihn innerhalb einer Stunde hier ein: { $link }

    Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.
mail-daily-subject = { $count ->
    [one] Eine Nachricht
   *[other] { $count } Nachrichten
}
mail-end =
    --
    Nachrichten auswählen: { $settings }
    Diese E-Mails beenden: { $unsubscribe }

# Die Einstellungen der Nachrichten.
settings-mail = E-Mail
settings-mail-lead = Eine bestätigte Adresse empfängt die Nachrichten, die du auswählst, und hilft, wenn du dein Passwort vergisst. Niemand sieht sie.
settings-mail-none = Du hast hier keine E-Mail-Adresse.
settings-mail-unconfirmed = { $address } ist noch nicht bestätigt: Öffne den Link in der E-Mail.
settings-mail-confirmed = { $address } ist bestätigt.
settings-mail-unavailable = Dieser Server verschickt keine E-Mails.
settings-mail-address = E-Mail-Adresse
settings-mail-do = Adresse speichern
settings-mail-remove = Adresse entfernen
settings-done-mail = Die Adresse ist gespeichert. Öffne den Link in der E-Mail, um sie zu bestätigen.
settings-done-mail-removed = Die Adresse ist entfernt.
settings-done-notices = Die Nachrichten sind gespeichert.
settings-notices = Nachrichten
settings-notices-lead = Wähle, was dieser Server dir schickt. Nur was danach geschieht, wird geschickt.
settings-notices-do = Nachrichten speichern
settings-notices-mail = Per E-Mail
settings-notices-push = In Browsern
mail-timing-never = keine E-Mail
mail-timing-each = jeweils eine E-Mail
mail-timing-daily = eine E-Mail am Tag
notice-type-your-turn = Du bist am Zug
notice-type-your-bid = Du musst auf einen Platz bieten
notice-type-undo-request = Jemand möchte einen Zug zurücknehmen
notice-type-invitation = Eine Partie oder eine Liga lädt dich ein
notice-type-deadline-near = Deine Zeit endet bald
notice-type-seat-lost = Du hast einen Platz verloren
notice-type-game-started = Eine Partie beginnt
notice-type-game-finished = Eine Partie ist zu Ende
notice-type-game-abandoned = Eine Partie wird abgebrochen
notice-type-league-news = Neues aus deinen Ligen
push-title = Browser, die Nachrichten zeigen
push-lead = Ein Browser zeigt Nachrichten auch, während diese Seite geschlossen ist.
push-none = Noch zeigt kein Browser Nachrichten.
push-do = Nachrichten in diesem Browser zeigen
push-end = Beenden
push-done = Dieser Browser zeigt jetzt Nachrichten.
push-refused = Der Browser erlaubt keine Nachrichten. Erlaube sie in seinen Einstellungen für diese Seite.
confirm-mail-title = Bestätige deine E-Mail-Adresse
confirm-mail-do = Adresse bestätigen
confirm-mail-done = Deine E-Mail-Adresse ist bestätigt.
unsubscribe-title = E-Mails beenden
unsubscribe-lead = Du kannst jederzeit in den Einstellungen neu wählen.
unsubscribe-type = E-Mails dieser Art beenden: { $type }
unsubscribe-all = Alle Nachrichten per E-Mail beenden
unsubscribe-done = Du bekommst diese E-Mails nicht mehr.
recover-mail-title = Kein Code?
recover-mail-lead = Wenn dein Konto eine bestätigte E-Mail-Adresse hat, bekommst du dort einen Code.
recover-mail-do = Code schicken
recover-mail-done = Wenn das Konto eine bestätigte E-Mail-Adresse hat, ist eine E-Mail mit einem Code unterwegs.

## Pausen, Ligen, Mannschaften, Herausforderungen

organize-pauses = Pausen
organize-groups = Gruppen
pauses-title = Pausen
pauses-hint = In einer Pause stehen die Uhren der Spiele still, und keine Frist beendet ein Spiel. Ziehen darf man trotzdem.
pauses-none = Es gibt keine Pause.
pauses-all = Alle Spiele
pauses-open = bis ein Organisator sie beendet
pauses-end = Pause beenden
pauses-round = Runde
pauses-table = Tisch
pauses-scope-hint = Lass beides leer, um die ganze Liga anzuhalten.
pauses-until = Bis zum Ende des (leer: bis du sie beendest)
pauses-do = Pausieren
holidays-title = Urlaub
holidays-hint = { $days ->
    [0] Mitglieder haben in dieser Saison keinen Urlaub.
    [one] Jedes Mitglied hat in dieser Saison einen Urlaubstag. Seine Uhr steht still.
   *[other] Jedes Mitglied hat in dieser Saison { $days } Urlaubstage. Seine Uhr steht still.
}
holidays-none = Niemand hat Urlaub angekündigt.
holidays-member = Mitglied (leer: du selbst)
holidays-from = Erster Tag
holidays-until = Letzter Tag
holidays-do = Urlaub nehmen
holidays-end = Urlaub beenden
times-title = Verbrauchte Zeit
times-hint = Wie lange die Spiele der Saison auf jedes Mitglied gewartet haben, die langsamsten zuerst, in Stunden. Pausen zählen nicht.
times-member = Mitglied
times-turns = Züge
times-average = Schnitt
times-longest = Längste
times-timeouts = Überschreitungen
times-since = Wartet seit
groups-no-season = Beginne zuerst eine Saison.
groups-fixed = Divisionen und Mannschaften werden vor dem ersten Tisch einer Saison festgelegt.
groups-for-organizers = Organisatoren legen die Divisionen und Mannschaften der Saison fest.
groups-divisions = Divisionen
groups-teams = Mannschaften
groups-text = Gruppen mit ihren Mitgliedern
groups-hint = Eine Zeile mit dem Namen einer Gruppe und einem Doppelpunkt, dann eine Zeile für jedes Mitglied. Leer für keine.
groups-moves = Mitglieder jeder Division, die nach der Saison auf- und absteigen
groups-set = Speichern
groups-proposed = Die Divisionen unten folgen aus dem Tabellenstand der Saison davor. Ändere sie, wie du willst, und speichere sie.
groups-late = Ein spätes Mitglied
groups-member = Mitglied
groups-group = Gruppe
groups-place = Zuteilen
line-ups-title = Aufstellungen
line-ups-hint = Ohne Aufstellung spielen alle Mitglieder einer Mannschaft in der Runde.
line-ups-set = Aufstellung festlegen
challenges-title = Herausforderungen
challenges-hint = Ein Mitglied fordert ein anderes heraus, das wenige Plätze höher steht. Die Tische einer Runde sind die der Herausforderungen.
challenges-none = Es gibt keine offene Herausforderung.
challenges-of = { $member } fordert { $opponent } heraus
challenges-withdraw = Zurückziehen
challenges-member = Mitglied, das herausfordert (leer: du selbst)
challenges-opponent = Gegner
challenges-do = Herausfordern
