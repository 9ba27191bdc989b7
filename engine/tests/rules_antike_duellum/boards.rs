//! Setups and positions on the boards of Antike Duellum.

use engine::forms::{Position as Written, SpecialUnitBody, UnitsBody, View};
use engine::setup::Setup;
use engine::words::Resource;

use crate::rules::table::*;

/// The open row of every position, unless a test lays out another one.
pub const OPEN: [&str; 3] = ["fair_wind", "rich_harvest", "settlers"];

/// Sites without a city in every position, unless a test puts one there.
pub const SITES: [&str; 9] = [
    "agrigentum",
    "apollonia",
    "baecula",
    "siga",
    "tacape",
    "tingis",
    "zama",
    "tolosa",
    "tarraco",
];

/// Romans against Carthaginians; the Romans start.
pub fn rome_carthage() -> Setup {
    let mut setup = setup("duellum-rome-carthage", &[&["romans"], &["carthaginians"]]);
    setup.first = Some("romans".into());
    setup
}

/// Greeks against Persians; the Greeks start.
pub fn greece_persia() -> Setup {
    let mut setup = setup("duellum-greece-persia", &[&["greeks"], &["persians"]]);
    setup.first = Some("greeks".into());
    setup
}

/// Both nations with their start cities, and a legion and a galley in the box; the Romans move.
pub fn rome() -> Position {
    bare(rome_carthage())
}

/// Like [`rome`], on the other board; the Greeks move.
pub fn greece() -> Position {
    bare(greece_persia())
}

/// Like [`rome`], with the special units [D50].
pub fn rome_with_special_units() -> Position {
    bare(with_variants(rome_carthage(), &["special_units"]))
}

/// The Romans develop two know-hows when the deck has one card left.
/// So the second card taken causes a reshuffle.
pub fn before_a_reshuffle() -> Setup {
    rome()
        .used(&["tribute", "burglary", "academy"])
        .deck(&["fortress"], "romans")
        .holds("romans", "g11")
        .setup()
}

/// The actions that bring the reshuffle.
pub const TO_THE_RESHUFFLE: [&str; 6] = [
    "stone know_how",
    "develop strata",
    "develop navigatio",
    "end",
    "carthaginians: card settlers",
    "carthaginians: card fortress",
];

/// All cards in the order in which the data lists them.
pub fn layout() -> Vec<String> {
    let game = Table::start(&rome_carthage()).game;
    let cards = game.rules.data.cards.as_ref().expect("cards").layout();
    let name = |card: &engine::ids::Card| game.ruleset.card_name(*card).to_owned();
    cards.iter().map(name).collect()
}

/// Returns a position without the values that follow from others.
pub fn bare(setup: Setup) -> Position {
    let mut position = Position::of(setup);
    let body = &mut position.body;
    body.bank.cities.clear();
    body.turn_state.armable = None;
    body.turn_state.special_armable = None;
    for nation in body.nations.values_mut() {
        nation.walls = None;
    }
    position.open(&OPEN)
}

fn names(cards: &[&str]) -> Vec<String> {
    cards.iter().map(|name| (*name).to_owned()).collect()
}

impl Position {
    /// Sets the open row. The deck gets the cards that are neither there nor used nor in a hand.
    pub fn open(mut self, cards: &[&str]) -> Position {
        let body = self.body.cards.as_mut().expect("the edition has cards");
        body.open = names(cards);
        body.order = None;
        body.deck = 0;
        self
    }

    /// The used cards.
    pub fn used(mut self, cards: &[&str]) -> Position {
        self.body.cards.as_mut().expect("it has cards").used = names(cards);
        self
    }

    /// The whole deck, the last card drawn first; all other cards are in no hand but this nation.
    pub fn deck(mut self, cards: &[&str], holder: &str) -> Position {
        let rules = Table::start(&self.setup).game;
        let data = rules.rules.data.cards.as_ref().expect("it has cards");
        let layout = data.layout();
        let mut rest: Vec<String> = layout
            .iter()
            .map(|card| rules.ruleset.card_name(*card).to_owned())
            .collect();
        let body = self.body.cards.as_mut().expect("it has cards");
        let hands = self.body.nations.values().flat_map(|nation| &nation.cards);
        let placed = hands.flatten().chain(&body.open).chain(&body.used);
        for card in placed.cloned().chain(names(cards)) {
            let place = rest.iter().position(|other| *other == card);
            rest.remove(place.expect("there are so many"));
        }
        body.order = Some(names(cards));
        let nation = self.body.nations.get_mut(holder).expect("it plays");
        nation.cards.get_or_insert_default().extend(rest);
        self
    }

    /// The event cards in a nation's hand.
    pub fn hand(mut self, nation: &str, cards: &[&str]) -> Position {
        self.body.nations.get_mut(nation).expect("it plays").cards = Some(names(cards));
        self
    }

    /// Legions and galleys in a nation's recruitment box.
    pub fn boxed(mut self, nation: &str, legions: u8, galleys: u8) -> Position {
        let body = self.body.nations.get_mut(nation).expect("it plays");
        body.recruitment_box = Some(UnitsBody { legions, galleys });
        self
    }

    /// Cities of a nation that produce gold.
    pub fn gold_cities(self, nation: &str, regions: &[&str]) -> Position {
        let put = |position: Position, region: &&str| position.city(nation, region, Resource::Gold);
        regions.iter().fold(self, put)
    }

    /// Adds a town wall to the city in each region.
    pub fn walls(mut self, regions: &[&str]) -> Position {
        for region in regions {
            let at = self.body.regions.get_mut(*region).expect("a city");
            at.city.as_mut().expect("a city").wall = true;
        }
        self
    }

    /// Puts a nation's special unit on the board.
    pub fn special(mut self, nation: &str, region: &str) -> Position {
        let body = self.body.nations.get_mut(nation).expect("it plays");
        body.special_unit = Some(SpecialUnitBody {
            unit: None,
            region: Some(region.into()),
        });
        self
    }
}

impl Table {
    pub fn body(&self) -> Written {
        View::with_deck(&self.game, &self.state).into()
    }

    /// The event cards in a nation's hand.
    pub fn hand(&self, nation: &str) -> Vec<String> {
        let nation = self.body().nations.remove(nation).expect("it plays");
        nation.cards.expect("the edition has cards")
    }

    pub fn open_row(&self) -> Vec<String> {
        self.body().cards.expect("it has cards").open
    }

    pub fn used_cards(&self) -> Vec<String> {
        self.body().cards.expect("it has cards").used
    }

    /// The deck, the last card drawn first.
    pub fn deck(&self) -> Vec<String> {
        let cards = self.body().cards.expect("it has cards");
        cards.order.expect("the whole view")
    }

    /// Legions and galleys in a nation's recruitment box.
    pub fn boxed(&self, nation: &str) -> (u8, u8) {
        let [legions, galleys] = self.state.nation(self.id(nation)).boxed;
        (legions, galleys)
    }

    /// Town walls in a nation's personal supply.
    pub fn walls_left(&self, nation: &str) -> u8 {
        self.game.walls_in_supply(&self.state, self.id(nation))
    }

    pub fn has_wall(&self, region: &str) -> bool {
        self.state.has_wall(self.region(region))
    }

    /// The region of a nation's special unit; `None` while it is in the box.
    pub fn special_at(&self, nation: &str) -> Option<String> {
        let nation = self.body().nations.remove(nation).expect("it plays");
        nation.special_unit.expect("it has one").region
    }

    /// City tokens that the bank has for a resource.
    pub fn tokens_of(&self, resource: Resource) -> u8 {
        self.game.tokens_in_bank(&self.state, resource)
    }
}
