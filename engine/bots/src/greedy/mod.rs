//! The greedy bot: simulates its turn on each field and chooses the best one.
//!
//! Then it plays the turn step by step.

mod cards;
pub(crate) mod evaluation;
mod maneuver;
mod temperament;

pub use temperament::Temperament;

use crate::{Bot, Budget, Observation};
use cards::without_deck;
use engine::chance::Chance;
use engine::chips::{Gain, Payment};
use engine::ids::{KnowHow, Region, Regions};
use engine::play::{Action, Payments};
use engine::state::{Question, State};
use engine::words::{Field, Phase, Resource, Unit};
use evaluation::Evaluation;
use maneuver::Wants;
use temperament::Weights;

/// The most fields beyond the free ones that it considers.
const MOST_EXTRA_STEPS: u8 = 3;
/// The most by which chance changes the value of each field, so that games differ.
const WHIM: u32 = 40;
/// The bonus of the next field of the temperament's opening.
const OPENING: i32 = 800;
/// The most units recruited in one action.
const MOST_RECRUITED: u8 = 4;
/// The cost of a coin for a neighbour, compared with the scarcity of the resource of a new city.
const NEIGHBOUR: i64 = 25;
/// No turn has more actions.
const LONGEST_TURN: usize = 200;

/// Plays each turn for its immediate value, by its temperament.
#[derive(Clone, Copy, Debug)]
pub struct Greedy {
    weights: &'static Weights,
}

impl Greedy {
    /// Returns a bot with a temperament.
    pub fn new(temperament: Temperament) -> Greedy {
        Greedy {
            weights: temperament.weights(),
        }
    }
}

impl Bot for Greedy {
    fn choose(&mut self, seen: &Observation, _: Budget, chance: &mut Chance) -> Option<Action> {
        let question = seen.game().question(seen.state())?;
        let view = Evaluation {
            game: seen.game(),
            nation: question.nation(),
            weights: self.weights,
        };
        let decision = GreedyDecision {
            view,
            thorough: true,
        };
        decision.decide(&without_deck(seen.state()), question, chance)
    }
}

/// One decision of a greedy bot.
pub(crate) struct GreedyDecision<'a> {
    pub(crate) view: Evaluation<'a>,
    /// Whether it simulates non-trivial choices. Within a simulation it decides by heuristics.
    pub(crate) thorough: bool,
}

impl GreedyDecision<'_> {
    pub(crate) fn decide(
        &self,
        state: &State,
        question: Question,
        chance: &mut Chance,
    ) -> Option<Action> {
        match question {
            Question::Turn { .. } if state.phase == Phase::Stone => self
                .card_at_once(state)
                .or_else(|| self.stone(state, chance)),
            Question::Turn { .. } => Some(self.carry_out(state).0),
            Question::StartCity { .. } => self.start_city(state),
            Question::Battle {
                asked,
                region,
                unit,
                ..
            } => {
                let most = self.view.game.most_pairs(state, region, unit, asked);
                Some(self.answer(state, region, most))
            }
            Question::Cards { .. } => self.take_card(state, state.cards.open.kinds()),
            Question::Chip { .. } | Question::Personage { .. } | Question::Fortress { .. } => {
                self.best_option(state)
            }
        }
    }

    /// Returns the legal action that leads to the best position.
    fn best_option(&self, state: &State) -> Option<Action> {
        let mut actions = Vec::new();
        let game = self.view.game;
        game.legal_actions(state, Payments::Default, &mut actions);
        let options = actions.into_iter();
        options.max_by_key(|action| self.worth_after(state, *action))
    }

    /// Returns the position after an action.
    fn after(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        let applied = self
            .view
            .game
            .apply(&mut next, self.view.nation, action, &mut Vec::new());
        applied.ok().map(|()| next)
    }

    /// Returns the value of the position after an action.
    fn worth_after(&self, state: &State, action: Action) -> Option<i32> {
        self.after(state, action)
            .map(|next| self.view.evaluate(&next))
    }

    /// Returns the action with the highest gain, if one has a gain.
    fn best(&self, state: &State, actions: impl Iterator<Item = Action>) -> Option<Action> {
        let now = self.view.evaluate(state);
        let valued = actions.filter_map(|action| Some((self.worth_after(state, action)?, action)));
        let gains = valued.filter(|(worth, _)| *worth > now);
        gains.max_by_key(|(worth, _)| *worth).map(|(_, best)| best)
    }

    /// Chooses the field of the stone by simulating the turn on each affordable field.
    fn stone(&self, state: &State, chance: &mut Chance) -> Option<Action> {
        let game = self.view.game;
        let stone = state.nation(self.view.nation).stone;
        let opening = (self.view.weights).opening_field(&game.rules, state.round, stone);
        let mut best: Option<(i32, Action)> = None;
        for field in Field::ALL.iter().copied() {
            let steps = game.steps(state, self.view.nation, field);
            let extra = steps.saturating_sub(game.rules.data.rondel.free_steps);
            if extra > MOST_EXTRA_STEPS {
                continue;
            }
            let Some(pay) = self.cheapest(state, extra) else {
                continue;
            };
            let stone = Action::MoveStone { field, pay };
            let whim = chance.below(WHIM) as i32;
            let by_the_book = if opening == Some(field) { OPENING } else { 0 };
            let worth = self.play_out(state, stone) + whim + by_the_book;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, stone));
            }
        }
        best.map(|(_, stone)| stone)
    }

    /// Returns the least valuable chips and coins.
    pub(crate) fn cheapest(&self, state: &State, count: u8) -> Option<Payment> {
        let mut held = state.nation(self.view.nation).holdings;
        let mut pay = Payment::NOTHING;
        for _ in 0..count {
            let missed = |resource: &Resource| {
                let there = held.chips[resource.index()];
                (there > 0).then(|| {
                    let less = self.view.stock(state, *resource, there - 1);
                    let one = Payment::only(*resource, 1);
                    (self.view.stock(state, *resource, there) - less, one)
                })
            };
            let coin = Payment {
                coins: 1,
                ..Payment::NOTHING
            };
            let coins = (held.coins > 0).then_some((evaluation::COIN, coin));
            let options = Resource::ALL.iter().filter_map(missed).chain(coins);
            let (_, one) = options.min_by_key(|(missed, _)| *missed)?;
            // One of the available chips.
            for (held, paid) in held.chips.iter_mut().zip(one.chips()) {
                *held -= u32::from(paid);
            }
            held.coins -= u16::from(one.coins);
            pay.marble += one.marble;
            pay.iron += one.iron;
            pay.gold += one.gold;
            pay.coins += one.coins;
        }
        Some(pay)
    }

    /// Returns the value of a turn that begins with this move of the stone.
    /// It is the sum of the position at its end, the placement of units, and the estimate of the next field.
    fn play_out(&self, state: &State, stone: Action) -> i32 {
        let (state, gains) = self.to_end_of_turn(state, stone);
        let game = self.view.game;
        let reachable = Field::ALL.iter().filter(|field| {
            game.steps(&state, self.view.nation, **field) <= game.rules.data.rondel.free_steps
        });
        let promise = reachable
            .map(|field| self.view.promise(&state, *field))
            .max();
        self.view.evaluate(&state) + self.by_marches(gains) + promise.unwrap_or(0) * 6 / 10
    }

    /// Returns the value of the rest of a turn, beginning with this action.
    fn rest_of_turn(&self, state: &State, first: Option<Action>) -> i32 {
        let first = first.unwrap_or_else(|| self.simulated(self.view).carry_out(state).0);
        let (state, gains) = self.to_end_of_turn(state, first);
        self.view.evaluate(&state) + self.by_marches(gains)
    }

    /// Returns the value of gains in placement: higher with few units.
    fn by_marches(&self, gains: i32) -> i32 {
        match self.view.recruits() {
            true => gains * 4 / 5,
            false => gains / 2,
        }
    }

    /// Returns a decision for simulations, which uses heuristics only.
    fn simulated<'b>(&self, view: Evaluation<'b>) -> GreedyDecision<'b> {
        GreedyDecision {
            view,
            thorough: false,
        }
    }

    /// Simulates the turn from an action on.
    /// Returns the position before its end, and the gain in placement by marches.
    fn to_end_of_turn(&self, state: &State, first: Action) -> (State, i32) {
        let game = self.view.game;
        let mut state = state.clone();
        let mut effects = Vec::new();
        let (mut nation, mut action, mut gains) = (self.view.nation, first, 0);
        for _ in 0..LONGEST_TURN {
            if action == Action::EndTurn
                || game
                    .apply(&mut state, nation, action, &mut effects)
                    .is_err()
            {
                break;
            }
            effects.clear();
            let Some(question) = game.question(&state) else {
                break;
            };
            nation = question.nation();
            let view = Evaluation {
                nation,
                ..self.view
            };
            let other = self.simulated(view);
            action = match question {
                Question::Battle {
                    asked,
                    region,
                    unit,
                    ..
                } => {
                    let most = game.most_pairs(&state, region, unit, asked);
                    other.answer(&state, region, most)
                }
                Question::Chip { .. } | Question::Fortress { .. } => {
                    match other.best_option(&state) {
                        Some(option) => option,
                        None => break,
                    }
                }
                _ => {
                    let (next, gain) = other.carry_out(&state);
                    gains += gain;
                    next
                }
            };
        }
        (state, gains)
    }

    /// Returns the next action of a turn whose stone has moved, and its gain in placement.
    fn carry_out(&self, state: &State) -> (Action, i32) {
        if let Some(card) = self.card(state) {
            return (card, 0);
        }
        let field = state.turn_state.field;
        let by_field = match (state.phase, field) {
            (Phase::Action, Some(Field::Temple)) => self.temple(state).or_else(|| self.wall(state)),
            (Phase::Action, Some(Field::KnowHow)) => {
                self.know_how(state).or_else(|| self.recruit(state))
            }
            (Phase::Action, Some(Field::Arming)) => self.arm(state),
            (Phase::Action | Phase::Conquest, Some(Field::Maneuver1 | Field::Maneuver2)) => {
                let wants = Wants::new(&self.view, state);
                let marches = state.phase == Phase::Action;
                let battle = wants.battle().filter(|_| marches);
                if battle.is_none()
                    && let Some(march_and_gain) = wants.march().filter(|_| marches)
                {
                    return march_and_gain;
                }
                battle.or_else(|| wants.conquer())
            }
            _ => None,
        };
        let action = by_field
            .or_else(|| self.found(state))
            .or_else(|| self.trade(state))
            .unwrap_or(Action::EndTurn);
        (action, 0)
    }

    /// Whether the policy wants the units of a march where they go. It always wants special units there.
    pub(crate) fn wants_march(&self, state: &State, action: Action) -> bool {
        match action {
            Action::March { unit, from, to, .. } if unit.special().is_none() => {
                Wants::new(&self.view, state).gain(unit.kind(), from, to) > 0
            }
            _ => true,
        }
    }

    fn temple(&self, state: &State) -> Option<Action> {
        let sites = state.nation(self.view.nation).cities - state.temples;
        let build = |region| Action::BuildTemple { region, pay: None };
        self.best(state, sites.iter().map(build))
    }

    /// Builds a town wall where it is most valuable [D15].
    fn wall(&self, state: &State) -> Option<Action> {
        let game = self.view.game;
        if game.rules.data.walls.is_none() || game.walls_in_supply(state, self.view.nation) == 0 {
            return None;
        }
        let open = state.nation(self.view.nation).cities - state.walls;
        let build = |region| Action::BuildWall { region, pay: None };
        self.best(state, open.iter().map(build))
    }

    fn know_how(&self, state: &State) -> Option<Action> {
        let develop = |know_how: KnowHow| Action::Develop {
            know_how,
            pay: None,
        };
        self.best(state, self.view.open_know_how(state).map(develop))
    }

    /// Recruits units [D17].
    fn recruit(&self, state: &State) -> Option<Action> {
        self.view.game.rules.data.recruitment?;
        let kinds = Unit::ALL.iter().copied();
        let options = kinds.flat_map(|unit| {
            let recruit = move |count| Action::Recruit {
                unit,
                count,
                pay: None,
            };
            (1..=MOST_RECRUITED).map(recruit)
        });
        self.best(state, options)
    }

    /// Sets up one unit where units are wanted most and the fewest are.
    fn arm(&self, state: &State) -> Option<Action> {
        let wants = Wants::new(&self.view, state);
        let cities = state.nation(self.view.nation).cities;
        let may = |region: &Region| {
            let limit = self
                .view
                .game
                .rules
                .data
                .arming
                .get(state.has_temple(*region));
            state.turn_state.armed[region.index()] < limit
        };
        let options = cities.iter().filter(may).flat_map(|region| {
            let kinds = Unit::ALL.iter().copied();
            kinds.map(move |unit| (region, unit))
        });
        let can = options.filter(|(region, unit)| {
            self.view.game.board.holds(*region, *unit)
                && self.view.game.units_to_arm(state, *unit) > 0
                && self.may_meet(state, *region, *unit, &wants)
        });
        let worth = |(region, unit): &(Region, Unit)| wants.worth_of_unit(*region, *unit);
        let arm = can.max_by_key(worth).map(|(region, unit)| Action::Arm {
            region,
            unit: unit.into(),
            free: state.turn_state.free_unit,
            pay: None,
        });
        let special = self.special_unit_in(state, cities);
        self.best(state, arm.into_iter().chain(special))
    }

    /// Sets up the special unit at the temple where its kind is wanted most [D50].
    fn special_unit_in(&self, state: &State, cities: Regions) -> Option<Action> {
        let special = self.view.game.special_units[self.view.nation.index()]?;
        if !state.turn_state.special_armable {
            return None;
        }
        let wants = Wants::new(&self.view, state);
        let kind = special.kind();
        let sites = (cities & state.temples).iter();
        let sites = sites.filter(|region| self.view.game.board.holds(*region, kind));
        let region = sites.max_by_key(|region| wants.pull(*region, kind))?;
        Some(Action::Arm {
            region,
            unit: special.into(),
            free: false,
            pay: None,
        })
    }

    fn found(&self, state: &State) -> Option<Action> {
        let [legions, galleys] = state.nation(self.view.nation).stands;
        let taken = state.cities() | state.neutral_temples;
        let game = self.view.game;
        let closed = game.board.siteless() | taken;
        let options = ((legions | galleys) - closed)
            .iter()
            .map(|region| Action::Found {
                region,
                resource: match game.site(region).resource() {
                    None => self.scarce(state, region),
                    Some(_) => None,
                },
                pay: None,
            });
        self.best(state, options)
    }

    /// Returns the resource that the nation produces least of.
    /// It is weighted by the value of its chips and by the coins for neighbours of a city in the region.
    fn scarce(&self, state: &State, region: Region) -> Option<Resource> {
        let all = Resource::ALL.iter().copied();
        let left = all.filter(|resource| self.view.game.tokens_in_bank(state, *resource) > 0);
        left.min_by_key(|resource| {
            let count = self
                .view
                .game
                .production(state, self.view.nation, *resource);
            let worth = self.view.weights.chips[resource.index()];
            let coins = self.view.game.city_price(state, region, *resource).coins;
            (i64::from(count) + 1) * 1000 / i64::from(worth) + i64::from(coins) * NEIGHBOUR
        })
    }

    /// Trades spare chips for those that the field or a city needs.
    fn trade(&self, state: &State) -> Option<Action> {
        let lots = self.view.game.lots(state, self.view.nation);
        let options = lots.flat_map(|lot| {
            let give = self.cheapest(state, lot.give);
            let take = Resource::ALL.iter().map(move |r| Gain::only(*r, lot.take));
            take.filter_map(move |take| give.map(|give| Action::Trade { give, take }))
        });
        self.best(state, options)
    }

    /// Fights units that enter an own city; lets them pass elsewhere.
    fn answer(&self, state: &State, region: Region, most: u8) -> Action {
        let own = state.nation(self.view.nation).cities.contains(region);
        let count = if own { most } else { 0 };
        Action::AnswerBattle { count }
    }

    /// Chooses the start city with the most regions around it that are free.
    fn start_city(&self, state: &State) -> Option<Action> {
        let game = self.view.game;
        let open = |region: &Region| {
            let near = Unit::ALL.iter().fold(Regions::EMPTY, |set, unit| {
                set | game.board.neighbours(*region, *unit)
            });
            (near - state.cities()).len()
        };
        let mut actions = Vec::new();
        game.legal_actions(state, Payments::Default, &mut actions);
        let regions = actions.into_iter().filter_map(|action| match action {
            Action::ChooseCity { region } => Some(region),
            _ => None,
        });
        let best = regions.max_by_key(open)?;
        Some(Action::ChooseCity { region: best })
    }
}
