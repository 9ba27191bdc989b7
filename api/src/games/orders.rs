//! Standing orders: answers that a seat gives in advance.
//! They are private; the log contains only the answers.

use engine::ids::{Card, Nation};
use engine::play::{Action, Game};
use engine::state::{Question, State};
use engine::words::Unit;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A standing order: `battle`, for some units and regions, or `fortress`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum StandingOrder {
    /// How to respond when units enter a region.
    Battle(BattleOrder),
    /// Whether to play FORTRESS or another event card that defends a city.
    /// It has no effect in editions without cards.
    Fortress(FortressOrder),
}

impl<'de> Deserialize<'de> for StandingOrder {
    /// Selects the kind by its member, so that an error is about the right kind.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StandingOrder, D::Error> {
        let order = Value::deserialize(deserializer)?;
        let read = match order.get("fortress") {
            Some(_) => FortressOrder::deserialize(order).map(StandingOrder::Fortress),
            None => BattleOrder::deserialize(order).map(StandingOrder::Battle),
        };
        read.map_err(serde::de::Error::custom)
    }
}

/// How to respond when units of another nation enter a region with own units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BattleOrder {
    /// The nation that enters; any nation if null or omitted.
    #[serde(default)]
    pub against: Option<String>,
    /// The kind of unit that enters; any kind if null or omitted.
    #[serde(default)]
    pub unit: Option<Unit>,
    /// The region; any region if null or omitted.
    #[serde(default)]
    pub region: Option<String>,
    /// The response.
    pub battle: BattleAnswer,
}

/// A response to units that enter a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BattleAnswer {
    /// Wait for the player.
    Ask,
    /// Let them pass.
    Allow,
    /// Demand a battle with as many pairs of units as possible.
    Demand,
}

/// How to respond when an own city is to be conquered and a card in hand could defend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FortressOrder {
    /// The response.
    pub fortress: FortressAnswer,
}

/// A response to a declared conquest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FortressAnswer {
    /// Wait for the player, as without an order.
    Ask,
    /// Play the card, which saves the city or costs the conqueror one more unit.
    Play,
    /// Keep the card and pass.
    Never,
}

/// Returns the index and the field of the first name that the game does not have.
pub fn first_unknown(game: &Game, orders: &[StandingOrder]) -> Option<(usize, &'static str)> {
    orders.iter().enumerate().find_map(|(index, order)| {
        let StandingOrder::Battle(order) = order else {
            return None;
        };
        let unknown = |name: &Option<String>, known: bool| name.is_some() && !known;
        let nation = order
            .against
            .as_deref()
            .and_then(|n| game.nation_by_name(n));
        let region = order.region.as_deref().and_then(|r| game.board.region(r));
        if unknown(&order.against, nation.is_some()) {
            Some((index, "against"))
        } else if unknown(&order.region, region.is_some()) {
            Some((index, "region"))
        } else {
            None
        }
    })
}

/// Returns the action by which the orders of a seat answer a question, if they do.
pub fn decide(
    game: &Game,
    state: &State,
    orders: &[StandingOrder],
    question: &Question,
) -> Option<Action> {
    match *question {
        Question::Battle {
            asked,
            region,
            unit,
            ..
        } => {
            let most = game.most_pairs(state, region, unit, asked);
            let against = game.nation_name(state.to_move);
            match battle_order(orders, against, game.board.name(region), unit)? {
                BattleAnswer::Ask => None,
                BattleAnswer::Allow => Some(Action::AnswerBattle { count: 0 }),
                BattleAnswer::Demand => Some(Action::AnswerBattle { count: most }),
            }
        }
        Question::Fortress { asked, .. } => match fortress_order(orders)? {
            FortressAnswer::Ask => None,
            FortressAnswer::Never => Some(Action::Pass),
            FortressAnswer::Play => Some(Action::PlayCard {
                card: defending_card(game, state, asked)?,
                region: None,
                unit: None,
            }),
        },
        _ => None,
    }
}

/// Returns the most specific matching order: nation before region before unit; among equals the last.
fn battle_order(
    orders: &[StandingOrder],
    against: &str,
    region: &str,
    unit: Unit,
) -> Option<BattleAnswer> {
    let fitting = orders.iter().filter_map(|order| match order {
        StandingOrder::Battle(order) => {
            let fits = order.against.as_deref().is_none_or(|name| name == against)
                && order.region.as_deref().is_none_or(|name| name == region)
                && order.unit.is_none_or(|kind| kind == unit);
            let weight = (
                order.against.is_some(),
                order.region.is_some(),
                order.unit.is_some(),
            );
            fits.then_some((weight, order.battle))
        }
        StandingOrder::Fortress(_) => None,
    });
    Some(fitting.max_by_key(|(weight, _)| *weight)?.1)
}

/// Returns the last fortress order.
fn fortress_order(orders: &[StandingOrder]) -> Option<FortressAnswer> {
    orders.iter().rev().find_map(|order| match order {
        StandingOrder::Fortress(order) => Some(order.fortress),
        StandingOrder::Battle(_) => None,
    })
}

/// Returns a card in the nation's hand that defends a city.
fn defending_card(game: &Game, state: &State, nation: Nation) -> Option<Card> {
    let held = (0..).map(Card).zip(state.nation(nation).hand);
    held.filter(|(_, count)| *count > 0)
        .map(|(card, _)| card)
        .find(|card| (game.rules.card_effect(*card)).is_some_and(|effect| effect.defends()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_most_specific_order_counts_and_among_equals_the_last() {
        let orders = json!([
            {"against": "greeks", "battle": "demand"},
            {"region": "Athenae", "unit": "legion", "battle": "ask"},
            {"region": "Athenae", "unit": "legion", "battle": "allow"},
            {"unit": "galley", "battle": "demand"},
            {"battle": "ask"},
        ]);
        let orders: Vec<StandingOrder> = serde_json::from_value(orders).unwrap();
        for (against, region, unit, answer) in [
            ("greeks", "Athenae", Unit::Legion, BattleAnswer::Demand),
            ("arabs", "Athenae", Unit::Legion, BattleAnswer::Allow),
            ("arabs", "Athenae", Unit::Galley, BattleAnswer::Demand),
            ("arabs", "Sparta", Unit::Legion, BattleAnswer::Ask),
        ] {
            let found = battle_order(&orders, against, region, unit);
            assert_eq!(found, Some(answer), "{against} {region} {unit:?}");
        }
        let against_greeks = battle_order(&orders[..1], "arabs", "Athenae", Unit::Legion);
        assert_eq!(against_greeks, None);
    }
}
