//! Event cards: dealing the open row, taking [D28] [D31] [D40] [D42] and playing them [D41] [D43].

use super::turn::Listing;
use crate::chance::Chance;
use crate::content::{CardEffect, Rule};
use crate::ids::{Card, MAX_CARD_KINDS, MAX_MANEUVERS, Nation, Region};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{ByManeuvers, Pile, Question, State};
use crate::words::{Field, Phase, Piece, Resource, Unit};

/// A given deck does not consist of the cards that it must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deck must consist of exactly the cards of the game's deck")]
pub struct DeckMismatch;

/// How a card is played: the region and the kind of unit.
pub type CardChoice = (Option<Region>, Option<Unit>);

/// Lists the cards of the open row that can be taken [D40].
pub(super) fn list_open_cards(state: &State, list: &mut Listing<'_>) {
    for card in state.cards.open.kinds() {
        list.push(Action::TakeCard { card });
    }
}

impl Game {
    /// Shuffles the deck and deals the open row [D5].
    ///
    /// A given deck replaces the drawn one. The words are drawn in any case, so that later draws are the same.
    ///
    /// # Errors
    /// If the given deck has other cards.
    pub(crate) fn lay_out_cards(&self, state: &mut State) -> Result<(), DeckMismatch> {
        let Some(data) = &self.rules.data.cards else {
            return Ok(());
        };
        self.shuffle_deck(state, data.layout())?;
        self.fill_row(state, &mut Vec::new());
        Ok(())
    }

    /// Replaces the deck by these cards, in the given order or else in a drawn one.
    ///
    /// # Errors
    /// If the given deck has other cards.
    pub fn shuffle_deck(&self, state: &mut State, layout: Vec<Card>) -> Result<(), DeckMismatch> {
        let mut deck = layout;
        self.shuffle(state, &mut deck);
        if let Some(given) = &self.decks.first {
            if !same_cards(given, &deck) {
                return Err(DeckMismatch);
            }
            deck.clone_from(given);
        }
        state.cards.deck = Pile::from_cards(&deck).ok_or(DeckMismatch)?;
        Ok(())
    }

    fn shuffle(&self, state: &mut State, cards: &mut [Card]) {
        let mut chance = Chance::of_decks(&self.seed, state.drawn);
        chance.shuffle(cards);
        state.drawn = chance.drawn();
    }

    /// Moves cards from the deck to the open row until it is full or none is left [D40].
    fn fill_row(&self, state: &mut State, effects: &mut Effects) {
        let open = self.rules.data.cards.as_ref().map_or(0, |cards| cards.open);
        while state.cards.open.len() < open {
            let Some(card) = self.draw_card(state, effects) else {
                return;
            };
            state.cards.open.push(card);
            effects.push(Effect::CardRevealed { card });
        }
    }

    /// Draws a card. If the deck is empty, the used cards are shuffled into a new one [D40].
    fn draw_card(&self, state: &mut State, effects: &mut Effects) -> Option<Card> {
        if state.cards.deck.is_empty() && !state.cards.used.is_empty() {
            let mut cards = state.cards.used.cards().to_vec();
            self.shuffle(state, &mut cards);
            let given = self
                .decks
                .reshuffled
                .get(usize::from(state.cards.reshuffles));
            if let Some(given) = given.filter(|given| same_cards(given, &cards)) {
                cards.clone_from(given);
            }
            state.cards.deck = Pile::from_cards(&cards)?;
            state.cards.used = Pile::default();
            state.cards.reshuffles = state.cards.reshuffles.saturating_add(1);
            effects.push(Effect::DeckShuffled {
                cards: cards.len() as u8,
            });
        }
        state.cards.deck.draw()
    }

    /// The number of event cards that the opponent takes at the end of a turn [D28] [D31].
    /// `won` is the number of personages won in the turn.
    pub(super) fn cards_due(&self, state: &State, won: u32) -> u8 {
        let Some(cards) = &self.rules.data.cards else {
            return 0;
        };
        let lost_cities = !state.turn_state.conquered.is_empty();
        let due = u32::from(cards.for_personage) * won
            + u32::from(cards.for_lost_cities) * u32::from(lost_cities);
        due.try_into().unwrap_or(u8::MAX)
    }

    /// Asks the opponent to take cards while there are any, then passes the turn on [D42].
    pub(super) fn ask_for_cards(&self, state: &mut State, due: u8, effects: &mut Effects) {
        if due == 0 || state.cards.open.is_empty() {
            state.question = None;
            self.pass_on(state, effects);
        } else {
            let asked = self.opponent(state, state.to_move);
            state.question = Some(Question::Cards { asked, due });
            state.phase = Phase::End;
        }
    }

    pub(super) fn take_card(
        &self,
        state: &mut State,
        card: Card,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let Some(Question::Cards { asked, due }) = state.question else {
            return Err(self.refuse(Rule::CardsDue, Reason::NothingAsked));
        };
        let index = state.cards.open.take(card);
        let index = index.ok_or_else(|| self.refuse(Rule::CardChoice, Reason::NotOpen))?;
        state.nation_mut(asked).hand[card.index()] += 1;
        effects.push(Effect::CardTaken {
            nation: asked,
            card,
        });
        if let Some(card) = self.draw_card(state, effects) {
            state.cards.open.insert(index, card);
            effects.push(Effect::CardRevealed { card });
        }
        self.ask_for_cards(state, due - 1, effects);
        Ok(())
    }

    pub(super) fn play_card(
        &self,
        state: &mut State,
        nation: Nation,
        card: Card,
        choice: CardChoice,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        if state.question.is_none() {
            self.check_in_turn(state)?;
        }
        let effect = self.check_card(state, nation, card, choice)?;
        effects.push(Effect::CardPlayed { nation, card });
        state.nation_mut(nation).hand[card.index()] -= 1;
        self.card_acts(state, effect, choice, effects);
        state.cards.used.push(card);
        self.fill_row(state, effects);
        Ok(())
    }

    /// Returns the effect of a nation's card, if it can be played in this way at this point [D41].
    fn check_card(
        &self,
        state: &State,
        nation: Nation,
        card: Card,
        choice: CardChoice,
    ) -> Result<CardEffect, Refusal> {
        let refuse = |reason| Err(self.refuse(Rule::Cards, reason));
        if self.rules.data.cards.is_none() {
            return refuse(Reason::NotPlayed);
        }
        let held = state.nation(nation).hand.get(card.index());
        let effect = match self.rules.card_effect(card) {
            Some(effect) if held.is_some_and(|count| *count > 0) => effect,
            _ => return refuse(Reason::NotInHand),
        };
        if !is_moment(state, effect) {
            return refuse(Reason::NotTheMoment);
        }
        match (choice.0, effect.needs_region()) {
            (None, true) => return refuse(Reason::RegionNeeded),
            (Some(_), false) => return refuse(Reason::RegionNotNeeded),
            _ => {}
        }
        match (choice.1, effect.needs_unit()) {
            (None, true) => return refuse(Reason::UnitNeeded),
            (Some(_), false) => return refuse(Reason::UnitNotNeeded),
            _ => {}
        }
        let opponent = state.nation(self.opponent(state, nation));
        let does_something = match (effect, choice) {
            (CardEffect::ChipsForKnowHow { .. }, _) => !opponent.know_how.is_empty(),
            (CardEffect::LoseCoins { divisor }, _) => opponent.holdings.coins >= u16::from(divisor),
            (CardEffect::DestroyWall {}, (Some(region), _)) => match state.has_wall(region) {
                true => true,
                false => return refuse(Reason::NoWallThere),
            },
            (CardEffect::PlaceUnit {}, (Some(region), Some(unit))) => {
                self.check_place(state, region, unit.into(), Rule::Cards)?;
                true
            }
            (CardEffect::Recruit { legions, galleys }, (_, Some(unit))) => {
                let most = [legions, galleys][unit.index()];
                most.min(self.units_in_supply(state, nation, unit)) > 0
            }
            (CardEffect::TakeCoins { .. }, _) => state.bank.coins > 0,
            // These prepare something and may be wasted.
            _ => true,
        };
        match does_something {
            true => Ok(effect),
            false => refuse(Reason::NoEffect),
        }
    }

    /// Lists every way in which a nation can play the cards in its hand at this point.
    pub(super) fn list_cards(&self, state: &State, nation: Nation, list: &mut Listing<'_>) {
        if self.rules.data.cards.is_none() {
            return;
        }
        let hand = state.nation(nation).hand;
        if hand == [0; MAX_CARD_KINDS] {
            return;
        }
        for (card, _) in (0..).map(Card).zip(hand).filter(|(_, count)| *count > 0) {
            self.ways_to_play(state, nation, card, |(region, unit)| {
                list.push(Action::PlayCard { card, region, unit });
            });
        }
    }

    /// Returns every way in which a nation can play a card at this point.
    pub fn ways_to_play(
        &self,
        state: &State,
        nation: Nation,
        card: Card,
        mut each: impl FnMut(CardChoice),
    ) {
        let Some(effect) = self.rules.card_effect(card) else {
            return;
        };
        let set = match effect {
            CardEffect::DestroyWall {} => state.walls,
            _ => state.nation(nation).cities,
        };
        let kinds: &[Option<Unit>] = match effect.needs_unit() {
            true => &[Some(Unit::Legion), Some(Unit::Galley)],
            false => &[None],
        };
        let mut at = |region| {
            for choice in kinds.iter().map(|unit| (region, *unit)) {
                if self.check_card(state, nation, card, choice).is_ok() {
                    each(choice);
                }
            }
        };
        match effect.needs_region() {
            true => set.iter().map(Some).for_each(at),
            false => at(None),
        }
    }

    /// Applies the effect of a checked card.
    fn card_acts(
        &self,
        state: &mut State,
        effect: CardEffect,
        choice: CardChoice,
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        match (effect, choice) {
            (CardEffect::ChipsForKnowHow { resource, each }, _) => {
                let opponent = self.opponent(state, nation);
                let known = state.nation(opponent).know_how.len();
                let count = known * u32::from(each);
                gain_chips(state, resource, count, effects);
            }
            (CardEffect::ExtraProduction { chips }, _) => {
                if let Some(resource) = state.turn_state.field.and_then(Field::resource) {
                    gain_chips(state, resource, u32::from(chips), effects);
                }
            }
            (CardEffect::LoseCoins { divisor }, _) => {
                let opponent = self.opponent(state, nation);
                let held = &mut state.nation_mut(opponent).holdings.coins;
                // The bank never has more than 255.
                let count = (*held / u16::from(divisor)) as u8;
                *held -= u16::from(count);
                state.bank.coins += count;
                effects.push(Effect::CoinsLost {
                    nation: opponent,
                    count,
                });
            }
            (CardEffect::TakeCoins { coins }, _) => {
                let count = coins.min(state.bank.coins);
                state.bank.coins -= count;
                state.nation_mut(nation).holdings.coins += u16::from(count);
                effects.push(Effect::CoinsGained { nation, count });
            }
            (CardEffect::DestroyWall {}, (Some(region), _)) => {
                state.walls.remove(region);
                if let Some(owner) = state.owner(region) {
                    effects.push(Effect::WallDestroyed {
                        nation: owner,
                        region,
                    });
                }
            }
            (CardEffect::PlaceUnit {}, (Some(region), Some(unit))) => {
                self.set_up(state, nation, (region, Piece::from(unit)), effects);
            }
            (CardEffect::Recruit { legions, galleys }, (_, Some(unit))) => {
                let most = [legions, galleys][unit.index()];
                let count = most.min(self.units_in_supply(state, nation, unit));
                self.put_into_box(state, unit, count, effects);
            }
            (CardEffect::ExtraBorders { unit, borders }, _) => {
                self.add_borders(state, unit, borders);
            }
            (CardEffect::CheaperTemple { marble }, _) => {
                let cheaper = &mut state.turn_state.cheaper_temple;
                *cheaper = cheaper.saturating_add(marble);
            }
            (CardEffect::FreeNeighbours { cities }, _) => {
                let free = &mut state.turn_state.free_neighbours;
                *free = free.saturating_add(cities);
            }
            (CardEffect::Defend { defence }, _) => self.defend(state, defence, effects),
            // Checked cards have the choices that they need.
            (
                CardEffect::DestroyWall {} | CardEffect::PlaceUnit {} | CardEffect::Recruit { .. },
                _,
            ) => {}
        }
    }

    /// Adds borders that units of the nation to move may cross this turn, including units that have moved.
    fn add_borders(&self, state: &mut State, unit: Unit, borders: u8) {
        let nation = state.to_move;
        state.turn_state.extra_borders[unit.index()] += borders;
        for region in state.nation(nation).stands[unit.index()] {
            let counts = state.by_maneuvers(region, unit);
            let mut more = ByManeuvers::default();
            // A checked ruleset keeps the sum of all cards within the array. Only a position can start
            // with more.
            for (maneuvers, count) in counts.into_iter().enumerate() {
                more[(maneuvers + usize::from(borders)).min(MAX_MANEUVERS)] += count;
            }
            state.turn_state.maneuvers_left[region.index()][unit.index()]
                .copy_from_slice(&more[1..]);
        }
        let special = self.special_units[nation.index()];
        let moves = special.is_some_and(|special| special.kind() == unit);
        if moves && !state.special_stands(nation).is_empty() {
            let left = &mut state.turn_state.special_left;
            *left = (*left + borders).min(MAX_MANEUVERS as u8);
        }
    }
}

/// Whether a card with this effect can be played in this phase of the turn [D41].
fn is_moment(state: &State, effect: CardEffect) -> bool {
    if let Some(question) = state.question {
        return effect.defends() && matches!(question, Question::Fortress { .. });
    }
    let field = state.turn_state.field;
    let acting = state.phase == Phase::Action;
    match effect {
        CardEffect::ChipsForKnowHow { .. } => acting && field == Some(Field::KnowHow),
        CardEffect::ExtraProduction { .. } => acting && field.and_then(Field::resource).is_some(),
        CardEffect::CheaperTemple { .. } => acting && field == Some(Field::Temple),
        CardEffect::ExtraBorders { .. } => acting && field.is_some_and(Field::is_maneuver),
        CardEffect::FreeNeighbours { .. } => {
            matches!(state.phase, Phase::Action | Phase::Conquest | Phase::Found)
        }
        CardEffect::Defend { .. } => false,
        _ => effect.any_time() && !matches!(state.phase, Phase::Setup | Phase::End),
    }
}

fn gain_chips(state: &mut State, resource: Resource, count: u32, effects: &mut Effects) {
    let nation = state.to_move;
    state.nation_mut(nation).holdings.chips[resource.index()] += count;
    effects.push(Effect::ChipsGained {
        nation,
        resource,
        count,
    });
}

/// Whether both consist of the same cards, in any order.
fn same_cards(one: &[Card], other: &[Card]) -> bool {
    let sorted = |cards: &[Card]| {
        let mut cards = cards.to_vec();
        cards.sort_unstable();
        cards
    };
    sorted(one) == sorted(other)
}
