//! Random walks: setups of every kind, rich positions, and legal and illegal actions.

use std::collections::BTreeMap;

use engine::chance::Chance;
use engine::chips::{Gain, Payment};
use engine::content::{BattlePolicy, Library, Site};
use engine::forms::{CardsBody, CityBody, Position, RegionBody, SpecialUnitBody, UnitsBody, View};
use engine::ids::{Card, KnowHow, Nation, Region};
use engine::play::{Action, Effect, Game, Payments};
use engine::setup::{Player, Setup, SetupSeat};
use engine::state::State;
use engine::words::{Field, Personage, Piece, Resource, Unit};

/// Setups with every board, number of nations and variant.
pub fn setups() -> Vec<Setup> {
    let antike: &[(usize, &[&str])] = &[
        (2, &[]),
        (2, &["long_game", "military"]),
        (2, &["two_player_double"]),
        (3, &[]),
        (3, &["three_nation_goal_12", "expert"]),
        (4, &[]),
        (4, &["long_game"]),
        (5, &["expert"]),
        (5, &[]),
        (6, &["military"]),
        (6, &[]),
    ];
    let antike_ii: &[(usize, &[&str])] = &[
        (3, &[]),
        (3, &["nine_scholars"]),
        (4, &["free_city_types"]),
        (4, &[]),
        (5, &[]),
        (6, &["nine_scholars", "free_city_types"]),
        (6, &[]),
    ];
    let duellum: &[(usize, &[&str])] = &[(2, &[]), (2, &["special_units"]), (2, &[])];
    let mut setups = Vec::new();
    for (edition, board, kinds) in [
        ("antike", "antike-east", antike),
        ("antike", "antike-west", antike),
        ("antike_ii", "antike-ii-mare-nostrum", antike_ii),
        ("antike_ii", "antike-ii-orient", antike_ii),
        ("antike_duellum", "duellum-greece-persia", duellum),
        ("antike_duellum", "duellum-rome-carthage", duellum),
    ] {
        for (seats, variants) in kinds.iter().copied() {
            let seat = SetupSeat {
                nations: Vec::new(),
                player: Player::Open,
            };
            setups.push(Setup {
                edition: edition.into(),
                board: board.into(),
                variants: variants.iter().map(|name| (*name).into()).collect(),
                seats: vec![seat; seats],
                seed: format!("{board} {seats} {variants:?}"),
                ..Setup::default()
            });
        }
    }
    setups
}

/// A game that is played at random.
pub struct Walk {
    /// The setup with every choice spelled out.
    pub setup: Setup,
    pub game: Game,
    pub state: State,
    /// The actions so far, as stored.
    pub actions: Vec<String>,
    /// The digest after each action.
    pub digests: Vec<u64>,
    chance: Chance,
}

impl Walk {
    pub fn start(setup: &Setup, seed: &str) -> Walk {
        let (game, state) = setup
            .start(Library::embedded())
            .unwrap_or_else(|error| panic!("{}: {error}", error.first().field));
        Walk {
            setup: setup.spelled_out(Library::embedded()).expect("it starts"),
            game,
            state,
            actions: Vec::new(),
            digests: Vec::new(),
            chance: Chance::new(seed),
        }
    }

    pub fn is_over(&self) -> bool {
        self.state.outcome.is_some()
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.chance.below(bound as u32) as usize
    }

    /// Plays a random legal action, each kind equally likely, or sometimes resigns for a remaining nation.
    /// Returns the effects.
    pub fn step(&mut self) -> Vec<Effect> {
        let mut listed = Vec::new();
        self.game
            .legal_actions(&self.state, Payments::Default, &mut listed);
        let mut kinds: Vec<&str> = listed.iter().map(Action::type_name).collect();
        kinds.dedup();
        let kind = kinds[self.below(kinds.len())];
        listed.retain(|action| action.type_name() == kind);
        let mut action = listed[self.below(listed.len())];
        let mut nation = self.game.question(&self.state).expect("not over").nation();
        if self.below(150) == 0 {
            let left: Vec<Nation> = self
                .game
                .all_nations()
                .filter(|nation| !self.state.nation(*nation).resigned)
                .collect();
            (nation, action) = (left[self.below(left.len())], Action::Resign);
        }
        self.actions
            .push(self.game.print_by(&self.state, nation, &action));
        let mut effects = Vec::new();
        self.game
            .apply(&mut self.state, nation, action, &mut effects)
            .expect("a listed action is accepted");
        self.digests.push(self.state.digest());
        effects
    }

    fn some<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn region(&mut self) -> Region {
        Region(self.below(self.game.board.len()) as u8)
    }

    fn pay(&mut self) -> Payment {
        let mut chips = [0; 4];
        for _ in 0..self.below(6) {
            chips[self.below(4)] += 1;
        }
        Payment::from_parts([chips[0], chips[1], chips[2]], chips[3])
    }

    fn know_how(&mut self) -> KnowHow {
        KnowHow(self.below(self.game.rules.know_how.len()) as u8)
    }

    fn card(&mut self) -> Card {
        let kinds = self
            .game
            .rules
            .data
            .cards
            .as_ref()
            .map_or(1, |c| c.deck.len());
        Card(self.below(kinds) as u8)
    }

    fn maybe_pay(&mut self) -> Option<Payment> {
        match self.below(3) {
            0 => Some(self.pay()),
            1 => Some(Payment::only(Resource::Gold, 3 + self.below(8) as u8)),
            _ => None,
        }
    }
}

/// Returns any action that can be written for this game.
pub fn random_action(walk: &mut Walk) -> Action {
    let region = walk.region();
    let unit = walk.some(Unit::ALL);
    let count = walk.below(5) as u8;
    let kinds = match walk.game.rules.data.cards {
        Some(_) => 19,
        None => 17,
    };
    match walk.below(kinds) {
        0 => Action::MoveStone {
            field: walk.some(Field::ALL),
            pay: walk.maybe_pay().unwrap_or(Payment::NOTHING),
        },
        1 => Action::BuildTemple {
            region,
            pay: walk.maybe_pay(),
        },
        2 => Action::Arm {
            region,
            unit: walk.some(Piece::ALL),
            free: walk.below(3) == 0,
            pay: walk.maybe_pay(),
        },
        3 => Action::Develop {
            know_how: walk.know_how(),
            pay: walk.maybe_pay(),
        },
        4 => Action::March {
            unit: walk.some(Piece::ALL),
            count: 1 + count,
            from: region,
            to: walk.region(),
            left: walk.some(&[None, None, Some(0), Some(1), Some(2), Some(3), Some(9)]),
        },
        5 => Action::Battle {
            unit,
            count: 1 + count,
            region,
            against: Nation(walk.below(walk.game.nations.len()) as u8),
        },
        6 => Action::AnswerBattle { count },
        7 => Action::Conquer {
            region,
            legions: count,
            galleys: walk.below(3) as u8,
            give_up: walk.some(&[None, Some(region)]),
        },
        8 => Action::Found {
            region,
            resource: walk.some(&[None, Some(Resource::Marble), Some(Resource::Gold)]),
            pay: walk.maybe_pay(),
        },
        9 => Action::Trade {
            give: walk.pay(),
            take: gain(walk.pay()),
        },
        10 => Action::ChooseChip {
            resource: walk.some(Resource::ALL),
        },
        11 => Action::ChoosePersonage {
            personage: walk.some(Personage::ALL),
        },
        12 => Action::ChooseCity { region },
        13 => Action::BuildWall {
            region,
            pay: walk.maybe_pay(),
        },
        14 => Action::Recruit {
            unit,
            count: 1 + count,
            pay: walk.maybe_pay(),
        },
        15 => Action::Pass,
        16 => Action::EndTurn,
        17 => Action::TakeCard { card: walk.card() },
        _ => Action::PlayCard {
            card: walk.card(),
            region: walk.some(&[None, Some(region)]),
            unit: walk.some(&[None, Some(unit)]),
        },
    }
}

/// Returns an action with one part changed, or in another form.
pub fn mutated(walk: &mut Walk, mut action: Action) -> Action {
    let region = walk.region();
    let paid = walk.maybe_pay();
    let held = walk.state.nation(walk.state.to_move).holdings;
    let in_full = |price| held.default_payment(price);
    let change = walk.below(4);
    match &mut action {
        Action::MoveStone { pay, .. } => *pay = paid.unwrap_or(Payment::NOTHING),
        Action::BuildTemple { region: at, pay } => match change {
            0 => *at = region,
            1 => *pay = paid,
            _ => *pay = in_full(walk.game.temple_price(&walk.state, *at)),
        },
        Action::Arm {
            region: at,
            unit,
            free,
            pay,
        } => match change {
            0 => *at = region,
            1 => *unit = walk.some(Piece::ALL),
            2 => *free = !*free,
            _ => *pay = in_full(walk.game.arming_price(*unit, *free)),
        },
        Action::Develop { know_how, pay } => match change {
            0 => *know_how = walk.know_how(),
            1 => *pay = paid,
            _ => *pay = in_full(walk.game.know_how_price(&walk.state, *know_how)),
        },
        Action::March {
            count, to, left, ..
        } => match change {
            0 => *count += 1,
            1 => *to = region,
            _ => *left = walk.some(&[Some(0), Some(1), Some(2), Some(3), None]),
        },
        Action::Battle {
            count,
            region: at,
            unit,
            ..
        } => match change {
            0 => *count += 1,
            1 => *at = region,
            _ => *unit = Unit::ALL[1 - unit.index()],
        },
        Action::AnswerBattle { count } => *count += 1,
        Action::BuildWall { region: at, pay } => match change {
            0 => *at = region,
            _ => *pay = paid,
        },
        Action::Recruit { unit, count, pay } => match change {
            0 => *count += 1,
            1 => *unit = Unit::ALL[1 - unit.index()],
            _ => *pay = in_full(walk.game.recruiting_price(*unit, *count)),
        },
        Action::TakeCard { card } => *card = walk.card(),
        Action::PlayCard {
            card,
            region: at,
            unit,
        } => match change {
            0 => *card = walk.card(),
            1 => *at = walk.some(&[None, Some(region)]),
            _ => *unit = walk.some(&[None, Some(Unit::Legion), Some(Unit::Galley)]),
        },
        Action::Conquer {
            region: at,
            legions,
            galleys,
            give_up,
        } => match change {
            0 => *at = region,
            1 => (*legions, *galleys) = (*galleys, *legions),
            _ => *give_up = Some(region),
        },
        Action::Found {
            region: at,
            resource,
            pay,
        } => match change {
            0 => *resource = walk.game.site(*at).resource(),
            1 => *at = region,
            _ => {
                let produced = resource.or(walk.game.site(*at).resource());
                let produced = produced.unwrap_or(Resource::Iron);
                *pay = in_full(walk.game.city_price(&walk.state, *at, produced));
            }
        },
        Action::Trade { give, take } => {
            let given = *give;
            *give = Payment::from_parts(take.chips(), take.coins);
            *take = gain(given);
        }
        Action::ChooseCity { region: at } => *at = region,
        Action::ChooseChip { .. }
        | Action::ChoosePersonage { .. }
        | Action::Pass
        | Action::EndTurn
        | Action::Resign => return random_action(walk),
    }
    action
}

/// Returns the same chips and coins as a gain.
fn gain(pay: Payment) -> Gain {
    Gain::from_parts(pay.chips(), pay.coins)
}

/// A random position in the middle of a game of this setup, before a move of the stone.
/// It has random cities, temples, units, know-hows, chips and personages.
pub fn rich_position(setup: &Setup, seed: &str) -> Setup {
    let (game, state) = setup.start(Library::embedded()).expect("it starts");
    let mut chance = Chance::new(seed);
    let mut below = |bound: usize| chance.below(bound as u32) as usize;
    let mut body = Position::from(View::from_state(&game, &state));
    let names: Vec<String> = body.nations.keys().cloned().collect();
    (body.round, body.turn) = (Some(3), Some(11));
    body.phase = engine::words::Phase::Stone;
    body.to_move = names[below(names.len())].clone();
    body.turn_state = Default::default();
    body.digest = String::new();

    // Usually one nation has nearly all sites, so that tokens run out.
    let few_tokens = below(3) == 0;
    let mut temples = 0;
    for data in &game.board.data.regions {
        let at = game.board.region(&data.id).expect("it is on the board");
        let site = game.site(at);
        let region = body.regions.entry(data.id.clone()).or_default();
        // Sometimes a neutral temple was destroyed, which leaves a free site.
        region.neutral_temple &= below(4) > 0;
        temples += usize::from(region.neutral_temple);
        let is_free = region.city.is_none() && !region.neutral_temple && site != Site::None;
        let owner = if few_tokens && below(8) > 0 {
            body.to_move.clone()
        } else {
            names[below(names.len())].clone()
        };
        let built = if few_tokens {
            below(12) > 0
        } else {
            below(3) == 0
        };
        if is_free && built {
            let temple = temples < usize::from(game.rules.data.bank.temples) && below(3) == 0;
            region.city = Some(CityBody {
                nation: owner,
                resource: site.resource().unwrap_or(Resource::ALL[below(3)]),
                temple,
                wall: false,
            });
        }
        temples += usize::from(region.city.as_ref().is_some_and(|city| city.temple));
        for _ in 0..below(3) {
            let units = UnitsBody {
                legions: below(3) as u8 * u8::from(game.board.holds(at, Unit::Legion)),
                galleys: below(3) as u8 * u8::from(game.board.holds(at, Unit::Galley)),
            };
            region
                .units
                .insert(names[below(names.len())].clone(), units);
        }
    }
    keep_within_supply(&game, &mut body, &names);
    if game.rules.data.battle == BattlePolicy::Automatic {
        keep_apart(&mut body);
    }

    let ruleset = &game.ruleset.data;
    let mut coins = ruleset.bank.coins;
    let kinds = Personage::ALL.iter().copied();
    let mut stacks: BTreeMap<Personage, u8> = kinds.zip(game.rules.personages).collect();
    let most_points = usize::from(game.rules.goal) - 3;
    for name in &names {
        let nation = body.nations.get_mut(name).expect("it plays");
        nation.supply = None;
        nation.marble = below(8) as u32;
        nation.iron = below(8) as u32;
        nation.gold = below(12) as u32;
        nation.coins = below(usize::from(coins.min(9)) + 1) as u16;
        coins -= nation.coins as u8;
        nation.stone = Some(Field::ALL[below(8)]).filter(|_| below(5) > 0);
        let nearly_all = below(3) == 0;
        nation.know_how.clear();
        for know_how in &ruleset.know_how {
            let has = |id: &String| nation.know_how.contains(id);
            if know_how.requires.as_ref().is_none_or(has) && (nearly_all || below(3) == 0) {
                nation.know_how.push(know_how.id.clone());
            }
        }
        if nearly_all && below(2) == 0 {
            nation.know_how.pop();
        }
        for _ in 0..below(most_points / 2 + 1) {
            let kind = Personage::ALL[below(5)];
            let stack = stacks.get_mut(&kind).expect("all are counted");
            if *stack > 0 {
                *stack -= 1;
                *nation.personages.entry(kind).or_default() += 1;
            }
        }
    }
    // Sometimes the nation is about to complete its know-hows, with two stacks equally high.
    if below(4) == 0 {
        let nation = body.nations.get_mut(&body.to_move).expect("it plays");
        let all = ruleset.know_how.iter().map(|data| data.id.clone());
        nation.know_how = all.take(ruleset.know_how.len() - 1).collect();
        nation.gold = 14;
        nation.stone = Some(Field::KnowHow);
        nation.extra_personage = None;
        body.turn_state.field = nation.stone;
        body.phase = engine::words::Phase::Action;
        let kings = stacks[&Personage::King];
        if let Some(more) = kings.checked_sub(stacks[&Personage::Scholar]) {
            stacks.insert(Personage::King, kings - more);
            let last = body.nations.values_mut().last().expect("nations play");
            *last.personages.entry(Personage::King).or_default() += more;
        }
    }
    if game.rules.data.bellona {
        body.bellona = Some(names[below(names.len())].clone());
    }
    // Sometimes the nation is about to move to arming, with the card if there is one.
    if body.phase == engine::words::Phase::Stone && below(6) == 0 {
        let nation = body.nations.get_mut(&body.to_move).expect("it plays");
        nation.stone = Some(Field::Maneuver1);
        body.bellona = body.bellona.map(|_| body.to_move.clone());
    }
    body.bank.coins = Some(coins);
    body.bank.personages = stacks;
    body.bank.cities.clear();
    if game.rules.data.recruitment.is_some() {
        fill_boxes_and_hands(&game, &mut body, &mut below);
    }
    let has_temple =
        |at: &&RegionBody| at.neutral_temple || at.city.as_ref().is_some_and(|city| city.temple);
    let temples = body.regions.values().filter(has_temple).count();
    body.bank.temples = Some(ruleset.bank.temples - temples as u8);
    let mut setup = setup.spelled_out(Library::embedded()).expect("it starts");
    setup.position = Some(Box::new(body));
    setup
}

/// Keeps the units of a kind of one nation only in each region.
fn keep_apart(body: &mut Position) {
    for region in body.regions.values_mut() {
        let (mut legions, mut galleys) = (false, false);
        for units in region.units.values_mut() {
            units.legions *= u8::from(!legions);
            units.galleys *= u8::from(!galleys);
            legions |= units.legions > 0;
            galleys |= units.galleys > 0;
        }
    }
}

/// Recruitment boxes, special units on the board, town walls and event cards at random.
fn fill_boxes_and_hands(game: &Game, body: &mut Position, below: &mut impl FnMut(usize) -> usize) {
    // City tokens by resource: what is more than there are produces something else.
    let mut tokens = game.rules.tokens;
    let cities = body.regions.values_mut().filter_map(|at| at.city.as_mut());
    for city in cities {
        let left = |resource: &&Resource| tokens[resource.index()] > 0;
        let first = Resource::ALL.iter().find(left).copied();
        if tokens[city.resource.index()] == 0 {
            city.resource = first.expect("there are more tokens than sites");
        }
        tokens[city.resource.index()] -= 1;
    }
    let names: Vec<String> = body.nations.keys().cloned().collect();
    let mut deck = game
        .rules
        .data
        .cards
        .as_ref()
        .expect("it has cards")
        .layout();
    for name in &names {
        let id = game.nation_by_name(name).expect("it plays");
        let units = |of: fn(&UnitsBody) -> u8| -> u8 {
            let there = body.regions.values().filter_map(|at| at.units.get(name));
            there.map(of).sum()
        };
        let [legions, galleys] = game.rules.units;
        let left = [
            legions - units(|units| units.legions),
            galleys - units(|units| units.galleys),
        ];
        let points: u8 = body.nations[name].personages.values().sum();
        let track = &game.rules.data.walls.as_ref().expect("it has walls").track;
        let mut walls = track.iter().filter(|place| **place <= points).count();
        for city in body.regions.values_mut().filter_map(|at| at.city.as_mut()) {
            if city.nation == *name && walls > 0 && below(2) == 0 {
                city.wall = true;
                walls -= 1;
            }
        }
        let special = game.special_units[id.index()];
        let place = special.filter(|_| below(4) > 0).and_then(|special| {
            let fits = |data: &&engine::content::RegionData| {
                let at = game.board.region(&data.id).expect("it is on the board");
                let others = body.regions[&data.id].units.iter();
                game.board.holds(at, special.kind())
                    && others
                        .filter(|(other, _)| *other != name)
                        .all(|(_, units)| [units.legions, units.galleys] == [0, 0])
            };
            let fitting: Vec<_> = game.board.data.regions.iter().filter(fits).collect();
            (!fitting.is_empty()).then(|| fitting[below(fitting.len())].id.clone())
        });
        let nation = body.nations.get_mut(name).expect("it plays");
        nation.walls = None;
        nation.recruitment_box = Some(UnitsBody {
            legions: (below(5) as u8).min(left[0]),
            galleys: (below(4) as u8).min(left[1]),
        });
        nation.special_unit = special.map(|_| SpecialUnitBody {
            unit: None,
            region: place,
        });
        let hand = (0..below(7)).map(|_| deck.remove(below(deck.len())));
        let named = hand.map(|card| game.ruleset.card_name(card).to_owned());
        nation.cards = Some(named.collect());
    }
    let mut named = |count: usize| -> Vec<String> {
        let drawn = (0..count.min(deck.len())).map(|_| deck.remove(below(deck.len())));
        drawn
            .map(|card| game.ruleset.card_name(card).to_owned())
            .collect()
    };
    // Often the deck is nearly used up.
    let open = named(3);
    let used = named(if body.turn.is_some_and(|turn| turn % 2 == 1) {
        10
    } else {
        0
    });
    body.cards = Some(CardsBody {
        open,
        deck: 0,
        used,
        reshuffles: 0,
        order: None,
    });
}

fn is_city_of(owner: &str, city: &Option<CityBody>) -> bool {
    city.as_ref().is_some_and(|city| city.nation == owner)
}

/// Removes pieces beyond a nation's supply, and gives each nation at least one city.
fn keep_within_supply(game: &Game, body: &mut Position, names: &[String]) {
    for name in names {
        let mut cities = game.rules.cities;
        let [mut legions, mut galleys] = game.rules.units;
        for region in body.regions.values_mut() {
            if is_city_of(name, &region.city) {
                match cities {
                    0 => region.city = None,
                    _ => cities -= 1,
                }
            }
            if let Some(units) = region.units.get_mut(name) {
                units.legions = units.legions.min(legions);
                units.galleys = units.galleys.min(galleys);
                legions -= units.legions;
                galleys -= units.galleys;
            }
        }
        if cities == game.rules.cities {
            let free = game.board.data.regions.iter().find(|data| {
                let region = body.regions.get(&data.id);
                data.site != Site::None
                    && region.is_none_or(|at| at.city.is_none() && !at.neutral_temple)
            });
            let data = free.expect("there are more sites than tokens");
            body.regions.entry(data.id.clone()).or_default().city = Some(CityBody {
                nation: name.clone(),
                resource: data.site.resource().unwrap_or(Resource::Gold),
                temple: false,
                wall: false,
            });
        }
    }
}
