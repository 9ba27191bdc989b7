# The texts of the pages. A test compares both languages and finds messages that nothing uses.

## The frame of every page

language-label = Language
navigation-label = Main navigation
nav-games = Games
nav-play = Play
nav-leagues = Leagues
nav-stats = Statistics
nav-players = Players
nav-rules = Rules
nav-docs = Docs
skip = Skip to the content
preview-board = A board of Antike with the start cities of its nations
foot = a game server for the Antike board games · free software, MIT or Apache 2.0
foot-privacy = Privacy
home = Home page
any = any
yes = yes
no = no
few = few
points = points
show = Show

## Numbers, times and lists

decimal-mark = .
percent = { $number }%
percent-span = { $low } to { $high }
sample = n { $count }
time-format = %-d %b %Y, %H:%M UTC
date-format = %-d %b %Y
list-and = { $all } and { $last }
points-count =
    { $count ->
        [one] 1 point
       *[other] { $count } points
    }
nations-count =
    { $count ->
        [one] 1 nation
       *[other] { $count } nations
    }
finished-games =
    { $count ->
        [one] 1 finished game
       *[other] { $count } finished games
    }
finished-games-more = more than { $count } finished games
public-games =
    { $count ->
        [one] 1 public game
       *[other] { $count } public games
    }
public-games-more = more than { $count } public games

## Nations, pieces and know-hows

nation-arabs = Arabs
nation-babylonians = Babylonians
nation-carthaginians = Carthaginians
nation-egyptians = Egyptians
nation-germanic-tribes = Germanic tribes
nation-greeks = Greeks
nation-persians = Persians
nation-phoenicians = Phoenicians
nation-romans = Romans
personage-king = King
personage-scholar = Scholar
personage-general = General
personage-citizen = Citizen
personage-navigator = Navigator
know-how-wheel = Wheel
know-how-sailing = Sailing
know-how-market = Market
know-how-monarchy = Monarchy
know-how-roads = Roads
know-how-navigation = Navigation
know-how-currency = Currency
know-how-democracy = Democracy
know-how-strata = Strata
know-how-navigatio = Navigatio
know-how-moneta = Moneta
know-how-res-publica = Res Publica
know-how-commercium = Commercium
know-how-mercatura = Mercatura
know-how-metallum = Metallum
know-how-regnum = Regnum
card-academy = Academy
card-burglary = Burglary
card-earthquake = Earthquake
card-fortress = Fortress
card-forced-march = Forced March
card-fair-wind = Fair Wind
card-master-builder = Master Builder
card-rich-harvest = Rich Harvest
card-mercenaries = Mercenaries
card-conscription = Conscription
card-tribute = Tribute
card-settlers = Settlers
chip-marble = marble
chip-iron = iron
chip-gold = gold
chip-coins = coins
chips = { $count } { $chip }
coins =
    { $count ->
        [one] 1 coin
       *[other] { $count } coins
    }
nothing = nothing
paid = { " " }for { $payment }
pieces-legion =
    { $count ->
        [one] a legion
       *[other] { $count } legions
    }
pieces-galley =
    { $count ->
        [one] a galley
       *[other] { $count } galleys
    }
pieces-commander = the commander
pieces-admiral = the admiral
units-legion = legions
units-galley = galleys
field-iron = Iron
field-temple = Temple
field-gold = Gold
field-maneuver-1 = Maneuver
field-maneuver-2 = Maneuver
field-arming = Arming
field-marble = Marble
field-know-how = Know-how
stop-maneuver-1 = Maneuver (before Arming)
stop-maneuver-2 = Maneuver (before Iron)
board-antike-east = East: the empire of Alexander the Great
board-antike-west = West: the Roman Empire
board-antike-ii-mare-nostrum = Mare Nostrum
board-antike-ii-orient = Orient
board-duellum-greece-persia = Greeks against Persians
board-duellum-rome-carthage = Carthaginians against Romans
short-board-antike-east = Antike East
short-board-antike-west = Antike West
short-board-antike-ii-mare-nostrum = Antike II Mare Nostrum
short-board-antike-ii-orient = Antike II Orient
short-board-duellum-greece-persia = Duellum Greece Persia
short-board-duellum-rome-carthage = Duellum Rome Carthage
level-beginner = Beginner
level-intermediate = Intermediate
level-advanced = Advanced
level-expert = Expert
bot-random = Random
bot-greedy = Greedy
bot-greedy-growth = Greedy growth
bot-greedy-military = Greedy military
bot-greedy-progress = Greedy progress
bot-search = Search

## The home page

home-title = Play Antike. Every move is checked and recorded.
home-lead = Play Antike, Antike II and Antike Duellum against people or bots. Replay every game, run a league, and learn from the statistics of finished games.
home-running = Live game
home-last = Latest finished game
home-none = No game has been played here yet. Create the first one with “Play now”.
home-watch = Watch
home-replay = Replay
home-games = Browse games
home-api = Read the documentation
home-play = Play now
part-games = Watch live games, or step through any game that was played here. Each turn is shown in words, in notation and as a picture.
part-stats = Win rates of nations, openings and personages, with intervals and numbers of games. Explore openings on the rondel. Every picture has its table and its citation.
part-leagues = Seasons with standings on any day, rounds and tables, and results head to head. Over-the-board games count too.
part-players = Ratings with their uncertainty from game to game, and the nations, openings and opponents of each player.
part-docs = How to play, build a client, run a league, use the data and run a server, with the API reference.
part-rules = Each edition as numbered rules. When a move is refused, the number of the broken rule is shown.

## Lists of games

games-title = Games
games-label = Filter games
games-none = No game matches the filter.
games-next = Older games
games-edition = Edition
games-status = Status
games-name = Player
games-name-hint = name begins with
status-open = open
status-running = running
status-finished = finished
status-abandoned = abandoned
winner = won
bot = bot
open-seat = open seat
guest = guest

## The page of a game

game-title = { $edition } · { $board }
game-board = The board. Keys + and − zoom, 0 shows all of it.
game-steps = Step through the game
game-first = First event
game-back = Previous event
game-forward = Next event
game-last = Last event
game-play = Play
game-pause = Pause
game-slider = Event
game-tabs = Play and watch
game-zoom-in = Zoom in
game-zoom-out = Zoom out
game-zoom-fit = Show the whole board
game-due = time left:
game-keys = Keys: ← → an event, Shift and ← → a turn, Home, End, Space.
game-points = Points
game-points-hint = Height: the points of a nation. Width: the game. Click a round to go there.
game-turns = Turns
game-setup = Setup
game-seats = Players
game-downloads = Downloads
game-record = Record (JSON)
game-record-events = Record with all events (JSON)
game-record-text = Record in notation
game-picture = This position (SVG)
game-pixels = This position (PNG)
game-undone = undone
game-earlier = Only the latest events are listed here. The record contains all of them.
game-signed = Signed by the server.
game-unsigned = Not signed yet.
game-waits-open = Waiting for players
verified = Verified: all { $events } events follow the rules.
not-verified = The record is not valid: { $error }
waiting-for = Waiting for { $nation } ({ $player })
waiting-for-answer = Waiting for { $nation } ({ $player }): { $question }
undo-request = { $player } asks to go back to turn { $turn }. Still to agree: { $missing }
won-nobody = Nobody won
won-one = { $names } won
won-shared = { $names } shared the win
result = Result
result-decided = { $reason }, in round { $round },
result-abandoned = The game was abandoned. Nobody won.
result-rank = Rank
result-points = Points
result-price = Price
result-score = After bids
result-analyze = Analyze the game
result-rematch = Play again
result-rematch-open = Go to the rematch
result-course = Points by round
regions = Regions
region-city = city of the { $nation } for { $chip }
region-site = site for { $chip }
region-site-any = site for any resource
region-sea = sea
region-temple = temple
region-wall = town wall
region-neutral-temple = neutral temple
region-units = { $nation }: { $units }
region-neighbours = Next to: { $regions }.
round-and-turn = round { $round }, turn { $turn }
round = Round { $number }
turn = turn { $number }
position = The board after event { $event }: round { $round }, { $nation } to move
position-setup = The board after event { $event }: setup
reason-goal = the points to win were reached
reason-temple-destroyed = a temple was destroyed and no personage was left
reason-resignation = the others resigned
reason-round-limit = the last round was over
reason-agreement = the players agreed
reason-adjudication = the organizer decided
question-city-choice = choose a start city
question-chip-choice = choose a chip
question-battle-answer = fight or let pass
question-personage-choice = choose a personage
question-card-choice = choose an event card
question-fortress-answer = answer a conquest
of-league = Table { $table } of the league
of-league-round = Table { $table }, round { $round }, of the league

## Analysis

analysis = Analysis
analysis-switch = Analyze
analysis-hint = The win probability of each seat, now and by round, with the best moves. Based on short playouts. Use it to compare moves, not as a prediction.
analysis-barred = A rated game can be analyzed only when it is over.
analysis-visits = playouts
analysis-thinks = Analyzing …
analysis-over = The game is over. There is no move to analyze.
analysis-why = Why: { $reasons }.
achieve-win = wins the game
achieve-personage =
    { $count ->
        [one] gains a personage: { $of }
       *[other] gains { $count } personages: { $of }
    }
achieve-conquest =
    { $count ->
        [one] conquers a city
       *[other] conquers { $count } cities
    }
achieve-know-how = develops { $of }
achieve-foundation =
    { $count ->
        [one] founds a city
       *[other] founds { $count } cities
    }
achieve-temple =
    { $count ->
        [one] builds a temple
       *[other] builds { $count } temples
    }
achieve-defence =
    { $count ->
        [one] protects a city that could be conquered
       *[other] protects { $count } cities that could be conquered
    }
achieve-sites =
    { $count ->
        [one] can found one more city
       *[other] can found { $count } more cities
    }
achieve-units =
    { $count ->
        [one] has one more unit
       *[other] has { $count } more units
    }
achieve-production = produces { $count } more { $of } each time
achieve-chips = receives { $count } { $of }

## Actions

action-move-stone = move to { $field }{ $paid }
action-build-temple = build a temple in { $region }{ $paid }
action-build-wall = build a town wall in { $region }{ $paid }
action-arm = set up { $unit } in { $region }{ $paid }
action-arm-free = set up { $unit } in { $region }{ $paid }, Bellona’s gift
action-develop = develop { $knowhow }{ $paid }
action-recruit = recruit { $units }{ $paid }
action-march = move { $units } from { $from } to { $to }
action-march-left =
    { $left ->
        [one] move { $units } with 1 maneuver left from { $from } to { $to }
       *[other] move { $units } with { $left } maneuvers left from { $from } to { $to }
    }
action-battle = fight the { $against } in { $region }: { $lost } lost on each side
action-let-pass = let them pass
action-answer-battle = fight: { $count } lost on each side
action-conquer = attack { $region } with { $units }
action-found = found a city in { $region }{ $paid }
action-trade = trade { $give } for { $take }
action-choose-chip = take a { $chip } chip because no coin is left
action-choose-personage = choose the personage { $personage }
action-choose-city = start in { $region }
action-take-card = take the card { $card }
action-play-card = play { $card }
action-play-card-unit = play { $card } for { $units }
action-play-card-region = play { $card } in { $region }
action-play-card-unit-region = play { $card } for { $units } in { $region }
action-pass = let the conquest happen
action-end-turn = end the turn
action-resign = resign

## Effects of actions and other events

effect-produced = { $nation } take { $chips }
effect-chip-taken = { $nation } take a { $chip } chip
effect-city-chosen = { $nation } start in { $region }
effect-wall-destroyed = the wall of the { $nation } in { $region } falls
effect-wall-received = { $nation } get a town wall
effect-developed-first = { $nation } are the first to develop it
effect-battle-fought = { $nation } and { $against } lose { $lost } each in { $region }
effect-commander-fell = the commander of the { $nation } falls in { $region }
effect-admiral-fell = the admiral of the { $nation } falls in { $region }
effect-city-saved = { $nation } keep { $region }
effect-city-given-up = { $nation } give up { $region }
effect-conquered = { $nation } conquer { $region } from the { $from }
effect-defenders-lost = { $nation } lose { $units } in { $region }
effect-temple-destroyed-of = the temple of the { $nation } in { $region } is destroyed
effect-temple-destroyed = the temple in { $region } is destroyed
effect-bellona-passed = the Bellona card goes from the { $nation } to the { $to }
effect-personage-won = { $nation } receive a personage: { $personage }
effect-personage-won-extra = { $nation } receive a personage for all know-hows: { $personage }
effect-card-revealed = { $card } is revealed
effect-deck-shuffled = { $cards } used cards become the new deck
effect-card-taken = { $nation } take { $card }
effect-coins-gained = { $nation } gain { $coins }
effect-chips-gained = { $nation } gain { $chips }
effect-coins-lost = { $nation } lose { $coins }
effect-round-began = round { $round } begins
effect-game-ended = the game is over: { $reason }
event-setup = the game is set up
event-undo = actions are taken back
event-seat = another player takes seat { $seat }
event-adjudicated = the game is ended: { $reason }
event-abandoned = the game is abandoned
event-timeout = seat { $seat } runs out of time

## Playing

play-lead = Play against bots or with friends. You need no account: this browser keeps the token of your seat.
play-needs-scripts = Playing needs JavaScript. All other pages work without it.
play-board = Board
play-bot = Bots
play-levels = Bots that look ahead
play-quick = Bots that follow simple rules
play-name = Your name
play-start = Create game
play-here = Play
play-take = Take the seat:
play-token = Token of your seat
play-use = Use token
play-yours = Your turn
play-others = Waiting for the other players
play-bad-token = This token belongs to no seat of this game.
play-rule = Read the rule
play-send = Confirm
play-dismiss = Cancel
play-all = Show all
play-undo = Undo
play-decline = Decline the undo
play-resign = Resign
play-resign-ask = Leave the game with all your nations
play-asked = The other players must agree.
play-vary = Choose what to pay
play-auto = Do it for me when only one action is possible
play-sound = Play a sound when it is my turn
play-since = Since your last turn
amount-pay = Pay:
amount-give = Give:
amount-take = Take:
kind-move-stone = Move the stone
kind-build-temple = Build temples
kind-build-wall = Build town walls
kind-arm = Set up units
kind-develop = Develop know-how
kind-recruit = Recruit
kind-march = Move units
kind-battle = Fight
kind-answer-battle = Fight
kind-conquer = Conquer
kind-found = Found cities
kind-trade = Trade
kind-choose-chip = Take a chip
kind-choose-personage = Choose a personage
kind-choose-city = Choose a start city
kind-take-card = Take an event card
kind-play-card = Play an event card
kind-pass = Let it happen
kind-end-turn = End the turn
kind-more = More

## New games, tables and invitations

mine-title = Your games
mine-invited = invitation
open-title = Open tables
open-none = No table waits for players. Create a game and choose “Everyone” to open one.
open-all = All open tables
open-seats =
    { $count ->
        [one] 1 free seat
       *[other] { $count } free seats
    }
players-count = { $count } players
players-range = { $least } to { $most } players
new-title = New game
new-players = Number of players
new-opponents = Play with
new-with-bots = Bots
new-with-friends = Friends, by a link
new-with-anyone = Everyone
new-details = Seats, nations, variants, time limits
new-player = Player
new-nation = Nation
new-you = You
new-free = Free seat
new-drawn = Drawn
new-variants = Variants
new-pace = Time for a turn
new-then = When it runs out
new-visibility = Who can see the game
branch-from-here = Play on from this position
branch-title = Play on from event { $event }
branch-lead = A new game from this position, with the same rules and nations. It is not rated.
seat-number = Seat { $number }
pace-none = Unlimited
pace-minutes =
    { $count ->
        [one] 1 minute
       *[other] { $count } minutes
    }
pace-hours =
    { $count ->
        [one] 1 hour
       *[other] { $count } hours
    }
pace-days =
    { $count ->
        [one] 1 day
       *[other] { $count } days
    }
pace-with-reserve = { $turn }, reserve { $reserve }
pace-then-bot = A bot takes over
pace-then-resign = The player resigns
pace-then-wait = The game waits
visibility-public = Everyone
visibility-unlisted = Everyone with the link
visibility-private = Only its players
variant-three-nation-goal-12 = Goal 12 for three players
variant-two-player-double = Two players, double supply
variant-long-game = Long game
variant-expert = Expert game
variant-military = Military game
variant-nine-scholars = Nine scholars
variant-free-city-types = Free choice of cities
variant-special-units = Special units
table-title = Table: { $game }
table-link = Table and invitation
table-waits = The game starts when every seat is taken.
table-go = Go to the game
table-take = Take this seat
table-leave = Leave the table
table-decline = Decline
table-withdraw = Withdraw the invitation
table-reserved = reserved for { $player }
new-bidding = Who gets which nation
bid-none = As chosen or drawn
bid-sealed = Sealed bids
bid-open = Open bids
bid-title = Bid for nations
bid-sealed-lead = Say what each place at the table is worth to you, in points. Nobody sees your bids before the game starts. You can change them until then.
bid-open-lead = One after the other bids for a place at the table, in points, more than the bid on it. Who is outbid bids again.
bid-rules = How bids count
bid-waits = The game starts when every seat is taken and all have bid.
bid-highest = { $points } points by { $player }
bid-missing = Still to bid: { $players }.
bid-until = Missing bids count as 0 from
bid-for = Nation
bid-points = Points
bid-do = Bid
bid-sent = Your bid is sent.
invite-title = Invite friends
invite-lead = Each friend who opens the link can take a free seat with one click. An account is not needed.
invite-link = Invitation link
invite-copy = Copy link
invite-copied = Copied.
invite-share = Share
invite-qr = QR code of the invitation link
invite-withdraw = Withdraw the link
invite-make = Create a link
invite-make-hint = It replaces a link that you created before.
invite-handle = Handle of a player
invite-reserve = Reserve a seat
organize-title = Organize
organize-bots = Bots for the free seats
organize-fill = Fill with bots
organize-cancel = Cancel the game
organize-cancel-ask = Cancel this game for all players?
join-title = You are invited to play
join-take = Join the game
join-as = Play { $nations }
join-full = Every seat is taken or reserved. Ask the organizer.
join-private = This game is private. Sign in to take a seat.

## Chat

notes-title = Notes
notes-none = Nobody has annotated this game yet.
notes-write = Annotate this moment
notes-all = All notes
notes-as-text = The record with these notes as text
notes-after = A game can be annotated after its end.
notes-sign-in = Sign in to annotate this game
notes-choose = To annotate an action, choose it on the page of the game.
notes-whole = The whole game
notes-comment = Comment
notes-verdict = Verdict
notes-no-verdict = none
notes-variations = What could have been played
notes-variations-hint = One variation on each line, in notation, with semicolons between actions and a comment in braces at the end. Played was:
notes-save = Save
verdict-excellent = very good
verdict-good = good
verdict-interesting = interesting
verdict-doubtful = doubtful
verdict-mistake = a mistake
verdict-blunder = a blunder
chat-title = Chat
chat-none = No messages yet.
chat-is-off = The organizer of the game has turned the chat off.
chat-message = Message to the table
chat-send = Send
chat-hint = Everyone who can see the game can read its messages. They are not part of its record.
chat-report = Report
chat-report-ask = What is wrong with this message?
chat-reported = Reported
chat-organizer = Organizer
chat-gone = Former player
chat-hidden = (hidden by an administrator)
chat-turn-off = Turn the chat off
chat-turn-on = Turn the chat on

## Standing orders

orders-title = Standing orders
orders-lead = Answer in advance, so that the other players do not wait for you. Only you see these orders. The most specific order counts: nation, then region, then unit. Of equally specific orders, the last counts.
orders-none = No orders: you are asked each time.
orders-remove = Remove
orders-add = Add
orders-against = When units enter of
orders-anybody = any nation
orders-unit = Kind
orders-any-unit = legions or galleys
orders-region = Where
orders-anywhere = anywhere
orders-answer = Then
orders-fortress = When one of your cities is attacked
orders-battle-allow = let them pass
orders-battle-demand = fight with all
orders-battle-ask = ask me
orders-card-play = play Fortress
orders-card-never = keep the card
orders-card-ask = ask me

## Rules

rules-title = Rules
rules-lead = The rules of each edition in our own words. When a move is refused, the number of the broken rule is shown.
rules-about = Each rule has a number, and each number is a link. A ruling says how this server plays where the rule book is silent.
rules-count =
    { $rules ->
        [one] 1 rule, data version { $version }
       *[other] { $rules } rules, data version { $version }
    }
rules-of = Rules of { $edition }
rules-of-base = The rules of { $edition } follow. They apply unless the rules above differ.
rules-contents = Chapters
rules-ruling = Ruling
rules-assumed = Assumed
rules-table = Table, can be scrolled

## Players

players-title = Players
players-lead = Players by rating. A rating starts at 25 and changes with each rated game. The order is the rating minus three times its uncertainty, so that a few lucky games do not lead. Bots have a list of their own.
players-label = Filter players
players-name = Name
players-none = No player with this name.
players-rated = By rating
players-found = By name
players-bots = Bots
players-unrated = No rated game has ended yet.
players-next = More players
player-preview = Ratings, nations, openings, opponents and games of { $handle }.
player-since = Joined
player-bot = a program plays
player-gone = account deleted
player-elsewhere = player of another server
player-ratings = Ratings
player-edition = Edition
player-name = Player
player-all-editions = all editions
player-rating = Rating
player-uncertainty = ±
player-ordinal = At least
player-rated-games = Rated games
player-provisional = provisional
player-nations = Nations
player-openings = Openings
player-strengths = Compared with others
player-strengths-lead = How often the player wins with a nation or an opening, and has personages by the end of a round. The difference from all others in the same kind of games is in points of a hundred, with its 95% interval. The clearest differences are first.
player-strengths-none = There are too few games for a comparison.
player-strengths-hidden = Only you see this. The settings show it to others.
player-strength = With
player-strength-rate = Player
player-strength-others = Others
player-strength-difference = Difference
player-strength-games = Games
player-strength-clear = clear
player-phase = { $personages } personages by round { $round }
player-not-counted = Games that ended by a decision or a resignation are not counted here.
player-opponents = Opponents
player-opponents-lead = Ahead: the share of their games in which this player ranked higher. An equal rank counts half.
player-opponent = Opponent
player-where = Board
player-met = Games
player-ahead = Ahead
player-won = Won
player-alone = No game against opponents has been counted yet.
player-all-games = All games
player-api = Get this from the API
player-unrated = No rated game of this player has ended yet.

## Statistics

stats-title = Statistics
stats-lead = What finished games show. Each rate has its 95% interval and its number of games. Games on different boards, with different numbers of nations or kinds of players are never mixed.
stats-parts = Parts of the statistics
stats-played = Boards that were played
stats-all = Overview
stats-form = Filter the counted games
stats-board = Board
stats-nations = Nations
stats-nation = Nation
stats-play = Players
stats-people = people only
stats-bots = bots only
stats-against = Against
stats-opening = Opening
stats-know-how = With know-how
stats-without-know-how = Without know-how
stats-by-round = by round
stats-min-rating = Player's rating from
stats-max-rating = Player's rating up to
stats-min-table-rating = All ratings at the table from
stats-time-control = Time control
opening-growth = Growth
opening-military = Military
opening-progress = Progress
opening-other = Other
time-control-live = Live (at most an hour for a turn)
time-control-correspondence = Correspondence
time-control-unlimited = Unlimited
versus-form = Compare two samples of games
versus-title = { $measure }: two samples compared
versus-lead = The win rates of the first sample minus those of the second, with 95% intervals.
versus-back = The measure without a comparison
versus-by = They differ in
versus-one = First value
versus-other = Second value
versus-none = No row is in both samples.
versus-common =
    { $games ->
        [one] 1 game is in both samples. Nations that play against each other win at each other's expense, so the intervals are too narrow.
       *[other] { $games } games are in both samples. Nations that play against each other win at each other's expense, so the intervals are too narrow.
    }
versus-clear = { $clear } of { $rows } rows differ beyond chance (q below 0.05).
versus-bots = bots (none: only people; only: only bots)
versus-time-control = time control (live, correspondence, unlimited)
versus-opening = opening (growth, military, progress, other)
versus-ruleset = version of the rules (1, 2)
versus-league = league (its id)
versus-rated = rated (true, false)
versus-date = before a date, and since then (2026-11-01)
stats-since = Ended since
stats-min = Minimum games
stats-most = This is the board that was played most. Choose another one above.
stats-cite = Cite or download by API
stats-call = Get this from the API:
question-cards = What are event cards worth?
question-conquests = What do conquests change?
question-head-to-head = Who beats whom?
question-income = Who earns more, winners or the others?
question-know-hows = Which know-how wins?
question-know-hows-rounds = When does which know-how win?
question-lengths = How long are games?
question-nations = Which nation wins?
question-openings = Which opening wins?
question-nations-places = Does a nation need to be early?
question-nations-openings = What should each nation begin with?
question-skill = How much is skill, and how much is luck?
question-openings-neighbours = Does the opening of a neighbour matter?
question-openings-tree = Which opening wins?
question-personages = Which mix of personages wins?
question-personages-final = Which personages do winners have at the end?
question-personages-incidence = How soon do personages come?
question-personages-worth = What is a personage worth?
question-positions = What followed from a position?
question-seats = Does the turn order matter?
question-strength = Which nation wins among equally strong players?
question-timing = Who wins with how many personages by a round?
question-trades = Do trades win?
question-trends = Do win rates change over time?
answer-above = More often than expected: { $row }, with { $rate } of { $count } nations in games (95% interval { $span }; expected { $expected }).
answer-unclear = No row is clearly above what is expected. The first is { $row }, with { $rate } of { $count } nations in games (95% interval { $span }; expected { $expected }).
answer-of = { $format }: { $answer }
answer-few = There are too few games for an answer.
answer-trend = The rate of { $row } changes: { $trend } points of a hundred a year (95% interval { $low } to { $high }).
answer-no-trend = No rate clearly changes. The nearest to a change is { $row }, with { $trend } points of a hundred a year (95% interval { $low } to { $high }).
answer-one-month = All games were played in one month, so there is no trend.
answer-place = place { $place }
answer-equal = If all players were equally strong, { $row } would win most often: { $rate } (95% interval { $span }).
answer-worth = Among the first { $count } personages of a nation, one more { $row } instead of an average personage multiplies the odds of the win by { $odds } (95% interval { $low } to { $high }).
answer-skill = Skill explains { $share } of the differences between results (95% interval { $span }). The rest is luck and other differences between games.
answer-parts = Winners differ most by { $row }: { $winners } of their personages at the end, and { $others } for the others.
answer-means = Winners differ most after turn { $turn } of a nation, by { $quantity }: { $winners } on average, and { $others } for the others.
answer-incidence = By round { $round }, half of the nations have their first personage.
answer-lengths = Half of the games last at most { $median } rounds, and eight of ten last { $least } to { $most } rounds.
stats-filters = Counted: { $filters }
stats-gathering = More games have finished and are being counted.
stats-numbers = In numbers
stats-none = No game matches.
stats-columns = What the columns mean
stats-played-games =
    { $games ->
        [one] { $board }, { $nations }: 1 game
       *[other] { $board }, { $nations }: { $games } games
    }
stats-dark = SVG, dark
stats-file = { $table } as { $format }
stats-citation = { $source }, “{ $title }”: { $filters }; { $games } games, data { $version }. { $page }, accessed on { $date }.
stats-citation-as-of = { $source }, “{ $title }”: { $filters }; { $games } games, data { $version } as of { $time }. { $page }, accessed on { $date }.
stats-all-games = all games
stats-more =
    { $rows ->
        [one] 1 more row is in the files.
       *[other] { $rows } more rows are in the files.
    }
stats-all-rows = All rows as CSV
stats-more-groups =
    { $groups ->
        [one] 1 more group is in the whole picture.
       *[other] { $groups } more groups are in the whole picture.
    }
stats-whole-picture = The whole picture
measure-cards = Event cards
measure-conquests = Conquests
measure-head-to-head = Head to head
measure-income = Income
measure-know-hows = Know-how
measure-know-hows-rounds = Know-how by round
measure-lengths = Lengths
measure-nations = Nations
measure-openings = Openings
measure-nations-places = Nations and places
measure-nations-openings = Nations and openings
measure-skill = Skill and luck
measure-openings-neighbours = Neighbours
measure-openings-tree = Openings
measure-personages = Personages
measure-personages-final = Final personages
measure-personages-incidence = Personages by round
measure-personages-worth = Worth of personages
measure-positions = Positions
measure-seats = Turn order
measure-strength = Equal strength
measure-timing = Timing
measure-trades = Trades
measure-trends = Trends

## The explorer of openings

openings-title = Explorer
openings-lead = The first rondel spaces of nations, and how often these nations won. The area of a space is its number of games; the colour compares its wins with equal players. Choose a space to continue from there.
openings-path = Spaces so far
openings-start = Before the first turn
openings-back = back
openings-nobody = none
openings-end = No nation continued from here.
openings-stop = Next space
openings-rate = Won
openings-n = n
openings-done = Done there, on average
openings-example = Example
openings-watch = a game
openings-colours = Meaning of the colours
openings-of = { $board } · { $nations } · { $players }
openings-bots = bots: { $bots }
openings-bots-of = bots: { $bots } · { $bot }
openings-mixed-people = people and bots: { $bots } · people
openings-mixed-bot = people and bots: { $bots } · { $bot }
openings-people = people
openings-wheel = Rondel of { $title }
openings-more =
    { $count ->
        [one] 1 more kind of game matches. Choose board, nations and players to see it.
       *[other] { $count } more kinds of games match. Choose board, nations and players to see them.
    }
openings-slice = { $field }: { $rate } of { $count } won
openings-slice-few = { $field }: { $rate } of { $count } won, too few to rely on
openings-hub-back = Back. All here: { $rate } of { $count } won
openings-hub = All: { $rate } of { $count } won
openings-example-of = A game with { $stop }
lift-far-below = under ⅔ of what equal players win
lift-somewhat-below = under 0.9
lift-alike = about as many
lift-somewhat-above = over 1.1
lift-far-above = over 1½ times as many
done-produced = chips
done-temples = temples
done-walls = walls
done-units = units
done-recruited = recruited
done-know-hows = know-how
done-cities = cities
done-extra-steps = paid steps

## Leagues

leagues-title = Leagues
leagues-lead = Seasons of games on this server and over the board. Each league keeps a log of its events, so you can see the standings of any day, and every correction is visible.
leagues-none = There is no league yet.
leagues-next = Older leagues
league-seasons = Seasons
league-no-season = No season has started.
league-organized = Organized by
league-standings = Standings
league-moments = Standings after each round
league-now = Now
league-as-of-day = Standings at the end of
league-as-it-is = Show the current state
league-rank = Rank
league-member = Member
league-points = Points
league-games = Games
league-nobody = No member has joined yet.
league-counted = How points are counted
league-csv = Standings (CSV)
league-json = Standings (JSON)
league-met-csv = Head to head (CSV)
league-cross-csv = Cross table (CSV)
league-xlsx = All tables (XLSX)
league-results-csv = Results (CSV)
league-results-bgg = Results for BoardGameGeek (XML)
league-results-bgstats = Results for BG Stats (JSON)
print-lead = Sheets to print on A4:
print-pairings = Pairings
print-slips = Result slips
print-standings = Standings and cross table
print-table = Table
print-seat = Seat
print-nation = Nation
print-sign = Signature
import-title = Import members or results
import-lead = Choose a file with members or past results. Trying it changes nothing: it shows what would happen to each row.
import-columns = Formats and columns
import-file = File
import-content = Content of the file
import-format = Format
import-season = Season of results without one
import-edition = Edition of results without one
import-board = Board of results without one
import-try = Try
import-do = Import all rows
import-done = The file was imported
import-tried = The file can be imported
import-refused = Some rows are refused, so the file cannot be imported
import-new-members = New members:
import-new-seasons = New seasons:
import-row = Row
import-column = Column
import-fate = Outcome
import-message = Remark
fate-added = added
fate-invited = invited
fate-possible-duplicate = added, but possibly a duplicate
fate-already-there = there already
fate-skipped = skipped
fate-refused = refused
league-calendar = Calendar of deadlines (iCalendar)
league-deadline = Deadline
league-late = late
league-moved = moved
league-turn = The current player must move by
league-log = League log (JSON)
league-keep = Cite or download by API
league-for-ever = These standings permanently:
league-rounds = Rounds
league-byes = Without a table:
league-bracket = Bracket
league-bracket-none = The bracket is shown when round 1 has tables.
league-bracket-bye = sits out
league-bracket-open = not known yet
league-bracket-final = Final
league-no-tables = No table has been created yet.
league-other-tables = Tables without a round
league-real = over the board
league-decided = decided by the organizers
league-then = standings at that time
league-head-to-head = Head to head
league-met-hint = Each line shows how often its member finished ahead of and behind the member with the number of the column. The number after = counts equal finishes.
league-met-all = All members
league-met-file = The table of all members is too large for this page. Choose a member, or download the table as a file.
league-members = Members
league-left = left
league-open = open to all
league-summary =
    { $members ->
        [one] 1 member, { $counted } of { $tables } tables counted
       *[other] { $members } members, { $counted } of { $tables } tables counted
    }
league-first = First: { $names }
league-leads = { $names } leads with { $points } points
league-lead = { $names } lead with { $points } points each
league-as-of = State of { $time }, after event { $event } of the league log.
standings-at = As of { $time }, event { $event }.
standings-of = Standings of the season { $season }
after-round = After round { $round }
league-table = Table { $number }
standings-after = Standings at that time, after table { $number }
counted-of = { $counted } of { $tables } counted
season = { $number }: { $name }
table-playing = being played
table-counted = counted
table-abandoned = abandoned
table-void = void
place =
    { $rank ->
        [1] 1st
        [2] 2nd
        [3] 3rd
       *[other] { $rank }th
    }
joining-open = Everybody with an account may join.
joining-invited = New members need an invitation.
joining-approval = Organizers admit new members.
new-league = Create a league
new-league-do = Create league
leagues-own = Your leagues
organize-done = Saved.
organize-archived = This league is archived: it can be read, but not changed.
organize-title-league = Organize
organize-results = Results
organize-round = Pair a round
organize-season = Season
organize-settings = Settings
join-do = Join
join-own = Your membership
join-ask = Ask to join
join-member = You are a member of this league.
join-requested = You have asked to join. An organizer will answer.
join-to-league = Go to the league
join-leave = Leave the league
join-withdraw = Withdraw the request
join-optional = (optional)
join-agree = Members agree to play at the tables that organizers create. Only organizers can read your answers.
members-requests = Requests to join
members-no-requests = Nobody is waiting for an answer.
members-approve = Admit
members-refuse = Refuse
members-invite = Invite and add
members-invite-do = Invite account
members-placeholder = Name of a person without an account
members-placeholder-do = Add person
members-link = Create invitation link
members-link-once = Copy this link now. It is not shown again.
members-link-hint = Everybody who opens the link may join. A new link replaces the earlier one.
members-unlink = Withdraw the link
members-page = Registration page
members-invited = Invited
members-uninvite = Withdraw invitation
members-remove = Remove
members-roles = Roles
members-roles-hint = A scorer enters results. A referee also corrects tables, moves deadlines and decides disputes. An organizer does everything except roles and deletion.
members-role = Role
members-role-do = Set role
members-unrole = Withdraw role
role-owner = owner
role-organizer = organizer
role-referee = referee
role-scorer = scorer
settings-league-name = Name of the league
settings-league-about = Description
settings-joining = Who may join
settings-questions = Questions at registration
settings-questions-hint = Leave a field empty to ask nothing. Only organizers can read the answers.
settings-question = Question { $number }
settings-required = An answer is required
settings-archived = Archived: nothing can be changed
settings-save = Save settings
settings-delete = Delete the league
settings-delete-hint = Only a league without tables and without other members can be deleted. Archive a league that was used.
season-first = First season
season-new = Begin a season
season-name = Name of the season
season-same = Keep the format and the rules of the season before
season-format = Format
season-format-spread = Many different opponents, tables of 2 to 6
season-format-swiss = Swiss system, tables of 2 to 6
season-format-round-robin = Round robin, tables of 2
season-format-knock-out = Knock-out, tables of 2
season-format-double-elimination = Double elimination, tables of 2
season-format-ladder = Ladder, tables of 2
season-best-of = Knock-out and double elimination: best of this many games
season-reach = Ladder: places above, at most
season-best = Best results that count (empty: all)
season-holidays = Days of holiday of each member
season-games = Round robin: games of each pair
season-bye = Swiss system: points for sitting out
season-points = Points for each rank
season-points-hint = Whole numbers for the first rank, the second and so on, such as 5 3 2 0.
season-tie-breaks = Order of members with equal points
season-deadline = When the deadline of a table has passed
season-deadline-none = The organizers decide
season-deadline-by-points = The game ends by points
season-deadline-forfeit = Who must act is last
season-grace = Hours of grace after the deadline
season-credit = Points of a seat with a substitute
season-begin = Begin season
season-close = Close the season
season-close-hint = After that, no table and no result can be added. Corrections remain possible.
season-closed = The season is closed.
round-number = Round
round-division = Division
round-size = Seats at a table
round-seats = { $count } seats
round-smallest = Smallest table (empty: one seat less)
round-nations = Nations
round-nations-drawn = drawn in each game
round-nations-balanced = balanced over the season
round-deadline = Deadline (end of the day, UTC)
round-deadline-move = Move the deadline
round-bidding = Bids for seats
round-bid-none = None
seat-price = paid { $points }
round-rated = Rated games
round-pair = Show pairing
round-preview = Preview
round-preview-hint = Nothing is stored yet. To exchange two members, mark both and press the button.
round-swap = Exchange the two marked members
round-swap-two = mark exactly two members to exchange them
round-again = Pair again
round-create = Create the tables
round-created =
    { $count ->
        [one] 1 table is created.
       *[other] { $count } tables are created.
    }
round-quality = Repeated meetings in the season with this round: { $repeated }. At least { $unavoidable } cannot be avoided.
round-running = Tables that are being played
round-tokens = Tokens for people without an account
round-tokens-once = Pass each token on now. They are not shown again.
table-more = Details
table-decide = Decide
table-result = Set or correct the result
table-result-do = Set the result
table-rank-of = Rank of { $player }
table-reason = Reason
table-reason-optional = Note (optional)
table-void-do = Declare the table void
table-substitute = Substitute a player
table-substitute-do = Substitute
table-substitute-hint = The seat of a running game is reserved for the new player, who has to take it. A person without an account receives a token for it, which is shown once.
table-seat = Current player
table-new-player = New player
table-players = For the players of this table
table-report-hint = If you have played this game on a real board, report the ranks. Another player confirms them.
results-open = Reports that wait for an answer
results-none = No report waits for an answer.
results-disputes = Disputes
results-answered = Answered reports
report-number = Report { $number }
report-by = Reported by
report-open = waits for confirmation
report-disputed = disputed
report-accepted = counts
report-rejected = rejected
report-confirm = Confirm
report-accept = Accept
report-reject = Reject
report-withdraw = Withdraw
result-enter = Enter a result
result-report = Report a result
result-report-hint = Report a game that you have played on a real board. It counts when another player confirms it.
result-day = Day of the game
result-seat = Seat { $number }
result-nation = Nation
result-again = The same members have played again with the same ranks
dispute-open = Dispute the result
dispute-text = What is wrong?
dispute-do = Send the dispute
dispute-by = Disputed by
dispute-waits = waits for an answer
dispute-answer = Answer by
dispute-answer-text = Answer to the dispute
dispute-answer-do = Answer the dispute
format-spread = Members meet as many different opponents as possible.
format-knock-out = { $games ->
    [1] Knock-out: the winner of each table for two advances to the next round.
   *[other] Knock-out: the winner of each match advances to the next round. A match is the best of { $games } games.
    }
format-double-elimination = { $games ->
    [1] Double elimination: a member who has lost twice is out.
   *[other] Double elimination: a member who has lost two matches is out. A match is the best of { $games } games.
    }
format-ladder =
    { $reach ->
        [one] Ladder: a member challenges the next member above. A lower member who wins exchanges places.
       *[other] Ladder: a member challenges another one up to { $reach } places above. A lower member who wins exchanges places.
    }
counted-weight = Round { $round } counts { $percent } percent.
counted-best =
    { $count ->
        [one] The best result of each member counts.
       *[other] The best { $count } results of each member count.
    }
counted-all-but =
    { $count ->
        [one] The worst result of each member does not count; a missed round is the worst.
       *[other] The worst { $count } results of each member do not count; missed rounds are the worst.
    }
standings-dropped = These points do not count: { $points }
league-moves =
    { $count ->
        [one] After the season, one member of each division moves up, and one down.
       *[other] After the season, { $count } members of each division move up, and { $count } down.
    }
league-teams = Teams
league-team = Team
league-bracket-winners = Winners' bracket
league-bracket-losers = Losers' bracket
league-challenges = Challenges
league-challenge = { $one } has challenged { $other }.
format-swiss = Swiss system: members with about equal points meet, and nobody meets the same member twice where possible. Sitting out a round scores { $points } points.
format-round-robin =
    { $games ->
        [one] Round robin: each member plays every other member once, at tables for two.
        [2] Round robin: each member plays every other member twice, at tables for two.
       *[other] Round robin: each member plays every other member { $games } times, at tables for two.
    }
scoring-ranks = The ranks of a table score { $points } points, starting with the first rank. Equal ranks share their points.
scoring-shares = A win scores one point, a shared win its share. Other ranks score nothing.
deadline-by-points = { $hours ->
    [0] When the deadline of a table has passed, its game ends by points.
    [one] An hour after the deadline of a table, its game ends by points.
   *[other] { $hours } hours after the deadline of a table, its game ends by points.
}
deadline-forfeit = { $hours ->
    [0] When the deadline of a table has passed, its game ends: who must act is last, and the others are ranked by points.
    [one] An hour after the deadline of a table, its game ends: who must act is last, and the others are ranked by points.
   *[other] { $hours } hours after the deadline of a table, its game ends: who must act is last, and the others are ranked by points.
}
credit-split = If several members played a seat, each receives an equal part.
credit-first = If several members played a seat, it counts for the first one.
credit-last = If several members played a seat, it counts for the last one.
tie-break-wins = Wins
tie-break-about-wins = wins; a shared win counts its share
tie-break-seconds = Seconds
tie-break-about-seconds = second ranks
tie-break-average = Average
tie-break-about-average = points per game
tie-break-head-to-head = Head to head
tie-break-about-head-to-head = games ahead of the other tied members; equal ranks count half
tie-break-opponents = Opponents
tie-break-about-opponents = the sum of the points of all opponents
tie-break-games = More games
tie-break-about-games = more games
tie-break-lot = Lot
tie-break-about-lot = the place in an order drawn from the ids of league, members and season; the highest place is the best
tie-breaks-none = Members with equal points share a rank.
tie-breaks = Equal points are ordered by: { $list }.
tie-breaks-then = ; then{ " " }

## Around the documentation, which is in English

docs-title = Documentation
docs-contents = Contents
docs-on-page = On this page
docs-neighbours = Previous and next page
docs-previous = Previous:
docs-next = Next:
docs-search = Search the documentation
docs-found = Matching sections
docs-found-none = Nothing found.
docs-found-some = Results:

## Frames of other sites

embed = Show on another site
embed-lead = Copy this line into your page:
embed-docs = More about frames

## Accounts

reader-label = Account
reader-games = My games
reader-sign-in = Sign in
reader-sign-out = Sign out
account-handle = Handle
account-password = Password
account-current-password = Current password
account-new-password = New password
sign-in-title = Sign in
sign-in-new = New here?
sign-in-wrong = The handle, the password or the recovery code is wrong.
sign-in-often = Too many attempts. Wait some minutes, or use a recovery code.
sign-up-title = Create an account
sign-up-do = Create account
sign-up-handle = 3 to 32 letters, digits, “_” and “-”. Everyone can see it.
sign-up-password = At least 10 characters. A sentence that you can remember is good.
sign-up-taken = This handle is taken. Choose another one.
sign-up-closed = This server accepts no new accounts. Ask its operator for one.
sign-up-known = Do you have an account?
sign-up-done = Your account is ready
sign-up-continue = Continue
recover-link = Forgot your password?
recover-title = Set a new password
recover-lead = Use one of the recovery codes that you received with your account. All devices are signed out.
recover-code = Recovery code
recover-do = Set password and sign in
codes-title = Recovery codes
codes-once = Keep these codes in a safe place: they are shown only now. Each sets a new password once, if you forget yours.
guest-title = Games that you play as a guest
guest-lead = This browser plays these games without an account. You can move them to your account.
guest-move = Move to my account
guest-done = The games belong to your account.
guest-kept = Some games could not be moved.
settings-title = Settings
settings-profile = Profile
settings-public = Your public page
settings-rename = Change handle
settings-password-lead = Changing the password signs out all other devices. Tokens stay valid.
settings-password-do = Change password
settings-codes = Recovery codes
settings-codes-left =
    { $count ->
        [0] You have no recovery codes. If you forget your password, your account is lost.
        [one] You have 1 recovery code left.
       *[other] You have { $count } recovery codes left.
    }
settings-codes-do = Make new codes
passkey-or = Or without a password:
passkey-sign-in = Sign in with a passkey
passkey-sign-up = Create account with a passkey
passkey-refused = No passkey was used. Try again, or use a password.
passkey-codes = Keep these recovery codes in a safe place: they are shown only now. Each sets a password once, if you lose your passkey.
passkey-last = This passkey is the only way to sign in to your account. Set a password or add another passkey first.
passkey-backed-up = backed up
passkey-name = Name
passkey-example = My passkey
passkey-rename = Rename
passkey-remove = Remove
passkey-add = Add a passkey
passkey-done-added = The passkey is added.
passkey-done-renamed = The passkey is renamed.
passkey-done-removed = The passkey is removed.
passkeys-title = Passkeys
passkeys-lead = A passkey signs you in with the lock of your phone or computer, without a password.
passkeys-unavailable = Passkeys work only where this server is reached by HTTPS and its name.
settings-devices = Devices
settings-this-device = this device
settings-device-times = last used { $seen }, signed in { $since }
settings-device-end = Sign out
settings-devices-end = Sign out all other devices
settings-tokens = Tokens for programs
settings-tokens-lead = A token lets a program, such as a bot, act for you.
settings-tokens-docs = How to use tokens
settings-token-created = created
settings-token-used = last used
settings-token-expires = expires
settings-token-revoke = Revoke
settings-token-new = New token
settings-token-name = What is it for?
settings-token-allows = It may
settings-token-lasts = It expires
settings-token-days = after { $count } days
settings-token-endless = never
settings-token-do = Create token
settings-token-once = Copy the token: it is shown only now.
settings-hide-strengths = Hide on my page how I do compared with others
settings-hide-strengths-hint = Games, ratings and statistics stay public.
settings-privacy-save = Save
settings-done-privacy = What others see is changed.
settings-done-handle = The handle is changed.
settings-done-password = The password is changed. All other devices are signed out.
settings-done-session = The device is signed out.
settings-done-revoked = The token is revoked.
scope-read = read what belongs to you
scope-play = play your games
scope-organize = create games and leagues
scope-account = rename and delete your account
scope-admin = administrate the server

## Apps

settings-apps = Manage apps
settings-apps-lead = An app that you allow something acts for you, without your password. You can also register apps of your own.
apps-title = Apps
apps-connected = Connected apps
apps-connected-lead = These apps may use your account. An app that you disconnect stops within 2 seconds.
apps-none = No app may use your account. An app that wants to will lead you to this server and ask.
apps-since = connected
apps-disconnect = Disconnect
apps-own = Your own apps
apps-own-lead = Register an app that other people can connect to their accounts.
apps-docs = How to write an app
apps-client-id = client_id
apps-delete = Delete app
apps-new = Register an app
apps-name = Name
apps-redirect-uris = Addresses to return to (redirect URIs), one on each line
apps-home-page = Home page (optional)
apps-register = Register app
apps-done-disconnected = The app is disconnected.
apps-done-registered = The app is registered.
apps-done-deleted = The app is deleted. All its tokens have ended.
consent-name = Allow an app
consent-title = Allow “{ $app }” to use your account?
consent-owner = An app by { $owner }, not by this server.
consent-account = You are signed in as { $handle }.
consent-scopes = The app could:
consent-careful = It could also delete your account. Allow this only to an app that you trust completely.
consent-end = It does not see your password. You can disconnect it in your settings at any time.
consent-return = Then you return to { $host }.
consent-allow = Allow
consent-deny = Do not allow
device-title = Connect a device
device-lead = Enter the code that the device or the program shows.
device-code = Code
device-next = Continue
device-unknown = No device waits with this code. It may have expired: let the device show a new one.
device-compare = Allow this only if your own device shows this code now:
device-allowed = The device is connected. Return to it.
device-denied = The device was not allowed anything.
# Sentences about events, in webhooks, mails and push messages.
notice-game = { $edition } ({ $players })
notice-turn = It is the turn of { $name } in { $game }.
notice-turn-you = It is your turn in { $game }.
notice-seat-lost = { $name } has lost the seat in { $game }.
notice-seat-lost-you = You have lost your seat in { $game }.
notice-bid = Bid for a seat in { $game } by { $due }.
notice-undo = Another player asks to take back a move in { $game }.
notice-invitation = A seat is reserved for you in { $game }.
notice-started = The game has started: { $game }.
notice-finished = The game is over: { $game }.
notice-abandoned = The game was abandoned: { $game }.
notice-time-near = Your time in { $game } ends soon: { $due }.
notice-test = This is a test.
notice-season = { $league }: the season “{ $name }” has begun.
notice-round = { $league }: round { $round } is paired, with { $count ->
    [one] one table
   *[other] { $count } tables
}.
notice-tables = { $league }: { $count ->
    [one] a table was created
   *[other] { $count } tables were created
}.
notice-result = { $league }: the result of table { $tables } was entered.
notice-adjudicated = { $league }: the organizers decided the result of table { $tables }.
notice-voided = { $league }: table { $tables } does not count.
notice-replaced = { $league }: { $name } takes over a seat of table { $tables }.
notice-table-over = { $league }: the game of table { $tables } is over.
notice-table-abandoned = { $league }: the game of table { $tables } was abandoned.
notice-deadline-moved = { $league }: { $count ->
    [one] table { $tables } has
   *[other] tables { $tables } have
} a new deadline: { $due }.
notice-deadline-near = { $league }: { $count ->
    [one] the game of table { $tables } ends
   *[other] the games of tables { $tables } end
} soon: the deadline is { $due }.
notice-joined = { $league }: { $name } joined.
notice-left = { $league }: { $name } left.
notice-league-invitation = { $league } invites you to join.
mail-confirm-subject = Confirm your e-mail address
mail-confirm =
    Hello { $handle },

    open this address within a day to confirm your e-mail address:
    { $link }

    If you did not enter it, ignore this mail.
mail-recover-subject = Set a new password
mail-recover =
    Hello { $handle },

    your code to set a new password is { $code }
    Enter it within an hour at { $link }

    If you did not ask for it, ignore this mail. Your password stays as it is.
mail-daily-subject = { $count ->
    [one] One notice
   *[other] { $count } notices
}
mail-end =
    --
    Choose your notices: { $settings }
    Stop these mails: { $unsubscribe }

# The settings of notices.
settings-mail = E-mail
settings-mail-lead = A confirmed address receives the notices that you choose, and helps if you forget your password. Nobody sees it.
settings-mail-none = You have no e-mail address here.
settings-mail-unconfirmed = { $address } is not confirmed yet: open the link in the mail.
settings-mail-confirmed = { $address } is confirmed.
settings-mail-unavailable = This server sends no mail.
settings-mail-address = E-mail address
settings-mail-do = Save address
settings-mail-remove = Remove address
settings-done-mail = The address is saved. Open the link in the mail to confirm it.
settings-done-mail-removed = The address is removed.
settings-done-notices = The notices are saved.
settings-notices = Notices
settings-notices-lead = Choose what this server sends you. Only what happens from then on is sent.
settings-notices-do = Save notices
settings-notices-mail = By mail
settings-notices-push = In browsers
mail-timing-never = no mail
mail-timing-each = one mail each
mail-timing-daily = one mail a day
notice-type-your-turn = It is your turn
notice-type-your-bid = You must bid for a seat
notice-type-undo-request = Someone asks to take back a move
notice-type-invitation = A game or a league invites you
notice-type-deadline-near = Your time ends soon
notice-type-seat-lost = You have lost a seat
notice-type-game-started = A game starts
notice-type-game-finished = A game is over
notice-type-game-abandoned = A game is abandoned
notice-type-league-news = News of your leagues
push-title = Browsers that show notices
push-lead = A browser shows notices also while this page is closed.
push-none = No browser shows notices yet.
push-do = Show notices in this browser
push-end = Stop
push-done = This browser shows notices now.
push-refused = The browser does not allow notices. Allow them in its settings of this site.
confirm-mail-title = Confirm your e-mail address
confirm-mail-do = Confirm address
confirm-mail-done = Your e-mail address is confirmed.
unsubscribe-title = Stop mails
unsubscribe-lead = You can choose again at any time in the settings.
unsubscribe-type = Stop mails of this kind: { $type }
unsubscribe-all = Stop all notices by mail
unsubscribe-done = You will not receive these mails any more.
recover-mail-title = No code?
recover-mail-lead = If your account has a confirmed e-mail address, you receive a code there.
recover-mail-do = Send me a code
recover-mail-done = If the account has a confirmed e-mail address, a mail with a code is on its way.

## Pauses, divisions, teams, challenges

organize-pauses = Pauses
organize-groups = Groups
pauses-title = Pauses
pauses-hint = In a pause the clocks of games stand still, and no deadline ends a game. Players may still move.
pauses-none = There is no pause.
pauses-all = All games
pauses-open = until an organizer ends it
pauses-end = End the pause
pauses-round = Round
pauses-table = Table
pauses-scope-hint = Leave both empty to pause the whole league.
pauses-until = Until the end of (empty: until you end it)
pauses-do = Pause
holidays-title = Holidays
holidays-hint = { $days ->
    [0] Members have no holidays in this season.
    [one] Each member has a day of holidays in this season. The member's clock stands still.
   *[other] Each member has { $days } days of holidays in this season. The member's clock stands still.
}
holidays-none = Nobody has announced a holiday.
holidays-member = Member (empty: yourself)
holidays-from = First day
holidays-until = Last day
holidays-do = Take a holiday
holidays-end = End the holiday
times-title = Time used
times-hint = How long the games of the season waited for each member, the slowest first, in hours. Pauses do not count.
times-member = Member
times-turns = Turns
times-average = Average
times-longest = Longest
times-timeouts = Time-outs
times-since = Waiting since
groups-no-season = Begin a season first.
groups-fixed = Divisions and teams are set before the first table of a season.
groups-for-organizers = Organizers set the divisions and teams of the season.
groups-divisions = Divisions
groups-teams = Teams
groups-text = Groups with their members
groups-hint = A line with the name of a group and a colon, then a line for each member. Empty for none.
groups-moves = Members of each division who move up, and down, after the season
groups-set = Save
groups-proposed = The divisions below follow from the standings of the season before. Change them as you like, and save them.
groups-late = A late member
groups-member = Member
groups-group = Group
groups-place = Place
line-ups-title = Line-ups
line-ups-hint = Without a line-up, all members of a team play in the round.
line-ups-set = Set the line-up
challenges-title = Challenges
challenges-hint = A member challenges another one who is a few places above. The tables of a round are those of the challenges.
challenges-none = There is no open challenge.
challenges-of = { $member } challenges { $opponent }
challenges-withdraw = Withdraw
challenges-member = Member who challenges (empty: yourself)
challenges-opponent = Opponent
challenges-do = Challenge
