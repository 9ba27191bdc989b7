//! The rows of the fact tables. Each begins with [`RowKeys`](super::column::RowKeys); `edition` and `month` are the partitions on disk.

use std::sync::Arc;

use jiff::Timestamp;

use super::column::{Texts, fact_row};

/// How many first stops of a nation on the rondel are kept in [`SeatRow`].
pub const STOPS: usize = 8;

/// Names of the columns with the first stops, in order.
pub const STOP_COLUMNS: [&str; STOPS] = [
    "stop_1", "stop_2", "stop_3", "stop_4", "stop_5", "stop_6", "stop_7", "stop_8",
];

fact_row! {
    /// One row a game.
    GameRow {
        /// Its place in the log: the position of its last event in the log of all games, or the number
        /// under which these facts took it in.
        log_position: i64, "";
        /// When it was recorded there; for a game that was imported, when it was.
        recorded_at: Timestamp, "UTC";
        /// Digest of the last state, 16 hexadecimal digits.
        digest: Arc<str>, "";
        /// The first 32 bits of the XXH3-64 of two lines: the SHA-256 of what the record says, as its
        /// signature has it, and whether its result is declared. `data_version` adds these up.
        content_1: u32, "";
        /// The other 32 bits.
        content_2: u32, "";
        /// The board.
        board: Arc<str>, "";
        /// SHA-256 of the ruleset's file.
        ruleset_hash: Arc<str>, "";
        /// Which version of the edition's rules it is, from 1.
        ruleset_version: u32, "";
        /// SHA-256 of the board's file.
        board_hash: Arc<str>, "";
        /// The variants in alphabetical order.
        variants: Texts, "";
        /// Number of nations.
        nations: u32, "nations";
        /// Number of seats, which is the number of players.
        players: u32, "seats";
        /// Points with which a nation wins.
        goal: u32, "points";
        /// The last round that began.
        rounds: u32, "rounds";
        /// The last turn that began, counted through the game.
        turns: u32, "turns";
        /// Actions of the game, those that were undone left out.
        actions: u32, "actions";
        /// Why the game ended.
        reason: &'static str, "";
        /// When it was played (ended).
        played_at: Timestamp, "UTC";
        /// Where the record comes from: service, simulation or import.
        source: Arc<str>, "";
        /// Whether it counts for ratings.
        rated: bool, "";
        /// The league, if it belongs to one.
        league: Option<Arc<str>>, "";
        /// Who plays: people, bots, or mixed. An open seat is a person's.
        play: &'static str, "";
        /// Number of seats played by bots.
        bot_seats: u32, "seats";
        /// Which bots play, each once, by name with budget, in alphabetical order.
        bots: Texts, "";
        /// Whether it started from a given position.
        from_position: bool, "";
        /// Whether its result is declared: people decided it, and no log proves it.
        declared: bool, "";
    }
}

fact_row! {
    /// One row a nation in a game. What filters ask of the game is repeated, so that most
    /// measures need this table only.
    SeatRow {
        /// The game's place in the log, see `games`.
        log_position: i64, "";
        /// When it was recorded there.
        recorded_at: Timestamp, "UTC";
        /// The board.
        board: Arc<str>, "";
        /// The variants in alphabetical order.
        variants: Texts, "";
        /// Number of nations in the game.
        nations: u32, "nations";
        /// Number of seats in the game, which is the number of players.
        players: u32, "seats";
        /// Points with which a nation wins.
        goal: u32, "points";
        /// Why the game ended.
        reason: &'static str, "";
        /// When it was played (ended).
        played_at: Timestamp, "UTC";
        /// Whether it counts for ratings.
        rated: bool, "";
        /// The league, if it belongs to one.
        league: Option<Arc<str>>, "";
        /// Who plays: people, bots, or mixed. An open seat is a person's.
        play: &'static str, "";
        /// Number of seats played by bots.
        bot_seats: u32, "seats";
        /// Which bots play, each once, by name with budget, in alphabetical order.
        bots: Texts, "";
        /// Whether the game started from a given position.
        from_position: bool, "";
        /// Whether the game's result is declared: people decided it, and no log proves it.
        declared: bool, "";
        /// SHA-256 of the file of the game's ruleset.
        ruleset_hash: Arc<str>, "";
        /// Which version of the edition's rules it is, from 1.
        ruleset_version: u32, "";
        /// The nation.
        nation: Arc<str>, "";
        /// Its seat round the table, from 0.
        seat: u32, "";
        /// Its place in turn order, from 1 for the nation that starts.
        place: u32, "";
        /// Who plays it: account (the id is a UUID), guest (who has claimed the seat without an account),
        /// placeholder (whom an organizer has named), person (known by another id, elsewhere or before there
        /// were accounts), bot or open.
        player_kind: &'static str, "";
        /// The bot's name or the person's id.
        player: Arc<str>, "";
        /// The bot that plays it, without budget and temperament; null for anybody else.
        bot: Option<Arc<str>>, "";
        /// The temperament that the bot's name tells: growth, military or progress; null for one
        /// that draws it or has none, and for anybody else.
        temperament: Option<Arc<str>>, "";
        /// Who plays the other seats: people, bots, or mixed; none without other seats.
        opponents: &'static str, "";
        /// One of 256 clusters that a person belongs to by a hash of the id, which intervals take
        /// together; 256 for bots and open seats, which are no sample of players.
        cluster: u32, "";
        /// The rank of its seat, from 1; equal seats share a rank.
        rank_of_seat: u32, "";
        /// The nation's part of the win: 1/k for each of k winning seats, split evenly between the
        /// nations of a seat, in whole parts, which add up to 120 in a game.
        share_parts: u32, "1/120 wins";
        /// The same as a number: share_parts / 120.
        share: f64, "wins";
        /// The share if every seat were as likely to win: 1 / (seats * nations of its seat), in
        /// whole parts, which add up to 120 in a game too.
        expected_parts: u32, "1/120 wins";
        /// The same as a number: expected_parts / 120.
        expected: f64, "wins";
        /// Points at the end: personages, each by its worth.
        points: u32, "points";
        /// Kings at the end.
        king: u32, "personages";
        /// Scholars at the end.
        scholar: u32, "personages";
        /// Generals at the end.
        general: u32, "personages";
        /// Citizens at the end.
        citizen: u32, "personages";
        /// Navigators at the end.
        navigator: u32, "personages";
        /// Cities at the end.
        cities: u32, "cities";
        /// Temples at the end.
        temples: u32, "temples";
        /// Know-hows at the end.
        know_hows: u32, "know-hows";
        /// Town walls that its cities have at the end.
        walls: u32, "walls";
        /// Event cards that it took.
        cards_taken: u32, "cards";
        /// Event cards that it played.
        cards_played: u32, "cards";
        /// Turns in which its stone moved.
        turns: u32, "turns";
        /// Whether it left the game.
        resigned: bool, "";
        /// Opening strategy: growth, military, progress or other; see the measure openings for what
        /// each edition means by them.
        opening: &'static str, "";
        /// The nation's own turn, from 1, in which that was decided; null for other.
        opening_turn: Option<u32>, "turns";
        /// Field of its 1st turn.
        stop_1: Option<&'static str>, "";
        /// Field of its 2nd turn.
        stop_2: Option<&'static str>, "";
        /// Field of its 3rd turn.
        stop_3: Option<&'static str>, "";
        /// Field of its 4th turn.
        stop_4: Option<&'static str>, "";
        /// Field of its 5th turn.
        stop_5: Option<&'static str>, "";
        /// Field of its 6th turn.
        stop_6: Option<&'static str>, "";
        /// Field of its 7th turn.
        stop_7: Option<&'static str>, "";
        /// Field of its 8th turn.
        stop_8: Option<&'static str>, "";
    }
}

fact_row! {
    /// One row a turn in which a stone moved.
    TurnRow {
        /// The nation.
        nation: Arc<str>, "";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// Digest of the position in which the turn began, 16 hexadecimal digits, as the service tells it of
        /// states; of the first eight turns of each nation only, and null later.
        digest: Option<Arc<str>>, "";
        /// The rondel field it moved to.
        field: &'static str, "";
        /// Steps of the stone; 0 on the first turn.
        steps: u32, "fields";
        /// Steps beyond the free ones, one chip or coin each.
        extra_steps: u32, "fields";
        /// Chips produced.
        chips_produced: u32, "chips";
        /// Chips paid, those for extra steps included; trades left out.
        chips_spent: u32, "chips";
        /// Coins paid, those for extra steps included; trades left out.
        coins_spent: u32, "coins";
        /// Chips that its event cards gave it.
        chips_gained: u32, "chips";
        /// Coins that its event cards gave it.
        coins_gained: u32, "coins";
        /// Lots traded with the bank.
        trades: u32, "lots";
        /// Units moved from the supply to the recruitment box, by event cards too.
        units_recruited: u32, "units";
        /// Units set up, special units and those placed by event cards too.
        units_armed: u32, "units";
        /// Border crossings of units, special units too.
        units_moved: u32, "crossings";
        /// Own units lost in battles, in conquests and to neutral temples, special units too.
        units_lost: u32, "units";
        /// Foreign units taken off the board by its battles and conquests, special units too.
        units_beaten: u32, "units";
        /// Temples built.
        temples_built: u32, "temples";
        /// Foreign temples destroyed.
        temples_destroyed: u32, "temples";
        /// Town walls built.
        walls_built: u32, "walls";
        /// Foreign town walls destroyed, by conquests and event cards.
        walls_destroyed: u32, "walls";
        /// Cities founded.
        cities_founded: u32, "cities";
        /// Cities conquered.
        cities_conquered: u32, "cities";
        /// Declared conquests that failed because an event card saved the city.
        conquests_failed: u32, "conquests";
        /// Know-hows developed.
        know_hows_developed: u32, "know-hows";
        /// Personages won.
        personages_won: u32, "personages";
        /// Event cards that the nation played; one that its opponent answered with is in the table
        /// `cards` only.
        cards_played: u32, "cards";
        /// Event cards that its opponent took at the end of the turn.
        cards_given: u32, "cards";
    }
}

fact_row! {
    /// One row a personage won.
    AwardRow {
        /// The nation.
        nation: Arc<str>, "";
        /// The kind of personage.
        personage: &'static str, "";
        /// The turn, counted through the game.
        turn: u32, "turns";
        /// The round.
        round: u32, "rounds";
        /// The nation's own turn.
        own_turn: u32, "turns";
        /// Which of the nation's personages it is, from 1.
        nth: u32, "";
        /// Whether it was won for all know-hows.
        extra: bool, "";
        /// Kings that the nation has then, with this one if it is one.
        king: u32, "personages";
        /// Scholars that it has then.
        scholar: u32, "personages";
        /// Generals that it has then.
        general: u32, "personages";
        /// Citizens that it has then.
        citizen: u32, "personages";
        /// Navigators that it has then.
        navigator: u32, "personages";
        /// Which of its personages of this kind it is, from 1.
        nth_of_kind: u32, "";
        /// The kinds that it has then, in the order in which each came first.
        kinds: Texts, "";
        /// All that it has then, in words, such as 2 scholar, 1 king; the kind with most first.
        mix: Arc<str>, "";
        /// The kind of which it has most then; even when kinds tie.
        leading_kind: &'static str, "";
        /// The nation's part of the win at the end of the game, in whole parts.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
    }
}

fact_row! {
    /// One row an event card taken and one an event card played.
    CardRow {
        /// The nation that took or played it.
        nation: Arc<str>, "";
        /// The event card.
        card: Arc<str>, "";
        /// What was done with it: taken or played.
        act: &'static str, "";
        /// Why it was taken: personage (the opponent won one), lost_city, or both when cards were
        /// due for either in the same turn. Null for a card that was played.
        cause: Option<&'static str>, "";
        /// The turn, counted through the game. Cards are taken in the opponent's turn.
        turn: u32, "turns";
        /// The round.
        round: u32, "rounds";
        /// How many turns of its own the nation has begun by then.
        own_turn: u32, "turns";
        /// Which of the cards that the nation has taken it is, or of those that it has played,
        /// from 1.
        nth: u32, "";
        /// The nation's part of the win at the end of the game, in whole parts.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
    }
}

fact_row! {
    /// One row a seat of a game.
    PlayerRow {
        /// The seat round the table, from 0.
        seat: u32, "";
        /// Who plays it, as in `seats`: account, guest, placeholder, person, bot or open.
        player_kind: &'static str, "";
        /// The bot's name with its budget, or the person's id; empty for an open seat.
        player: Arc<str>, "";
        /// The bot that plays it, without budget and temperament; null for anybody else.
        bot: Option<Arc<str>>, "";
        /// The temperament that the bot's name tells, or null.
        temperament: Option<Arc<str>>, "";
        /// The nations of the seat, in turn order.
        nations: Texts, "";
        /// The rank, from 1; equal seats share one.
        rank_of_seat: u32, "";
        /// The seat's part of the win, in whole parts, which add up to 120 in a game.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
        /// Points at the end, of all its nations.
        points: u32, "points";
    }
}

fact_row! {
    /// One row a know-how developed.
    KnowHowRow {
        /// The nation.
        nation: Arc<str>, "";
        /// The know-how.
        know_how: Arc<str>, "";
        /// Whether no nation had it before.
        is_first: bool, "";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// Which of the nation's know-hows it is, from 1.
        nth: u32, "";
        /// Chips paid for it.
        chips: u32, "chips";
        /// Coins paid for it.
        coins: u32, "coins";
        /// The nation's part of the win at the end of the game, in whole parts.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
    }
}

fact_row! {
    /// One row a city founded or conquered.
    CityRow {
        /// The nation that has it now.
        nation: Arc<str>, "";
        /// How: founded or conquered.
        act: &'static str, "";
        /// The region.
        region: Arc<str>, "";
        /// The nation that had it before; null for a city that was founded.
        owner_before: Option<Arc<str>>, "";
        /// Whether a temple stood there before and was destroyed.
        temple_destroyed: bool, "";
        /// Units that the conqueror lost in the conquest.
        units_lost: u32, "units";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// The nation's part of the win at the end of the game, in whole parts.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
    }
}

fact_row! {
    /// One row a lot traded with the bank.
    TradeRow {
        /// The nation.
        nation: Arc<str>, "";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// Chips and coins given, in words.
        given: Arc<str>, "";
        /// Chips taken, in words.
        taken: Arc<str>, "";
        /// How many chips and coins were given.
        given_count: u32, "chips and coins";
        /// How many chips were taken.
        taken_count: u32, "chips";
        /// The know-hows that the lot needs, of which the nation has used the first lot that fits.
        know_hows: Texts, "";
    }
}

fact_row! {
    /// One row a nation and turn of its own: what it has when the turn is over. Coins of a round that
    /// begins with the end of the turn are in it.
    SnapshotRow {
        /// The nation.
        nation: Arc<str>, "";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// Marble chips.
        marble: u32, "chips";
        /// Iron chips.
        iron: u32, "chips";
        /// Gold chips.
        gold: u32, "chips";
        /// Coins.
        coins: u32, "coins";
        /// Legions on the board.
        legions: u32, "units";
        /// Galleys on the board.
        galleys: u32, "units";
        /// Units in the recruitment box.
        units_boxed: u32, "units";
        /// Cities.
        cities: u32, "cities";
        /// Temples.
        temples: u32, "temples";
        /// Town walls of its cities.
        walls: u32, "walls";
        /// Know-hows.
        know_hows: u32, "know-hows";
        /// Points.
        points: u32, "points";
    }
}

fact_row! {
    /// One row a nation in a revision of the result of a game at a real table, of which there is no record: a league
    /// has entered, corrected or voided it. Of each game only the last revision up to a place or time tells what was
    /// known there, and only if it counts.
    ResultRow {
        /// Which revision it is; of a game the highest number is the last one.
        revision: u32, "";
        /// Whether the game counts; false when the league has voided it.
        counts: bool, "";
        /// The first place in the log of all games that was given away after it was recorded.
        log_position: i64, "";
        /// When it was recorded.
        recorded_at: Timestamp, "UTC";
        /// The first 32 bits of a hash of what the revision says. `data_version` adds these up.
        content_1: u32, "";
        /// The other 32 bits.
        content_2: u32, "";
        /// The board, or unknown.
        board: Arc<str>, "";
        /// Number of nations in the game.
        nations: u32, "nations";
        /// Number of seats in the game, which is the number of players.
        players: u32, "seats";
        /// When it was played; when it was entered where that was not told.
        played_at: Timestamp, "UTC";
        /// Whether it counts for ratings.
        rated: bool, "";
        /// The league; null for one that is in no list.
        league: Option<Arc<str>>, "";
        /// The nation.
        nation: Arc<str>, "";
        /// Its seat round the table, from 0.
        seat: u32, "";
        /// Who played it to the end: account (the id is a UUID) or placeholder (whom an organizer has named).
        player_kind: &'static str, "";
        /// The person's id.
        player: Arc<str>, "";
        /// One of 256 clusters that a person belongs to by a hash of the id, as in `seats`.
        cluster: u32, "";
        /// The rank of its seat, from 1; equal seats share a rank.
        rank_of_seat: u32, "";
        /// The nation's part of the win, in whole parts, as in `seats`.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
        /// The share if every seat were as likely to win, in whole parts.
        expected_parts: u32, "1/120 wins";
        /// The same as a number.
        expected: f64, "wins";
    }
}
