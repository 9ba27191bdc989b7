//! Applying an action.

use crate::chips::Payment;
use crate::content::{StartPick, Topic};
use crate::ids::Nation;
use crate::play::{Action, Effect, Effects, Game, Illegal, Reason};
use crate::state::{Question, State};
use crate::words::{Field, Phase};

impl Game {
    /// Applies one action of a nation and appends the facts that followed to `effects`.
    ///
    /// # Errors
    /// When the rules do not allow the action now; state and effects are then as they were.
    ///
    /// # Panics
    /// When the action names a region or know-how by a number that no board or ruleset has.
    /// Actions that were read by [`Game::parse`] or from their wire form never do.
    pub fn apply(
        &self,
        state: &mut State,
        nation: Nation,
        action: Action,
        effects: &mut Effects,
    ) -> Result<(), Illegal> {
        self.check_order(state, nation, &action)
            .and_then(|()| self.carry_out(state, nation, action, effects))
            .map_err(|reason| Illegal {
                reason,
                rule: self.rules.rule(self.offended(state, &action, reason)),
            })
    }

    /// Whether an action of this kind may be taken by this nation at this point of the turn.
    fn check_order(&self, state: &State, nation: Nation, action: &Action) -> Result<(), Reason> {
        let Some(question) = self.question(state) else {
            return Err(Reason::GameOver);
        };
        let plays = nation.index() < self.nations.len();
        if *action == Action::Resign && plays {
            return match state.nation(nation).resigned {
                true => Err(Reason::HasResigned),
                false => Ok(()),
            };
        }
        if question.asked() != nation {
            return Err(Reason::NotYourTurn {
                acts: question.asked(),
            });
        }
        let answers = match action {
            Action::ChooseChip { .. } => matches!(state.question, Some(Question::Chip { .. })),
            Action::AnswerBattle { .. } => matches!(state.question, Some(Question::Battle { .. })),
            Action::ChoosePersonage { .. } => {
                matches!(state.question, Some(Question::Personage { .. }))
            }
            Action::TakeCard { .. } => matches!(state.question, Some(Question::Cards { .. })),
            Action::Pass => matches!(state.question, Some(Question::Fortress { .. })),
            Action::PlayCard { .. }
                if matches!(state.question, Some(Question::Fortress { .. })) =>
            {
                true
            }
            _ if state.question.is_some() => return Err(Reason::AnswerFirst),
            _ => return check_phase(state, action),
        };
        match (answers, state.question) {
            (true, _) => Ok(()),
            (false, Some(_)) => Err(Reason::AnswerFirst),
            (false, None) => Err(Reason::NothingAsked),
        }
    }

    /// The subject of the rule that a refused action offends: mostly the reason says it, but some
    /// reasons belong to several rules.
    fn offended(&self, state: &State, action: &Action, reason: Reason) -> Topic {
        match (reason, action) {
            (Reason::AnswerFirst, _) => match state.question {
                Some(Question::Chip { .. }) => Topic::RoundCoin,
                Some(Question::Battle { .. }) => Topic::Battle,
                Some(Question::Personage { .. }) => Topic::ExtraPersonage,
                Some(Question::Cards { .. }) => Topic::CardChoice,
                Some(Question::Fortress { .. }) => Topic::Fortress,
                Some(Question::Turn { .. } | Question::StartCity { .. }) | None => Topic::Turn,
            },
            (Reason::NothingAsked, Action::TakeCard { .. }) => Topic::CardChoice,
            (Reason::NothingAsked, Action::Pass) => Topic::Fortress,
            (Reason::PhaseIsOver, _) if state.phase > Phase::Conquest => Topic::Turn,
            (Reason::NotASite, _) if self.rules.start_pick == Some(StartPick::FreeSites) => {
                Topic::FreeStartSites
            }
            (Reason::NoOwnCity | Reason::WrongPayment { .. }, Action::BuildTemple { .. }) => {
                Topic::Temple
            }
            (Reason::NoOwnCity | Reason::WrongPayment { .. }, Action::BuildWall { .. }) => {
                Topic::Walls
            }
            (
                Reason::NoUnits
                | Reason::NoUnitLeft { .. }
                | Reason::TooFewLeft { .. }
                | Reason::WrongPayment { .. },
                Action::Recruit { .. },
            ) => Topic::Recruiting,
            (
                Reason::NoOwnCity
                | Reason::NoBorderFor { .. }
                | Reason::NotInBox { .. }
                | Reason::NoUnitLeft { .. },
                Action::PlayCard { .. },
            ) => Topic::Cards,
            (Reason::WrongPayment { .. }, Action::MoveStone { .. }) => Topic::Rondel,
            (Reason::WrongPayment { .. }, Action::Arm { .. }) => Topic::Arming,
            (Reason::WrongPayment { .. }, Action::Develop { .. }) => Topic::KnowHowPrice,
            (Reason::WrongPayment { .. } | Reason::NoToken, Action::Found { .. }) => {
                Topic::Founding
            }
            (Reason::NoUnits, Action::Battle { .. }) => Topic::Battle,
            _ => reason.topic(),
        }
    }

    fn carry_out(
        &self,
        state: &mut State,
        nation: Nation,
        action: Action,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
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
            Action::ChooseChip { resource } => {
                self.choose_chip(state, resource, effects);
                Ok(())
            }
            Action::ChoosePersonage { personage } => {
                self.choose_personage(state, personage, effects)
            }
            Action::ChooseCity { region } => self.choose_city(state, region, effects),
            Action::TakeCard { card } => self.take_card(state, card, effects),
            Action::PlayCard { card, region, unit } => {
                self.play_card(state, nation, card, (region, unit), effects)
            }
            Action::Pass => {
                self.pass(state, effects);
                Ok(())
            }
            Action::EndTurn => {
                self.end_turn(state, effects);
                Ok(())
            }
            Action::Resign => {
                self.resign(state, nation, effects);
                Ok(())
            }
        }
    }

    /// The payment meant by `pay` for `price`, checked against what the nation to move holds.
    pub(super) fn payment(
        &self,
        state: &State,
        price: Payment,
        pay: Option<Payment>,
    ) -> Result<Payment, Reason> {
        let held = &state.nation(state.to_move).holdings;
        match pay {
            None => held
                .default_payment(price)
                .ok_or(Reason::CannotPay { price }),
            Some(pay) if held.can_pay_with(price, pay) => Ok(pay),
            Some(pay) if !held.holds(pay) => Err(Reason::CannotPay { price }),
            Some(_) => Err(Reason::WrongPayment { price }),
        }
    }
}

/// Takes a checked payment from the nation to move; its coins go to the bank.
pub(super) fn spend(state: &mut State, pay: Payment, effects: &mut Effects) {
    if pay == Payment::NOTHING {
        return;
    }
    let nation = state.to_move;
    state.nation_mut(nation).holdings.spend(pay);
    state.bank.coins += pay.coins;
    effects.push(Effect::Paid { nation, pay });
}

/// Whether an action that answers nothing fits the phase and the field of the turn [A11].
fn check_phase(state: &State, action: &Action) -> Result<(), Reason> {
    let is_city_choice = matches!(action, Action::ChooseCity { .. });
    match state.phase {
        Phase::Setup if is_city_choice => return Ok(()),
        Phase::Setup => return Err(Reason::ChooseCityFirst),
        _ if is_city_choice => return Err(Reason::NoCityChoice),
        Phase::Stone => {
            return match action {
                Action::MoveStone { .. } | Action::Trade { .. } | Action::PlayCard { .. } => Ok(()),
                _ => Err(Reason::MoveStoneFirst),
            };
        }
        Phase::Action | Phase::Conquest | Phase::Found | Phase::End => {}
    }
    let field = state.turn_state.field;
    let maneuvers = field.is_some_and(Field::is_maneuver);
    let (fits, last_phase) = match action {
        Action::MoveStone { .. } => return Err(Reason::StoneHasMoved),
        Action::BuildTemple { .. } | Action::BuildWall { .. } => {
            (field == Some(Field::Temple), Phase::Action)
        }
        Action::Arm { .. } => (field == Some(Field::Arming), Phase::Action),
        Action::Develop { .. } | Action::Recruit { .. } => {
            (field == Some(Field::KnowHow), Phase::Action)
        }
        Action::March { .. } | Action::Battle { .. } => (maneuvers, Phase::Action),
        Action::Conquer { .. } => (maneuvers, Phase::Conquest),
        _ => return Ok(()),
    };
    if !fits {
        Err(Reason::WrongField)
    } else if state.phase > last_phase {
        Err(Reason::PhaseIsOver)
    } else {
        Ok(())
    }
}
