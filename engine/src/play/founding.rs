//! Founding cities [A29] [B29] [D29] and choosing start cities [A42] [A43].

use super::spend;
use crate::chips::Payment;
use crate::content::Site;
use crate::ids::Region;
use crate::play::{Effect, Effects, Game, Reason};
use crate::state::State;
use crate::words::{Phase, Resource};

impl Game {
    pub(super) fn found(
        &self,
        state: &mut State,
        region: Region,
        resource: Option<Resource>,
        pay: Option<Payment>,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        let nation = state.to_move;
        let [legions, galleys] = state.nation(nation).stands;
        if !(legions | galleys).contains(region) {
            return Err(Reason::NoUnitThere);
        }
        if (state.cities() | state.neutral_temples).contains(region) {
            return Err(Reason::SiteTaken);
        }
        let site = self.site(region);
        let resource = match resource.or(site.resource()) {
            _ if site == Site::None => return Err(Reason::NoSite),
            None => return Err(Reason::ResourceNeeded),
            Some(resource) if !site.allows(resource) => {
                return Err(Reason::WrongResource { resource });
            }
            Some(resource) => resource,
        };
        if self.cities_in_supply(state, nation) == 0 {
            return Err(Reason::NoToken);
        }
        if self.tokens_in_bank(state, resource) == 0 {
            return Err(Reason::NoTokenOf { resource });
        }
        let pay = self.payment(state, self.city_price(state, region, resource), pay)?;
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

    /// What founding a city costs now [A29] [D29].
    pub fn city_price(&self, state: &State, region: Region, resource: Resource) -> Payment {
        let mut price = self.rules.city_price;
        if state.turn_state.free_neighbours == 0 {
            // A ruleset is checked for prices with every region adjacent.
            price.coins += self.costly_neighbours(state, region, resource);
        }
        price
    }

    /// The coins that the neighbours of a new city cost [D29].
    fn costly_neighbours(&self, state: &State, region: Region, resource: Resource) -> u8 {
        let same = self.board.adjacent(region) & state.produces[resource.index()];
        self.rules.adjacent_city_coins * same.len() as u8
    }

    pub(super) fn choose_city(
        &self,
        state: &mut State,
        region: Region,
        effects: &mut Effects,
    ) -> Result<(), Reason> {
        if !self.city_choices(state).contains(region) {
            return Err(Reason::NotASite);
        }
        self.place_start_city(state, region, effects);
        self.continue_setup(state, effects);
        Ok(())
    }

    /// Puts a start city of the nation to move on the board.
    pub(super) fn place_start_city(
        &self,
        state: &mut State,
        region: Region,
        effects: &mut Effects,
    ) {
        let nation = state.to_move;
        // On a site that allows several resources the city produces the first one still missing.
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

    /// Whose start city is picked next, or the first round once all are there.
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
