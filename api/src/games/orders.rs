//! Standing orders: what a seat says ahead. They are private and no part of the log; the log shows
//! only the answers.

use engine::ids::{Card, Nation};
use engine::play::{Action, Game};
use engine::state::{Question, State};
use engine::words::Unit;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// One standing order: either `battle`, for whom and where it says, or `fortress`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum StandingOrder {
    /// What to do when units enter.
    Battle(BattleOrder),
    /// Whether to play FORTRESS, or another event card that defends a city. It has no effect in
    /// editions without cards.
    Fortress(FortressOrder),
}

impl<'de> Deserialize<'de> for StandingOrder {
    /// By the field that says which of both it is, so that an error says what is wrong with it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StandingOrder, D::Error> {
        let order = Value::deserialize(deserializer)?;
        let read = match order.get("fortress") {
            Some(_) => FortressOrder::deserialize(order).map(StandingOrder::Fortress),
            None => BattleOrder::deserialize(order).map(StandingOrder::Battle),
        };
        read.map_err(serde::de::Error::custom)
    }
}

/// What to do when units of another nation enter a region with own units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BattleOrder {
    /// The nation that enters; any when null.
    #[serde(default)]
    pub against: Option<String>,
    /// The kind of unit that enters; any when null.
    #[serde(default)]
    pub unit: Option<Unit>,
    /// The region; any when null.
    #[serde(default)]
    pub region: Option<String>,
    /// What to do.
    pub battle: BattleAnswer,
}

/// What to do when units enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BattleAnswer {
    /// Wait for the player.
    Ask,
    /// Let them pass.
    Allow,
    /// Fight with as many pairs as possible.
    Demand,
}

/// What to do when an own city is to be conquered and a card that defends it is in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FortressOrder {
    /// What to do.
    pub fortress: FortressAnswer,
}

/// What to do when a conquest is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FortressAnswer {
    /// Wait for the player. So it is without an order.
    Ask,
    /// Play the card: it saves the city, or costs the conqueror a unit more.
    Play,
    /// Keep the card and pass.
    Never,
}

/// The first order, if any, whose names the game does not have: its place and the bad field.
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

/// What the orders of the asked seat decide, if they do.
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

/// The most specific order wins: nation before region before unit; of equals the last.
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

/// Of several orders the last counts.
fn fortress_order(orders: &[StandingOrder]) -> Option<FortressAnswer> {
    orders.iter().rev().find_map(|order| match order {
        StandingOrder::Fortress(order) => Some(order.fortress),
        StandingOrder::Battle(_) => None,
    })
}

/// A card in the nation's hand that defends a city.
fn defending_card(game: &Game, state: &State, nation: Nation) -> Option<Card> {
    let held = (0..).map(Card).zip(state.nation(nation).hand);
    held.filter(|(_, count)| *count > 0)
        .map(|(card, _)| card)
        .find(|card| (game.rules.card_effect(*card)).is_some_and(|effect| effect.defends()))
}
