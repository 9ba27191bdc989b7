//! The turn of a position with its question, and whether a nation can act in it.

use super::{Checked, Faults, fail, know_how, nation, region};
use crate::content::{CardEffect, StartPick};
use crate::forms::{Position, UnitsLeftBody};
use crate::ids::{Card, MAX_MANEUVERS, Nation, Nations, Regions};
use crate::play::Game;
use crate::state::{Question, SpecialPlace, State, TurnState};
use crate::words::{Field, Phase, Unit};

impl Position {
    /// Reads the state of the turn and its question.
    pub(super) fn turn(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        let body = &self.turn_state;
        let path = |field: &str| format!("turn_state.{field}");
        state.turn_state.field = body.field;
        for (field, names, set) in [
            (
                "developed",
                &body.developed,
                &mut state.turn_state.developed,
            ),
            (
                "discovered",
                &body.discovered,
                &mut state.turn_state.discovered,
            ),
        ] {
            *set = faults
                .check(know_how(game, &path(field), names))
                .unwrap_or_default();
        }
        state.turn_state.destroyed = body.destroyed;
        state.turn_state.free_unit = body.free_unit;
        if body.free_unit && !(game.rules.data.bellona && body.field == Some(Field::Arming)) {
            faults.add(
                path("free_unit"),
                "is only for arming with the Bellona card",
            );
        }
        let owned = *state.nation(state.to_move);
        if !(state.turn_state.developed - owned.know_how).is_empty() {
            faults.add(path("developed"), "the nation does not have it");
        }
        if !(state.turn_state.discovered - state.turn_state.developed).is_empty() {
            faults.add(path("discovered"), "it was not developed this turn");
        }
        for id in &body.conquered {
            let Some(region) = faults.check(region(game, &path("conquered"), id)) else {
                continue;
            };
            if !owned.cities.contains(region) {
                faults.add(path("conquered"), format!("{id} is not the nation's"));
            }
            state.turn_state.conquered.insert(region);
        }
        let neutral = game.board.neutral_temples(game.nations.len() as u8);
        let fallen = neutral - state.neutral_temples;
        let most = state.turn_state.conquered.len() + fallen.len();
        if u32::from(body.destroyed) > most {
            let message = "is more than the conquered cities and missing neutral temples";
            faults.add(path("destroyed"), message);
        }
        for (id, count) in &body.armed {
            if let Some(region) = faults.check(region(game, &path("armed"), id)) {
                state.turn_state.armed[region.index()] = *count;
            }
        }
        for (id, left) in &body.units {
            faults.check(self.units_left(game, state, id, left));
        }
        self.turn_of_cards(game, state, faults);
        // The question depends on all of this.
        if faults.none() {
            faults.check(self.question(game, state));
            faults.check(self.question_of_cards(game, state));
        }
    }

    /// Reads the effects of event cards and special units in the turn.
    fn turn_of_cards(&self, game: &Game, state: &mut State, faults: &mut Faults) {
        let body = &self.turn_state;
        let path = |field: &str| format!("turn_state.{field}");
        let owned = *state.nation(state.to_move);
        let armable = body.armable.map(|units| [units.legions, units.galleys]);
        let armable = armable.unwrap_or(owned.boxed);
        if armable.iter().zip(owned.boxed).any(|(n, boxed)| *n > boxed) {
            faults.add(path("armable"), "is more than the units in the box");
        }
        state.turn_state.armable = armable;
        let boxed = owned.special == Some(SpecialPlace::Boxed);
        let special_armable = body.special_armable.unwrap_or(boxed);
        if special_armable && !boxed {
            faults.add(
                path("special_armable"),
                "the special unit is not in the box",
            );
        }
        state.turn_state.special_armable = special_armable;
        let maneuvers = body.field.is_some_and(Field::is_maneuver);
        let stands = matches!(owned.special, Some(SpecialPlace::At(_)));
        let most = crate::ids::MAX_MANEUVERS as u8;
        if body.special_left > if maneuvers && stands { most } else { 0 } {
            faults.add(
                path("special_left"),
                "the special unit cannot have so many maneuvers left",
            );
        }
        state.turn_state.special_left = body.special_left;
        let extra = [body.extra_borders.legions, body.extra_borders.galleys];
        for (unit, extra) in Unit::ALL.iter().zip(extra) {
            let cards = game.rules.data.cards.as_ref();
            let all = cards.map_or(0, |cards| cards.most_extra_borders(*unit));
            let in_hand: u32 = (0..)
                .map(Card)
                .zip(owned.hand)
                .map(|(card, count)| match game.rules.card_effect(card) {
                    Some(CardEffect::ExtraBorders {
                        unit: kind,
                        borders,
                    }) if kind == *unit => u32::from(borders) * u32::from(count),
                    _ => 0,
                })
                .sum();
            let possible = if maneuvers { all - in_hand.min(all) } else { 0 };
            if u32::from(extra) > possible {
                faults.add(path("extra_borders"), "the cards cannot give so many");
            }
        }
        state.turn_state.extra_borders = extra;
        if body.cheaper_temple > 0 && body.field != Some(Field::Temple) {
            faults.add(path("cheaper_temple"), "is only for the temple field");
        }
        state.turn_state.cheaper_temple = body.cheaper_temple;
        if body.free_neighbours > 0 && body.field.is_none() {
            faults.add(
                path("free_neighbours"),
                "is only for after the stone has moved",
            );
        }
        state.turn_state.free_neighbours = body.free_neighbours;
        let given = body.cheaper_temple > 0 || body.free_neighbours > 0 || !body.safe.is_empty();
        if given && game.rules.data.cards.is_none() {
            faults.add("turn_state", "this edition has no event cards");
        }
        for id in &body.safe {
            let Some(at) = faults.check(region(game, &path("safe"), id)) else {
                continue;
            };
            let foreign = (state.cities() - owned.cities).contains(at);
            if !foreign || !maneuvers {
                faults.add(path("safe"), format!("{id} was not attacked"));
            }
            state.turn_state.safe.insert(at);
        }
    }

    fn units_left(
        &self,
        game: &Game,
        state: &mut State,
        id: &str,
        left: &UnitsLeftBody,
    ) -> Checked<()> {
        let path = format!("turn_state.units.{id}");
        let region = region(game, &path, id)?;
        for (unit, counts) in Unit::ALL.iter().zip([&left.legions, &left.galleys]) {
            let mut total = 0;
            for (maneuvers, count) in counts {
                let maneuvers = usize::from(*maneuvers);
                if !(1..=MAX_MANEUVERS).contains(&maneuvers) {
                    return fail(path, format!("no unit can have {maneuvers} maneuvers left"));
                }
                state.turn_state.maneuvers_left[region.index()][unit.index()][maneuvers - 1] =
                    *count;
                total += u32::from(*count);
            }
            if total > u32::from(state.units(region, state.to_move, *unit)) {
                return fail(path, format!("is more than the {unit} pieces there"));
            }
        }
        Ok(())
    }

    fn question(&self, game: &Game, state: &mut State) -> Checked<()> {
        let body = &self.turn_state;
        let set = |field: &str, names: &[String]| -> Checked<(Nation, Nations)> {
            let mut asked = None;
            let mut rest = Nations::EMPTY;
            for name in names {
                let nation = nation(game, field, name)?;
                match asked {
                    None => asked = Some(nation),
                    Some(_) => rest.insert(nation),
                }
            }
            match asked {
                Some(asked) if !rest.contains(asked) => Ok((asked, rest)),
                _ => fail(field, "must name each nation at most once"),
            }
        };
        let questions = [
            body.battle.is_some(),
            !body.chip_choices.is_empty(),
            !body.personage_choices.is_empty(),
            body.card_choice.is_some(),
            body.fortress.is_some(),
        ];
        if questions.iter().filter(|asked| **asked).count() > 1 {
            return fail("turn_state", "at most one question can be open");
        }
        if let Some(battle) = &body.battle {
            let path = "turn_state.battle";
            let region = region(game, path, &battle.region)?;
            let (asked, rest) = set(path, &battle.asked)?;
            let mut entered = [0; MAX_MANEUVERS + 1];
            let there = state.by_maneuvers(region, battle.unit);
            for (maneuvers, count) in &battle.entered {
                match there.get(usize::from(*maneuvers)) {
                    Some(most) if count <= most => entered[usize::from(*maneuvers)] = *count,
                    _ => return fail(path, "is more than the units there"),
                }
            }
            let is_asked = |n: &Nation| *n == asked || rest.contains(*n);
            for nation in game.all_nations().filter(is_asked) {
                let fights = nation != state.to_move
                    && !state.nation(nation).resigned
                    && state.units(region, nation, battle.unit) > 0;
                if !fights {
                    return fail(path, "names a nation without such units there");
                }
            }
            if state.units(region, state.to_move, battle.unit) == 0 {
                return fail(path, "must have at least one unit that has entered");
            }
            state.question = Some(Question::Battle {
                asked,
                rest,
                region,
                unit: battle.unit,
                entered,
            });
        }
        if !body.chip_choices.is_empty() {
            let path = "turn_state.chip_choices";
            let (asked, rest) = set(path, &body.chip_choices)?;
            let resigned = |n: &Nation| state.nation(*n).resigned;
            let is_asked = |n: &Nation| *n == asked || rest.contains(*n);
            if game.all_nations().filter(is_asked).any(|n| resigned(&n)) {
                return fail(path, "names a nation that has resigned");
            }
            let by_production = game.rules.data.coin.is_paid_by_production();
            if by_production && (asked, rest) != (state.to_move, Nations::EMPTY) {
                return fail(path, "must name only the producing nation");
            }
            state.question = Some(Question::Chip { asked, rest });
        }
        if !body.personage_choices.is_empty() {
            let choices = body.personage_choices.iter();
            let mut kinds = choices.clone();
            if kinds.any(|kind| state.bank.personages[kind.index()] == 0) {
                return fail("turn_state.personage_choices", "the bank has none of them");
            }
            let owned = state.nation(state.to_move);
            let is_due = game.rules.data.extra_personage
                && owned.know_how == game.rules.all_know_how
                && owned.extra_personage.is_none();
            if !is_due {
                return fail(
                    "turn_state.personage_choices",
                    "must be empty: no personage can be chosen",
                );
            }
            let options = choices.copied().collect();
            state.question = Some(Question::Personage {
                asked: state.to_move,
                options,
            });
        }
        Ok(())
    }

    /// Reads the questions that event cards cause.
    fn question_of_cards(&self, game: &Game, state: &mut State) -> Checked<()> {
        let body = &self.turn_state;
        if let Some(choice) = &body.card_choice {
            let path = "turn_state.card_choice";
            let asked = nation(game, path, &choice.asked)?;
            let fits = asked == game.opponent(state, state.to_move) && asked != state.to_move;
            if !fits || choice.due == 0 || state.cards.open.is_empty() {
                return fail(
                    path,
                    "the opponent must take at least one card of the open row",
                );
            }
            state.question = Some(Question::Cards {
                asked,
                due: choice.due,
            });
        }
        if let Some(fortress) = &body.fortress {
            let path = "turn_state.fortress";
            let asked = nation(game, path, &fortress.asked)?;
            let at = region(game, path, &fortress.region)?;
            let lost = [fortress.legions, fortress.galleys];
            let there = state.units[at.index()][state.to_move.index()];
            let attacked = asked != state.to_move
                && state.owner(at) == Some(asked)
                && state.nation(asked).cities != Regions::only(at)
                && !state.turn_state.safe.contains(at);
            let offered = lost.iter().map(|n| u32::from(*n)).sum::<u32>();
            let enough = offered == u32::from(game.defence(state, at))
                && lost.iter().zip(there).all(|(lost, there)| *lost <= there);
            if !attacked || !enough || !game.can_answer_conquest(state, asked) {
                return fail(path, "no such conquest can have been declared");
            }
            state.question = Some(Question::Fortress {
                asked,
                region: at,
                lost,
            });
        }
        Ok(())
    }

    /// Checks that phase, field and question form a position in which a nation can act.
    pub(super) fn check_phase(&self, game: &Game, state: &State) -> Checked<()> {
        let field = state.turn_state.field;
        let stone = state.nation(state.to_move).stone;
        let maneuvers = field.is_some_and(Field::is_maneuver);
        let each_round = game.rules.data.coin.is_paid_each_round();
        let (battle, chip, personage) = match state.question {
            None => (false, false, false),
            Some(Question::Battle { .. }) => (true, false, false),
            Some(Question::Chip { .. }) => (false, true, false),
            Some(Question::Personage { .. }) => (false, false, true),
            // These are checked on their own.
            Some(_) => (false, false, false),
        };
        if state.nation(state.to_move).resigned {
            return fail("to_move", "names a nation that has resigned");
        }
        if (state.phase == Phase::Setup) != (state.round == 0 && state.turn == 0) {
            return fail(
                "phase",
                "round and turn must be 0 in set-up, and only there",
            );
        }
        if state.phase != Phase::Setup && (state.round == 0 || state.turn == 0) {
            return fail("round", "rounds and turns must count from 1");
        }
        let fits = match state.phase {
            _ if card_question_fits(state).is_some() => card_question_fits(state) == Some(true),
            Phase::Setup => self.is_setup(game, state) && state.question.is_none(),
            Phase::Stone => field.is_none() && !battle && !personage && (each_round || !chip),
            Phase::Action => {
                let produces = field.is_some_and(|field| field.resource().is_some());
                let chip_due = produces && !each_round;
                field.is_some() && !personage && (maneuvers || !battle) && (chip_due || !chip)
            }
            Phase::Conquest => maneuvers && state.question.is_none(),
            Phase::Found => field.is_some() && state.question.is_none(),
            Phase::End => field.is_some() && personage,
        };
        if !fits {
            return fail("phase", "does not fit the turn's field and question");
        }
        if field.is_some() && field != stone {
            return fail("turn_state.field", "is not the field of the nation's stone");
        }
        let TurnState {
            conquered,
            destroyed,
            ..
        } = state.turn_state;
        let fought = !conquered.is_empty() || destroyed != 0;
        if !maneuvers && (fought || !self.turn_state.units.is_empty()) {
            return fail("turn_state", "units and conquests are only for a maneuver");
        }
        if field != Some(Field::Arming) && !self.turn_state.armed.is_empty() {
            return fail("turn_state.armed", "is only for the arming field");
        }
        if field != Some(Field::KnowHow) && !state.turn_state.developed.is_empty() {
            return fail("turn_state.developed", "is only for the know_how field");
        }
        let left = game.all_nations().filter(|n| !state.nation(*n).resigned);
        let mut seats: Vec<u8> = left.map(|nation| game.seat_of(nation)).collect();
        seats.dedup();
        if seats.len() < 2 {
            return fail("nations", "at least two players must be left");
        }
        Ok(())
    }

    /// Whether start cities are still being chosen, from sites that are free for it.
    fn is_setup(&self, game: &Game, state: &State) -> bool {
        let picked_well = |nation: Nation| {
            let cities = state.nation(nation).cities;
            match game.rules.start_pick {
                None => false,
                Some(StartPick::OneOfOwn) => {
                    let own = game.start_cities(nation).into_iter().flatten();
                    (cities - own.collect()).is_empty()
                }
                Some(StartPick::FreeSites) => {
                    let mut produced = state.produces.iter();
                    produced.all(|set| (*set & cities).len() <= 1)
                }
            }
        };
        state.turn_state.field.is_none()
            && game.all_nations().all(picked_well)
            && !game.city_choices(state).is_empty()
            && state.nation(state.to_move).cities.len() < game.start_picks()
    }
}

/// Whether a question caused by event cards fits the phase; `None` for other questions.
fn card_question_fits(state: &State) -> Option<bool> {
    let maneuvers = state.turn_state.field.is_some_and(Field::is_maneuver);
    match state.question? {
        Question::Cards { .. } => {
            Some(state.phase == Phase::End && state.turn_state.field.is_some())
        }
        Question::Fortress { .. } => Some(state.phase == Phase::Conquest && maneuvers),
        _ => None,
    }
}
