//! Boards: regions, borders and start cities, read from data and checked when loaded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::content::{ContentHash, LoadError, Provenance, is_word};
use crate::ids::{MAX_REGIONS, Region, Regions};
use crate::words::{Resource, Unit};

/// Who may cross a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Border {
    /// Legions only (red).
    Land,
    /// Galleys only (blue).
    Sea,
    /// Both.
    Both,
}

impl Border {
    const fn lets(self, unit: Unit) -> bool {
        matches!(
            (self, unit),
            (Border::Both, _) | (Border::Land, Unit::Legion) | (Border::Sea, Unit::Galley)
        )
    }
}

/// What a city in a region can produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Site {
    /// Marble.
    Marble,
    /// Iron.
    Iron,
    /// Gold.
    Gold,
    /// The founder chooses.
    Any,
    /// No city can stand here.
    None,
}

impl Site {
    /// The one resource the site shows, if it shows one.
    pub const fn resource(self) -> Option<Resource> {
        match self {
            Site::Marble => Some(Resource::Marble),
            Site::Iron => Some(Resource::Iron),
            Site::Gold => Some(Resource::Gold),
            Site::Any | Site::None => None,
        }
    }

    /// Whether a city that produces `resource` can stand here.
    pub const fn allows(self, resource: Resource) -> bool {
        matches!(
            (self, resource),
            (Site::Any, _)
                | (Site::Marble, Resource::Marble)
                | (Site::Iron, Resource::Iron)
                | (Site::Gold, Resource::Gold)
        )
    }
}

/// A region as the board's file describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RegionData {
    /// Short name used on the wire and in the notation.
    pub id: String,
    /// Name as printed on the board.
    pub name: String,
    /// What a city here produces.
    pub site: Site,
    /// Longitude of the city in degrees east, for drawing.
    pub lon: f64,
    /// Latitude of the city in degrees north, for drawing.
    pub lat: f64,
}

/// The start cities of a nation, one of each resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StartCities {
    /// Region of the marble city.
    pub marble: String,
    /// Region of the iron city.
    pub iron: String,
    /// Region of the gold city.
    pub gold: String,
}

/// A board's file, as published by `/v1/boards`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BoardData {
    /// Name used on the wire.
    pub id: String,
    /// The edition whose rules are played on it.
    pub edition: String,
    /// Name for people.
    pub name: String,
    /// Where the data come from.
    pub provenance: Provenance,
    /// The regions.
    pub regions: Vec<RegionData>,
    /// The borders: two regions and who may cross, each pair once.
    pub borders: Vec<(String, String, Border)>,
    /// Start cities by number of nations, then by nation [A5] [A7].
    pub starts: BTreeMap<u8, BTreeMap<String, StartCities>>,
    /// The nation that starts, by number of nations [A8].
    pub first_nation: BTreeMap<u8, String>,
    /// Regions with a temple that belongs to nobody, by number of nations [B3].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub neutral_temples: BTreeMap<u8, Vec<String>>,
    /// The two pairs of nations of the two-player game with four nations [A41].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub two_players: Option<[[String; 2]; 2]>,
}

/// A board, checked and ready for play.
#[derive(Clone, Debug)]
pub struct Board {
    /// The file's content.
    pub data: BoardData,
    /// SHA-256 of the file.
    pub hash: ContentHash,
    neighbours: [[Regions; Unit::COUNT]; MAX_REGIONS],
    sites: [Regions; Resource::COUNT],
    siteless: Regions,
    by_name: BTreeMap<String, Region>,
}

impl Board {
    /// Reads and checks a board's file.
    ///
    /// # Errors
    /// When the text is not a board, or names a region that it does not list, lists a border or
    /// region twice, is not connected, gives a nation start cities that do not fit their sites, or
    /// has a name that cannot stand in the notation.
    pub fn parse(json: &str) -> Result<Board, LoadError> {
        let data: BoardData = serde_json::from_str(json).map_err(LoadError::Json)?;
        let bad = |message: String| LoadError::Content {
            id: data.id.clone(),
            message,
        };
        if data.regions.is_empty() || data.regions.len() > MAX_REGIONS {
            return Err(bad(format!("a board has 1 to {MAX_REGIONS} regions")));
        }
        let mut by_name = BTreeMap::new();
        let mut sites = [Regions::EMPTY; Resource::COUNT];
        let mut siteless = Regions::EMPTY;
        for (index, region) in data.regions.iter().enumerate() {
            if !is_word(&region.id) {
                let message = format!("region id {:?} is not lower case snake_case", region.id);
                return Err(bad(message));
            }
            let interned = Region(index as u8);
            if by_name.insert(region.id.clone(), interned).is_some() {
                return Err(bad(format!("region {} is listed twice", region.id)));
            }
            if region.site == Site::None {
                siteless.insert(interned);
            }
            for resource in Resource::ALL {
                if region.site.allows(*resource) {
                    sites[resource.index()].insert(interned);
                }
            }
        }
        let find = |name: &String| {
            by_name
                .get(name)
                .copied()
                .ok_or_else(|| bad(format!("there is no region {name}")))
        };
        let mut neighbours = [[Regions::EMPTY; Unit::COUNT]; MAX_REGIONS];
        for (one, other, border) in &data.borders {
            let (a, b) = (find(one)?, find(other)?);
            let known = neighbours[a.index()].iter().any(|set| set.contains(b));
            if a == b || known {
                return Err(bad(format!("border {one} - {other} is not a new pair")));
            }
            for unit in Unit::ALL.iter().filter(|unit| border.lets(**unit)) {
                neighbours[a.index()][unit.index()].insert(b);
                neighbours[b.index()][unit.index()].insert(a);
            }
        }
        let mut reached = Regions::of(Region(0));
        loop {
            let next = reached.iter().fold(reached, |set, region| {
                set | neighbours[region.index()][0] | neighbours[region.index()][1]
            });
            if next == reached {
                break;
            }
            reached = next;
        }
        if reached.len() as usize != data.regions.len() {
            return Err(bad("the board is not connected".into()));
        }
        for (count, starts) in &data.starts {
            let mut taken = Regions::EMPTY;
            if starts.len() != usize::from(*count) {
                return Err(bad(format!("starts for {count} list {}", starts.len())));
            }
            for (nation, cities) in starts {
                if !is_word(nation) {
                    let message = format!("nation {nation:?} is not lower case snake_case");
                    return Err(bad(message));
                }
                for (name, resource) in [
                    (&cities.marble, Resource::Marble),
                    (&cities.iron, Resource::Iron),
                    (&cities.gold, Resource::Gold),
                ] {
                    let region = find(name)?;
                    if !sites[resource.index()].contains(region) || taken.contains(region) {
                        return Err(bad(format!(
                            "{name} cannot be the {resource} city of {nation} with {count}"
                        )));
                    }
                    taken.insert(region);
                }
            }
            match data.first_nation.get(count) {
                Some(first) if first == "random" || starts.contains_key(first) => {}
                _ => return Err(bad(format!("no first nation with {count} nations"))),
            }
        }
        for (count, temples) in &data.neutral_temples {
            for name in temples {
                let region = find(name)?;
                let starts = data
                    .starts
                    .get(count)
                    .into_iter()
                    .flat_map(BTreeMap::values);
                let is_start = |cities: &StartCities| {
                    [&cities.marble, &cities.iron, &cities.gold].contains(&name)
                };
                if siteless.contains(region) || starts.into_iter().any(is_start) {
                    return Err(bad(format!("no neutral temple can stand at {name}")));
                }
            }
        }
        if let Some(pairs) = &data.two_players {
            let four = data.starts.get(&4);
            let mut names: Vec<&String> = pairs.iter().flatten().collect();
            names.sort();
            if !four.is_some_and(|four| four.keys().eq(names.iter().copied())) {
                return Err(bad("two_players must share out the four nations".into()));
            }
        }
        Ok(Board {
            hash: ContentHash::of(json),
            neighbours,
            sites,
            siteless,
            by_name,
            data,
        })
    }

    /// The region with this name.
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

    /// How many regions there are.
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

    /// The regions that share a border of any kind with `region`.
    pub const fn adjacent(&self, region: Region) -> Regions {
        let [by_land, by_sea] = self.neighbours[region.index()];
        Regions::from_bits(by_land.bits() | by_sea.bits())
    }

    /// Whether `unit` can stand in `region` at all: it has a border that `unit` crosses [A17].
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

    /// Every nation the board knows, in alphabetical order.
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
