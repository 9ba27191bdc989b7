//! From one record to its rows: the record is replayed, and what the engine tells is counted.

use std::sync::Arc;

use engine::content::Library;
use engine::forms::ResultBody;
use engine::ids::{Card, MAX_NATIONS, Nation};
use engine::play::{Effect, Game};
use engine::record::{Player, Record, ReplayError, Setup, Step, Verified};
use engine::state::State;
use engine::words::{Personage, Phase};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::rows::{AwardRow, CardRow, GameRow, STOPS, SeatRow, TurnRow};

/// How many turns of a nation can show its opening strategy.
pub const OPENING_TURNS: u32 = 6;

/// The opening strategies of the rule book: what came first in a nation's game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Opening {
    /// A temple was built.
    Growth,
    /// A unit was armed, be it a special unit or one that an event card placed. Recruiting alone
    /// (D17) does not count: nations begin with units to arm, and the order of recruiting and
    /// know-how in one turn means nothing.
    Military,
    /// A know-how was developed.
    Progress,
    /// None of these within the first [`OPENING_TURNS`] turns.
    Other,
}

impl Opening {
    /// The name in the tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Everything the fact tables hold about one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFacts {
    /// Its row in `games`.
    pub game: GameRow,
    /// Its rows in `seats`, in turn order.
    pub seats: Vec<SeatRow>,
    /// Its rows in `turns`, in the order of play.
    pub turns: Vec<TurnRow>,
    /// Its rows in `awards`, in the order of winning.
    pub awards: Vec<AwardRow>,
    /// Its rows in `cards`, in the order of taking and playing.
    pub cards: Vec<CardRow>,
}

/// A record that gives no facts.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    /// It does not replay as it says.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The game is not over.
    #[error("the game is not over")]
    Unfinished,
    /// `played_at` is no time.
    #[error("played_at {text:?} is not an RFC 3339 time: {source}")]
    PlayedAt {
        /// As recorded.
        text: String,
        /// Why it cannot be read.
        source: jiff::Error,
    },
}

impl GameFacts {
    /// Replays a finished record, with all its checks (those of its event log too, where it
    /// carries one), and counts.
    ///
    /// # Errors
    /// When the record does not replay, is not finished, or has no readable `played_at`.
    pub fn derive(record: &Record, library: &Library) -> Result<GameFacts, DeriveError> {
        let result = record.result.as_ref().ok_or(DeriveError::Unfinished)?;
        let played_at: Timestamp =
            record
                .played_at
                .parse()
                .map_err(|source| DeriveError::PlayedAt {
                    text: record.played_at.clone(),
                    source,
                })?;
        let month = played_at.to_zoned(TimeZone::UTC).strftime("%Y-%m");
        let keys = Keys {
            edition: record.setup.edition.as_str().into(),
            month: month.to_string().into(),
            game: record.id.as_str().into(),
        };
        // A replay tells what follows from actions; the first turn begins before any.
        let (game, first) = record.start(library).map_err(ReplayError::from)?;
        let mut counter = Counter::new(&keys, &game, &first);
        let verified = record.verify_with(library, |step| counter.step(&step))?;
        let (game, last) = (&verified.game, &verified.state);
        counter.close_turn();
        let row = game_row(&keys, record, &verified, &counter, played_at, result);
        let seats: Vec<SeatRow> = game
            .all_nations()
            .map(|nation| seat_row(&row, result, &record.setup, game, last, &counter, nation))
            .collect();
        let share = |nation: &Arc<str>| {
            let seat = seats.iter().find(|seat| seat.nation == *nation);
            seat.map_or(0.0, |seat| seat.share)
        };
        let (mut awards, mut cards) = (counter.awards, counter.cards);
        for award in &mut awards {
            award.share = share(&award.nation);
        }
        for card in &mut cards {
            card.share = share(&card.nation);
        }
        Ok(GameFacts {
            game: row,
            seats,
            turns: counter.turns,
            awards,
            cards,
        })
    }
}

/// What every row begins with.
struct Keys {
    edition: Arc<str>,
    month: Arc<str>,
    game: Arc<str>,
}

/// What is counted while a record is replayed.
struct Counter<'a> {
    keys: &'a Keys,
    names: Vec<Arc<str>>,
    card_names: Vec<Arc<str>>,
    free_steps: u32,
    turns: Vec<TurnRow>,
    awards: Vec<AwardRow>,
    cards: Vec<CardRow>,
    open: Option<OpenTurn>,
    nations: [NationCounter; MAX_NATIONS],
    actions: u32,
}

/// A turn that has begun; it becomes a row when its stone has moved and it ends.
struct OpenTurn {
    nation: Nation,
    has_moved: bool,
    row: TurnRow,
}

#[derive(Clone, Copy, Default)]
struct NationCounter {
    turns: u32,
    stops: [Option<&'static str>; STOPS],
    opening: Option<Opening>,
    awards: u32,
    cards_taken: u32,
    cards_played: u32,
}

impl<'a> Counter<'a> {
    fn new(keys: &'a Keys, game: &Game, first: &State) -> Counter<'a> {
        let names = game
            .nations
            .iter()
            .map(|nation| nation.name.as_str().into());
        let deck = game.rules.cards.iter().flat_map(|cards| &cards.deck);
        let mut counter = Counter {
            keys,
            names: names.collect(),
            card_names: deck.map(|card| card.id.as_str().into()).collect(),
            free_steps: u32::from(game.rules.free_steps),
            turns: Vec::new(),
            awards: Vec::new(),
            cards: Vec::new(),
            open: None,
            nations: Default::default(),
            actions: 0,
        };
        if first.phase != Phase::Setup {
            counter.open_turn(first.to_move, first.turn, first.round);
            // A given position may stand within a turn.
            if let Some(field) = first.turn_state.field {
                counter.stone(field.name(), 0);
            }
        }
        counter
    }

    fn step(&mut self, step: &Step<'_>) {
        self.actions += 1;
        let mut round = self.open.as_ref().map_or(0, |open| open.row.round);
        for effect in step.effects {
            match *effect {
                Effect::RoundBegan { round: begun } => round = begun,
                Effect::TurnBegan { nation, turn } => self.open_turn(nation, turn, round),
                Effect::TurnEnded { .. } | Effect::GameEnded { .. } => self.close_turn(),
                ref other => self.count(other),
            }
        }
    }

    fn open_turn(&mut self, nation: Nation, turn: u32, round: u32) {
        self.close_turn();
        let row = TurnRow {
            edition: self.keys.edition.clone(),
            month: self.keys.month.clone(),
            game: self.keys.game.clone(),
            nation: self.names[nation.index()].clone(),
            turn,
            round,
            own_turn: self.nations[nation.index()].turns + 1,
            field: "",
            steps: 0,
            extra_steps: 0,
            chips_produced: 0,
            chips_spent: 0,
            coins_spent: 0,
            chips_gained: 0,
            coins_gained: 0,
            trades: 0,
            units_recruited: 0,
            units_armed: 0,
            units_moved: 0,
            units_lost: 0,
            units_beaten: 0,
            temples_built: 0,
            temples_destroyed: 0,
            walls_built: 0,
            walls_destroyed: 0,
            cities_founded: 0,
            cities_conquered: 0,
            conquests_failed: 0,
            know_hows_developed: 0,
            personages_won: 0,
            cards_played: 0,
            cards_given: 0,
        };
        self.open = Some(OpenTurn {
            nation,
            has_moved: false,
            row,
        });
    }

    fn close_turn(&mut self) {
        if let Some(open) = self.open.take()
            && open.has_moved
        {
            self.turns.push(open.row);
        }
    }

    fn stone(&mut self, field: &'static str, steps: u32) {
        let Some(open) = &mut self.open else { return };
        let nation = &mut self.nations[open.nation.index()];
        if let Some(stop) = nation.stops.get_mut(nation.turns as usize) {
            *stop = Some(field);
        }
        nation.turns += 1;
        open.has_moved = true;
        open.row.field = field;
        open.row.steps = steps;
        open.row.extra_steps = steps.saturating_sub(self.free_steps);
    }

    fn opening(&mut self, nation: Nation, opening: Opening) {
        let nation = &mut self.nations[nation.index()];
        if nation.turns <= OPENING_TURNS {
            nation.opening.get_or_insert(opening);
        }
    }

    fn card(&mut self, nation: Nation, card: Card, act: Act) {
        let Some(open) = &mut self.open else { return };
        let row = &mut open.row;
        let own = &mut self.nations[nation.index()];
        let (order, cause) = match act {
            Act::Taken => (&mut own.cards_taken, cause(row)),
            Act::Played => (&mut own.cards_played, None),
        };
        *order += 1;
        match act {
            Act::Taken => row.cards_given += 1,
            Act::Played if nation == open.nation => row.cards_played += 1,
            Act::Played => {}
        }
        // A turn under way counts only when its stone has moved.
        let begins = nation == open.nation && !open.has_moved;
        self.cards.push(CardRow {
            edition: row.edition.clone(),
            month: row.month.clone(),
            game: row.game.clone(),
            nation: self.names[nation.index()].clone(),
            card: self.card_names[card.index()].clone(),
            act: act.into(),
            cause,
            turn: row.turn,
            round: row.round,
            own_turn: own.turns + u32::from(begins),
            order: *order,
            share: 0.0,
        });
    }

    /// Counts what happened within a turn; all of it is done by the nation whose turn it is, but
    /// for event cards, which its opponent takes at the end and may answer with, and for
    /// `ChipTaken`, `CoinTaken` and `Resigned`, which belong to no turn.
    fn count(&mut self, effect: &Effect) {
        match *effect {
            Effect::StoneMoved { field, steps, .. } => {
                return self.stone(field.name(), u32::from(steps));
            }
            Effect::TempleBuilt { nation, .. } => self.opening(nation, Opening::Growth),
            Effect::Armed { nation, .. } => self.opening(nation, Opening::Military),
            Effect::Developed { nation, .. } => self.opening(nation, Opening::Progress),
            Effect::CardTaken { nation, card } => return self.card(nation, card, Act::Taken),
            Effect::CardPlayed { nation, card } => return self.card(nation, card, Act::Played),
            _ => {}
        }
        let Some(open) = &mut self.open else { return };
        let row = &mut open.row;
        match *effect {
            Effect::Paid { pay, .. } => {
                row.coins_spent += u32::from(pay.coins);
                row.chips_spent += pay.total() - u32::from(pay.coins);
            }
            Effect::Produced { count, .. } => row.chips_produced += count,
            Effect::TempleBuilt { .. } => row.temples_built += 1,
            Effect::ChipsGained { count, .. } => row.chips_gained += count,
            Effect::CoinsGained { count, .. } => row.coins_gained += u32::from(count),
            Effect::Recruited { count, .. } => row.units_recruited += u32::from(count),
            Effect::Armed { .. } => row.units_armed += 1,
            Effect::WallBuilt { .. } => row.walls_built += 1,
            Effect::WallDestroyed { nation, .. } if nation != open.nation => {
                row.walls_destroyed += 1;
            }
            Effect::CitySaved { .. } => row.conquests_failed += 1,
            Effect::Developed { .. } => row.know_hows_developed += 1,
            Effect::Traded { .. } => row.trades += 1,
            Effect::Moved { count, .. } => row.units_moved += u32::from(count),
            Effect::BattleFought { count, .. } => {
                row.units_lost += u32::from(count);
                row.units_beaten += u32::from(count);
            }
            Effect::Conquered {
                legions, galleys, ..
            } => {
                row.units_lost += u32::from(legions) + u32::from(galleys);
                row.cities_conquered += 1;
            }
            Effect::NeutralTempleTaken {
                legions, galleys, ..
            } => row.units_lost += u32::from(legions) + u32::from(galleys),
            Effect::DefendersLost {
                legions, galleys, ..
            } => row.units_beaten += u32::from(legions) + u32::from(galleys),
            Effect::TempleDestroyed { .. } => row.temples_destroyed += 1,
            Effect::Founded { .. } => row.cities_founded += 1,
            Effect::PersonageWon {
                nation,
                personage,
                extra,
            } => {
                row.personages_won += 1;
                let won = &mut self.nations[nation.index()].awards;
                *won += 1;
                self.awards.push(AwardRow {
                    edition: row.edition.clone(),
                    month: row.month.clone(),
                    game: row.game.clone(),
                    nation: row.nation.clone(),
                    personage: personage.name(),
                    turn: row.turn,
                    round: row.round,
                    own_turn: row.own_turn,
                    order: *won,
                    extra,
                    share: 0.0,
                });
            }
            _ => {}
        }
    }
}

/// What is done with an event card.
#[derive(Clone, Copy, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Act {
    Taken,
    Played,
}

/// For what cards are taken at the end of a turn: the rules give one for lost cities [D28] and one
/// for each personage [D31], and the taker picks them together [D42].
fn cause(turn: &TurnRow) -> Option<&'static str> {
    match (turn.personages_won > 0, turn.cities_conquered > 0) {
        (true, true) => Some("both"),
        (true, false) => Some("personage"),
        (false, true) => Some("lost_city"),
        // A given position can begin where cards are due.
        (false, false) => None,
    }
}

fn game_row(
    keys: &Keys,
    record: &Record,
    Verified {
        game,
        state: last,
        declared,
    }: &Verified,
    counter: &Counter<'_>,
    played_at: Timestamp,
    result: &ResultBody,
) -> GameRow {
    let mut variants = record.setup.variants.clone();
    variants.sort();
    let is_bot = |player: &Player| matches!(player, Player::Bot { .. });
    let bots = record
        .setup
        .seats
        .iter()
        .filter(|seat| is_bot(&seat.player));
    GameRow {
        edition: keys.edition.clone(),
        month: keys.month.clone(),
        game: keys.game.clone(),
        digest: record.digest.as_str().into(),
        board: game.board.data.id.as_str().into(),
        ruleset_hash: game.ruleset.hash.to_string().into(),
        ruleset_version: game.ruleset.data.version,
        board_hash: game.board.hash.to_string().into(),
        variants: variants.join(",").into(),
        nations: game.nations.len() as u32,
        players: game.seats() as u32,
        rounds: last.round,
        turns: last.turn,
        actions: counter.actions,
        reason: result.reason.name(),
        played_at,
        source: record.source.to_string().into(),
        rated: record.rated,
        league: record.league.as_deref().map(Arc::from),
        bots: bots.count() as u32,
        from_position: record.setup.position.is_some(),
        declared: *declared,
    }
}

fn seat_row(
    row: &GameRow,
    result: &ResultBody,
    setup: &Setup,
    game: &Game,
    last: &State,
    counter: &Counter<'_>,
    nation: Nation,
) -> SeatRow {
    let owned = last.nation(nation);
    let seat = game.seat_of(nation);
    let player = &setup.seats[usize::from(seat)].player;
    // A replayed result has every seat once.
    let ranked = result.ranks.iter().find(|body| body.seat == seat);
    let in_seat = game.nations_of(seat).count() as f64;
    let personages = |kind: Personage| u32::from(owned.personages[kind.index()]);
    let count = game.nations.len();
    let counted = &counter.nations[nation.index()];
    let [
        stop_1,
        stop_2,
        stop_3,
        stop_4,
        stop_5,
        stop_6,
        stop_7,
        stop_8,
    ] = counted.stops;
    SeatRow {
        edition: row.edition.clone(),
        month: row.month.clone(),
        game: row.game.clone(),
        board: row.board.clone(),
        variants: row.variants.clone(),
        nations: row.nations,
        players: row.players,
        reason: row.reason,
        played_at: row.played_at,
        rated: row.rated,
        league: row.league.clone(),
        bots: row.bots,
        from_position: row.from_position,
        declared: row.declared,
        ruleset_hash: row.ruleset_hash.clone(),
        ruleset_version: row.ruleset_version,
        nation: counter.names[nation.index()].clone(),
        seat: u32::from(seat),
        place: ((nation.index() + count - game.first.index()) % count) as u32 + 1,
        player_kind: player.kind().name(),
        player: player.actor().unwrap_or_default().into(),
        is_bot: matches!(player, Player::Bot { .. }),
        rank: ranked.map_or(0, |body| u32::from(body.rank)),
        share: ranked.map_or(0.0, |body| body.share) / in_seat,
        expected: 1.0 / (f64::from(row.players) * in_seat),
        points: game.points(last, nation),
        king: personages(Personage::King),
        scholar: personages(Personage::Scholar),
        general: personages(Personage::General),
        citizen: personages(Personage::Citizen),
        navigator: personages(Personage::Navigator),
        cities: owned.cities.len(),
        temples: (owned.cities & last.temples).len(),
        know_hows: owned.know_how.len(),
        walls: (owned.cities & last.walls).len(),
        cards_taken: counted.cards_taken,
        cards_played: counted.cards_played,
        turns: counted.turns,
        resigned: owned.resigned,
        opening: counted.opening.unwrap_or(Opening::Other).name(),
        stop_1,
        stop_2,
        stop_3,
        stop_4,
        stop_5,
        stop_6,
        stop_7,
        stop_8,
    }
}
