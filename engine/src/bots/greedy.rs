//! The greedy bot: it plays each field out in its head, takes the one that leaves it best off, and
//! then carries the field out step by step.

use super::evaluation::Evaluation;
use super::maneuver::Wants;
use super::temperament::Temperament;
use crate::action::Action;
use crate::board::{Region, regions};
use crate::chance::Chance;
use crate::chips::Pay;
use crate::game::{Game, Pending, PendingKind};
use crate::legal::Payments;
use crate::ruleset::KnowHow;
use crate::state::State;
use crate::vocabulary::{Field, Phase, Resource, Unit};

/// How many fields beyond the free ones are worth a thought.
const MOST_EXTRA_STEPS: u8 = 3;
/// Chance moves the worth of each field by up to so much, so that games differ.
const WHIM: u32 = 40;
/// What the next field of the temperament's opening is worth more.
const OPENING: i32 = 800;
/// No turn has more actions than this.
const LONGEST_TURN: usize = 200;

/// What the bot does for the nation that must act, or nothing when the game is over.
pub(super) fn choose(
    temperament: Temperament,
    game: &Game,
    state: &State,
    chance: &mut Chance,
) -> Option<Action> {
    let pending = game.pending(state)?;
    let weights = temperament.weights(&game.setup.seed, game.seat_of(pending.nation));
    let view = Evaluation {
        game,
        nation: pending.nation,
        weights,
    };
    Greedy { view }.decide(state, pending, chance)
}

struct Greedy<'a> {
    view: Evaluation<'a>,
}

impl Greedy<'_> {
    fn decide(&self, state: &State, pending: Pending, chance: &mut Chance) -> Option<Action> {
        match pending.kind {
            PendingKind::Turn if state.phase == Phase::Stone => self.stone(state, chance),
            PendingKind::Turn => Some(self.carry_out(state).0),
            PendingKind::CityChoice => self.start_city(state),
            PendingKind::BattleAnswer { region, most, .. } => {
                Some(self.answer(state, region, most))
            }
            PendingKind::ChipChoice
            | PendingKind::PersonageChoice { .. }
            | PendingKind::CardChoice { .. }
            | PendingKind::FortressAnswer { .. } => self.best_option(state),
        }
    }

    /// The legal action after which the position is worth most.
    fn best_option(&self, state: &State) -> Option<Action> {
        let mut actions = Vec::new();
        let game = self.view.game;
        game.legal_actions(state, Payments::Default, &mut actions);
        let options = actions.into_iter();
        options.max_by_key(|action| self.worth_after(state, *action))
    }

    /// What the position after an action is worth.
    fn worth_after(&self, state: &State, action: Action) -> Option<i32> {
        let mut next = state.clone();
        let applied = self
            .view
            .game
            .apply(&mut next, self.view.nation, action, &mut Vec::new());
        applied.ok().map(|()| self.view.of(&next))
    }

    /// The action that gains most over the position as it is, if one gains at all.
    fn best(&self, state: &State, actions: impl Iterator<Item = Action>) -> Option<Action> {
        let now = self.view.of(state);
        let valued = actions.filter_map(|action| Some((self.worth_after(state, action)?, action)));
        let gains = valued.filter(|(worth, _)| *worth > now);
        gains.max_by_key(|(worth, _)| *worth).map(|(_, best)| best)
    }

    /// Where the stone goes: each field that can be paid is played out.
    fn stone(&self, state: &State, chance: &mut Chance) -> Option<Action> {
        let game = self.view.game;
        let stone = state.nation(self.view.nation).stone;
        let opening = (self.view.weights).opening_field(game.rules.coin, state.round, stone);
        let mut best: Option<(i32, Action)> = None;
        for field in Field::ALL.iter().copied() {
            let steps = game.steps(state, self.view.nation, field);
            let extra = steps.saturating_sub(game.rules.free_steps);
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

    /// The chips and coins that are missed least.
    fn cheapest(&self, state: &State, count: u8) -> Option<Pay> {
        let mut held = state.nation(self.view.nation).holdings;
        let mut pay = Pay::NOTHING;
        for _ in 0..count {
            let missed = |resource: &Resource| {
                let there = held.chips[resource.index()];
                (there > 0).then(|| {
                    let less = self.view.stock(state, *resource, there - 1);
                    let one = Pay::of(*resource, 1);
                    (self.view.stock(state, *resource, there) - less, one)
                })
            };
            let coin = Pay {
                coins: 1,
                ..Pay::NOTHING
            };
            let coins = (held.coins > 0).then_some((super::evaluation::COIN, coin));
            let options = Resource::ALL.iter().filter_map(missed).chain(coins);
            let (_, one) = options.min_by_key(|(missed, _)| *missed)?;
            held.spend(one);
            pay.marble += one.marble;
            pay.iron += one.iron;
            pay.gold += one.gold;
            pay.coins += one.coins;
        }
        Some(pay)
    }

    /// The worth of a turn that begins with this move of the stone: what the nation has at its end,
    /// how well its units stand, and what the next field can bring.
    fn play_out(&self, state: &State, stone: Action) -> i32 {
        let game = self.view.game;
        let mut state = state.clone();
        let mut effects = Vec::new();
        let (mut nation, mut action, mut gains) = (self.view.nation, stone, 0);
        for _ in 0..LONGEST_TURN {
            if action == Action::EndTurn
                || game
                    .apply(&mut state, nation, action, &mut effects)
                    .is_err()
            {
                break;
            }
            effects.clear();
            let Some(pending) = game.pending(&state) else {
                break;
            };
            nation = pending.nation;
            action = match pending.kind {
                PendingKind::BattleAnswer { region, most, .. } => {
                    let view = Evaluation {
                        nation,
                        ..self.view
                    };
                    Greedy { view }.answer(&state, region, most)
                }
                PendingKind::ChipChoice => match self.best_option(&state) {
                    Some(chip) => chip,
                    None => break,
                },
                _ => {
                    let (next, gain) = self.carry_out(&state);
                    gains += gain;
                    next
                }
            };
        }
        let reachable = Field::ALL
            .iter()
            .filter(|field| game.steps(&state, self.view.nation, **field) <= game.rules.free_steps);
        let promise = reachable
            .map(|field| self.view.promise(&state, *field))
            .max();
        self.view.of(&state) + gains / 2 + promise.unwrap_or(0) * 6 / 10
    }

    /// The next action of a turn whose stone has moved, and how much better units stand by it.
    fn carry_out(&self, state: &State) -> (Action, i32) {
        let field = state.turn_state.field;
        let by_field = match (state.phase, field) {
            (Phase::Action, Some(Field::Temple)) => self.temple(state),
            (Phase::Action, Some(Field::KnowHow)) => self.know_how(state),
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

    fn temple(&self, state: &State) -> Option<Action> {
        let sites = state.nation(self.view.nation).cities & !state.temples;
        let build = |region| Action::BuildTemple { region, pay: None };
        self.best(state, regions(sites).map(build))
    }

    fn know_how(&self, state: &State) -> Option<Action> {
        let develop = |know_how: KnowHow| Action::Develop {
            know_how,
            pay: None,
        };
        self.best(state, self.view.open_know_how(state).map(develop))
    }

    /// One unit more, where units are wanted most and fewest stand.
    fn arm(&self, state: &State) -> Option<Action> {
        let wants = Wants::new(&self.view, state);
        let cities = state.nation(self.view.nation).cities;
        let may = |region: &Region| {
            let limit = self.view.game.rules.arming.of(state.has_temple(*region));
            state.turn_state.armed[region.index()] < limit
        };
        let options = regions(cities).filter(may).flat_map(|region| {
            let kinds = Unit::ALL.iter().copied();
            kinds.map(move |unit| (region, unit))
        });
        let can = options.filter(|(region, unit)| {
            self.view.game.board.holds(*region, *unit)
                && self
                    .view
                    .game
                    .units_in_supply(state, self.view.nation, *unit)
                    > 0
        });
        let (region, unit) = can.max_by_key(|(region, unit)| {
            let there = state.units(*region, self.view.nation, *unit);
            wants.pull(*region, *unit) / (1 + i32::from(there))
        })?;
        let arm = Action::Arm {
            region,
            unit: unit.into(),
            free: state.turn_state.free_unit,
            pay: None,
        };
        self.best(state, std::iter::once(arm))
    }

    fn found(&self, state: &State) -> Option<Action> {
        let [legions, galleys] = state.nation(self.view.nation).stands;
        let taken = state.cities() | state.neutral_temples;
        let game = self.view.game;
        let closed = game.board.siteless() | taken;
        let scarce = self.scarce(state);
        let options = regions((legions | galleys) & !closed).map(|region| Action::Found {
            region,
            resource: scarce.filter(|_| game.site(region).resource().is_none()),
            pay: None,
        });
        self.best(state, options)
    }

    /// The resource that the nation produces least of, by what its chips are worth.
    fn scarce(&self, state: &State) -> Option<Resource> {
        let all = Resource::ALL.iter().copied();
        all.min_by_key(|resource| {
            let count = self
                .view
                .game
                .production(state, self.view.nation, *resource);
            let worth = self.view.weights.chips[resource.index()];
            (i64::from(count) + 1) * 1000 / i64::from(worth)
        })
    }

    /// A lot for the bank that makes what the field or a city needs out of what is spare.
    fn trade(&self, state: &State) -> Option<Action> {
        let lots = self.view.game.lots(state, self.view.nation);
        let options = lots.flat_map(|lot| {
            let give = self.cheapest(state, lot.give);
            let take = Resource::ALL.iter().map(move |r| Pay::of(*r, lot.take));
            take.filter_map(move |take| give.map(|give| Action::Trade { give, take }))
        });
        self.best(state, options)
    }

    /// Units that enter an own city are fought; elsewhere they may pass.
    fn answer(&self, state: &State, region: Region, most: u8) -> Action {
        let own = state.nation(self.view.nation).cities & region.bit() != 0;
        let count = if own { most } else { 0 };
        Action::AnswerBattle { count }
    }

    /// The start city with most regions around it, and none of them taken.
    fn start_city(&self, state: &State) -> Option<Action> {
        let game = self.view.game;
        let open = |region: &Region| {
            let near = Unit::ALL
                .iter()
                .fold(0, |set, unit| set | game.board.neighbours(*region, *unit));
            (near & !state.cities()).count_ones()
        };
        let best = regions(game.city_choices(state)).max_by_key(open)?;
        Some(Action::ChooseCity { region: best })
    }
}
