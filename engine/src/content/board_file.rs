//! The form of a board's file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file::first_version;
use crate::content::{Change, Provenance};
use crate::words::{Resource, Unit};

/// The kinds of units that may cross a border.
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
    pub(super) const fn lets(self, unit: Unit) -> bool {
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
    /// No city can be here.
    None,
}

impl Site {
    /// The resource of the site, if it has exactly one.
    pub const fn resource(self) -> Option<Resource> {
        match self {
            Site::Marble => Some(Resource::Marble),
            Site::Iron => Some(Resource::Iron),
            Site::Gold => Some(Resource::Gold),
            Site::Any | Site::None => None,
        }
    }

    /// Whether a city that produces `resource` can be here.
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
    /// Short name on the wire and in the notation.
    pub id: String,
    /// Name as printed on the board.
    pub name: String,
    /// The site: what a city here produces.
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

impl StartCities {
    /// The regions in the order of [`Resource::ALL`].
    pub(super) fn names(&self) -> [&str; Resource::COUNT] {
        [&self.marble, &self.iron, &self.gold]
    }
}

/// A board's file, as published by `/v1/boards`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BoardFile {
    /// Name on the wire.
    pub id: String,
    /// The edition whose rules are played on it.
    pub edition: String,
    /// The version of the board, counted from 1; 1 if absent.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The differences from the version before, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Name for people.
    pub name: String,
    /// The sources of the data.
    pub provenance: Provenance,
    /// The regions.
    pub regions: Vec<RegionData>,
    /// The borders: two regions and the kinds of units that cross, each pair once.
    pub borders: Vec<(String, String, Border)>,
    /// Start cities by number of nations, then by nation [A5] [A7].
    pub starts: BTreeMap<u8, BTreeMap<String, StartCities>>,
    /// The nation that starts, by number of nations [A8].
    pub first_nation: BTreeMap<u8, String>,
    /// Regions with a temple that has no owner, by number of nations [B3].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub neutral_temples: BTreeMap<u8, Vec<String>>,
    /// The two pairs of nations of the two-player game with four nations [A41].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub two_players: Option<[[String; 2]; 2]>,
}
