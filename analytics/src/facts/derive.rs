//! From one record to its rows: the record is replayed, and what the engine tells is counted.

use std::sync::Arc;

use bots::{BOTS, Temperament, without_budget};
use engine::content::Library;
use engine::forms::{ResultBody, digest_text};
use engine::ids::{Card, MAX_NATIONS, Nation, Region};
use engine::play::{Effect, Game};
use engine::setup::{Player, Setup};
use engine::state::State;
use engine::words::{Field, Personage, Phase, Resource, Unit};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use records::{Record, ReplayError, ReplayStep, Verified};
use xxhash_rust::xxh3::xxh3_64;

use super::column::Texts;
use super::openings::{DEEDS, Deed, Opening, Openings};
use super::rows::{
    AwardRow, CardRow, CityRow, GameRow, KnowHowRow, PlayerRow, RowKeys, STOPS, SeatRow,
    SnapshotRow, TradeRow, TurnRow,
};

/// How many clusters of persons there are.
pub const CLUSTERS: u32 = 256;

/// How many parts a win has: shares are 1/k of a seat's win (k up to 6) split among up to two
/// nations, so that all are whole numbers of these.
pub const WIN_PARTS: u32 = 120;

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
    /// Its rows in `players`, in the order of seats.
    pub players: Vec<PlayerRow>,
    /// Its rows in `know_hows`, in the order of developing.
    pub know_hows: Vec<KnowHowRow>,
    /// Its rows in `cities`, in the order of founding and conquering.
    pub cities: Vec<CityRow>,
    /// Its rows in `trades`, in the order of trading.
    pub trades: Vec<TradeRow>,
    /// Its rows in `snapshots`, in the order of play.
    pub snapshots: Vec<SnapshotRow>,
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
    /// The edition has no openings, which statistics tell of every nation.
    #[error("statistics have no openings of the edition {0:?}")]
    Openings(String),
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
    /// When the record does not replay, is not finished, has no readable `played_at`, or its edition has no
    /// openings.
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
        let keys = RowKeys {
            edition: record.setup.edition.as_str().into(),
            month: month.to_string().into(),
            game: record.id.as_str().into(),
        };
        // A replay tells what follows from actions; the first turn begins before any.
        let (game, first) = record.start(library).map_err(ReplayError::from)?;
        let edition = &game.ruleset.data.edition;
        let openings =
            Openings::of(edition).ok_or_else(|| DeriveError::Openings(edition.clone()))?;
        let mut counter = Counter::new(&keys, &game, &first, openings);
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
            seat.map_or((0, 0.0), |seat| (seat.share_parts, seat.share))
        };
        macro_rules! shared {
            ($table:ident) => {
                for row in &mut counter.$table {
                    (row.share_parts, row.share) = share(&row.nation);
                }
            };
        }
        shared!(awards);
        shared!(cards);
        shared!(know_hows);
        shared!(cities);
        let players = (0..game.seats() as u32).map(|seat| player_row(&keys, &seats, seat));
        Ok(GameFacts {
            game: row,
            players: players.flatten().collect(),
            seats,
            turns: counter.turns,
            awards: counter.awards,
            cards: counter.cards,
            know_hows: counter.know_hows,
            cities: counter.cities,
            trades: counter.trades,
            snapshots: counter.snapshots,
        })
    }
}

impl GameFacts {
    /// The same with its place in the log and when it was recorded there. Without, the place is 0 and the time
    /// that at which the game was played.
    pub fn recorded(mut self, log_position: i64, recorded_at: Timestamp) -> GameFacts {
        (self.game.log_position, self.game.recorded_at) = (log_position, recorded_at);
        for seat in &mut self.seats {
            (seat.log_position, seat.recorded_at) = (log_position, recorded_at);
        }
        self
    }
}

impl GameFacts {
    /// The same under another name than the game's id.
    pub fn under(mut self, name: &str) -> GameFacts {
        let name: Arc<str> = name.into();
        self.game.game = name.clone();
        macro_rules! renamed {
            ($($table:ident),+) => {$(
                for row in &mut self.$table {
                    row.game = name.clone();
                }
            )+};
        }
        renamed!(
            seats, turns, awards, cards, players, know_hows, cities, trades, snapshots
        );
        self
    }
}

/// What is counted while a record is replayed.
struct Counter<'a> {
    keys: &'a RowKeys,
    names: Vec<Arc<str>>,
    card_names: Vec<Arc<str>>,
    free_steps: u32,
    turns: Vec<TurnRow>,
    awards: Vec<AwardRow>,
    cards: Vec<CardRow>,
    know_hows: Vec<KnowHowRow>,
    cities: Vec<CityRow>,
    trades: Vec<TradeRow>,
    snapshots: Vec<SnapshotRow>,
    open: Option<OpenTurn>,
    openings: &'static Openings,
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
    opening: Option<(Opening, u32)>,
    deeds: [u32; DEEDS],
    awards: u32,
    won: [u32; Personage::COUNT],
    kinds: [Option<Personage>; Personage::COUNT],
    know_hows: u32,
    cards_taken: u32,
    cards_played: u32,
}

impl<'a> Counter<'a> {
    fn new(
        keys: &'a RowKeys,
        game: &Game,
        first: &State,
        openings: &'static Openings,
    ) -> Counter<'a> {
        let names = game
            .nations
            .iter()
            .map(|nation| nation.name.as_str().into());
        let deck = game.rules.data.cards.iter().flat_map(|cards| &cards.deck);
        let mut counter = Counter {
            keys,
            names: names.collect(),
            card_names: deck.map(|card| card.id.as_str().into()).collect(),
            free_steps: u32::from(game.rules.data.rondel.free_steps),
            turns: Vec::new(),
            awards: Vec::new(),
            cards: Vec::new(),
            know_hows: Vec::new(),
            cities: Vec::new(),
            trades: Vec::new(),
            snapshots: Vec::new(),
            open: None,
            openings,
            nations: Default::default(),
            actions: 0,
        };
        if first.phase != Phase::Setup {
            counter.open_turn(first.to_move, first.turn, first.round, first);
            // A given position may stand within a turn.
            if let Some(field) = first.turn_state.field {
                counter.stone(field.name(), 0);
            }
        }
        counter
    }

    fn step(&mut self, step: &ReplayStep<'_>) {
        self.actions += 1;
        let mut round = self.open.as_ref().map_or(0, |open| open.row.round);
        for (index, effect) in step.effects.iter().enumerate() {
            self.note(step, &step.effects[..index], effect);
            match *effect {
                Effect::RoundBegan { round: begun } => round = begun,
                Effect::TurnBegan { nation, turn } => {
                    self.open_turn(nation, turn, round, step.state);
                }
                Effect::TurnEnded { .. } | Effect::GameEnded { .. } => self.close_turn(),
                ref other => self.count(other),
            }
        }
    }

    /// Begins a turn in a state. Where several begin at once only the last one is that of the state, and the
    /// others, of nations that leave the game, have no stone that moves.
    fn open_turn(&mut self, nation: Nation, turn: u32, round: u32, state: &State) {
        self.close_turn();
        let own_turn = self.nations[nation.index()].turns + 1;
        let is_kept = own_turn as usize <= STOPS;
        let row = TurnRow {
            nation: self.names[nation.index()].clone(),
            turn,
            round,
            own_turn,
            digest: is_kept.then(|| digest_text(state.digest()).into()),
            ..TurnRow::of_game(self.keys)
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

    /// Counts what can show an opening. A unit is one however it was armed, a special unit or one that an
    /// event card placed. Recruiting alone [D17] is no deed: nations begin with units to arm, and the
    /// order of recruiting and know-how in one turn means nothing.
    fn deed(&mut self, nation: Nation, deed: Deed) {
        let rules = self.openings;
        let nation = &mut self.nations[nation.index()];
        let done = &mut nation.deeds[deed as usize];
        *done += 1;
        let shows =
            |sign: &&(Deed, u32, Opening)| sign.0 as usize == deed as usize && *done >= sign.1;
        let Some((.., opening)) = rules.signs.iter().find(shows) else {
            return;
        };
        let began_with_gold = nation.stops[0] == Some(Field::Gold.name());
        if rules.gold_is_progress && began_with_gold && *opening == Opening::Growth {
            return;
        }
        if nation.turns <= rules.turns {
            nation.opening.get_or_insert((*opening, nation.turns));
        }
    }

    /// What is a row of its own but for personages and cards. `before` is what followed from the same
    /// action until then.
    fn note(&mut self, step: &ReplayStep<'_>, before: &[Effect], effect: &Effect) {
        let Some(open) = &self.open else { return };
        let row = &open.row;
        match *effect {
            Effect::Developed {
                nation,
                know_how,
                first,
            } => {
                let paid = before.iter().rev().find_map(|effect| match effect {
                    Effect::Paid { pay, .. } => Some(*pay),
                    _ => None,
                });
                let coins = paid.map_or(0, |pay| u32::from(pay.coins));
                let known = &mut self.nations[nation.index()].know_hows;
                *known += 1;
                self.know_hows.push(KnowHowRow {
                    nation: self.names[nation.index()].clone(),
                    know_how: step.game.ruleset.know_how_name(know_how).into(),
                    is_first: first,
                    turn: row.turn,
                    round: row.round,
                    own_turn: row.own_turn,
                    nth: *known,
                    chips: paid.map_or(0, |pay| pay.total()) - coins,
                    coins,
                    ..KnowHowRow::of_game(self.keys)
                });
            }
            Effect::Founded { nation, region, .. } => self.city(step, nation, region, None, 0),
            Effect::Conquered {
                nation,
                from,
                region,
                legions,
                galleys,
            } => {
                let lost = u32::from(legions) + u32::from(galleys);
                self.city(step, nation, region, Some(from), lost);
            }
            Effect::Traded { nation, give, take } => {
                let fits = |lot: &engine::content::Lot| {
                    (u32::from(lot.give), u32::from(lot.take)) == (give.total(), take.total())
                };
                // What works was learnt in earlier turns or in this one; trading teaches nothing.
                let has = step.state.nation(nation).know_how;
                let lots = step.game.rules.lots.iter();
                let needs = lots
                    .filter(|(needs, lot)| has.contains_all(*needs) && fits(lot))
                    .map(|(needs, _)| *needs)
                    .next()
                    .unwrap_or_default();
                let names = needs.iter().map(|know_how| -> Arc<str> {
                    step.game.ruleset.know_how_name(know_how).into()
                });
                self.trades.push(TradeRow {
                    nation: self.names[nation.index()].clone(),
                    turn: row.turn,
                    round: row.round,
                    own_turn: row.own_turn,
                    given: give.to_string().into(),
                    taken: take.to_string().into(),
                    given_count: give.total(),
                    taken_count: take.total(),
                    know_hows: names.collect(),
                    ..TradeRow::of_game(self.keys)
                });
            }
            Effect::TurnEnded { nation } if open.nation == nation && open.has_moved => {
                let snapshot = snapshot(self.keys, row, step.game, step.state, nation);
                self.snapshots.push(snapshot);
            }
            Effect::GameEnded { .. } if open.has_moved => {
                let ended = before
                    .iter()
                    .any(|effect| matches!(effect, Effect::TurnEnded { .. }));
                if !ended {
                    let snapshot = snapshot(self.keys, row, step.game, step.state, open.nation);
                    self.snapshots.push(snapshot);
                }
            }
            _ => {}
        }
    }

    fn city(
        &mut self,
        step: &ReplayStep<'_>,
        nation: Nation,
        region: Region,
        from: Option<Nation>,
        units_lost: u32,
    ) {
        let Some(open) = &self.open else { return };
        let row = &open.row;
        let destroyed = step.effects.iter().any(|effect| match effect {
            Effect::TempleDestroyed { region: at, .. } => *at == region,
            _ => false,
        });
        self.cities.push(CityRow {
            nation: self.names[nation.index()].clone(),
            act: if from.is_some() {
                "conquered"
            } else {
                "founded"
            },
            region: step.game.board.name(region).into(),
            owner_before: from.map(|from| self.names[from.index()].clone()),
            temple_destroyed: destroyed,
            units_lost,
            turn: row.turn,
            round: row.round,
            own_turn: row.own_turn,
            ..CityRow::of_game(self.keys)
        });
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
            nation: self.names[nation.index()].clone(),
            card: self.card_names[card.index()].clone(),
            act: act.into(),
            cause,
            turn: row.turn,
            round: row.round,
            own_turn: own.turns + u32::from(begins),
            nth: *order,
            ..CardRow::of_game(self.keys)
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
            Effect::TempleBuilt { nation, .. } => self.deed(nation, Deed::Temple),
            Effect::Armed { nation, .. } => self.deed(nation, Deed::Unit),
            Effect::Developed { nation, .. } => self.deed(nation, Deed::KnowHow),
            Effect::Founded { nation, .. } => self.deed(nation, Deed::City),
            Effect::Conquered { nation, .. } => self.deed(nation, Deed::Conquest),
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
                let own = &mut self.nations[nation.index()];
                own.awards += 1;
                own.won[personage.index()] += 1;
                if !own.kinds.contains(&Some(personage)) {
                    // There are as many places as kinds.
                    let free = own.kinds.iter_mut().find(|kind| kind.is_none());
                    free.into_iter().for_each(|kind| *kind = Some(personage));
                }
                let of = |kind: Personage| own.won[kind.index()];
                let kinds = own.kinds.iter().flatten();
                self.awards.push(AwardRow {
                    nation: row.nation.clone(),
                    personage: personage.name(),
                    turn: row.turn,
                    round: row.round,
                    own_turn: row.own_turn,
                    nth: own.awards,
                    extra,
                    king: of(Personage::King),
                    scholar: of(Personage::Scholar),
                    general: of(Personage::General),
                    citizen: of(Personage::Citizen),
                    navigator: of(Personage::Navigator),
                    nth_of_kind: of(personage),
                    mix: mix(&own.won).into(),
                    leading_kind: leading(&own.won),
                    kinds: kinds.map(|kind| kind.name().into()).collect(),
                    ..AwardRow::of_game(self.keys)
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

/// A hash of all that facts of a record depend on; whether its result is declared follows from its log,
/// which the hash of what it says leaves out.
pub(crate) fn content_of(record: &Record, declared: bool) -> u64 {
    // Decks follow from the seed, or from the digest and what was drawn; not every record spells them out.
    let mut told = record.clone();
    told.setup.deck = None;
    told.setup.reshuffles.clear();
    // A record is always JSON.
    let said = told.content_hash().unwrap_or_default();
    xxh3_64(format!("{said}\n{declared}").as_bytes())
}

fn game_row(
    keys: &RowKeys,
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
    let seats = &record.setup.seats;
    let bot_seats = seats.iter().filter(|seat| is_bot(&seat.player)).count();
    let bots = seats.iter().filter(|seat| is_bot(&seat.player));
    let mut bots: Vec<&str> = bots.filter_map(|seat| seat.player.actor()).collect();
    bots.sort_unstable();
    bots.dedup();
    let content = content_of(record, *declared);
    GameRow {
        recorded_at: played_at,
        digest: record.digest.as_str().into(),
        content_1: (content >> 32) as u32,
        content_2: content as u32,
        board: game.board.data.id.as_str().into(),
        ruleset_hash: game.ruleset.hash.to_string().into(),
        ruleset_version: game.ruleset.data.version,
        board_hash: game.board.hash.to_string().into(),
        variants: texts(variants.iter().map(String::as_str)),
        nations: game.nations.len() as u32,
        players: game.seats() as u32,
        goal: u32::from(game.rules.goal),
        rounds: last.round,
        turns: last.turn,
        actions: counter.actions,
        reason: result.reason.name(),
        played_at,
        source: record.source.to_string().into(),
        rated: record.rated,
        league: record.league.as_deref().map(Arc::from),
        play: played_by(bot_seats, seats.len()),
        bot_seats: bot_seats as u32,
        bots: texts(bots.into_iter()),
        from_position: record.setup.position.is_some(),
        declared: *declared,
        ..GameRow::of_game(keys)
    }
}

/// The cluster that a player belongs to; [`CLUSTERS`] for nobody in particular.
pub(super) fn cluster_of(player: &Player) -> u32 {
    match player {
        Player::Person { id, .. } => (xxh3_64(id.as_bytes()) % u64::from(CLUSTERS)) as u32,
        Player::Bot { .. } | Player::Open => CLUSTERS,
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
    let parts = |share: f64| (share * f64::from(WIN_PARTS)).round() as u32;
    let share_parts = parts(ranked.map_or(0.0, |body| body.share) / in_seat);
    let expected_parts = parts(1.0 / (f64::from(row.players) * in_seat));
    let maker = match player {
        Player::Bot { name } => Some(maker(name)),
        Player::Person { .. } | Player::Open => None,
    };
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
        log_position: row.log_position,
        recorded_at: row.recorded_at,
        board: row.board.clone(),
        variants: row.variants.clone(),
        nations: row.nations,
        players: row.players,
        goal: row.goal,
        reason: row.reason,
        played_at: row.played_at,
        rated: row.rated,
        league: row.league.clone(),
        play: row.play,
        bot_seats: row.bot_seats,
        bots: row.bots.clone(),
        from_position: row.from_position,
        declared: row.declared,
        ruleset_hash: row.ruleset_hash.clone(),
        ruleset_version: row.ruleset_version,
        nation: counter.names[nation.index()].clone(),
        seat: u32::from(seat),
        place: ((nation.index() + count - game.first.index()) % count) as u32 + 1,
        player_kind: player.kind().name(),
        player: player.actor().unwrap_or_default().into(),
        bot: maker.map(|(bot, _)| bot.into()),
        temperament: maker.and_then(|(_, temperament)| Some(temperament?.name().into())),
        opponents: match usize::try_from(row.players).unwrap_or_default() - 1 {
            0 => "none",
            others => played_by(row.bot_seats as usize - usize::from(is_bot(player)), others),
        },
        cluster: cluster_of(player),
        rank_of_seat: ranked.map_or(0, |body| u32::from(body.rank)),
        share_parts,
        share: f64::from(share_parts) / f64::from(WIN_PARTS),
        expected_parts,
        expected: f64::from(expected_parts) / f64::from(WIN_PARTS),
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
        opening: counted
            .opening
            .map_or(Opening::Other, |(opening, _)| opening)
            .name(),
        opening_turn: counted.opening.map(|(_, turn)| turn),
        stop_1,
        stop_2,
        stop_3,
        stop_4,
        stop_5,
        stop_6,
        stop_7,
        stop_8,
        ..SeatRow::of_game(counter.keys)
    }
}

/// Counts of personages in words, the most first.
fn mix(won: &[u32; Personage::COUNT]) -> String {
    let counts = Personage::ALL
        .iter()
        .map(|kind| (won[kind.index()], kind.name()));
    let mut counts: Vec<(u32, &str)> = counts.filter(|(count, _)| *count > 0).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let words: Vec<String> = counts
        .iter()
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect();
    words.join(", ")
}

/// The kind of which there are most.
fn leading(won: &[u32; Personage::COUNT]) -> &'static str {
    let most = won.iter().max().copied().unwrap_or_default();
    let mut with_most = Personage::ALL
        .iter()
        .filter(|kind| won[kind.index()] == most);
    match (with_most.next(), with_most.next()) {
        (Some(kind), None) => kind.name(),
        _ => "even",
    }
}

fn is_bot(player: &Player) -> bool {
    matches!(player, Player::Bot { .. })
}

/// Who plays, when so many of some seats are played by bots.
fn played_by(bots: usize, seats: usize) -> &'static str {
    match bots {
        0 => "people",
        bots if bots == seats => "bots",
        _ => "mixed",
    }
}

/// A bot's name without its budget and temperament, and its temperament. One that is in no table of bots, such as one
/// of another program, has none.
fn maker(name: &str) -> (&str, Option<Temperament>) {
    let name = without_budget(name);
    let named = BOTS.iter().find(|bot| bot.name == name);
    match named.and_then(|named| named.temperament) {
        Some((bot, temperament)) => (bot, Some(temperament)),
        None => (name, None),
    }
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Texts {
    texts.map(Arc::from).collect()
}

/// The row of a seat in `players`, made of the rows of its nations.
fn player_row(keys: &RowKeys, seats: &[SeatRow], seat: u32) -> Option<PlayerRow> {
    let mut own: Vec<&SeatRow> = seats.iter().filter(|row| row.seat == seat).collect();
    own.sort_by_key(|row| row.place);
    let first = own.first()?;
    let share_parts = own.iter().map(|row| row.share_parts).sum();
    Some(PlayerRow {
        seat,
        player_kind: first.player_kind,
        player: first.player.clone(),
        bot: first.bot.clone(),
        temperament: first.temperament.clone(),
        nations: own.iter().map(|row| row.nation.clone()).collect(),
        rank_of_seat: first.rank_of_seat,
        share_parts,
        share: f64::from(share_parts) / f64::from(WIN_PARTS),
        points: own.iter().map(|row| row.points).sum(),
        ..PlayerRow::of_game(keys)
    })
}

fn snapshot(
    keys: &RowKeys,
    turn: &TurnRow,
    game: &Game,
    state: &State,
    nation: Nation,
) -> SnapshotRow {
    let owned = state.nation(nation);
    let chips = |kind: Resource| owned.holdings.chips[kind.index()];
    SnapshotRow {
        nation: turn.nation.clone(),
        turn: turn.turn,
        round: turn.round,
        own_turn: turn.own_turn,
        marble: chips(Resource::Marble),
        iron: chips(Resource::Iron),
        gold: chips(Resource::Gold),
        coins: u32::from(owned.holdings.coins),
        legions: u32::from(owned.on_board[Unit::Legion.index()]),
        galleys: u32::from(owned.on_board[Unit::Galley.index()]),
        units_boxed: owned.boxed.iter().map(|count| u32::from(*count)).sum(),
        cities: owned.cities.len(),
        temples: (owned.cities & state.temples).len(),
        walls: (owned.cities & state.walls).len(),
        know_hows: owned.know_how.len(),
        points: game.points(state, nation),
        ..SnapshotRow::of_game(keys)
    }
}
