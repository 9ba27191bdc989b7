//! The order of a turn [A11]: who may act when, and which chapter of the rules handles an action.
//!
//! Each chapter has its own file with prices, checks, lists of legal actions, and effects.

use super::cards::list_open_cards;
use super::personages::list_personages;
use super::round::list_chips;
use crate::chips::{Holdings, Payment, Price};
use crate::content::{BattlePolicy, Rule};
use crate::ids::Nation;
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::{Question, State};
use crate::words::{Field, Phase};

/// The payments that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Payments {
    /// Only the default payment: chips first, then coins [A4].
    /// Fields beyond the free ones have no default, so all their payments are listed.
    #[default]
    Default,
    /// Every payment.
    All,
}

/// A list of legal actions under construction.
pub(super) struct Listing<'a> {
    pub held: Holdings,
    all_payments: bool,
    actions: &'a mut Vec<Action>,
}

impl Listing<'_> {
    pub fn push(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// Lists an action with its payments, if the nation can pay the price.
    #[inline]
    pub fn paid(&mut self, price: Price, action: impl Fn(Option<Payment>) -> Action) {
        if self.held.default_payment(price).is_none() {
            return;
        }
        self.actions.push(action(None));
        if self.all_payments {
            let actions = &mut *self.actions;
            self.held
                .other_payments(price, |pay| actions.push(action(Some(pay))));
        }
    }
}

impl Game {
    /// Applies one action of a nation and appends its effects to `effects`.
    ///
    /// # Errors
    /// If the rules do not allow the action at this point. State and effects are then unchanged.
    ///
    /// # Panics
    /// If the action has the number of a region or know-how that no board or ruleset has. Actions that were parsed by
    /// [`Game::parse`] or from their wire form never do.
    pub fn apply(
        &self,
        state: &mut State,
        nation: Nation,
        action: Action,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_order(state, nation, &action)?;
        match action {
            Action::MoveStone { field, pay } => self.move_stone(state, field, pay, effects),
            Action::BuildTemple { region, pay } => self.build_temple(state, region, pay, effects),
            Action::BuildWall { region, pay } => self.build_wall(state, region, pay, effects),
            Action::Arm {
                region,
                unit,
                free,
                pay,
            } => self.arm(state, (region, unit), free, pay, effects),
            Action::Develop { know_how, pay } => self.develop(state, know_how, pay, effects),
            Action::Recruit { unit, count, pay } => self.recruit(state, unit, count, pay, effects),
            Action::March {
                unit,
                count,
                from,
                to,
                left,
            } => self.march(state, unit, count, (from, to), left, effects),
            Action::Battle {
                unit,
                count,
                region,
                against,
            } => self.battle(state, unit, count, region, against, effects),
            Action::AnswerBattle { count } => self.answer_battle(state, count, effects),
            Action::Conquer {
                region,
                legions,
                galleys,
                give_up,
            } => self.conquer(state, region, [legions, galleys], give_up, effects),
            Action::Found {
                region,
                resource,
                pay,
            } => self.found(state, region, resource, pay, effects),
            Action::Trade { give, take } => self.trade(state, give, take, effects),
            Action::ChooseChip { resource } => self.choose_chip(state, resource, effects),
            Action::ChoosePersonage { personage } => {
                self.choose_personage(state, personage, effects)
            }
            Action::ChooseCity { region } => self.choose_city(state, region, effects),
            Action::TakeCard { card } => self.take_card(state, card, effects),
            Action::PlayCard { card, region, unit } => {
                self.play_card(state, nation, card, (region, unit), effects)
            }
            Action::Pass => self.pass(state, effects),
            Action::EndTurn => self.end_turn(state, effects),
            Action::Resign => self.resign(state, nation, effects),
        }
    }

    /// Checks that this nation may act, and with an action of this kind if a question is open.
    fn check_order(&self, state: &State, nation: Nation, action: &Action) -> Result<(), Refusal> {
        if state.outcome.is_some() {
            return Err(self.refuse(Rule::Goal, Reason::GameOver));
        }
        let plays = nation.index() < self.nations.len();
        if *action == Action::Resign && plays {
            return Ok(());
        }
        // Only questions that interrupt a turn are read. Building the question of a turn would be slow.
        let question = &state.question;
        let acts = question.as_ref().map_or(state.to_move, Question::nation);
        if acts != nation {
            return Err(self.refuse(Rule::Turn, Reason::NotYourTurn { acts }));
        }
        let (answers, rule) = match action {
            Action::ChooseChip { .. } => {
                let asked = matches!(question, Some(Question::Chip { .. }));
                (asked, Rule::RoundCoin)
            }
            Action::AnswerBattle { .. } => {
                let asked = matches!(question, Some(Question::Battle { .. }));
                (asked, Rule::Battle)
            }
            Action::ChoosePersonage { .. } => {
                let asked = matches!(question, Some(Question::Personage { .. }));
                (asked, Rule::ExtraPersonage)
            }
            Action::TakeCard { .. } => {
                let asked = matches!(question, Some(Question::Cards { .. }));
                (asked, Rule::CardsDue)
            }
            Action::Pass => {
                let asked = matches!(question, Some(Question::Fortress { .. }));
                (asked, Rule::Fortress)
            }
            // In its own turn a nation plays cards without answering a question.
            Action::PlayCard { .. } => {
                let answers = matches!(question, Some(Question::Fortress { .. }));
                (answers || question.is_none(), Rule::Cards)
            }
            _ if question.is_none() => return Ok(()),
            _ => (false, Rule::Turn),
        };
        if answers {
            return Ok(());
        }
        let rule = match question {
            Some(Question::Chip { .. }) => Rule::RoundCoin,
            Some(Question::Battle { .. }) => Rule::Battle,
            Some(Question::Personage { .. }) => Rule::ExtraPersonage,
            Some(Question::Cards { .. }) => Rule::CardsDue,
            Some(Question::Fortress { .. }) => Rule::Fortress,
            _ => return Err(self.refuse(rule, Reason::NothingAsked)),
        };
        Err(self.refuse(rule, Reason::AnswerFirst))
    }

    /// Returns a refusal under a rule, with the rule's number in the edition.
    #[cold]
    pub(super) fn refuse(&self, rule: Rule, reason: Reason) -> Refusal {
        Refusal {
            reason,
            rule: self.rules.number(rule),
        }
    }

    /// Checks that the stone has not moved this turn.
    pub(super) fn check_before_stone(&self, state: &State) -> Result<(), Refusal> {
        match state.phase {
            Phase::Setup => Err(self.choose_city_first()),
            Phase::Stone => Ok(()),
            _ => Err(self.refuse(Rule::Turn, Reason::StoneHasMoved)),
        }
    }

    /// Checks that all start cities are chosen.
    pub(super) fn check_in_turn(&self, state: &State) -> Result<(), Refusal> {
        match state.phase {
            Phase::Setup => Err(self.choose_city_first()),
            _ => Ok(()),
        }
    }

    /// Checks that the stone has moved this turn.
    pub(super) fn check_after_stone(&self, state: &State) -> Result<(), Refusal> {
        match state.phase {
            Phase::Setup => Err(self.choose_city_first()),
            Phase::Stone => Err(self.refuse(Rule::Turn, Reason::MoveStoneFirst)),
            _ => Ok(()),
        }
    }

    /// Checks that the field of the stone `fits` and that the phase `last` has not passed.
    /// Otherwise it breaks `rule`.
    pub(super) fn check_action(
        &self,
        state: &State,
        fits: impl Fn(Field) -> bool,
        last: Phase,
        rule: Rule,
    ) -> Result<(), Refusal> {
        self.check_after_stone(state)?;
        if !state.turn_state.field.is_some_and(fits) {
            return Err(self.refuse(Rule::Turn, Reason::WrongField));
        }
        match state.phase {
            phase if phase <= last => Ok(()),
            Phase::Conquest => Err(self.refuse(rule, Reason::PhaseIsOver)),
            _ => Err(self.refuse(Rule::Turn, Reason::PhaseIsOver)),
        }
    }

    /// Returns the payment meant by `pay` for `price`, checked against the mover's holdings [A4].
    ///
    /// Another payment breaks `rule`, which sets the price.
    pub(super) fn payment(
        &self,
        state: &State,
        price: Price,
        pay: Option<Payment>,
        rule: Rule,
    ) -> Result<Payment, Refusal> {
        let held = &state.nation(state.to_move).holdings;
        let cannot_pay = || self.refuse(Rule::Payment, Reason::CannotPay { price });
        match pay {
            None => held.default_payment(price).ok_or_else(cannot_pay),
            Some(pay) if held.can_pay_with(price, pay) => Ok(pay),
            Some(pay) if !held.holds(pay) => Err(cannot_pay()),
            Some(_) => Err(self.refuse(rule, Reason::WrongPayment { price })),
        }
    }

    /// Lists every legal action except resigning, in canonical form, into `list`, which is cleared first.
    ///
    /// All are actions of the one nation that must act. With [`Payments::All`] every action that is not listed, up to
    /// its canonical form, is refused.
    pub fn legal_actions(&self, state: &State, payments: Payments, list: &mut Vec<Action>) {
        list.clear();
        if state.outcome.is_some() {
            return;
        }
        let list = &mut Listing {
            held: state.nation(state.to_move).holdings,
            all_payments: payments == Payments::All,
            actions: list,
        };
        match state.question {
            None if state.phase == Phase::Setup => self.list_start_cities(state, list),
            None => self.list_turn(state, list),
            Some(Question::Turn { .. }) => self.list_turn(state, list),
            Some(Question::StartCity { .. }) => self.list_start_cities(state, list),
            Some(Question::Chip { .. }) => list_chips(list),
            Some(Question::Battle {
                asked,
                region,
                unit,
                ..
            }) => self.list_answers(state, asked, (region, unit), list),
            Some(Question::Personage { options, .. }) => list_personages(options, list),
            Some(Question::Cards { .. }) => list_open_cards(state, list),
            Some(Question::Fortress { asked, .. }) => {
                self.list_cards(state, asked, list);
                list.push(Action::Pass);
            }
        }
    }

    fn list_turn(&self, state: &State, list: &mut Listing<'_>) {
        match (state.phase, state.turn_state.field) {
            (Phase::Stone, _) => {
                self.list_stone(state, list);
                self.list_trades(state, list);
                return self.list_cards(state, state.to_move, list);
            }
            (Phase::Action, Some(Field::Temple)) => {
                self.list_temples(state, list);
                self.list_walls(state, list);
            }
            (Phase::Action, Some(Field::Arming)) => self.list_arming(state, list),
            (Phase::Action, Some(Field::KnowHow)) => {
                self.list_know_how(state, list);
                self.list_recruiting(state, list);
            }
            (Phase::Action, Some(Field::Maneuver1 | Field::Maneuver2)) => {
                self.list_marches(state, list);
                self.list_special_marches(state, list);
                match self.rules.data.battle {
                    BattlePolicy::OnDemand => self.list_battles(state, list),
                    BattlePolicy::Automatic => {}
                }
                self.list_conquests(state, list);
            }
            (Phase::Conquest, _) => self.list_conquests(state, list),
            _ => {}
        }
        self.list_foundings(state, list);
        self.list_trades(state, list);
        self.list_cards(state, state.to_move, list);
        list.push(Action::EndTurn);
    }

    /// Returns the canonical form of an action, which is listed and stored.
    ///
    /// It omits a default payment, the default choice of units, and a resource that the site determines.
    pub fn canonical(&self, state: &State, action: Action) -> Action {
        let held = &state.nation(state.to_move).holdings;
        let price = self.price(state, &action);
        let mut action = action;
        match &mut action {
            Action::BuildTemple { pay, .. }
            | Action::BuildWall { pay, .. }
            | Action::Arm { pay, .. }
            | Action::Develop { pay, .. }
            | Action::Recruit { pay, .. }
            | Action::Found { pay, .. }
                if price.is_some_and(|price| held.default_payment(price) == *pay) =>
            {
                *pay = None;
            }
            Action::March {
                unit,
                count,
                from,
                left,
                ..
            } => {
                if let Some(named) = *left
                    && self.goes_first(state, *unit, *count, *from, named)
                {
                    *left = None;
                }
            }
            _ => {}
        }
        if let Action::Found {
            region, resource, ..
        } = &mut action
            && *resource == self.site(*region).resource()
        {
            *resource = None;
        }
        action
    }

    /// Returns the price of an action, if it has one.
    pub fn price(&self, state: &State, action: &Action) -> Option<Price> {
        match *action {
            Action::BuildTemple { region, .. } => Some(self.temple_price(state, region)),
            Action::BuildWall { .. } => self.rules.data.walls.as_ref().map(|walls| walls.price),
            Action::Arm { unit, free, .. } => Some(self.arming_price(unit, free)),
            Action::Develop { know_how, .. } => Some(self.know_how_price(state, know_how)),
            Action::Recruit { unit, count, .. } => Some(self.recruiting_price(unit, count)),
            Action::Found {
                region, resource, ..
            } => {
                let resource = resource.or(self.site(region).resource())?;
                Some(self.city_price(state, region, resource))
            }
            _ => None,
        }
    }
}

/// Takes a checked payment from the nation to move. Its coins return to the bank.
pub(super) fn spend(state: &mut State, pay: Payment, effects: &mut Effects) {
    if pay == Payment::NOTHING {
        return;
    }
    let nation = state.to_move;
    state.nation_mut(nation).holdings.spend(pay);
    state.bank.coins += pay.coins;
    effects.push(Effect::Paid { nation, pay });
}
