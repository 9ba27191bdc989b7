//! A table for tests: builds positions and plays actions in notation.

use std::str::FromStr;

use engine::chips::Payment;
use engine::content::{Library, Ruleset};
use engine::forms::{CityBody, Position as Written, PositionFault, RegionBody, UnitsBody, View};
use engine::ids::{Nation, Region};
use engine::play::{Action, Effect, Game, Names, Payments, Reason, Refusal};
use engine::setup::{Player, Setup, SetupSeat};
use engine::state::{Question, QuestionKind, State};
use engine::words::{EndReason, Field, Personage, Resource, Unit};

/// A setup with the nations given for each seat, all else open.
pub fn setup(board: &str, seats: &[&[&str]]) -> Setup {
    let seat = |nations: &&[&str]| SetupSeat {
        nations: nations.iter().map(|name| (*name).to_owned()).collect(),
        player: Player::Open,
    };
    let known = Library::embedded().board(board);
    Setup {
        edition: known.map_or("antike", |board| &board.data.edition).into(),
        board: board.into(),
        seats: seats.iter().map(seat).collect(),
        seed: "a seed".into(),
        ..Setup::default()
    }
}

/// A setup with variants.
pub fn with_variants(mut setup: Setup, variants: &[&str]) -> Setup {
    setup.variants = variants.iter().map(|name| (*name).to_owned()).collect();
    setup
}

/// The East board with 3 to 6 nations, the starting nation first.
pub fn east(nations: usize) -> Setup {
    let names: &[&[&str]] = match nations {
        3 => &[&["arabs"], &["persians"], &["greeks"]],
        4 => &[&["phoenicians"], &["persians"], &["arabs"], &["greeks"]],
        5 => &[
            &["egyptians"],
            &["arabs"],
            &["phoenicians"],
            &["persians"],
            &["greeks"],
        ],
        6 => &[
            &["babylonians"],
            &["egyptians"],
            &["arabs"],
            &["phoenicians"],
            &["persians"],
            &["greeks"],
        ],
        _ => panic!("{nations} nations do not play"),
    };
    setup("antike-east", names)
}

/// The two-player game with four nations on the East board [A41].
pub fn east_for_two() -> Setup {
    setup(
        "antike-east",
        &[&["phoenicians", "persians"], &["greeks", "arabs"]],
    )
}

/// Returns the fault of a setup from which no game can start.
#[track_caller]
pub fn refused(setup: &Setup) -> PositionFault {
    match setup.start(Library::embedded()) {
        Err(error) => error.first().clone(),
        Ok((game, _)) => panic!("a game of {} nations starts", game.nations.len()),
    }
}

/// Returns the fault of a changed position.
#[track_caller]
pub fn refused_after(position: Position, change: impl FnOnce(&mut Written)) -> PositionFault {
    let mut setup = position.setup();
    change(setup.position.as_mut().expect("a position"));
    refused(&setup)
}

/// Asserts that a changed position is rejected because of this field.
#[track_caller]
pub fn blames(field: impl AsRef<str>, position: Position, change: impl FnOnce(&mut Written)) {
    assert_eq!(refused_after(position, change).field, field.as_ref());
}

/// STRATA, which the Romans have developed in this turn, is in the view of the turn alone.
/// The view is the same position, and so is one that has it at both places.
pub fn shows_strata_with_the_turn(table: &Table) {
    let view = View::with_deck(&table.game, &table.state);
    assert!(view.nations["romans"].know_how.is_empty());
    assert!(!view.know_how.contains_key("strata"));
    assert_eq!(view.turn_state.developed, ["strata"]);
    for both in [false, true] {
        let mut position = Written::from(view.clone());
        if both {
            let romans = position.nations.get_mut("romans").expect("they play");
            romans.know_how.push("strata".into());
        }
        let mut setup = table.setup.clone();
        setup.position = Some(Box::new(position));
        assert_eq!(Table::start(&setup).state, table.state);
    }
}

/// A game that is being played.
#[derive(Clone)]
pub struct Table {
    /// The setup with every choice spelled out.
    pub setup: Setup,
    pub game: Game,
    pub state: State,
    /// The effects of the last action.
    pub effects: Vec<Effect>,
}

impl Table {
    pub fn start(setup: &Setup) -> Table {
        let (game, state) = setup.start(Library::embedded()).expect("the game starts");
        Table {
            setup: setup.spelled_out(Library::embedded()).expect("it starts"),
            game,
            state,
            effects: Vec::new(),
        }
    }

    fn try_act(&mut self, text: &str) -> Result<(), Refusal> {
        let (named, action) = self.game.parse(text).unwrap_or_else(|e| panic!("{e}"));
        let acts = self
            .game
            .question(&self.state)
            .map(|question| question.nation());
        let nation = named.or(acts).unwrap_or(self.state.to_move);
        self.apply(nation, action)
    }

    pub fn apply(&mut self, nation: Nation, action: Action) -> Result<(), Refusal> {
        self.effects.clear();
        self.game
            .apply(&mut self.state, nation, action, &mut self.effects)
    }

    /// Plays actions in notation, separated by `;`.
    /// A name and a colon before an action set the nation; otherwise it is the nation that must act.
    pub fn play(&mut self, actions: &str) -> &mut Table {
        for text in actions.split(';').map(str::trim) {
            if let Err(illegal) = self.try_act(text) {
                panic!("{text} is refused: {illegal}");
            }
        }
        self
    }

    /// Returns the reason for the refusal of an action under this rule, which must not change anything.
    #[track_caller]
    pub fn refuses(&self, text: &str, rule: &str) -> Reason {
        let mut after = self.clone();
        match after.try_act(text) {
            Ok(()) => panic!("{text} is accepted"),
            Err(illegal) => {
                assert_eq!(illegal.rule.to_string(), rule, "{text}: {illegal}");
                assert_eq!(after.state, self.state, "{text} left a trace");
                assert_eq!(after.effects, [], "{text} left an effect");
                illegal.reason
            }
        }
    }

    /// Asserts that the action is refused under this rule for this reason, without a change.
    #[track_caller]
    pub fn refuses_because(&self, text: &str, rule: &str, reason: Reason) {
        assert_eq!(self.refuses(text, rule), reason, "{text}");
    }

    /// The legal actions that begin with these words, in notation and canonical form.
    pub fn listed(&self, words: &str) -> Vec<String> {
        self.listed_with(Payments::Default, words)
    }

    /// Asserts that these are the legal actions that begin with `words`, separated by `;`.
    #[track_caller]
    pub fn lists(&self, words: &str, actions: &str) {
        assert_eq!(self.listed(words).join("; "), actions);
    }

    pub fn listed_with(&self, payments: Payments, words: &str) -> Vec<String> {
        let mut list = Vec::new();
        self.game.legal_actions(&self.state, payments, &mut list);
        let texts = list.iter().map(|action| self.game.print(action));
        texts.filter(|text| text.starts_with(words)).collect()
    }

    pub fn id(&self, nation: &str) -> Nation {
        self.game.nation_by_name(nation).expect("the nation plays")
    }

    pub fn region(&self, region: &str) -> Region {
        self.game.board.region(region).expect("the region exists")
    }

    /// Marble, iron, gold and coins that a nation holds.
    pub fn holds(&self, nation: &str) -> (u32, u32, u32, u16) {
        let held = self.state.nation(self.id(nation)).holdings;
        let [marble, iron, gold] = held.chips;
        (marble, iron, gold, held.coins)
    }

    /// Legions and galleys of a nation in a region.
    pub fn units(&self, region: &str, nation: &str) -> (u8, u8) {
        let (region, nation) = (self.region(region), self.id(nation));
        let count = |unit| self.state.units(region, nation, unit);
        (count(Unit::Legion), count(Unit::Galley))
    }

    /// Legions and galleys in a nation's supply.
    pub fn supply(&self, nation: &str) -> (u8, u8) {
        let nation = self.id(nation);
        let count = |unit| self.game.units_in_supply(&self.state, nation, unit);
        (count(Unit::Legion), count(Unit::Galley))
    }

    /// City tokens in a nation's supply.
    pub fn tokens(&self, nation: &str) -> u8 {
        self.game.cities_in_supply(&self.state, self.id(nation))
    }

    pub fn cities(&self, nation: &str) -> u32 {
        self.state.nation(self.id(nation)).cities.len()
    }

    pub fn owner(&self, region: &str) -> Option<&str> {
        let owner = self.state.owner(self.region(region))?;
        Some(self.game.nation_name(owner))
    }

    pub fn resource(&self, region: &str) -> Option<Resource> {
        self.state.resource(self.region(region))
    }

    pub fn has_temple(&self, region: &str) -> bool {
        self.state.has_temple(self.region(region))
    }

    pub fn defence(&self, region: &str) -> u8 {
        self.game.defence(&self.state, self.region(region))
    }

    pub fn personages(&self, nation: &str, kind: Personage) -> u8 {
        self.state.nation(self.id(nation)).personages[kind.index()]
    }

    pub fn points(&self, nation: &str) -> u32 {
        self.game.points(&self.state, self.id(nation))
    }

    pub fn knows(&self, nation: &str, know_how: &str) -> bool {
        let know_how = self.game.ruleset.know_how_by_name(know_how);
        let owned = self.state.nation(self.id(nation)).know_how;
        owned.contains(know_how.expect("it exists"))
    }

    pub fn to_move(&self) -> &str {
        self.game.nation_name(self.state.to_move)
    }

    /// The nation that must act.
    pub fn acts(&self) -> Option<&str> {
        let question = self.game.question(&self.state)?;
        Some(self.game.nation_name(question.nation()))
    }

    /// The open question.
    pub fn question(&self) -> Option<Question> {
        self.game.question(&self.state)
    }

    /// The kind of the open question.
    pub fn asks_for(&self) -> Option<QuestionKind> {
        Some(self.question()?.kind())
    }

    /// Why the game is over, and the rank of each seat.
    pub fn outcome(&self) -> Option<(EndReason, Vec<u8>)> {
        let outcome = self.state.outcome?;
        Some((outcome.reason, outcome.ranks[..self.game.seats()].to_vec()))
    }

    /// Asserts that the game is over for this reason, with these ranks of the seats.
    #[track_caller]
    pub fn ended(&self, reason: EndReason, ranks: &[u8]) {
        assert_eq!(self.outcome(), Some((reason, ranks.to_vec())));
    }

    /// The effects of the last action, with names.
    pub fn named_effects(&self) -> Vec<Effect<Names>> {
        let body = |effect: &Effect| effect.named(&self.game);
        self.effects.iter().map(body).collect()
    }

    /// The personages won through the last action.
    pub fn won(&self) -> Vec<Personage> {
        let won = |effect: &Effect| match effect {
            Effect::PersonageWon { personage, .. } => Some(*personage),
            _ => None,
        };
        self.effects.iter().filter_map(won).collect()
    }
}

/// A position under construction: a game's start, changed. The contents of the bank are computed.
pub struct Position {
    pub setup: Setup,
    pub body: Written,
}

impl Position {
    pub fn of(setup: Setup) -> Position {
        let table = Table::start(&setup);
        let mut body = Written::from(View::with_deck(&table.game, &table.state));
        for nation in body.nations.values_mut() {
            nation.supply = None;
            (nation.marble, nation.iron, nation.gold, nation.coins) = (0, 0, 0, 0);
        }
        Position { setup, body }
    }

    /// Four nations on the East board with nothing but their start cities; the nation named moves.
    pub fn east(to_move: &str) -> Position {
        Position::of(east(4)).turn_of(to_move)
    }

    /// Like [`Position::east`], on the West board.
    pub fn west(to_move: &str) -> Position {
        let seats: &[&[&str]] = &[
            &["phoenicians"],
            &["germanic_tribes"],
            &["romans"],
            &["greeks"],
        ];
        Position::of(setup("antike-west", seats)).turn_of(to_move)
    }

    /// Changes the position, in words separated by `;`.
    ///
    /// For a nation: `greeks 2L1G pella`, `greeks hold m3c1`, `greeks know wheel`, `greeks know all but roads`,
    /// `greeks own sparta`, `greeks have 2 king`, `romans hand academy`, `romans box 1L1G`, `romans special roma`.
    /// Without a nation: `temples roma`, `walls roma`, `open tribute`, `used tribute`.
    pub fn with(self, changes: &str) -> Position {
        changes.split(';').fold(self, |position, change| {
            let words: Vec<&str> = change.split_whitespace().collect();
            match words[..] {
                ["temples", ref regions @ ..] => position.temples(regions),
                ["walls", ref regions @ ..] => position.walls(regions),
                ["open", ref cards @ ..] => position.open(cards),
                ["used", ref cards @ ..] => position.used(cards),
                [nation, "hold", chips] => position.holds(nation, chips),
                [nation, "know", "all"] => position.knows_all_but(nation, ""),
                [nation, "know", "all", "but", missing] => position.knows_all_but(nation, missing),
                [nation, "know", ref know_how @ ..] => position.knows(nation, know_how),
                [nation, "own", ref regions @ ..] => position.cities(nation, regions),
                [nation, "hand", ref cards @ ..] => position.hand(nation, cards),
                [nation, "special", region] => position.special(nation, region),
                [nation, "have", count, kind] => {
                    let kind = Personage::from_str(kind).expect("a personage");
                    position.personages(nation, kind, count.parse().expect("a count"))
                }
                [nation, "box", units] => {
                    let (legions, galleys) = units_of(units);
                    position.boxed(nation, legions, galleys)
                }
                [nation, units, region] => {
                    let (legions, galleys) = units_of(units);
                    position.units(region, nation, legions, galleys)
                }
                _ => panic!("{change} is no change"),
            }
        })
    }

    pub fn turn_of(mut self, nation: &str) -> Position {
        self.body.to_move = nation.into();
        self
    }

    /// Chips and coins of a nation, such as `m3i1g2c1`.
    pub fn holds(mut self, nation: &str, chips: &str) -> Position {
        let pay = chips_of(chips);
        let body = self.body.nations.get_mut(nation).expect("it plays");
        body.marble = pay.marble.into();
        body.iron = pay.iron.into();
        body.gold = pay.gold.into();
        body.coins = pay.coins.into();
        self
    }

    pub fn stone(mut self, nation: &str, field: &str) -> Position {
        let field = Field::from_str(field).expect("a field");
        self.body.nations.get_mut(nation).expect("it plays").stone = Some(field);
        self
    }

    pub fn knows(mut self, nation: &str, know_how: &[&str]) -> Position {
        let body = self.body.nations.get_mut(nation).expect("it plays");
        body.know_how
            .extend(know_how.iter().map(|name| (*name).to_owned()));
        self
    }

    /// All know-hows but the one named.
    pub fn knows_all_but(self, nation: &str, missing: &str) -> Position {
        let ruleset = self.ruleset();
        let names = ruleset.data.know_how.iter().map(|data| data.id.as_str());
        let names: Vec<&str> = names.filter(|name| *name != missing).collect();
        self.knows(nation, &names)
    }

    fn ruleset(&self) -> &'static Ruleset {
        let (library, edition) = (Library::embedded(), &self.setup.edition);
        let ruleset = match &self.setup.ruleset_hash {
            None => library.ruleset(edition),
            Some(hash) => library.ruleset_version(edition, hash),
        };
        ruleset.expect("embedded")
    }

    fn at(&mut self, region: &str) -> &mut RegionBody {
        self.body.regions.entry(region.into()).or_default()
    }

    /// Puts a city of a nation in each region, in place of any other.
    pub fn cities(mut self, nation: &str, regions: &[&str]) -> Position {
        let board = Library::embedded()
            .board(&self.setup.board)
            .expect("embedded");
        for region in regions {
            let at = board.region(region).expect("the region exists");
            let resource = board.site(at).resource().expect("a city site");
            self = self.city(nation, region, resource);
        }
        self
    }

    /// Puts a city that produces this in a region, in place of any other.
    pub fn city(mut self, nation: &str, region: &str, resource: Resource) -> Position {
        let at = self.at(region);
        at.neutral_temple = false;
        at.city = Some(CityBody {
            nation: nation.into(),
            resource,
            temple: false,
            wall: false,
        });
        self
    }

    /// Gives a nation cities on free sites until it has so many.
    pub fn cities_up_to(mut self, nation: &str, count: usize) -> Position {
        let board = Library::embedded()
            .board(&self.setup.board)
            .expect("embedded");
        for region in &board.data.regions {
            let cities = self.body.regions.values().filter_map(|at| at.city.as_ref());
            let owned = cities.filter(|city| city.nation == nation).count();
            let has_site = region.site.resource().is_some();
            let at = self.at(&region.id);
            if owned < count && has_site && at.city.is_none() && !at.neutral_temple {
                self = self.cities(nation, &[&region.id]);
            }
        }
        self
    }

    pub fn no_city(mut self, region: &str) -> Position {
        self.at(region).city = None;
        self
    }

    /// Puts a temple on the city in each region.
    pub fn temples(mut self, regions: &[&str]) -> Position {
        for region in regions {
            self.at(region).city.as_mut().expect("a city").temple = true;
        }
        self
    }

    pub fn units(mut self, region: &str, nation: &str, legions: u8, galleys: u8) -> Position {
        let units = UnitsBody { legions, galleys };
        self.at(region).units.insert(nation.into(), units);
        self
    }

    pub fn personages(mut self, nation: &str, kind: Personage, count: u8) -> Position {
        let body = self.body.nations.get_mut(nation).expect("it plays");
        body.personages.insert(kind, count);
        self
    }

    /// Distributes all personages: six to each of six nations, which is below the goal.
    pub fn all_personages_out(mut self) -> Position {
        let stacks = &self.ruleset().data.bank.personages;
        let mut all = stacks
            .iter()
            .flat_map(|(kind, n)| vec![*kind; usize::from(*n)]);
        let share = all.clone().count().div_ceil(self.body.nations.len());
        for nation in self.body.nations.values_mut() {
            for kind in all.by_ref().take(share) {
                *nation.personages.entry(kind).or_default() += 1;
            }
        }
        self
    }

    /// Returns the position with the contents of the bank.
    pub fn setup(mut self) -> Setup {
        let rules = Table::start(&self.setup).game.rules;
        let nations = self.body.nations.values();
        let coins: u16 = nations.map(|nation| nation.coins).sum();
        self.body.bank.coins =
            Some(rules.data.bank.coins - u8::try_from(coins).expect("few coins"));
        let has_temple = |at: &&RegionBody| {
            at.neutral_temple || at.city.as_ref().is_some_and(|city| city.temple)
        };
        let temples = self.body.regions.values().filter(has_temple).count();
        self.body.bank.temples =
            Some(rules.data.bank.temples - u8::try_from(temples).expect("few temples"));
        for (kind, all) in Personage::ALL.iter().zip(rules.personages) {
            let nations = self.body.nations.values();
            let held: u8 = nations.map(|nation| nation.personages[kind]).sum();
            self.body.bank.personages.insert(*kind, all - held);
        }
        self.setup.position = Some(Box::new(self.body));
        self.setup
    }

    /// Returns a table with this position.
    pub fn table(self) -> Table {
        Table::start(&self.setup())
    }

    /// Returns a table with this position, after these actions.
    pub fn play(self, actions: &str) -> Table {
        let mut table = self.table();
        table.play(actions);
        table
    }

    /// Uses this version of the edition's rules.
    pub fn by_version(mut self, number: u32) -> Position {
        let edition = &self.setup.edition;
        let ruleset = Library::embedded().ruleset_numbered(edition, number);
        self.setup.ruleset_hash = Some(ruleset.expect("embedded").hash.to_string());
        self
    }
}

/// Legions and galleys, such as `2L1G`.
fn units_of(text: &str) -> (u8, u8) {
    let legions = text.split_once('L');
    let galleys = legions.map_or(text, |(_, rest)| rest).split_once('G');
    let count =
        |of: Option<(&str, &str)>| of.map_or(0, |(count, _)| count.parse().expect("a count"));
    assert!(legions.or(galleys).is_some(), "{text} is not units");
    (count(legions), count(galleys))
}

fn chips_of(text: &str) -> Payment {
    let table = Table::start(&east(3));
    match table.game.parse(&format!("stone iron {text}")) {
        Ok((_, Action::MoveStone { pay, .. })) => pay,
        _ => panic!("{text} is not chips"),
    }
}
