//! Counts what happens while a record is replayed.

use std::sync::Arc;

use engine::forms::digest_text;
use engine::ids::{Card, MAX_NATIONS, Nation, Region};
use engine::play::{Effect, Game};
use engine::state::State;
use engine::words::{Field, Personage, Phase, Resource, Unit};
use records::ReplayStep;

use super::column::RowKeys;
use super::openings::{OPENING_ACTS, Opening, OpeningAct, Openings};
use super::rows::{AwardRow, CardRow, CityRow, KnowHowRow, STOPS, SnapshotRow, TradeRow, TurnRow};

/// The counts and rows of a game that is replayed.
pub(super) struct Counter<'a> {
    pub(super) keys: &'a RowKeys,
    pub(super) names: Vec<Arc<str>>,
    card_names: Vec<Arc<str>>,
    free_steps: u32,
    pub(super) turns: Vec<TurnRow>,
    pub(super) awards: Vec<AwardRow>,
    pub(super) cards: Vec<CardRow>,
    pub(super) know_hows: Vec<KnowHowRow>,
    pub(super) cities: Vec<CityRow>,
    pub(super) trades: Vec<TradeRow>,
    pub(super) snapshots: Vec<SnapshotRow>,
    open: Option<OpenTurn>,
    openings: &'static Openings,
    pub(super) nations: [NationCounter; MAX_NATIONS],
    pub(super) actions: u32,
}

/// A turn that has begun. It becomes a row when it ends, if its stone has moved.
struct OpenTurn {
    nation: Nation,
    has_moved: bool,
    row: TurnRow,
}

#[derive(Clone, Copy, Default)]
pub(super) struct NationCounter {
    pub(super) turns: u32,
    pub(super) stops: [Option<&'static str>; STOPS],
    pub(super) opening: Option<(Opening, u32)>,
    pub(super) opening_acts: [u32; OPENING_ACTS],
    pub(super) awards: u32,
    pub(super) won: [u32; Personage::COUNT],
    pub(super) kinds: [Option<Personage>; Personage::COUNT],
    pub(super) know_hows: u32,
    pub(super) cards_taken: u32,
    pub(super) cards_played: u32,
}

impl<'a> Counter<'a> {
    pub(super) fn new(
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
            // A given position can be in the middle of a turn.
            if let Some(field) = first.turn_state.field {
                counter.stone(field.name(), 0);
            }
        }
        counter
    }

    pub(super) fn step(&mut self, step: &ReplayStep<'_>) {
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

    /// Opens a turn at a state.
    /// If several turns begin at once, the state belongs to the last one. The others belong to nations that leave
    /// the game, whose stones do not move.
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
            ..TurnRow::for_game(self.keys)
        };
        self.open = Some(OpenTurn {
            nation,
            has_moved: false,
            row,
        });
    }

    pub(super) fn close_turn(&mut self) {
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

    /// Counts an act that can decide the opening.
    /// A unit counts however it was armed, also a special unit or one placed by an event card. Recruiting [D17] does
    /// not count: nations begin with units to arm, and the order of recruiting and know-how in a turn has no
    /// meaning.
    fn count_opening_act(&mut self, nation: Nation, act: OpeningAct) {
        let rules = self.openings;
        let nation = &mut self.nations[nation.index()];
        let done = &mut nation.opening_acts[act as usize];
        *done += 1;
        let shows =
            |sign: &&(OpeningAct, u32, Opening)| sign.0 as usize == act as usize && *done >= sign.1;
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

    /// Adds the rows for an effect, except personages and cards.
    /// `before` contains the earlier effects of the same action.
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
                    ..KnowHowRow::for_game(self.keys)
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
                // Know-hows are developed in earlier turns or in this one; trading adds none.
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
                    ..TradeRow::for_game(self.keys)
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
            act: match from {
                Some(_) => CityAct::Conquered.into(),
                None => CityAct::Founded.into(),
            },
            region: step.game.board.name(region).into(),
            owner_before: from.map(|from| self.names[from.index()].clone()),
            temple_destroyed: destroyed,
            units_lost,
            turn: row.turn,
            round: row.round,
            own_turn: row.own_turn,
            ..CityRow::for_game(self.keys)
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
        // A turn counts only after its stone has moved.
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
            ..CardRow::for_game(self.keys)
        });
    }

    /// Adds an effect to the counts of its turn.
    /// The nation whose turn it is causes all effects, with two exceptions: event cards, which the opponent takes at
    /// the end and can answer with; and `ChipTaken`, `CoinTaken` and `Resigned`, which belong to no turn.
    fn count(&mut self, effect: &Effect) {
        match *effect {
            Effect::StoneMoved { field, steps, .. } => {
                return self.stone(field.name(), u32::from(steps));
            }
            Effect::TempleBuilt { nation, .. } => {
                self.count_opening_act(nation, OpeningAct::Temple)
            }
            Effect::Armed { nation, .. } => self.count_opening_act(nation, OpeningAct::Unit),
            Effect::Developed { nation, .. } => self.count_opening_act(nation, OpeningAct::KnowHow),
            Effect::Founded { nation, .. } => self.count_opening_act(nation, OpeningAct::City),
            Effect::Conquered { nation, .. } => {
                self.count_opening_act(nation, OpeningAct::Conquest)
            }
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
                    // There is one entry for each kind.
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
                    ..AwardRow::for_game(self.keys)
                });
            }
            _ => {}
        }
    }
}

/// What happens to an event card.
#[derive(Clone, Copy, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Act {
    Taken,
    Played,
}

/// How a nation acquires a city.
#[derive(Clone, Copy, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum CityAct {
    Founded,
    Conquered,
}

/// Why event cards are taken.
#[derive(Clone, Copy, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Cause {
    Personage,
    LostCity,
    Both,
}

/// The value of `leading_kind` when kinds tie.
pub(crate) const EVEN: &str = "even";

/// Returns why cards are taken at the end of a turn.
/// The rules give one card for lost cities [D28] and one for each personage [D31]. The player takes them together
/// [D42].
fn cause(turn: &TurnRow) -> Option<&'static str> {
    let cause = match (turn.personages_won > 0, turn.cities_conquered > 0) {
        (true, true) => Cause::Both,
        (true, false) => Cause::Personage,
        (false, true) => Cause::LostCity,
        // A given position can begin when cards are to be taken.
        (false, false) => return None,
    };
    Some(cause.into())
}

/// Returns counts of personages as text, the largest first.
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

/// Returns the kind with the most personages.
fn leading(won: &[u32; Personage::COUNT]) -> &'static str {
    let most = won.iter().max().copied().unwrap_or_default();
    let mut with_most = Personage::ALL
        .iter()
        .filter(|kind| won[kind.index()] == most);
    match (with_most.next(), with_most.next()) {
        (Some(kind), None) => kind.name(),
        _ => EVEN,
    }
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
        ..SnapshotRow::for_game(keys)
    }
}
