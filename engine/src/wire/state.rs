//! States on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::board::{Region, regions};
use crate::game::Game;
use crate::ruleset::Card;
use crate::state::{Nation, Question, SpecialPlace, State};
use crate::vocabulary::{Field, Personage, Phase, Resource, SpecialUnit, Unit};

/// A position, complete enough to go on from. In a setup's `position`, what follows from the rest
/// (`goal`, `digest`, `supply`, the top-level `know_how`) may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StateBody {
    /// The round, from 1; 0 in set-up.
    pub round: u32,
    /// The turn, from 1 through the game; 0 in set-up.
    pub turn: u32,
    /// The nation whose turn it is.
    pub to_move: String,
    /// Where the turn stands.
    pub phase: Phase,
    /// Points to win. Derived.
    #[serde(default)]
    pub goal: u8,
    /// Who holds the Bellona card; null in editions without it.
    #[serde(default)]
    pub bellona: Option<String>,
    /// The state's digest, 16 hexadecimal digits. Derived.
    #[serde(default)]
    pub digest: String,
    /// What the bank has left.
    pub bank: BankBody,
    /// The nations by name.
    pub nations: BTreeMap<String, NationBody>,
    /// The regions where anything stands, by id.
    pub regions: BTreeMap<String, RegionBody>,
    /// Who owns each know-how that anybody owns. Derived.
    #[serde(default)]
    pub know_how: BTreeMap<String, Vec<String>>,
    /// The event cards; null in editions without them.
    #[serde(default)]
    pub cards: Option<CardsBody>,
    /// What belongs to the turn.
    #[serde(default)]
    pub turn_state: TurnStateBody,
    /// Words drawn from the game's source of chance.
    #[serde(default)]
    pub drawn: u32,
}

/// What the bank has left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankBody {
    /// Coins.
    pub coins: u8,
    /// Temples.
    pub temples: u8,
    /// Personages by kind.
    pub personages: BTreeMap<Personage, u8>,
    /// City tokens by what the city produces, in editions where all nations share them. Derived.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cities: BTreeMap<Resource, u8>,
}

/// The event cards that no nation holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardsBody {
    /// The open row.
    pub open: Vec<String>,
    /// How many cards the deck has. Derived.
    #[serde(default)]
    pub deck: u8,
    /// The used cards in the order of discarding.
    #[serde(default)]
    pub used: Vec<String>,
    /// How many times the used cards have become a new deck.
    #[serde(default)]
    pub reshuffles: u8,
    /// The deck, the last card drawn first. Views of games leave it out; in a position it may be
    /// given, and is shuffled from the seed when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
}

/// A special unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpecialUnitBody {
    /// Which one. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<SpecialUnit>,
    /// Where it stands; null while it is in the recruitment box.
    #[serde(default)]
    pub region: Option<String>,
}

/// What a nation has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NationBody {
    /// Marble chips.
    pub marble: u32,
    /// Iron chips.
    pub iron: u32,
    /// Gold chips.
    pub gold: u32,
    /// Coins.
    pub coins: u16,
    /// Where its stone stands on the rondel; null before its first turn.
    pub stone: Option<Field>,
    /// Its know-hows.
    pub know_how: Vec<String>,
    /// Its personages by kind, the extra one included.
    pub personages: BTreeMap<Personage, u8>,
    /// The kind of personage won for all know-hows.
    #[serde(default)]
    pub extra_personage: Option<Personage>,
    /// Whether it has left the game.
    #[serde(default)]
    pub resigned: bool,
    /// What is in its recruitment box, in editions that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recruitment_box: Option<UnitsBody>,
    /// Its special unit, with the variant that has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special_unit: Option<SpecialUnitBody>,
    /// Town walls in its supply, in editions that have them. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<u8>,
    /// The event cards in its hand, in editions that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<String>>,
    /// What it can still put on the board, or into its recruitment box. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supply: Option<SupplyBody>,
}

/// What a nation can still put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SupplyBody {
    /// Legions.
    pub legions: u8,
    /// Galleys.
    pub galleys: u8,
    /// City tokens, in editions where each nation has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cities: Option<u8>,
}

/// What stands in a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RegionBody {
    /// The city, if there is one.
    #[serde(default)]
    pub city: Option<CityBody>,
    /// Whether a temple stands there that belongs to nobody.
    #[serde(default)]
    pub neutral_temple: bool,
    /// Units by nation.
    #[serde(default)]
    pub units: BTreeMap<String, UnitsBody>,
}

/// A city.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CityBody {
    /// Its owner.
    pub nation: String,
    /// What it produces.
    pub resource: Resource,
    /// Whether it has a temple.
    #[serde(default)]
    pub temple: bool,
    /// Whether it has a town wall; always false in editions without them.
    #[serde(default)]
    pub wall: bool,
}

/// Units of a nation in a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UnitsBody {
    /// Legions.
    #[serde(default)]
    pub legions: u8,
    /// Galleys.
    #[serde(default)]
    pub galleys: u8,
}

/// What belongs to a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TurnStateBody {
    /// The field the stone has moved to this turn.
    pub field: Option<Field>,
    /// In a maneuver: the mover's units that have maneuvers left, by region.
    pub units: BTreeMap<String, UnitsLeftBody>,
    /// Units set up this turn, by region.
    pub armed: BTreeMap<String, u8>,
    /// Know-hows bought this turn.
    pub developed: Vec<String>,
    /// Those of them that no nation had before.
    pub discovered: Vec<String>,
    /// Temples destroyed this turn.
    pub destroyed: u8,
    /// Cities conquered this turn.
    pub conquered: Vec<String>,
    /// Whether the unit that the Bellona card gives may still be set up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub free_unit: bool,
    /// The battle question that is being asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battle: Option<BattleBody>,
    /// Nations that must still choose a chip for lack of coins, the one asked first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chip_choices: Vec<String>,
    /// The personages among which the nation to move must choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub personage_choices: Vec<Personage>,
    /// The units in the recruitment box that were there when the turn began; all that are in it
    /// when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armable: Option<UnitsBody>,
    /// Whether the special unit has been in the box since the turn began; whether it is in the box
    /// when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub special_armable: Option<bool>,
    /// Maneuvers that the special unit of the nation to move has left.
    #[serde(skip_serializing_if = "is_zero")]
    pub special_left: u8,
    /// Borders that each unit may cross more this turn, by event cards.
    #[serde(skip_serializing_if = "UnitsBody::is_empty")]
    pub extra_borders: UnitsBody,
    /// Marble that the next temple costs less, by event cards.
    #[serde(skip_serializing_if = "is_zero")]
    pub cheaper_temple: u8,
    /// Next cities that cost no coins for their neighbours, by event cards.
    #[serde(skip_serializing_if = "is_zero")]
    pub free_neighbours: u8,
    /// Cities that an event card has saved this turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub safe: Vec<String>,
    /// The declared conquest that an event card may be played against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fortress: Option<FortressBody>,
    /// The event cards that must be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_choice: Option<CardChoiceBody>,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A declared conquest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FortressBody {
    /// The city's region.
    pub region: String,
    /// The nation asked.
    pub asked: String,
    /// Legions that the conqueror offers.
    #[serde(default)]
    pub legions: u8,
    /// Galleys that the conqueror offers.
    #[serde(default)]
    pub galleys: u8,
}

/// Event cards that must be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardChoiceBody {
    /// The nation asked.
    pub asked: String,
    /// How many it takes.
    pub due: u8,
}

/// Units with maneuvers left: for each number of maneuvers left, how many units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct UnitsLeftBody {
    /// Legions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub legions: BTreeMap<u8, u8>,
    /// Galleys.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub galleys: BTreeMap<u8, u8>,
}

/// A battle question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BattleBody {
    /// Where.
    pub region: String,
    /// Which kind has entered.
    pub unit: Unit,
    /// The units that have entered and are left, by maneuvers left.
    pub entered: BTreeMap<u8, u8>,
    /// Nations that may still demand battle, the one asked first.
    pub asked: Vec<String>,
}

impl UnitsBody {
    fn is_empty(&self) -> bool {
        *self == UnitsBody::default()
    }

    fn of([legions, galleys]: [u8; Unit::COUNT]) -> UnitsBody {
        UnitsBody { legions, galleys }
    }
}

impl StateBody {
    /// The wire form of a state with the order of the event deck, which is secret in a game that goes
    /// on.
    pub fn with_deck(game: &Game, state: &State) -> StateBody {
        let mut body = StateBody::from_state(game, state);
        if let Some(cards) = &mut body.cards {
            cards.order = Some(card_names(game, state.cards.deck.cards()));
        }
        body
    }

    /// The wire form of a state, without the order of the event deck.
    pub fn from_state(game: &Game, state: &State) -> StateBody {
        let name = |nation: Nation| game.nation_name(nation).to_owned();
        let nations = game.all_nations();
        let know_how = game.ruleset.data.know_how.iter().enumerate();
        StateBody {
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
                    let owns = |n: &Nation| state.nation(*n).know_how & (1 << index) != 0;
                    let owners: Vec<String> = game.all_nations().filter(owns).map(name).collect();
                    (!owners.is_empty()).then(|| (data.id.clone(), owners))
                })
                .collect(),
            cards: game.rules.cards.as_ref().map(|_| CardsBody {
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

/// A digest as it is written everywhere: 16 hexadecimal digits.
pub fn digest_text(digest: u64) -> String {
    format!("{digest:016x}")
}

fn personages(counts: &[u8; Personage::COUNT]) -> BTreeMap<Personage, u8> {
    Personage::ALL.iter().copied().zip(*counts).collect()
}

fn know_how_names(game: &Game, set: u16) -> Vec<String> {
    let all = game.ruleset.data.know_how.iter().enumerate();
    all.filter(|(index, _)| set & (1 << index) != 0)
        .map(|(_, data)| data.id.clone())
        .collect()
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
        know_how: know_how_names(game, owned.know_how),
        personages: personages(&owned.personages),
        extra_personage: owned.extra_personage,
        resigned: owned.resigned,
        recruitment_box: (game.rules.recruitment.as_ref()).map(|_| UnitsBody::of(owned.boxed)),
        special_unit: owned.special.map(|place| SpecialUnitBody {
            unit: game.special_units[nation.index()],
            region: match place {
                SpecialPlace::Boxed => None,
                SpecialPlace::At(region) => Some(game.board.name(region).to_owned()),
            },
        }),
        walls: (game.rules.walls.as_ref()).map(|_| game.walls_in_supply(state, nation)),
        cards: (game.rules.cards.as_ref()).map(|_| card_names(game, &hand)),
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
    let neutral_temple = state.neutral_temples & region.bit() != 0;
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
    let names = |set: u64| -> Vec<String> {
        regions(set)
            .map(|region| game.board.name(region).to_owned())
            .collect()
    };
    let in_order = |asked: Nation, rest: u8| -> Vec<String> {
        let others = game
            .clockwise_after(asked)
            .filter(move |nation| rest & nation.bit() != 0);
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
        armable: (game.rules.recruitment.as_ref()).map(|_| UnitsBody::of(turn.armable)),
        special_armable: (game.rules.special_units.as_ref()).map(|_| turn.special_armable),
        special_left: turn.special_left,
        extra_borders: UnitsBody::of(turn.extra_borders),
        cheaper_temple: turn.cheaper_temple,
        free_neighbours: turn.free_neighbours,
        safe: names(turn.safe),
        ..TurnStateBody::default()
    };
    for region in (0..game.board.len() as u8).map(Region) {
        let id = || game.board.name(region).to_owned();
        let [legions, galleys] = &turn.left[region.index()];
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
        None => {}
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
        Some(Question::Personage { options }) => {
            let open = |kind: &Personage| options & (1 << kind.index()) != 0;
            body.personage_choices = Personage::ALL.iter().copied().filter(open).collect();
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
