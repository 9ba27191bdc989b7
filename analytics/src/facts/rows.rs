//! The rows of the fact tables.
//!
//! Each begins with [`RowKeys`](super::column::RowKeys). `edition` and `month` are the partitions on disk.

use std::sync::Arc;

use jiff::Timestamp;

use super::column::{TextList, fact_row};

/// How many first rondel spaces of a nation [`SeatRow`] has.
pub const STOPS: usize = 8;

/// The columns of the first rondel spaces, in order.
pub const STOP_COLUMNS: [&str; STOPS] = [
    "stop_1", "stop_2", "stop_3", "stop_4", "stop_5", "stop_6", "stop_7", "stop_8",
];

fact_row! {
    /// One row a game.
    GameRow {
        /// The offset of the game's last event in the log of all games.
        /// For facts from files, the number under which the game was added.
        log_position: i64, "";
        /// When the game was recorded there; for an imported game, when it was imported.
        recorded_at: Timestamp, "UTC";
        /// Digest of the last state, 16 hexadecimal digits.
        digest: Arc<str>, "";
        /// The first 32 bits of a hash of the record; `data_version` adds these up.
        /// It is the XXH3-64 of two lines: the SHA-256 of the content, as in the signature, and whether the result is
        /// declared.
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
        variants: TextList, "";
        /// Number of nations.
        nations: u32, "nations";
        /// Number of seats, which is the number of players.
        players: u32, "seats";
        /// Points that a nation needs to win.
        goal: u32, "points";
        /// The last round that began.
        rounds: u32, "rounds";
        /// The last turn that began, counted through the game.
        turns: u32, "turns";
        /// Actions of the game, without those that were undone.
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
        /// Who plays: people, bots or mixed. An open seat counts as a person.
        play: &'static str, "";
        /// Number of seats played by bots.
        bot_seats: u32, "seats";
        /// The bots that play, each once, by name with budget, in alphabetical order.
        bots: TextList, "";
        /// Whether it started from a given position.
        from_position: bool, "";
        /// The time control: live (a turn time of at most an hour), correspondence (a longer one) or unlimited.
        time_control: &'static str, "";
        /// Whether the result is declared: people decided it, and no log proves it.
        declared: bool, "";
    }
}

fact_row! {
    /// One row a nation in a game.
    /// It repeats the columns of the game that filters use, so most measures need only this table.
    SeatRow {
        /// Offset of the game in the log, see `games`.
        log_position: i64, "";
        /// When the game was recorded there.
        recorded_at: Timestamp, "UTC";
        /// The board.
        board: Arc<str>, "";
        /// The variants in alphabetical order.
        variants: TextList, "";
        /// Number of nations in the game.
        nations: u32, "nations";
        /// Number of seats in the game, which is the number of players.
        players: u32, "seats";
        /// Points that a nation needs to win.
        goal: u32, "points";
        /// Why the game ended.
        reason: &'static str, "";
        /// When it was played (ended).
        played_at: Timestamp, "UTC";
        /// Whether it counts for ratings.
        rated: bool, "";
        /// The league, if it belongs to one.
        league: Option<Arc<str>>, "";
        /// Who plays: people, bots or mixed. An open seat counts as a person.
        play: &'static str, "";
        /// Number of seats played by bots.
        bot_seats: u32, "seats";
        /// The bots that play, each once, by name with budget, in alphabetical order.
        bots: TextList, "";
        /// Whether the game started from a given position.
        from_position: bool, "";
        /// The time control: live (a turn time of at most an hour), correspondence (a longer one) or unlimited.
        time_control: &'static str, "";
        /// The last round of the game that began.
        rounds: u32, "rounds";
        /// Whether the result of the game is declared: people decided it, and no log proves it.
        declared: bool, "";
        /// SHA-256 of the file of the game's ruleset.
        ruleset_hash: Arc<str>, "";
        /// Which version of the edition's rules it is, from 1.
        ruleset_version: u32, "";
        /// The nation.
        nation: Arc<str>, "";
        /// Its seat, from 0.
        seat: u32, "";
        /// Its position in the seat order, from 1 for the nation that starts.
        place: u32, "";
        /// The kind of its player: account, guest, placeholder, person, bot or open.
        /// The id of an account is a UUID. A guest claimed the seat without an account, and an organizer named a
        /// placeholder. A person has another id, from another program or from before accounts existed.
        player_kind: &'static str, "";
        /// The bot's name or the person's id.
        player: Arc<str>, "";
        /// The bot that plays it, without budget and temperament; null for people and open seats.
        bot: Option<Arc<str>>, "";
        /// The temperament in the bot's name: growth, military or progress.
        /// Null if the bot draws one or has none, and for people and open seats.
        temperament: Option<Arc<str>>, "";
        /// Who plays the other seats: people, bots or mixed; none if there are no other seats.
        opponents: &'static str, "";
        /// The rating of its player before the game. Null if the player has fewer than 10 earlier rated games in the
        /// edition, or if the game does not count for the player's rating. See `ratings`.
        rating: Option<f64>, "";
        /// The lowest rating before the game of the players in `ratings`. Null if one of them has fewer than 10 earlier
        /// rated games in the edition, or if the game is not rated.
        table_rating: Option<f64>, "";
        /// One of 256 clusters of persons, by a hash of the id.
        /// Intervals treat a cluster as one person. 256 for bots and open seats, which are not a sample of players.
        cluster: u32, "";
        /// The rank of its seat, from 1; equal seats share a rank.
        rank_of_seat: u32, "";
        /// The nation's share of the win, in whole parts that add up to 120 in a game.
        /// It is 1/k for each of k winning seats, split evenly between the nations of a seat.
        share_parts: u32, "1/120 wins";
        /// The same as a number: share_parts / 120.
        share: f64, "wins";
        /// The share if each seat were equally likely to win, in whole parts that add up to 120 in a game.
        /// It is 1 / (seats * nations of its seat).
        expected_parts: u32, "1/120 wins";
        /// The same as a number: expected_parts / 120.
        expected: f64, "wins";
        /// Points at the end: the sum of the values of its personages.
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
        /// Town walls of its cities at the end.
        walls: u32, "walls";
        /// Event cards that it took.
        cards_taken: u32, "cards";
        /// Event cards that it played.
        cards_played: u32, "cards";
        /// Turns in which its stone moved.
        turns: u32, "turns";
        /// Whether it resigned.
        resigned: bool, "";
        /// Opening strategy: growth, military, progress or other.
        /// The measure openings explains them for each edition.
        opening: &'static str, "";
        /// The nation's own turn, from 1, that decided the opening; null for other.
        opening_turn: Option<u32>, "turns";
        /// Rondel space of its 1st turn.
        stop_1: Option<&'static str>, "";
        /// Rondel space of its 2nd turn.
        stop_2: Option<&'static str>, "";
        /// Rondel space of its 3rd turn.
        stop_3: Option<&'static str>, "";
        /// Rondel space of its 4th turn.
        stop_4: Option<&'static str>, "";
        /// Rondel space of its 5th turn.
        stop_5: Option<&'static str>, "";
        /// Rondel space of its 6th turn.
        stop_6: Option<&'static str>, "";
        /// Rondel space of its 7th turn.
        stop_7: Option<&'static str>, "";
        /// Rondel space of its 8th turn.
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
        /// Digest of the position at the start of the turn, 16 hexadecimal digits, as in the API.
        /// Null after the first eight turns of each nation.
        digest: Option<Arc<str>>, "";
        /// The rondel space that the stone moved to.
        field: &'static str, "";
        /// Steps of the stone; 0 on the first turn.
        steps: u32, "fields";
        /// Steps beyond the free ones, which cost one chip or coin each.
        extra_steps: u32, "fields";
        /// Chips produced.
        chips_produced: u32, "chips";
        /// Chips paid, including extra steps but not trades.
        chips_spent: u32, "chips";
        /// Coins paid, including extra steps but not trades.
        coins_spent: u32, "coins";
        /// Chips received from its event cards.
        chips_gained: u32, "chips";
        /// Coins received from its event cards.
        coins_gained: u32, "coins";
        /// Lots traded with the bank.
        trades: u32, "lots";
        /// Units moved from the supply to the recruitment box, including those of event cards.
        units_recruited: u32, "units";
        /// Units armed, including special units and those placed by event cards.
        units_armed: u32, "units";
        /// Border crossings of units, including special units.
        units_moved: u32, "crossings";
        /// Own units lost in battles, in conquests and to neutral temples, including special units.
        units_lost: u32, "units";
        /// Foreign units removed by its battles and conquests, including special units.
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
        /// Event cards that the nation played.
        /// A card that its opponent played in answer is only in the table `cards`.
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
        /// The number of the personage among those of the nation, from 1.
        nth: u32, "";
        /// Whether it was won for all know-hows.
        extra: bool, "";
        /// Kings of the nation at this time, including this personage.
        king: u32, "personages";
        /// Scholars of the nation at this time.
        scholar: u32, "personages";
        /// Generals of the nation at this time.
        general: u32, "personages";
        /// Citizens of the nation at this time.
        citizen: u32, "personages";
        /// Navigators of the nation at this time.
        navigator: u32, "personages";
        /// The number of the personage among those of this kind, from 1.
        nth_of_kind: u32, "";
        /// The kinds that the nation has at this time, in the order of their first personages.
        kinds: TextList, "";
        /// The personages of the nation at this time as text, such as 2 scholar, 1 king.
        /// The largest count is first.
        mix: Arc<str>, "";
        /// The kind with the most personages at this time; even if kinds tie.
        leading_kind: &'static str, "";
        /// The nation's share of the win at the end of the game, in whole parts.
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
        /// Whether the card was taken or played.
        act: &'static str, "";
        /// Why it was taken: personage (the opponent won one), lost_city, or both in the same turn.
        /// Null for a card that was played.
        cause: Option<&'static str>, "";
        /// The turn, counted through the game. Taken cards: the opponent's turn.
        turn: u32, "turns";
        /// The round.
        round: u32, "rounds";
        /// How many turns of its own the nation had begun.
        own_turn: u32, "turns";
        /// The number of the card among those that the nation has taken, or has played, from 1.
        nth: u32, "";
        /// The nation's share of the win at the end of the game, in whole parts.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
    }
}

fact_row! {
    /// One row a seat of a game.
    PlayerRow {
        /// The seat, from 0.
        seat: u32, "";
        /// The kind of its player, as in `seats`: account, guest, placeholder, person, bot or open.
        player_kind: &'static str, "";
        /// The bot's name with its budget, or the person's id; empty for an open seat.
        player: Arc<str>, "";
        /// The bot that plays it, without budget and temperament; null for people and open seats.
        bot: Option<Arc<str>>, "";
        /// The temperament in the bot's name, or null.
        temperament: Option<Arc<str>>, "";
        /// The nations of the seat, in turn order.
        nations: TextList, "";
        /// The rank, from 1; equal seats share one.
        rank_of_seat: u32, "";
        /// The seat's share of the win, in whole parts that add up to 120 in a game.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
        /// Points at the end, summed over its nations.
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
        /// Whether the nation was the first to develop it.
        is_first: bool, "";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// The number of the know-how among those of the nation, from 1.
        nth: u32, "";
        /// Chips paid for it.
        chips: u32, "chips";
        /// Coins paid for it.
        coins: u32, "coins";
        /// The nation's share of the win at the end of the game, in whole parts.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
    }
}

fact_row! {
    /// One row a city founded or conquered.
    CityRow {
        /// The nation that founded or conquered it.
        nation: Arc<str>, "";
        /// How it was acquired: founded or conquered.
        act: &'static str, "";
        /// The region.
        region: Arc<str>, "";
        /// The nation that lost it; null for a city that was founded.
        owner_before: Option<Arc<str>>, "";
        /// Whether a temple in the city was destroyed.
        temple_destroyed: bool, "";
        /// Units that the conqueror lost in the conquest.
        units_lost: u32, "units";
        /// The turn, counted through the game from 1.
        turn: u32, "turns";
        /// The round, from 1.
        round: u32, "rounds";
        /// The nation's own turn, from 1.
        own_turn: u32, "turns";
        /// The nation's share of the win at the end of the game, in whole parts.
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
        /// Chips and coins given, as text.
        given: Arc<str>, "";
        /// Chips taken, as text.
        taken: Arc<str>, "";
        /// How many chips and coins were given.
        given_count: u32, "chips and coins";
        /// How many chips were taken.
        taken_count: u32, "chips";
        /// The know-hows that the lot needs; the first lot that fits is assumed.
        know_hows: TextList, "";
    }
}

fact_row! {
    /// One row a nation and turn of its own: what the nation has after the turn.
    /// This includes the coins of a round that begins then.
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
    /// One row a player whom a rated game compares with others.
    ///
    /// Accounts and bots are compared separately, by the places of the players at the start. The ratings are those of
    /// the game's edition, from the rated games of these facts in the order of the log. Results over the board do not
    /// count, so the server's own ratings differ for players who have such results.
    RatingRow {
        /// Offset of the game in the log, see `games`.
        log_position: i64, "";
        /// The id of the account, or the bot's name with its budget.
        player: Arc<str>, "";
        /// The kind of the player: account or bot.
        player_kind: &'static str, "";
        /// The rank of the player's seat, from 1; the mean if the player has several seats.
        rank: f64, "";
        /// Rated games of the player in the edition before this one.
        rated_games: u32, "games";
        /// The rating before the game: the mean of the estimated strength. 25 before the first game.
        rating: f64, "";
        /// The standard deviation of the estimated strength before the game. 25/3 before the first game.
        uncertainty: f64, "";
        /// The rating after the game.
        rating_after: f64, "";
        /// The standard deviation after the game.
        uncertainty_after: f64, "";
    }
}

fact_row! {
    /// One row a nation in a revision of an over-the-board result, which has no record.
    /// A league entered, corrected or voided the result. Of each game, only the last revision up to an offset or time
    /// counts.
    ResultRow {
        /// The number of the revision; the highest number of a game is the last one.
        revision: u32, "";
        /// Whether the game counts; false when the league has voided it.
        counts: bool, "";
        /// The first offset in the log of all games at which this revision is included.
        log_position: i64, "";
        /// When it was recorded.
        recorded_at: Timestamp, "UTC";
        /// The first 32 bits of a hash of the revision's content. `data_version` adds these up.
        content_1: u32, "";
        /// The other 32 bits.
        content_2: u32, "";
        /// The board, or unknown.
        board: Arc<str>, "";
        /// Number of nations in the game.
        nations: u32, "nations";
        /// Number of seats in the game, which is the number of players.
        players: u32, "seats";
        /// When the game was played; when it was entered if that is unknown.
        played_at: Timestamp, "UTC";
        /// Whether it counts for ratings.
        rated: bool, "";
        /// The league; null if the league is not listed.
        league: Option<Arc<str>>, "";
        /// The nation.
        nation: Arc<str>, "";
        /// Its seat, from 0.
        seat: u32, "";
        /// The kind of the player at the end: account or placeholder.
        /// The id of an account is a UUID. A placeholder is a name that an organizer gave.
        player_kind: &'static str, "";
        /// The person's id.
        player: Arc<str>, "";
        /// One of 256 clusters of persons, by a hash of the id, as in `seats`.
        cluster: u32, "";
        /// The rank of its seat, from 1; equal seats share a rank.
        rank_of_seat: u32, "";
        /// The nation's share of the win, in whole parts, as in `seats`.
        share_parts: u32, "1/120 wins";
        /// The same as a number.
        share: f64, "wins";
        /// The share if each seat were equally likely to win, in whole parts.
        expected_parts: u32, "1/120 wins";
        /// The same as a number.
        expected: f64, "wins";
    }
}
