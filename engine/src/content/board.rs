//! A loaded board: its checked file, with regions numbered and borders as sets.

use std::collections::BTreeMap;

use super::file::check_history;
use crate::content::{BoardFile, ContentHash, LoadError, Site, StartCities, is_word};
use crate::ids::{MAX_REGIONS, Region, Regions};
use crate::words::{Resource, Unit};

/// A board, checked and ready for play.
#[derive(Clone, Debug)]
pub struct Board {
    /// The file's content.
    pub data: BoardFile,
    /// SHA-256 of the file.
    pub hash: ContentHash,
    neighbours: Neighbours,
    /// By region and [`Unit`]: see [`Board::rings`].
    rings: Vec<[[Regions; RINGS]; Unit::COUNT]>,
    sites: [Regions; Resource::COUNT],
    siteless: Regions,
    by_name: BTreeMap<String, Region>,
}

/// The regions that units reach from a region over one border, by region and [`Unit`].
type Neighbours = [[Regions; Unit::COUNT]; MAX_REGIONS];

/// The number of [`Board::rings`] of a region.
///
/// Bots look this far, so another number changes the games of `greedy`, which must stay the same.
pub const RINGS: usize = 5;

impl Board {
    /// Parses and checks a board's file.
    ///
    /// # Errors
    /// If the text is not a board, refers to a region that it does not list, lists a border or region twice, is not
    /// connected, has start cities that do not fit their sites, or has a name that notation cannot contain.
    pub fn parse(json: &str) -> Result<Board, LoadError> {
        let data: BoardFile = serde_json::from_str(json).map_err(LoadError::Json)?;
        let id = data.id.clone();
        Board::build(data, ContentHash::compute(json))
            .map_err(|message| LoadError::Content { id, message })
    }

    fn build(data: BoardFile, hash: ContentHash) -> Result<Board, String> {
        check_history(data.version, &data.changes)?;
        let mut board = Board {
            hash,
            by_name: intern(&data)?,
            sites: [Regions::EMPTY; Resource::COUNT],
            siteless: Regions::EMPTY,
            neighbours: [[Regions::EMPTY; Unit::COUNT]; MAX_REGIONS],
            rings: Vec::new(),
            data,
        };
        board.sort_sites();
        board.join_neighbours()?;
        board.find_rings();
        board.check_connected()?;
        board.check_starts()?;
        board.check_neutral_temples()?;
        board.check_two_players()?;
        Ok(board)
    }

    fn find(&self, name: &str) -> Result<Region, String> {
        self.region(name)
            .ok_or_else(|| format!("there is no region {name}"))
    }

    fn sort_sites(&mut self) {
        for (index, data) in self.data.regions.iter().enumerate() {
            // A checked board has few enough regions for a `u8`.
            let region = Region(index as u8);
            if data.site == Site::None {
                self.siteless.insert(region);
            }
            for resource in Resource::ALL {
                if data.site.allows(*resource) {
                    self.sites[resource.index()].insert(region);
                }
            }
        }
    }

    fn join_neighbours(&mut self) -> Result<(), String> {
        for (one, other, border) in &self.data.borders {
            let (a, b) = (self.find(one)?, self.find(other)?);
            if a == b || self.adjacent(a).contains(b) {
                return Err(format!(
                    "border {one} - {other} is listed twice, or joins a region to itself"
                ));
            }
            for unit in Unit::ALL.iter().filter(|unit| border.lets(**unit)) {
                self.neighbours[a.index()][unit.index()].insert(b);
                self.neighbours[b.index()][unit.index()].insert(a);
            }
        }
        Ok(())
    }

    fn find_rings(&mut self) {
        let of = |region: Region, unit: Unit| {
            let mut rings = [Regions::only(region); RINGS];
            let mut reached = rings[0];
            for borders in 1..RINGS {
                let step = |set, at| set | self.neighbours(at, unit);
                let over = rings[borders - 1].iter().fold(Regions::EMPTY, step);
                rings[borders] = over - reached;
                reached |= over;
            }
            rings
        };
        let of = |region| std::array::from_fn(|unit| of(region, Unit::ALL[unit]));
        self.rings = self.all().iter().map(of).collect();
    }

    fn check_connected(&self) -> Result<(), String> {
        let mut reached = Regions::only(Region(0));
        loop {
            let step = |set, region| set | self.adjacent(region);
            let next = reached.iter().fold(reached, step);
            if next == reached {
                break;
            }
            reached = next;
        }
        match reached == self.all() {
            true => Ok(()),
            false => Err("the board is not connected".to_owned()),
        }
    }

    fn check_starts(&self) -> Result<(), String> {
        for (count, starts) in &self.data.starts {
            if starts.len() != usize::from(*count) {
                return Err(format!("starts for {count} list {}", starts.len()));
            }
            let mut taken = Regions::EMPTY;
            for (nation, cities) in starts {
                if !is_word(nation) {
                    return Err(format!("nation {nation:?} is not lower case snake_case"));
                }
                for (name, resource) in cities.names().into_iter().zip(Resource::ALL) {
                    let region = self.find(name)?;
                    if !self.sites(*resource).contains(region) || taken.contains(region) {
                        return Err(format!(
                            "{name} cannot be the {resource} city of {nation} in a game of {count} nations"
                        ));
                    }
                    taken.insert(region);
                }
            }
            match self.data.first_nation.get(count) {
                Some(first) if first == "random" || starts.contains_key(first) => {}
                _ => return Err(format!("no valid first nation for {count} nations")),
            }
        }
        Ok(())
    }

    fn check_neutral_temples(&self) -> Result<(), String> {
        for (count, temples) in &self.data.neutral_temples {
            let starts = self.data.starts.get(count);
            let starts = || starts.into_iter().flat_map(BTreeMap::values);
            for name in temples {
                let region = self.find(name)?;
                let is_start = |cities: &StartCities| cities.names().contains(&name.as_str());
                if self.siteless.contains(region) || starts().any(is_start) {
                    return Err(format!("a neutral temple cannot be at {name}"));
                }
            }
        }
        Ok(())
    }

    fn check_two_players(&self) -> Result<(), String> {
        let Some(pairs) = &self.data.two_players else {
            return Ok(());
        };
        let mut names: Vec<&String> = pairs.iter().flatten().collect();
        names.sort();
        let four = self.data.starts.get(&4);
        match four.is_some_and(|four| four.keys().eq(names.iter().copied())) {
            true => Ok(()),
            false => Err("two_players must list each of the four nations once".to_owned()),
        }
    }

    /// Returns the region with this name.
    pub fn region(&self, name: &str) -> Option<Region> {
        self.by_name.get(name).copied()
    }

    /// The name of a region of this board.
    pub fn name(&self, region: Region) -> &str {
        &self.data.regions[region.index()].id
    }

    /// Every region.
    pub fn all(&self) -> Regions {
        (0..self.data.regions.len() as u8).map(Region).collect()
    }

    /// The number of regions.
    pub fn len(&self) -> usize {
        self.data.regions.len()
    }

    /// Never true: a board has at least one region.
    pub fn is_empty(&self) -> bool {
        self.data.regions.is_empty()
    }

    /// The regions that `unit` can reach from `region` over one border.
    pub const fn neighbours(&self, region: Region, unit: Unit) -> Regions {
        self.neighbours[region.index()][unit.index()]
    }

    /// The regions around `region` by the least number of borders that `unit` crosses to reach them, from 0 on.
    pub fn rings(&self, region: Region, unit: Unit) -> &[Regions; RINGS] {
        &self.rings[region.index()][unit.index()]
    }

    /// The regions that share a border of any kind with `region`.
    pub const fn adjacent(&self, region: Region) -> Regions {
        let [by_land, by_sea] = self.neighbours[region.index()];
        Regions::from_bits(by_land.bits() | by_sea.bits())
    }

    /// Whether `unit` can be in `region`: the region has a border that `unit` crosses [A17].
    pub const fn holds(&self, region: Region, unit: Unit) -> bool {
        !self.neighbours(region, unit).is_empty()
    }

    /// What a city in `region` can produce.
    pub fn site(&self, region: Region) -> Site {
        self.data.regions[region.index()].site
    }

    /// The regions whose site allows a city that produces `resource`.
    pub const fn sites(&self, resource: Resource) -> Regions {
        self.sites[resource.index()]
    }

    /// The regions without a site: sea regions [B29].
    pub const fn siteless(&self) -> Regions {
        self.siteless
    }

    /// The regions with a neutral temple at the start [B3].
    pub fn neutral_temples(&self, nations: u8) -> Regions {
        let names = self.data.neutral_temples.get(&nations);
        let regions = names
            .into_iter()
            .flatten()
            .filter_map(|name| self.region(name));
        regions.collect()
    }

    /// The start cities of a nation as regions, in the order of [`Resource::ALL`].
    pub fn start_cities(&self, nations: u8, nation: &str) -> Option<[Region; Resource::COUNT]> {
        let cities = self.data.starts.get(&nations)?.get(nation)?;
        Some([
            self.region(&cities.marble)?,
            self.region(&cities.iron)?,
            self.region(&cities.gold)?,
        ])
    }

    /// The names of all nations of the board, in alphabetical order.
    pub fn nations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .data
            .starts
            .values()
            .flat_map(|starts| starts.keys().map(String::as_str))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Returns the number of each region by its name.
fn intern(data: &BoardFile) -> Result<BTreeMap<String, Region>, String> {
    if data.regions.is_empty() || data.regions.len() > MAX_REGIONS {
        return Err(format!("a board must have 1 to {MAX_REGIONS} regions"));
    }
    let mut by_name = BTreeMap::new();
    for (index, region) in data.regions.iter().enumerate() {
        let id = &region.id;
        if !is_word(id) {
            return Err(format!("region id {id:?} must be lower case snake_case"));
        }
        if by_name.insert(id.clone(), Region(index as u8)).is_some() {
            return Err(format!("region {id} is listed twice"));
        }
    }
    Ok(by_name)
}
