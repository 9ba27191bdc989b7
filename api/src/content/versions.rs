//! Versions of data files.

use ::engine::content::Change;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which version of a data file is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VersionQuery {
    /// The SHA-256 of the file of an older version, as games record it; the current version when
    /// left out
    #[param(example = "40435a719b334d3341aaa9a6f11bc29629ca15535a7a77b78dc001cee4f0e8d3")]
    pub(crate) hash: Option<String>,
}

/// A version of a data file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct VersionBody {
    /// Its number, from 1.
    pub version: u32,
    /// SHA-256 of the file.
    pub hash: String,
    /// Whether new games are played by it.
    pub current: bool,
    /// What is different from the version before, and why.
    pub changes: Vec<Change>,
}
