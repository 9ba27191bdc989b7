//! Views: states in JSON, as shown to players.

use std::collections::BTreeMap;

use crate::forms::{
    BankBody, BattleBody, CardChoiceBody, CardsBody, CityBody, FortressBody, NationBody,
    RegionBody, SpecialUnitBody, SupplyBody, TurnStateBody, UnitsBody, UnitsLeftBody, View,
};
use crate::ids::{Card, KnowHow, KnowHows, Nation, Nations, Region, Regions};
use crate::play::Game;
use crate::state::{Question, SpecialPlace, State};
use crate::words::{Personage, Resource, Unit};

impl View {
    /// Returns the view of a state with the order of the event deck, which is secret during a game.
    pub fn with_deck(game: &Game, state: &State) -> View {
        let mut body = View::from_state(game, state);
        if let Some(cards) = &mut body.cards {
            cards.order = Some(card_names(game, state.cards.deck.cards()));
        }
        body
    }

    /// Returns the view of a state, without the order of the event deck.
    pub fn from_state(game: &Game, state: &State) -> View {
        let name = |nation: Nation| game.nation_name(nation).to_owned();
        let nations = game.all_nations();
        let know_how = game.ruleset.data.know_how.iter().enumerate();
        View {
            round: state.round,
            turn: state.turn,
            to_move: name(state.to_move),
            phase: state.phase,
            goal: game.rules.goal,
            bellona: state.bellona.map(name),
            digest: digest_text(state.digest()),
            bank: BankBody {
                coins: state.bank.coins,
                temples: state.bank.temples,
                personages: personages(&state.bank.personages),
                cities: Resource::ALL
                    .iter()
                    .filter(|_| !game.ruleset.data.bank.cities.is_empty())
                    .map(|resource| (*resource, game.tokens_in_bank(state, *resource)))
                    .collect(),
            },
            nations: nations
                .map(|nation| (name(nation), nation_body(game, state, nation)))
                .collect(),
            regions: (0..game.board.len() as u8)
                .map(Region)
                .filter_map(|region| {
                    let body = region_body(game, state, region)?;
                    Some((game.board.name(region).to_owned(), body))
                })
                .collect(),
            know_how: know_how
                .filter_map(|(index, data)| {
                    let owns = |n: &Nation| {
                        game.effective_know_how(state, *n)
                            .contains(KnowHow(index as u8))
                    };
                    let owners: Vec<String> = game.all_nations().filter(owns).map(name).collect();
                    (!owners.is_empty()).then(|| (data.id.clone(), owners))
                })
                .collect(),
            cards: game.rules.data.cards.as_ref().map(|_| CardsBody {
                open: card_names(game, state.cards.open.cards()),
                deck: state.cards.deck.len(),
                used: card_names(game, state.cards.used.cards()),
                reshuffles: state.cards.reshuffles,
                order: None,
            }),
            turn_state: turn_state_body(game, state),
            drawn: state.drawn,
        }
    }
}

/// Returns a digest as text: 16 hexadecimal digits.
pub fn digest_text(digest: u64) -> String {
    format!("{digest:016x}")
}

fn personages(counts: &[u8; Personage::COUNT]) -> BTreeMap<Personage, u8> {
    Personage::ALL.iter().copied().zip(*counts).collect()
}

fn know_how_names(game: &Game, set: KnowHows) -> Vec<String> {
    let name = |know_how| game.ruleset.know_how_name(know_how).to_owned();
    set.iter().map(name).collect()
}

fn card_names(game: &Game, cards: &[Card]) -> Vec<String> {
    let name = |card: &Card| game.ruleset.card_name(*card).to_owned();
    cards.iter().map(name).collect()
}

fn nation_body(game: &Game, state: &State, nation: Nation) -> NationBody {
    let owned = state.nation(nation);
    let [marble, iron, gold] = owned.holdings.chips;
    let hand = owned.hand.iter().zip(0..);
    let hand: Vec<Card> = hand
        .flat_map(|(count, card)| (0..*count).map(move |_| Card(card)))
        .collect();
    NationBody {
        marble,
        iron,
        gold,
        coins: owned.holdings.coins,
        stone: owned.stone,
        know_how: know_how_names(game, game.effective_know_how(state, nation)),
        personages: personages(&owned.personages),
        extra_personage: owned.extra_personage,
        resigned: owned.resigned,
        recruitment_box: (game.rules.data.recruitment.as_ref())
            .map(|_| UnitsBody::from_counts(owned.boxed)),
        special_unit: owned.special.map(|place| SpecialUnitBody {
            unit: game.special_units[nation.index()],
            region: match place {
                SpecialPlace::Boxed => None,
                SpecialPlace::At(region) => Some(game.board.name(region).to_owned()),
            },
        }),
        walls: (game.rules.data.walls.as_ref()).map(|_| game.walls_in_supply(state, nation)),
        cards: (game.rules.data.cards.as_ref()).map(|_| card_names(game, &hand)),
        supply: Some(SupplyBody {
            legions: game.units_in_supply(state, nation, Unit::Legion),
            galleys: game.units_in_supply(state, nation, Unit::Galley),
            cities: (game.ruleset.data.supply.cities).map(|_| game.cities_in_supply(state, nation)),
        }),
    }
}

fn region_body(game: &Game, state: &State, region: Region) -> Option<RegionBody> {
    let city = state.owner(region).zip(state.resource(region));
    let units: BTreeMap<String, UnitsBody> = game
        .all_nations()
        .filter_map(|nation| {
            let units = UnitsBody {
                legions: state.units(region, nation, Unit::Legion),
                galleys: state.units(region, nation, Unit::Galley),
            };
            let any = units != UnitsBody::default();
            any.then(|| (game.nation_name(nation).to_owned(), units))
        })
        .collect();
    let neutral_temple = state.neutral_temples.contains(region);
    let empty = city.is_none() && units.is_empty() && !neutral_temple;
    (!empty).then(|| RegionBody {
        city: city.map(|(owner, resource)| CityBody {
            nation: game.nation_name(owner).to_owned(),
            resource,
            temple: state.has_temple(region),
            wall: state.has_wall(region),
        }),
        neutral_temple,
        units,
    })
}

fn by_number(counts: &[u8], first: u8) -> BTreeMap<u8, u8> {
    let numbered = (first..).zip(counts.iter().copied());
    numbered.filter(|(_, count)| *count > 0).collect()
}

fn turn_state_body(game: &Game, state: &State) -> TurnStateBody {
    let turn = &state.turn_state;
    let names = |set: Regions| -> Vec<String> {
        set.iter()
            .map(|region| game.board.name(region).to_owned())
            .collect()
    };
    let in_order = |asked: Nation, rest: Nations| -> Vec<String> {
        let others = game
            .clockwise_after(asked)
            .filter(move |nation| rest.contains(*nation));
        std::iter::once(asked)
            .chain(others)
            .map(|nation| game.nation_name(nation).to_owned())
            .collect()
    };
    let mut body = TurnStateBody {
        field: turn.field,
        developed: know_how_names(game, turn.developed),
        discovered: know_how_names(game, turn.discovered),
        destroyed: turn.destroyed,
        conquered: names(turn.conquered),
        free_unit: turn.free_unit,
        armable: (game.rules.data.recruitment.as_ref())
            .map(|_| UnitsBody::from_counts(turn.armable)),
        special_armable: (game.rules.special_units.as_ref()).map(|_| turn.special_armable),
        special_left: turn.special_left,
        extra_borders: UnitsBody::from_counts(turn.extra_borders),
        cheaper_temple: turn.cheaper_temple,
        free_neighbours: turn.free_neighbours,
        safe: names(turn.safe),
        ..TurnStateBody::default()
    };
    for region in (0..game.board.len() as u8).map(Region) {
        let id = || game.board.name(region).to_owned();
        let [legions, galleys] = &turn.maneuvers_left[region.index()];
        let left = UnitsLeftBody {
            legions: by_number(legions, 1),
            galleys: by_number(galleys, 1),
        };
        if left != UnitsLeftBody::default() {
            body.units.insert(id(), left);
        }
        if turn.armed[region.index()] > 0 {
            body.armed.insert(id(), turn.armed[region.index()]);
        }
    }
    match state.question {
        None | Some(Question::Turn { .. } | Question::StartCity { .. }) => {}
        Some(Question::Chip { asked, rest }) => body.chip_choices = in_order(asked, rest),
        Some(Question::Battle {
            asked,
            rest,
            region,
            unit,
            entered,
        }) => {
            body.battle = Some(BattleBody {
                region: game.board.name(region).to_owned(),
                unit,
                entered: by_number(&entered, 0),
                asked: in_order(asked, rest),
            });
        }
        Some(Question::Personage { options, .. }) => {
            body.personage_choices = options.iter().collect();
        }
        Some(Question::Cards { asked, due }) => {
            body.card_choice = Some(CardChoiceBody {
                asked: game.nation_name(asked).to_owned(),
                due,
            });
        }
        Some(Question::Fortress {
            asked,
            region,
            lost: [legions, galleys],
        }) => {
            body.fortress = Some(FortressBody {
                region: game.board.name(region).to_owned(),
                asked: game.nation_name(asked).to_owned(),
                legions,
                galleys,
            });
        }
    }
    body
}
