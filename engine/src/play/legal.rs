//! Listing what may be done now.

use crate::chips::{Holdings, Payment};
use crate::content::BattlePolicy;
use crate::ids::{Card, KnowHow, MAX_MANEUVERS, Nation, Personages, Region, Regions};
use crate::play::{Action, Game, pick_movers};
use crate::state::{ByManeuvers, Question, State};
use crate::words::{Field, Phase, Piece, Resource, Unit};

/// Which payments are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Payments {
    /// The default payment only: chips first, coins for what lacks [A4]. Further rondel fields
    /// have no default, so all their payments are listed.
    #[default]
    Default,
    /// Every payment.
    All,
}

impl Game {
    /// Lists every action that may be taken now, but for resigning, in canonical form, into `list`,
    /// which is emptied first. They are all of the one nation that must act. With
    /// [`Payments::All`] whatever is not listed, up to its canonical form, is refused.
    pub fn legal_actions(&self, state: &State, payments: Payments, list: &mut Vec<Action>) {
        list.clear();
        if state.outcome.is_some() {
            return;
        }
        let mut lister = Lister {
            game: self,
            state,
            all_payments: payments == Payments::All,
            list,
        };
        match state.question {
            Some(Question::Chip { .. }) => lister.chips(),
            Some(Question::Battle {
                asked,
                region,
                unit,
                ..
            }) => lister.answers(asked, region, unit),
            Some(Question::Personage { options, .. }) => lister.personages(options),
            Some(Question::Cards { .. }) => lister.open_cards(),
            Some(Question::Fortress { asked, .. }) => {
                lister.cards(asked);
                lister.list.push(Action::Pass);
            }
            Some(Question::Turn { .. } | Question::StartCity { .. }) | None => lister.turn(),
        }
    }

    /// The form of an action that is listed and stored: a default payment, the default choice of
    /// units and a resource that the site forces are left out.
    pub fn canonical(&self, state: &State, action: Action) -> Action {
        let held = &state.nation(state.to_move).holdings;
        let default = |pay: Option<Payment>, price: Payment| {
            pay.filter(|_| held.default_payment(price) != pay)
        };
        match action {
            Action::BuildTemple { region, pay } => Action::BuildTemple {
                region,
                pay: default(pay, self.temple_price(state, region)),
            },
            Action::BuildWall { region, pay } => Action::BuildWall {
                region,
                pay: self
                    .rules
                    .walls
                    .as_ref()
                    .map_or(pay, |walls| default(pay, walls.price)),
            },
            Action::Arm {
                region,
                unit,
                free,
                pay,
            } => Action::Arm {
                region,
                unit,
                free,
                pay: match free {
                    true => pay.filter(|pay| *pay != Payment::NOTHING),
                    false => default(pay, self.arming_price(unit, false)),
                },
            },
            Action::Develop { know_how, pay } => Action::Develop {
                know_how,
                pay: default(pay, self.know_how_price(state, know_how)),
            },
            Action::Found {
                region,
                resource,
                pay,
            } => Action::Found {
                region,
                resource: resource.filter(|_| resource != self.site(region).resource()),
                pay: match resource.or(self.site(region).resource()) {
                    Some(resource) => default(pay, self.city_price(state, region, resource)),
                    None => pay,
                },
            },
            Action::Recruit { unit, count, pay } => Action::Recruit {
                unit,
                count,
                pay: default(pay, self.recruiting_price(unit, count)),
            },
            Action::March {
                unit,
                count,
                from,
                to,
                left: Some(left),
            } => {
                // Naming the units changes nothing where they would go first anyway.
                let counts = match unit.special() {
                    None => state.by_maneuvers(from, unit.kind()),
                    Some(_) => {
                        let mut counts = ByManeuvers::default();
                        let there = self.special_movers(state, from, unit);
                        let special_left = usize::from(state.turn_state.special_left);
                        counts[special_left.min(MAX_MANEUVERS)] = there;
                        counts
                    }
                };
                let named = pick_movers(&counts, count, Some(left));
                let same = named.is_ok() && named == pick_movers(&counts, count, None);
                Action::March {
                    unit,
                    count,
                    from,
                    to,
                    left: Some(left).filter(|_| !same),
                }
            }
            other => other,
        }
    }
}

struct Lister<'a> {
    game: &'a Game,
    state: &'a State,
    all_payments: bool,
    list: &'a mut Vec<Action>,
}

impl Lister<'_> {
    fn chips(&mut self) {
        for resource in Resource::ALL {
            self.list.push(Action::ChooseChip {
                resource: *resource,
            });
        }
    }

    fn answers(&mut self, asked: Nation, region: Region, unit: Unit) {
        let most = self.state.units(region, asked, unit);
        let most = most.min(self.state.units(region, self.state.to_move, unit));
        for count in 0..=most {
            self.list.push(Action::AnswerBattle { count });
        }
    }

    fn personages(&mut self, options: Personages) {
        for personage in options {
            self.list.push(Action::ChoosePersonage { personage });
        }
    }

    fn turn(&mut self) {
        let state = self.state;
        match state.phase {
            Phase::Setup => {
                for region in self.game.city_choices(state) {
                    self.list.push(Action::ChooseCity { region });
                }
                return;
            }
            Phase::Stone => {
                self.stone();
                self.trades();
                self.cards(state.to_move);
                return;
            }
            Phase::Action => match state.turn_state.field {
                Some(Field::Temple) => {
                    self.temples();
                    self.walls();
                }
                Some(Field::Arming) => self.arming(),
                Some(Field::KnowHow) => {
                    self.know_how();
                    self.recruiting();
                }
                Some(Field::Maneuver1 | Field::Maneuver2) => {
                    self.marches();
                    self.special_marches();
                    self.battles();
                    self.conquests();
                }
                _ => {}
            },
            Phase::Conquest => self.conquests(),
            Phase::Found | Phase::End => {}
        }
        self.foundings();
        self.trades();
        self.cards(state.to_move);
        self.list.push(Action::EndTurn);
    }

    fn held(&self) -> &Holdings {
        &self.state.nation(self.state.to_move).holdings
    }

    /// Lists an action with its payments, if the price can be paid.
    fn paid(&mut self, price: Payment, action: impl Fn(Option<Payment>) -> Action) {
        if self.held().default_payment(price).is_none() {
            return;
        }
        self.list.push(action(None));
        if self.all_payments {
            let held = *self.held();
            held.other_payments(price, |pay| self.list.push(action(Some(pay))));
        }
    }

    fn stone(&mut self) {
        let held = *self.held();
        for field in Field::ALL.iter().copied() {
            let steps = self.game.steps(self.state, self.state.to_move, field);
            let extra = steps.saturating_sub(self.game.rules.free_steps);
            Payment::any_kinds(extra, &held, |pay| {
                self.list.push(Action::MoveStone { field, pay });
            });
        }
    }

    fn temples(&mut self) {
        let state = self.state;
        if state.bank.temples == 0 {
            return;
        }
        for region in state.nation(state.to_move).cities - state.temples {
            let price = self.game.temple_price(state, region);
            self.paid(price, |pay| Action::BuildTemple { region, pay });
        }
    }

    fn walls(&mut self) {
        let state = self.state;
        let Some(walls) = &self.game.rules.walls else {
            return;
        };
        if self.game.walls_in_supply(state, state.to_move) > 0 {
            for region in state.nation(state.to_move).cities - state.walls {
                self.paid(walls.price, |pay| Action::BuildWall { region, pay });
            }
        }
    }

    fn recruiting(&mut self) {
        if self.game.rules.recruitment.is_none() {
            return;
        }
        for unit in Unit::ALL.iter().copied() {
            let nation = self.state.to_move;
            for count in 1..=self.game.units_in_supply(self.state, nation, unit) {
                let price = self.game.recruiting_price(unit, count);
                self.paid(price, |pay| Action::Recruit { unit, count, pay });
            }
        }
    }

    fn open_cards(&mut self) {
        for card in self.state.cards.open.kinds() {
            self.list.push(Action::TakeCard { card });
        }
    }

    fn cards(&mut self, nation: Nation) {
        if self.game.rules.cards.is_none() {
            return;
        }
        let hand = self.state.nation(nation).hand;
        for (card, _) in (0..).map(Card).zip(hand).filter(|(_, count)| *count > 0) {
            let list = &mut *self.list;
            self.game
                .ways_to_play(self.state, nation, card, |(region, unit)| {
                    list.push(Action::PlayCard { card, region, unit });
                });
        }
    }

    fn arming(&mut self) {
        let state = self.state;
        let nation = state.to_move;
        for region in state.nation(nation).cities {
            let limit = self.game.rules.arming.of(state.has_temple(region));
            if state.turn_state.armed[region.index()] >= limit {
                continue;
            }
            for piece in Piece::ALL.iter().copied() {
                let temple_lacks = piece.special().is_some() && !state.has_temple(region);
                if temple_lacks || self.game.check_place(state, region, piece).is_err() {
                    continue;
                }
                let arm = |free, pay| Action::Arm {
                    region,
                    unit: piece,
                    free,
                    pay,
                };
                if state.turn_state.free_unit {
                    self.list.push(arm(true, None));
                }
                self.paid(self.game.arming_price(piece, false), |pay| arm(false, pay));
            }
        }
    }

    fn know_how(&mut self) {
        let owned = self.state.nation(self.state.to_move).know_how;
        for (index, rule) in self.game.rules.know_how.iter().enumerate() {
            let know_how = KnowHow(index as u8);
            let allowed = rule.requires.is_none_or(|other| owned.contains(other));
            if allowed && !owned.contains(know_how) {
                let price = self.game.know_how_price(self.state, know_how);
                self.paid(price, |pay| Action::Develop { know_how, pay });
            }
        }
    }

    fn marches(&mut self) {
        let state = self.state;
        for unit in Unit::ALL.iter().copied() {
            for from in state.nation(state.to_move).stands[unit.index()] {
                let counts = &state.turn_state.left[from.index()][unit.index()];
                let total: u8 = counts.iter().sum();
                if total == 0 {
                    continue;
                }
                for to in self.game.board.neighbours(from, unit) {
                    let march = |count, left| Action::March {
                        unit: unit.into(),
                        count,
                        from,
                        to,
                        left,
                    };
                    for count in 1..=total {
                        self.list.push(march(count, None));
                    }
                    let mut fewer = 0;
                    for (index, there) in counts.iter().copied().enumerate() {
                        if fewer > 0 {
                            for count in 1..=there {
                                self.list.push(march(count, Some(index as u8 + 1)));
                            }
                        }
                        fewer += there;
                    }
                }
            }
        }
    }

    /// Marches of the special unit [D50].
    fn special_marches(&mut self) {
        let state = self.state;
        let Some(special) = self.game.special_units[state.to_move.index()] else {
            return;
        };
        let unit = Piece::from(special);
        for from in state.special_stands(state.to_move) {
            if self.game.special_movers(state, from, unit) == 0 {
                continue;
            }
            for to in self.game.board.neighbours(from, special.kind()) {
                self.list.push(Action::March {
                    unit,
                    count: 1,
                    from,
                    to,
                    left: None,
                });
            }
        }
    }

    fn battles(&mut self) {
        if self.game.rules.battle == BattlePolicy::Automatic {
            return;
        }
        let state = self.state;
        let nation = state.to_move;
        for unit in Unit::ALL.iter().copied() {
            let own = state.nation(nation).stands[unit.index()];
            for against in self.game.all_nations().filter(|other| *other != nation) {
                for region in own & state.nation(against).stands[unit.index()] {
                    let most = state.units(region, nation, unit);
                    let most = most.min(state.units(region, against, unit));
                    for count in 1..=most {
                        self.list.push(Action::Battle {
                            unit,
                            count,
                            region,
                            against,
                        });
                    }
                }
            }
        }
    }

    fn conquests(&mut self) {
        let state = self.state;
        let own = state.nation(state.to_move);
        let give_up = self.game.cities_to_give_up(state);
        let needs_token = self.game.cities_in_supply(state, state.to_move) == 0;
        let foreign = (state.cities() - own.cities) | state.neutral_temples;
        let stands = own.stands[0] | own.stands[1] | state.special_stands(state.to_move);
        for region in stands & foreign - state.turn_state.safe {
            let owner = state.owner(region);
            if owner.is_some_and(|owner| state.nation(owner).cities == Regions::of(region)) {
                continue;
            }
            let defence = self.game.defence(state, region);
            let [legions, galleys] = self.game.conquerors(state, region);
            for legions in (0..=legions.min(defence)).rev() {
                let galleys_lost = defence - legions;
                if galleys_lost > galleys {
                    break;
                }
                let conquer = |give_up| Action::Conquer {
                    region,
                    legions,
                    galleys: galleys_lost,
                    give_up,
                };
                if owner.is_none() || !needs_token {
                    self.list.push(conquer(None));
                }
                for city in if owner.is_some() {
                    give_up
                } else {
                    Regions::EMPTY
                } {
                    self.list.push(conquer(Some(city)));
                }
            }
        }
    }

    fn foundings(&mut self) {
        let state = self.state;
        let own = state.nation(state.to_move);
        let taken = state.cities() | state.neutral_temples;
        let free = (own.stands[0] | own.stands[1]) - taken;
        if free.is_empty() || self.game.cities_in_supply(state, state.to_move) == 0 {
            return;
        }
        for region in free {
            let site = self.game.site(region);
            let forced = site.resource();
            for resource in Resource::ALL.iter().copied() {
                if site.allows(resource) && self.game.tokens_in_bank(state, resource) > 0 {
                    let price = self.game.city_price(state, region, resource);
                    self.paid(price, |pay| Action::Found {
                        region,
                        resource: Some(resource).filter(|_| forced.is_none()),
                        pay,
                    });
                }
            }
        }
    }

    fn trades(&mut self) {
        let held = *self.held();
        // The bank's chips are without limit, but coins are never received.
        let bank = Holdings {
            chips: [u32::MAX; Resource::COUNT],
            coins: 0,
        };
        for lot in self.game.lots(self.state, self.state.to_move) {
            Payment::any_kinds(lot.give, &held, |give| {
                Payment::any_kinds(lot.take, &bank, |take| {
                    self.list.push(Action::Trade { give, take });
                });
            });
        }
    }
}
