//! Positions of editions with recruitment boxes, town walls and event cards [D3] [D15] [D40] [D50].

use super::position::{Checked, fail, nation, region};
use super::state::StateBody;
use crate::content::CardEffect;
use crate::forms::SetupError;
use crate::ids::{Card, Regions};
use crate::play::Game;
use crate::state::{Pile, Question, SpecialPlace, State};
use crate::words::{Field, Phase, Resource, Unit};

impl StateBody {
    /// What is in the recruitment boxes and hands, and where the special units are.
    pub(super) fn boxes(&self, game: &Game, state: &mut State) -> Checked<()> {
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let path = |field: &str| format!("nations.{name}.{field}");
            let Some(body) = self.nations.get(name) else {
                continue;
            };
            if body.recruitment_box.is_some() != game.rules.recruitment.is_some() {
                let message = "nations have one in editions with recruitment and only there";
                return fail(path("recruitment_box"), message);
            }
            let boxed = body.recruitment_box.unwrap_or_default();
            let boxed = [boxed.legions, boxed.galleys];
            if boxed.iter().zip(game.rules.units).any(|(n, all)| *n > all) {
                return fail(path("recruitment_box"), "more units than there are");
            }
            state.nation_mut(id).boxed = boxed;
            let special = game.special_units[id.index()];
            let place = match (&body.special_unit, special) {
                (None, None) => None,
                (Some(body), Some(unit)) if body.unit.is_none_or(|named| named == unit) => {
                    Some(match &body.region {
                        None => SpecialPlace::Boxed,
                        Some(at) => {
                            let at = region(game, &path("special_unit.region"), at)?;
                            if !game.board.holds(at, unit.kind()) {
                                let message = format!("no {unit} can stand there");
                                return fail(path("special_unit.region"), message);
                            }
                            SpecialPlace::At(at)
                        }
                    })
                }
                _ => return fail(path("special_unit"), "the nation has another one, or none"),
            };
            state.nation_mut(id).special = place;
            if body.cards.is_some() && game.rules.cards.is_none() {
                return fail(path("cards"), "this edition has no event cards");
            }
            let cards = body.cards.as_deref().unwrap_or_default();
            for card in named(game, &path("cards"), cards)? {
                let held = &mut state.nation_mut(id).hand[card.index()];
                *held = held.saturating_add(1);
            }
        }
        Ok(())
    }

    /// The open row, the deck and the used cards.
    pub(super) fn cards(&self, game: &Game, state: &mut State) -> Checked<()> {
        let (body, data) = match (&self.cards, &game.rules.cards) {
            (None, None) => return Ok(()),
            (Some(body), Some(data)) => (body, data),
            _ => {
                return fail(
                    "cards",
                    "editions with event cards have them and only those",
                );
            }
        };
        let mut rest = data.layout();
        let mut take = |field: &str, card: Card| match rest.iter().position(|c| *c == card) {
            Some(place) => {
                rest.remove(place);
                Ok(())
            }
            None => {
                let name = game.ruleset.card_name(card);
                fail(field, format!("there are fewer cards of {name}"))
            }
        };
        for id in game.all_nations() {
            let field = format!("nations.{}.cards", game.nation_name(id));
            for (card, count) in (0..).map(Card).zip(state.nation(id).hand) {
                for _ in 0..count {
                    take(&field, card)?;
                }
            }
        }
        let open = named(game, "cards.open", &body.open)?;
        let used = named(game, "cards.used", &body.used)?;
        for card in &open {
            take("cards.open", *card)?;
        }
        for card in &used {
            take("cards.used", *card)?;
        }
        let full = usize::from(data.open);
        let more = !rest.is_empty() || !used.is_empty();
        if open.len() > full || (open.len() < full && more) {
            return fail(
                "cards.open",
                format!("{full} cards lie open while there are any"),
            );
        }
        if body.deck != 0 && usize::from(body.deck) != rest.len() {
            return fail(
                "cards.deck",
                format!("{} cards are left for it", rest.len()),
            );
        }
        match &body.order {
            None => game.shuffle_deck(state, rest)?,
            Some(order) => {
                let order = named(game, "cards.order", order)?;
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if sorted != rest {
                    return fail("cards.order", "these are not the cards that are left");
                }
                state.cards.deck = pile("cards.order", &order)?;
            }
        }
        state.cards.open = pile("cards.open", &open)?;
        state.cards.used = pile("cards.used", &used)?;
        state.cards.reshuffles = body.reshuffles;
        Ok(())
    }

    /// Whether town walls, city tokens and units go together.
    pub(super) fn check_board(&self, game: &Game, state: &State) -> Checked<()> {
        for resource in Resource::ALL {
            let placed = state.produces[resource.index()].len();
            if placed > u32::from(game.rules.tokens[resource.index()]) {
                return fail("regions", format!("more cities of {resource} than tokens"));
            }
            let given = self.bank.cities.get(resource);
            let left = game.tokens_in_bank(state, *resource);
            if given.is_some_and(|given| *given != left) {
                return fail("bank.cities", format!("{left} of {resource} are left"));
            }
        }
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let built = (state.nation(id).cities & state.walls).len();
            if built > u32::from(game.walls_received(state, id)) {
                return fail(format!("nations.{name}"), "more town walls than it has got");
            }
            let given = self.nations.get(name).and_then(|body| body.walls);
            let left = game.walls_in_supply(state, id);
            if given.is_some_and(|given| given != left) {
                return fail(format!("nations.{name}.walls"), format!("{left} are left"));
            }
        }
        for at in game.board.all() {
            let fought = |unit: &&Unit| game.would_have_fought(state, at, **unit);
            if let Some(unit) = Unit::ALL.iter().find(fought) {
                let field = format!("regions.{}", game.board.name(at));
                return fail(field, format!("{unit}s of two nations would have fought"));
            }
        }
        Ok(())
    }

    /// What belongs to the turn.
    pub(super) fn turn_of_cards(&self, game: &Game, state: &mut State) -> Checked<()> {
        let body = &self.turn_state;
        let path = |field: &str| format!("turn_state.{field}");
        let owned = *state.nation(state.to_move);
        let armable = body.armable.map(|units| [units.legions, units.galleys]);
        let armable = armable.unwrap_or(owned.boxed);
        if armable.iter().zip(owned.boxed).any(|(n, boxed)| *n > boxed) {
            return fail(path("armable"), "more than there are in the box");
        }
        state.turn_state.armable = armable;
        let boxed = owned.special == Some(SpecialPlace::Boxed);
        let special_armable = body.special_armable.unwrap_or(boxed);
        if special_armable && !boxed {
            return fail(
                path("special_armable"),
                "the special unit is not in the box",
            );
        }
        state.turn_state.special_armable = special_armable;
        let maneuvers = body.field.is_some_and(Field::is_maneuver);
        let stands = matches!(owned.special, Some(SpecialPlace::At(_)));
        let most = crate::ids::MAX_MANEUVERS as u8;
        if body.special_left > if maneuvers && stands { most } else { 0 } {
            return fail(
                path("special_left"),
                "the special unit cannot have so many left",
            );
        }
        state.turn_state.special_left = body.special_left;
        let extra = [body.extra_borders.legions, body.extra_borders.galleys];
        for (unit, extra) in Unit::ALL.iter().zip(extra) {
            let cards = game.rules.cards.as_ref();
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
                return fail(path("extra_borders"), "no cards can have given so many");
            }
        }
        state.turn_state.extra_borders = extra;
        if body.cheaper_temple > 0 && body.field != Some(Field::Temple) {
            return fail(path("cheaper_temple"), "it belongs to the temple field");
        }
        state.turn_state.cheaper_temple = body.cheaper_temple;
        if body.free_neighbours > 0 && body.field.is_none() {
            return fail(path("free_neighbours"), "the stone has not moved");
        }
        state.turn_state.free_neighbours = body.free_neighbours;
        let given = body.cheaper_temple > 0 || body.free_neighbours > 0 || !body.safe.is_empty();
        if given && game.rules.cards.is_none() {
            return fail("turn_state", "this edition has no event cards");
        }
        for id in &body.safe {
            let at = region(game, &path("safe"), id)?;
            let foreign = (state.cities() - owned.cities).contains(at);
            if !foreign || !maneuvers {
                return fail(path("safe"), format!("{id} was not attacked"));
            }
            state.turn_state.safe.insert(at);
        }
        Ok(())
    }

    /// The questions that event cards bring.
    pub(super) fn question_of_cards(&self, game: &Game, state: &mut State) -> Checked<()> {
        let body = &self.turn_state;
        if let Some(choice) = &body.card_choice {
            let path = "turn_state.card_choice";
            let asked = nation(game, path, &choice.asked)?;
            let fits = asked == game.opponent(state, state.to_move) && asked != state.to_move;
            if !fits || choice.due == 0 || state.cards.open.is_empty() {
                return fail(path, "the opponent takes at least one card that lies open");
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
                && state.nation(asked).cities != Regions::of(at)
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
}

/// Whether a question that event cards bring fits the phase; nothing for other questions.
pub(super) fn card_question_fits(state: &State) -> Option<bool> {
    let maneuvers = state.turn_state.field.is_some_and(Field::is_maneuver);
    match state.question? {
        Question::Cards { .. } => {
            Some(state.phase == Phase::End && state.turn_state.field.is_some())
        }
        Question::Fortress { .. } => Some(state.phase == Phase::Conquest && maneuvers),
        _ => None,
    }
}

fn named(game: &Game, field: &str, names: &[String]) -> Checked<Vec<Card>> {
    let named = |name: &String| match game.ruleset.card_by_name(name) {
        Some(card) => Ok(card),
        None => fail(field, format!("the edition has no card {name:?}")),
    };
    names.iter().map(named).collect()
}

fn pile(field: &str, cards: &[Card]) -> Checked<Pile> {
    Pile::of(cards).ok_or_else(|| SetupError::new(field, "more cards than there can be"))
}
