//! Reasons for a turn: what it achieves for its nation, by comparing the position before and after it.

use engine::ids::{Nation, Regions};
use engine::play::Game;
use engine::state::State;
use engine::words::{Personage, Resource};
use serde::{Deserialize, Serialize};

use crate::greedy::Temperament;
use crate::greedy::evaluation::Evaluation;

/// The most reasons of one turn.
const MOST: usize = 3;

/// What a turn achieves, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnReasonKind {
    /// The game ends, and the nation has won it.
    Win,
    /// Personages, of the kind `of`.
    Personage,
    /// Cities that other nations had.
    Conquest,
    /// The know-how `of`.
    KnowHow,
    /// New cities.
    Foundation,
    /// New temples.
    Temple,
    /// Cities that another nation could have conquered, and now cannot.
    Defence,
    /// Sites without a city that units of the nation stand on, and where it can found.
    Sites,
    /// New units.
    Units,
    /// More chips of the kind `of` at each production.
    Production,
    /// Chips of the kind `of`.
    Chips,
}

/// A reason for a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TurnReason {
    /// What the turn achieves.
    pub kind: TurnReasonKind,
    /// The personage, know-how or chips, where the kind has several.
    pub of: Option<String>,
    /// How many.
    pub count: u32,
}

/// Returns what a nation achieves between two positions: at most three reasons, the most important first.
pub fn reasons(game: &Game, nation: Nation, before: &State, after: &State) -> Vec<TurnReason> {
    let (old, new) = (before.nation(nation), after.nation(nation));
    let mut reasons = Vec::new();
    let mut add = |kind, of: Option<&str>, count: u32| {
        if count > 0 {
            let of = of.map(str::to_owned);
            reasons.push(TurnReason { kind, of, count });
        }
    };
    let seat = usize::from(game.seat_of(nation));
    let won = after
        .outcome
        .is_some_and(|outcome| outcome.ranks[seat] == 1);
    add(TurnReasonKind::Win, None, u32::from(won));
    for personage in Personage::ALL {
        let [had, has] = [old, new].map(|owned| owned.personages[personage.index()]);
        let count = has.saturating_sub(had).into();
        add(TurnReasonKind::Personage, Some(personage.name()), count);
    }
    let gained = new.cities - old.cities;
    let conquered = gained & before.cities();
    add(TurnReasonKind::Conquest, None, conquered.len());
    for know_how in (new.know_how - old.know_how).iter() {
        let name = game.ruleset.know_how_name(know_how);
        add(TurnReasonKind::KnowHow, Some(name), 1);
    }
    add(TurnReasonKind::Foundation, None, (gained - conquered).len());
    let temples = (new.cities & after.temples) - before.temples;
    add(TurnReasonKind::Temple, None, temples.len());
    let view = Evaluation {
        game,
        nation,
        weights: Temperament::Growth.weights(),
    };
    let safe = |region: &_| view.threatened(before, *region) && !view.threatened(after, *region);
    let kept: Regions = old.cities & new.cities;
    let defended = kept.iter().filter(safe).count();
    add(TurnReasonKind::Defence, None, defended as u32);
    let sites = |state: &State| {
        let [legions, galleys] = state.nation(nation).stands;
        let closed = game.board.siteless() | state.cities() | state.neutral_temples;
        ((legions | galleys) - closed).len()
    };
    let reached = sites(after).saturating_sub(sites(before));
    add(TurnReasonKind::Sites, None, reached);
    let units = |state: &State| -> u8 { state.nation(nation).on_board.iter().sum() };
    let armed = units(after).saturating_sub(units(before));
    add(TurnReasonKind::Units, None, armed.into());
    for resource in Resource::ALL {
        let [had, has] = [before, after].map(|state| game.production(state, nation, *resource));
        let more = has.saturating_sub(had);
        add(TurnReasonKind::Production, Some(resource.name()), more);
    }
    for resource in Resource::ALL {
        let [had, has] = [old, new].map(|owned| owned.holdings.chips[resource.index()]);
        let more = has.saturating_sub(had);
        add(TurnReasonKind::Chips, Some(resource.name()), more);
    }
    reasons.truncate(MOST);
    reasons
}
