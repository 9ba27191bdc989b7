//! Founding cities [A29] [B29] [D29] and choosing start cities [A42] [A43].

use super::turn::{Listing, spend};
use crate::chips::{Payment, Price};
use crate::content::{Rule, Site, StartPick};
use crate::ids::{Nation, Region, Regions};
use crate::play::{Action, Effect, Effects, Game, Reason, Refusal};
use crate::state::State;
use crate::words::{Phase, Resource};

impl Game {
    /// Returns the price of founding a city [A29] [D29].
    pub fn city_price(&self, state: &State, region: Region, resource: Resource) -> Price {
        let mut price = self.rules.data.prices.city;
        if state.turn_state.free_neighbours == 0 {
            // A checked ruleset allows for every region adjacent.
            price.coins += self.costly_neighbours(state, region, resource);
        }
        price
    }

    /// Returns the coins that a new city costs for its neighbours [D29].
    fn costly_neighbours(&self, state: &State, region: Region, resource: Resource) -> u8 {
        let same = self.board.adjacent(region) & state.produces[resource.index()];
        self.rules.data.adjacent_city_coins * same.len() as u8
    }

    /// The city tokens left in a nation's supply [A2].
    pub fn cities_in_supply(&self, state: &State, nation: Nation) -> u8 {
        self.rules.cities - state.nation(nation).cities.len() as u8
    }

    /// The city tokens left in the bank for a resource [D2].
    pub fn tokens_in_bank(&self, state: &State, resource: Resource) -> u8 {
        let placed = state.produces[resource.index()].len() as u8;
        self.rules.tokens[resource.index()].saturating_sub(placed)
    }

    /// Checks that the nation to move may found a city there, of whatever resource [A29].
    /// A site with a neutral temple is not free [B28].
    #[inline]
    fn check_site(&self, state: &State, region: Region) -> Result<(), Refusal> {
        let [legions, galleys] = state.nation(state.to_move).stands;
        let (rule, reason) = if !(legions | galleys).contains(region) {
            (Rule::Founding, Reason::NoUnitThere)
        } else if state.neutral_temples.contains(region) {
            (Rule::NeutralTemple, Reason::SiteTaken)
        } else if state.cities().contains(region) {
            (Rule::Founding, Reason::SiteTaken)
        } else if self.site(region) == Site::None {
            (Rule::Founding, Reason::NoSite)
        } else {
            return Ok(());
        };
        Err(self.refuse(rule, reason))
    }

    /// Checks that a city there can produce a resource and a token for it is left, ignoring the price.
    fn check_city(&self, state: &State, region: Region, resource: Resource) -> Result<(), Refusal> {
        let reason = if !self.site(region).allows(resource) {
            Reason::WrongResource { resource }
        } else if self.cities_in_supply(state, state.to_move) == 0 {
            Reason::NoToken
        } else if self.tokens_in_bank(state, resource) == 0 {
            Reason::NoTokenOf { resource }
        } else {
            return Ok(());
        };
        Err(self.refuse(Rule::Founding, reason))
    }

    pub(super) fn list_foundings(&self, state: &State, list: &mut Listing<'_>) {
        let own = state.nation(state.to_move);
        let free = (own.stands[0] | own.stands[1]) - (state.cities() | state.neutral_temples);
        for region in free {
            if self.check_site(state, region).is_err() {
                continue;
            }
            let forced = self.site(region).resource();
            for resource in Resource::ALL.iter().copied() {
                if self.check_city(state, region, resource).is_ok() {
                    let price = self.city_price(state, region, resource);
                    list.paid(price, |pay| Action::Found {
                        region,
                        resource: Some(resource).filter(|_| forced.is_none()),
                        pay,
                    });
                }
            }
        }
    }

    pub(super) fn found(
        &self,
        state: &mut State,
        region: Region,
        resource: Option<Resource>,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        self.check_after_stone(state)?;
        self.check_site(state, region)?;
        let nation = state.to_move;
        let resource = resource.or(self.site(region).resource());
        let resource = resource.ok_or_else(|| {
            let rule = match self.rules.free_city_types {
                true => Rule::FreeCityTypes,
                false => Rule::Founding,
            };
            self.refuse(rule, Reason::ResourceNeeded)
        })?;
        self.check_city(state, region, resource)?;
        let price = self.city_price(state, region, resource);
        let pay = self.payment(state, price, pay, Rule::Founding)?;
        spend(state, pay, effects);
        if self.costly_neighbours(state, region, resource) > 0 {
            let free = &mut state.turn_state.free_neighbours;
            *free = free.saturating_sub(1);
        }
        state.add_city(region, nation, resource);
        state.phase = Phase::Found;
        effects.push(Effect::Founded {
            nation,
            region,
            resource,
        });
        Ok(())
    }

    /// How many start cities each nation picks [A42] [A43].
    pub(crate) fn start_picks(&self) -> u32 {
        match self.rules.start_pick {
            None => 0,
            Some(StartPick::OneOfOwn) => 1,
            Some(StartPick::FreeSites) => Resource::COUNT as u32,
        }
    }

    /// The regions that the nation to move may choose as a start city [A42] [A43].
    pub(crate) fn city_choices(&self, state: &State) -> Regions {
        if state.phase != Phase::Setup || state.outcome.is_some() {
            return Regions::EMPTY;
        }
        match self.rules.start_pick {
            None => Regions::EMPTY,
            Some(StartPick::OneOfOwn) => self
                .start_cities(state.to_move)
                .into_iter()
                .flatten()
                .collect(),
            Some(StartPick::FreeSites) => {
                let own = state.nation(state.to_move).cities;
                let missing = Resource::ALL
                    .iter()
                    .filter(|resource| (state.produces[resource.index()] & own).is_empty());
                let open = missing.fold(Regions::EMPTY, |set, resource| {
                    set | self.board.sites(*resource)
                });
                open - state.cities()
            }
        }
    }

    fn start_city_rule(&self) -> Rule {
        match self.rules.start_pick {
            Some(StartPick::FreeSites) => Rule::FreeStartSites,
            Some(StartPick::OneOfOwn) | None => Rule::StartCity,
        }
    }

    /// Returns the refusal of a turn's action while start cities are chosen.
    #[cold]
    pub(super) fn choose_city_first(&self) -> Refusal {
        self.refuse(self.start_city_rule(), Reason::ChooseCityFirst)
    }

    pub(super) fn list_start_cities(&self, state: &State, list: &mut Listing<'_>) {
        for region in self.city_choices(state) {
            list.push(Action::ChooseCity { region });
        }
    }

    pub(super) fn choose_city(
        &self,
        state: &mut State,
        region: Region,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let reason = match state.phase {
            Phase::Setup if self.city_choices(state).contains(region) => {
                self.place_start_city(state, region, effects);
                self.continue_setup(state, effects);
                return Ok(());
            }
            Phase::Setup => Reason::NotASite,
            _ => Reason::NoCityChoice,
        };
        Err(self.refuse(self.start_city_rule(), reason))
    }

    /// Adds a start city of the nation to move.
    pub(super) fn place_start_city(
        &self,
        state: &mut State,
        region: Region,
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        // On a site that allows several resources, the city produces the first one still missing.
        let own = state.nation(nation).cities;
        let missing = |resource: &&Resource| {
            self.board.site(region).allows(**resource)
                && (state.produces[resource.index()] & own).is_empty()
        };
        if let Some(resource) = Resource::ALL.iter().find(missing) {
            state.add_city(region, nation, *resource);
            effects.push(Effect::CityChosen { nation, region });
        }
    }

    /// Continues with the next nation's start city, or with the first round once all are chosen.
    pub(super) fn continue_setup(&self, state: &mut State, effects: &mut Effects) {
        let picks = self.start_picks();
        let next = self.clockwise_after(state.to_move).find(|nation| {
            let nation = state.nation(*nation);
            !nation.resigned && nation.cities.len() < picks
        });
        match next {
            Some(nation) => state.to_move = nation,
            None => self.begin_round(state, effects),
        }
    }
}
