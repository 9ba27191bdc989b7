//! Event cards: their value in hand, which one to take, and when to play one.
//!
//! A bot knows what both nations know: the open row, the hands and the used cards, but not the order of the deck. It
//! evaluates states with an empty deck (see [`without_deck`]), so that nothing it tries can reveal a card.

use super::GreedyDecision;
use super::evaluation::{COIN, Evaluation};
use super::maneuver::Wants;
use engine::content::CardEffect;
use engine::ids::{Card, CardKinds, Nation, Region};
use engine::play::{Action, Game};
use engine::state::{Cards, Pile, State};
use engine::words::{Field, Phase, Unit};

/// When the leader needs this many points or fewer, cards are played for little gain.
const LAST_CHANCE: i32 = 4;

/// Returns the position as a nation sees it: with the open row, but without a deck.
pub(super) fn without_deck(state: &State) -> State {
    let mut seen = state.clone();
    seen.cards = Cards {
        deck: Pile::default(),
        used: Pile::default(),
        ..state.cards
    };
    seen
}

/// The kinds of cards that a nation holds.
pub(super) fn held(state: &State, nation: Nation) -> impl Iterator<Item = (Card, u8)> {
    let hand = (0..).map(Card).zip(state.nation(nation).hand);
    hand.filter(|(_, count)| *count > 0)
}

/// Whether a nation holds a card that destroys a town wall.
pub(super) fn can_destroy_wall(game: &Game, state: &State, nation: Nation) -> bool {
    let destroys = |card| game.rules.card_effect(card) == Some(CardEffect::DestroyWall {});
    held(state, nation).any(|(card, _)| destroys(card))
}

impl Evaluation<'_> {
    /// The value of the cards in hand.
    /// It is less than their effect at a good moment, so that they are played then.
    pub fn hand(&self, state: &State) -> i32 {
        let Some(data) = &self.game.rules.data.cards else {
            return 0;
        };
        let worth = |(card, count): (Card, u8)| {
            let effect = data.deck.get(card.index()).map(|card| card.effect);
            effect.map_or(0, |effect| self.card(effect)) * i32::from(count)
        };
        let (lasts, goal) = self.lasts(state);
        held(state, self.nation).map(worth).sum::<i32>() * (lasts + 2) / (goal + 2)
    }

    /// The value of a card in hand by its effect.
    fn card(&self, effect: CardEffect) -> i32 {
        match effect {
            CardEffect::TakeCoins { coins } => i32::from(coins) * 15,
            CardEffect::LoseCoins { .. } => 50,
            CardEffect::ExtraProduction { chips } => i32::from(chips) * 38,
            CardEffect::ChipsForKnowHow { each, .. } => i32::from(each) * 60,
            CardEffect::CheaperTemple { marble } => i32::from(marble) * 38,
            CardEffect::FreeNeighbours { .. } => COIN - 10,
            CardEffect::ExtraBorders { borders, .. } => i32::from(borders) * 45,
            CardEffect::PlaceUnit {} => 80,
            CardEffect::Recruit { .. } => 80,
            CardEffect::DestroyWall {} => 60,
            CardEffect::Defend { defence } => i32::from(defence) * 90,
        }
    }
}

impl GreedyDecision<'_> {
    /// Takes the most valuable card of the open row, ignoring later cards.
    pub(super) fn take_card(&self, state: &State, options: CardKinds) -> Option<Action> {
        let best = options
            .iter()
            .max_by_key(|card| self.promise_of_card(state, *card));
        best.map(|card| Action::TakeCard { card })
    }

    /// The value of a card of the open row in this position.
    fn promise_of_card(&self, state: &State, card: Card) -> Option<i32> {
        let game = self.view.game;
        let effect = game.rules.card_effect(card)?;
        let nation = self.view.nation;
        let own = state.nation(nation);
        let opponent = state.nation(game.opponent(state, nation));
        let known = opponent.know_how.len() as i32;
        let coins = i32::from(opponent.holdings.coins);
        let temples = (own.cities & state.temples).len() as i32;
        // A second card of a kind is worth less.
        let more = i32::from(own.hand[card.index()]) * 30;
        let worth = match effect {
            CardEffect::TakeCoins { coins } => i32::from(coins.min(state.bank.coins)) * COIN,
            CardEffect::LoseCoins { divisor } => 30 + coins / i32::from(divisor.max(1)) * 35,
            CardEffect::ExtraProduction { chips } => i32::from(chips) * 52,
            CardEffect::ChipsForKnowHow { each, .. } => i32::from(each) * (30 + 45 * known),
            CardEffect::CheaperTemple { marble } => i32::from(marble) * 50,
            CardEffect::FreeNeighbours { .. } => 75,
            CardEffect::ExtraBorders { unit, borders } => {
                i32::from(borders) * (50 + 8 * i32::from(own.on_board[unit.index()]))
            }
            CardEffect::PlaceUnit {} => 105,
            CardEffect::Recruit { .. } => 115 - 15 * i32::from(own.boxed.iter().sum::<u8>()).min(5),
            CardEffect::DestroyWall {} => 35 * (opponent.cities & state.walls).len().min(3) as i32,
            CardEffect::Defend { defence } => i32::from(defence) * (70 + 20 * temples.min(5)),
        };
        Some(worth - more)
    }

    /// Plays a card that is useful in any turn.
    pub(super) fn card_at_once(&self, state: &State) -> Option<Action> {
        self.card_with(state, |effect| {
            matches!(
                effect,
                CardEffect::TakeCoins { .. } | CardEffect::LoseCoins { .. }
            )
        })
    }

    /// Plays a card in a turn whose stone has moved.
    pub(super) fn card(&self, state: &State) -> Option<Action> {
        self.card_with(state, |_| true)
    }

    fn card_with(&self, state: &State, fits: impl Fn(CardEffect) -> bool) -> Option<Action> {
        let game = self.view.game;
        let nation = self.view.nation;
        game.rules.data.cards.as_ref()?;
        held(state, nation).find_map(|(card, _)| {
            let effect = game.rules.card_effect(card)?;
            if !fits(effect) || effect.defends() {
                return None;
            }
            let mut ways = Vec::new();
            game.ways_to_play(state, nation, card, |(region, unit)| {
                ways.push(Action::PlayCard { card, region, unit });
            });
            match ways[..] {
                [] => None,
                _ => self.way_to_play(state, effect, ways),
            }
        })
    }

    /// Chooses one of the ways to play a card, if one is useful.
    fn way_to_play(&self, state: &State, effect: CardEffect, ways: Vec<Action>) -> Option<Action> {
        let first = *ways.first()?;
        let game = self.view.game;
        match effect {
            CardEffect::TakeCoins { .. }
            | CardEffect::ChipsForKnowHow { .. }
            | CardEffect::ExtraProduction { .. }
            | CardEffect::Recruit { .. } => self.best(state, ways.into_iter()),
            CardEffect::LoseCoins { divisor } => {
                let opponent = state.nation(game.opponent(state, self.view.nation));
                let lost = opponent.holdings.coins / u16::from(divisor.max(1));
                let (lasts, _) = self.view.lasts(state);
                (lost >= 2 || lasts <= LAST_CHANCE).then_some(first)
            }
            CardEffect::PlaceUnit {} => {
                let moves = state.turn_state.field.is_some_and(Field::is_maneuver);
                let way = self.best_place(state, ways)?;
                let arms = state.phase == Phase::Action
                    && (moves || state.turn_state.field == Some(Field::Arming));
                self.best(state, arms.then_some(way).into_iter())
            }
            CardEffect::DestroyWall {} => {
                let conquest = Wants::new(&self.view, state).conquest_behind_wall();
                conquest.and_then(|region| {
                    let at = |way: &Action| matches!(way, Action::PlayCard { region: Some(at), .. } if *at == region);
                    ways.into_iter().find(at)
                })
            }
            CardEffect::CheaperTemple { .. } => {
                self.if_it_prepares(state, first, |state| self.temple(state))
            }
            CardEffect::FreeNeighbours { .. } => {
                self.if_it_prepares(state, first, |state| self.found(state))
            }
            CardEffect::ExtraBorders { unit, .. } => {
                let played_out = self.thorough && self.all_fresh(state, unit);
                let gains =
                    || self.rest_of_turn(state, Some(first)) > self.rest_of_turn(state, None);
                (played_out && gains()).then_some(first)
            }
            CardEffect::Defend { .. } => None,
        }
    }

    /// Chooses the region for a unit where it is wanted most and the fewest units are.
    fn best_place(&self, state: &State, ways: Vec<Action>) -> Option<Action> {
        let wants = Wants::new(&self.view, state);
        let wanted = |way: &Action| {
            let Action::PlayCard {
                region: Some(region),
                unit: Some(unit),
                ..
            } = *way
            else {
                return None;
            };
            self.may_meet(state, region, unit, &wants)
                .then(|| wants.worth_of_unit(region, unit))
        };
        let wanted = ways
            .into_iter()
            .filter_map(|way| Some((wanted(&way)?, way)));
        wanted.max_by_key(|(worth, _)| *worth).map(|(_, way)| way)
    }

    /// Whether a unit set up in a region meets no enemies, or helps against them.
    pub(super) fn may_meet(
        &self,
        state: &State,
        region: Region,
        unit: Unit,
        wants: &Wants<'_>,
    ) -> bool {
        wants.hostile(region, unit) == 0 || self.view.threatened(state, region)
    }

    /// Returns the card if the position is better when it is played before the rest of the turn.
    fn if_it_prepares(
        &self,
        state: &State,
        card: Action,
        follow: impl Fn(&State) -> Option<Action>,
    ) -> Option<Action> {
        let played = self.after(state, card)?;
        let with = self.worth_after(&played, follow(&played)?)?;
        let without = match follow(state) {
            Some(action) => self.worth_after(state, action)?,
            None => self.view.evaluate(state),
        };
        (with > without).then_some(card)
    }

    /// Whether no unit of a kind has moved yet.
    fn all_fresh(&self, state: &State, unit: Unit) -> bool {
        let nation = self.view.nation;
        let each = self.view.game.abilities(state, nation).maneuvers[unit.index()];
        let fresh = usize::from(each).checked_sub(1).map_or(0, |index| {
            let left = state.turn_state.maneuvers_left.iter();
            left.map(|left| u32::from(left[unit.index()][index])).sum()
        });
        fresh > 0 && fresh == u32::from(state.nation(nation).on_board[unit.index()])
    }
}
