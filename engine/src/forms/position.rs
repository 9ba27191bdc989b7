//! Positions: a state from its wire form, checked.

use std::collections::BTreeMap;

use super::position_cards::card_question_fits;
use super::state::{RegionBody, StateBody, UnitsLeftBody};
use crate::content::{CoinPolicy, StartPick};
use crate::ids::{KnowHow, KnowHows, MAX_MANEUVERS, Nation, Nations, Region};
use crate::play::{Game, OtherCards};
use crate::state::{Question, State, TurnState};
use crate::words::{Field, Personage, Phase, Unit};

/// A setup from which no game can start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SetupError {
    /// What is wrong.
    pub message: String,
    /// The field of the setup to blame, as a path such as `seats[1].nations`.
    pub field: String,
    /// The number of the rule that it offends, if a rule does.
    pub rule: Option<String>,
}

impl From<OtherCards> for SetupError {
    fn from(other: OtherCards) -> SetupError {
        SetupError::new("deck", other.to_string())
    }
}

impl SetupError {
    /// A fault of a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> SetupError {
        SetupError {
            message: message.into(),
            field: field.into(),
            rule: None,
        }
    }

    pub(crate) fn by(mut self, rule: impl ToString) -> SetupError {
        self.rule = Some(rule.to_string());
        self
    }
}

/// No round, turn or number of chips in a position is greater: a game that counts on from there
/// never overflows.
const MOST: u32 = 1_000_000_000;

pub(super) type Checked<T> = Result<T, SetupError>;

pub(super) fn fail<T>(field: impl AsRef<str>, message: impl Into<String>) -> Checked<T> {
    let field = format!("position.{}", field.as_ref());
    Err(SetupError::new(field, message))
}

fn bounded(field: &str, number: u32) -> Checked<u32> {
    match number {
        0..=MOST => Ok(number),
        _ => fail(field, format!("it is at most {MOST}")),
    }
}

impl StateBody {
    /// The state that this position of `game` describes.
    ///
    /// # Errors
    /// When it names what the game does not have, breaks the conservation of pieces, or cannot be a
    /// moment of a game that goes on.
    pub(crate) fn to_state(&self, game: &Game) -> Checked<State> {
        let mut state = game.empty_state();
        state.round = bounded("round", self.round)?;
        state.turn = bounded("turn", self.turn)?;
        state.drawn = bounded("drawn", self.drawn)?;
        state.phase = self.phase;
        state.to_move = nation(game, "to_move", &self.to_move)?;
        state.bellona = match &self.bellona {
            Some(name) => Some(nation(game, "bellona", name)?),
            None => None,
        };
        if state.bellona.is_some() != game.rules.bellona {
            let message = "somebody holds the Bellona card in editions that have it and only there";
            return fail("bellona", message);
        }
        self.bank(game, &mut state)?;
        self.nations(game, &mut state)?;
        self.boxes(game, &mut state)?;
        self.cards(game, &mut state)?;
        if state
            .bellona
            .is_some_and(|holder| state.nation(holder).resigned)
        {
            return fail("bellona", "a nation that has left hands the card on");
        }
        for (id, body) in &self.regions {
            place(game, &mut state, id, body)?;
        }
        self.check_pieces(game, &state)?;
        self.check_board(game, &state)?;
        self.turn(game, &mut state)?;
        self.check_phase(game, &state)?;
        Ok(state)
    }

    fn bank(&self, game: &Game, state: &mut State) -> Checked<()> {
        state.bank.coins = self.bank.coins;
        state.bank.temples = self.bank.temples;
        state.bank.personages = personages("bank.personages", &self.bank.personages)?;
        let coins = self.nations.values().map(|nation| u32::from(nation.coins));
        let coins = u32::from(self.bank.coins) + coins.sum::<u32>();
        if coins != u32::from(game.rules.coins) {
            let message = format!("{coins} coins, the game has {}", game.rules.coins);
            return fail("bank.coins", message);
        }
        for kind in Personage::ALL {
            let held = self.nations.values().filter_map(|n| n.personages.get(kind));
            let held: u32 = held.map(|count| u32::from(*count)).sum();
            let count = u32::from(state.bank.personages[kind.index()]) + held;
            let all = game.rules.personages[kind.index()];
            if count != u32::from(all) {
                let message = format!("{count} of {kind}, the game has {all}");
                return fail("bank.personages", message);
            }
        }
        Ok(())
    }

    fn nations(&self, game: &Game, state: &mut State) -> Checked<()> {
        if let Some(name) = self
            .nations
            .keys()
            .find(|n| game.nation_by_name(n).is_none())
        {
            return fail(format!("nations.{name}"), "this nation does not take part");
        }
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let path = |field: &str| format!("nations.{name}.{field}");
            let Some(body) = self.nations.get(name) else {
                return fail("nations", format!("{name} is missing"));
            };
            let owned = state.nation_mut(id);
            owned.holdings.chips = [
                bounded(&path("marble"), body.marble)?,
                bounded(&path("iron"), body.iron)?,
                bounded(&path("gold"), body.gold)?,
            ];
            owned.holdings.coins = body.coins;
            owned.stone = body.stone;
            owned.know_how = know_how(game, &path("know_how"), &body.know_how)?;
            for (index, rule) in game.rules.know_how.iter().enumerate() {
                let lacks = rule.requires.is_some_and(|r| !owned.know_how.contains(r));
                if owned.know_how.contains(KnowHow(index as u8)) && lacks {
                    let name = &game.ruleset.data.know_how[index].id;
                    return fail(path("know_how"), format!("{name} needs another know-how"));
                }
            }
            owned.personages = personages(&path("personages"), &body.personages)?;
            owned.extra_personage = body.extra_personage;
            let extra = body.extra_personage;
            if extra.is_some_and(|kind| owned.personages[kind.index()] == 0) {
                return fail(path("extra_personage"), "it is not among the personages");
            }
            owned.resigned = body.resigned;
        }
        for id in game.all_nations() {
            let resigned = |n: Nation| state.nation(n).resigned;
            let mut same_seat = game.nations_of(game.seat_of(id));
            if same_seat.any(|other| resigned(other) != resigned(id)) {
                let field = format!("nations.{}.resigned", game.nation_name(id));
                return fail(field, "a player leaves with all nations");
            }
        }
        Ok(())
    }

    fn check_pieces(&self, game: &Game, state: &State) -> Checked<()> {
        let standing = state.temples.len() + state.neutral_temples.len();
        let temples = u32::from(state.bank.temples) + standing;
        if temples != u32::from(game.rules.temples) {
            let message = format!("{temples} temples, the game has {}", game.rules.temples);
            return fail("bank.temples", message);
        }
        for id in game.all_nations() {
            let name = game.nation_name(id);
            let owned = state.nation(id);
            // The start picks of a nation that leaves are drawn at once.
            if owned.cities.is_empty() && (state.phase != Phase::Setup || owned.resigned) {
                return fail(format!("nations.{name}"), "a nation has at least one city");
            }
            if owned.cities.len() > u32::from(game.rules.cities) {
                return fail(format!("nations.{name}"), "more cities than tokens");
            }
            let Some(supply) = self.nations.get(name).and_then(|body| body.supply) else {
                continue;
            };
            let given = [supply.legions, supply.galleys];
            let derived = [
                game.units_in_supply(state, id, Unit::Legion),
                game.units_in_supply(state, id, Unit::Galley),
            ];
            let cities = game.cities_in_supply(state, id);
            if given != derived || supply.cities.is_some_and(|given| given != cities) {
                let field = format!("nations.{name}.supply");
                let [legions, galleys] = derived;
                let message = format!("{legions} legions, {galleys} galleys, {cities} cities");
                return fail(field, format!("it must be {message}"));
            }
        }
        Ok(())
    }

    fn turn(&self, game: &Game, state: &mut State) -> Checked<()> {
        let body = &self.turn_state;
        let path = |field: &str| format!("turn_state.{field}");
        state.turn_state.field = body.field;
        state.turn_state.developed = know_how(game, &path("developed"), &body.developed)?;
        state.turn_state.discovered = know_how(game, &path("discovered"), &body.discovered)?;
        state.turn_state.destroyed = body.destroyed;
        state.turn_state.free_unit = body.free_unit;
        if body.free_unit && !(game.rules.bellona && body.field == Some(Field::Arming)) {
            return fail(
                path("free_unit"),
                "it belongs to arming with the Bellona card",
            );
        }
        let owned = *state.nation(state.to_move);
        if !(state.turn_state.developed - owned.know_how).is_empty() {
            return fail(path("developed"), "the nation does not own it");
        }
        if !(state.turn_state.discovered - state.turn_state.developed).is_empty() {
            return fail(path("discovered"), "it was not developed this turn");
        }
        for id in &body.conquered {
            let region = region(game, &path("conquered"), id)?;
            if !owned.cities.contains(region) {
                return fail(path("conquered"), format!("{id} is not the nation's"));
            }
            state.turn_state.conquered.insert(region);
        }
        let neutral = game.board.neutral_temples(game.nations.len() as u8);
        let fallen = neutral - state.neutral_temples;
        let most = state.turn_state.conquered.len() + fallen.len();
        if u32::from(body.destroyed) > most {
            let message = "more than cities conquered and neutral temples gone";
            return fail(path("destroyed"), message);
        }
        for (id, count) in &body.armed {
            let region = region(game, &path("armed"), id)?;
            state.turn_state.armed[region.index()] = *count;
        }
        for (id, left) in &body.units {
            self.units_left(game, state, id, left)?;
        }
        self.turn_of_cards(game, state)?;
        self.question(game, state)?;
        self.question_of_cards(game, state)
    }

    fn units_left(
        &self,
        game: &Game,
        state: &mut State,
        id: &str,
        left: &UnitsLeftBody,
    ) -> Checked<()> {
        let path = format!("turn_state.units.{id}");
        let region = region(game, &path, id)?;
        for (unit, counts) in Unit::ALL.iter().zip([&left.legions, &left.galleys]) {
            let mut total = 0;
            for (maneuvers, count) in counts {
                let place = usize::from(*maneuvers);
                if !(1..=MAX_MANEUVERS).contains(&place) {
                    return fail(path, format!("{maneuvers} maneuvers are never left"));
                }
                state.turn_state.left[region.index()][unit.index()][place - 1] = *count;
                total += u32::from(*count);
            }
            if total > u32::from(state.units(region, state.to_move, *unit)) {
                return fail(path, format!("more of {unit} than stand there"));
            }
        }
        Ok(())
    }

    fn question(&self, game: &Game, state: &mut State) -> Checked<()> {
        let body = &self.turn_state;
        let set = |field: &str, names: &[String]| -> Checked<(Nation, Nations)> {
            let mut asked = None;
            let mut rest = Nations::EMPTY;
            for name in names {
                let nation = nation(game, field, name)?;
                match asked {
                    None => asked = Some(nation),
                    Some(_) => rest.insert(nation),
                }
            }
            match asked {
                Some(asked) if !rest.contains(asked) => Ok((asked, rest)),
                _ => fail(field, "each nation is asked once"),
            }
        };
        let questions = [
            body.battle.is_some(),
            !body.chip_choices.is_empty(),
            !body.personage_choices.is_empty(),
            body.card_choice.is_some(),
            body.fortress.is_some(),
        ];
        if questions.iter().filter(|asked| **asked).count() > 1 {
            return fail("turn_state", "only one question is asked at a time");
        }
        if let Some(battle) = &body.battle {
            let path = "turn_state.battle";
            let region = region(game, path, &battle.region)?;
            let (asked, rest) = set(path, &battle.asked)?;
            let mut entered = [0; MAX_MANEUVERS + 1];
            let there = state.by_maneuvers(region, battle.unit);
            for (maneuvers, count) in &battle.entered {
                match there.get(usize::from(*maneuvers)) {
                    Some(most) if count <= most => entered[usize::from(*maneuvers)] = *count,
                    _ => return fail(path, "more units entered than stand there"),
                }
            }
            let is_asked = |n: &Nation| *n == asked || rest.contains(*n);
            for nation in game.all_nations().filter(is_asked) {
                let fights = nation != state.to_move
                    && !state.nation(nation).resigned
                    && state.units(region, nation, battle.unit) > 0;
                if !fights {
                    return fail(path, "a nation without such units there is asked");
                }
            }
            if state.units(region, state.to_move, battle.unit) == 0 {
                return fail(path, "no unit that has entered is left");
            }
            state.question = Some(Question::Battle {
                asked,
                rest,
                region,
                unit: battle.unit,
                entered,
            });
        }
        if !body.chip_choices.is_empty() {
            let path = "turn_state.chip_choices";
            let (asked, rest) = set(path, &body.chip_choices)?;
            let resigned = |n: &Nation| state.nation(*n).resigned;
            let is_asked = |n: &Nation| *n == asked || rest.contains(*n);
            if game.all_nations().filter(is_asked).any(|n| resigned(&n)) {
                return fail(path, "a nation that has left is asked");
            }
            let by_production = game.rules.coin == CoinPolicy::Production;
            if by_production && (asked, rest) != (state.to_move, Nations::EMPTY) {
                return fail(path, "only the nation that produces is asked");
            }
            state.question = Some(Question::Chip { asked, rest });
        }
        if !body.personage_choices.is_empty() {
            let choices = body.personage_choices.iter();
            let mut kinds = choices.clone();
            if kinds.any(|kind| state.bank.personages[kind.index()] == 0) {
                return fail("turn_state.personage_choices", "the stack is empty");
            }
            let owned = state.nation(state.to_move);
            let is_due = game.rules.extra_personage
                && owned.know_how == game.rules.all_know_how
                && owned.extra_personage.is_none();
            if !is_due {
                return fail(
                    "turn_state.personage_choices",
                    "no personage is to be chosen",
                );
            }
            let options = choices.copied().collect();
            state.question = Some(Question::Personage {
                asked: state.to_move,
                options,
            });
        }
        Ok(())
    }

    /// Whether phase, field and question make a moment at which somebody can act.
    fn check_phase(&self, game: &Game, state: &State) -> Checked<()> {
        let field = state.turn_state.field;
        let stone = state.nation(state.to_move).stone;
        let maneuvers = field.is_some_and(Field::is_maneuver);
        let each_round = game.rules.coin == CoinPolicy::EachRound;
        let (battle, chip, personage) = match state.question {
            None => (false, false, false),
            Some(Question::Battle { .. }) => (true, false, false),
            Some(Question::Chip { .. }) => (false, true, false),
            Some(Question::Personage { .. }) => (false, false, true),
            // These fit or not by themselves.
            Some(_) => (false, false, false),
        };
        if state.nation(state.to_move).resigned {
            return fail("to_move", "this nation has left the game");
        }
        if (state.phase == Phase::Setup) != (state.round == 0 && state.turn == 0) {
            return fail("phase", "round and turn are 0 in set-up and only there");
        }
        if state.phase != Phase::Setup && (state.round == 0 || state.turn == 0) {
            return fail("round", "rounds and turns count from 1");
        }
        let fits = match state.phase {
            _ if card_question_fits(state).is_some() => card_question_fits(state) == Some(true),
            Phase::Setup => self.is_setup(game, state) && state.question.is_none(),
            Phase::Stone => field.is_none() && !battle && !personage && (each_round || !chip),
            Phase::Action => {
                let produces = field.is_some_and(|field| field.resource().is_some());
                let chip_due = produces && !each_round;
                field.is_some() && !personage && (maneuvers || !battle) && (chip_due || !chip)
            }
            Phase::Conquest => maneuvers && state.question.is_none(),
            Phase::Found => field.is_some() && state.question.is_none(),
            Phase::End => field.is_some() && personage,
        };
        if !fits {
            return fail("phase", "it does not fit the turn's field and question");
        }
        if field.is_some() && field != stone {
            return fail("turn_state.field", "the nation's stone stands elsewhere");
        }
        let TurnState {
            conquered,
            destroyed,
            ..
        } = state.turn_state;
        let fought = !conquered.is_empty() || destroyed != 0;
        if !maneuvers && (fought || !self.turn_state.units.is_empty()) {
            return fail("turn_state", "units and conquests belong to a maneuver");
        }
        if field != Some(Field::Arming) && !self.turn_state.armed.is_empty() {
            return fail("turn_state.armed", "units are set up on the arming field");
        }
        if field != Some(Field::KnowHow) && !state.turn_state.developed.is_empty() {
            return fail(
                "turn_state.developed",
                "it is developed on the know_how field",
            );
        }
        let left = game.all_nations().filter(|n| !state.nation(*n).resigned);
        let mut seats: Vec<u8> = left.map(|nation| game.seat_of(nation)).collect();
        seats.dedup();
        if seats.len() < 2 {
            return fail("nations", "only one player is left");
        }
        Ok(())
    }

    /// Whether start cities are still being picked, from sites that are free for it.
    fn is_setup(&self, game: &Game, state: &State) -> bool {
        let picked_well = |nation: Nation| {
            let cities = state.nation(nation).cities;
            match game.rules.start_pick {
                None => false,
                Some(StartPick::OneOfOwn) => {
                    let own = game.start_cities(nation).into_iter().flatten();
                    (cities - own.collect()).is_empty()
                }
                Some(StartPick::FreeSites) => {
                    let mut produced = state.produces.iter();
                    produced.all(|set| (*set & cities).len() <= 1)
                }
            }
        };
        state.turn_state.field.is_none()
            && game.all_nations().all(picked_well)
            && !game.city_choices(state).is_empty()
            && state.nation(state.to_move).cities.len() < game.start_picks()
    }
}

pub(super) fn nation(game: &Game, field: &str, name: &str) -> Checked<Nation> {
    match game.nation_by_name(name) {
        Some(nation) => Ok(nation),
        None => fail(field, format!("no nation {name:?} plays")),
    }
}

pub(super) fn region(game: &Game, field: &str, name: &str) -> Checked<Region> {
    match game.board.region(name) {
        Some(region) => Ok(region),
        None => fail(field, format!("the board has no region {name:?}")),
    }
}

fn know_how(game: &Game, field: &str, names: &[String]) -> Checked<KnowHows> {
    let mut set = KnowHows::EMPTY;
    for name in names {
        match game.ruleset.know_how_by_name(name) {
            Some(know_how) => set.insert(know_how),
            None => return fail(field, format!("the edition has no know-how {name:?}")),
        }
    }
    Ok(set)
}

fn personages(field: &str, counts: &BTreeMap<Personage, u8>) -> Checked<[u8; Personage::COUNT]> {
    if counts.len() != Personage::COUNT {
        return fail(field, "all five kinds must be counted");
    }
    let mut array = [0; Personage::COUNT];
    for (personage, count) in counts {
        array[personage.index()] = *count;
    }
    Ok(array)
}

fn place(game: &Game, state: &mut State, id: &str, body: &RegionBody) -> Checked<()> {
    let path = format!("regions.{id}");
    let at = region(game, &path, id)?;
    if body.neutral_temple {
        if !game
            .board
            .neutral_temples(game.nations.len() as u8)
            .contains(at)
        {
            return fail(path, "the board has no neutral temple there");
        }
        if body.city.is_some() {
            return fail(path, "a neutral temple stands on a free site");
        }
        state.neutral_temples.insert(at);
    }
    if let Some(city) = &body.city {
        let owner = nation(game, &path, &city.nation)?;
        if !game.site(at).allows(city.resource) {
            return fail(
                path,
                format!("a city there cannot produce {}", city.resource),
            );
        }
        if city.wall && game.rules.walls.is_none() {
            return fail(path, "this edition has no town walls");
        }
        if city.wall {
            state.walls.insert(at);
        }
        state.add_city(at, owner, city.resource);
        if city.temple {
            state.temples.insert(at);
        }
    }
    for (name, units) in &body.units {
        let owner = nation(game, &path, name)?;
        for (unit, count) in Unit::ALL.iter().zip([units.legions, units.galleys]) {
            if count == 0 {
                continue;
            }
            if !game.board.holds(at, *unit) {
                return fail(path, format!("no {unit} can stand there"));
            }
            if count > game.units_in_supply(state, owner, *unit) {
                return fail(path, format!("{name} has more of {unit} than there are"));
            }
            state.add_units(at, owner, *unit, count);
        }
    }
    Ok(())
}
