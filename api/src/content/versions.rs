//! Versions of boards and rulesets.

use std::sync::Arc;

use ::engine::content::Change;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::problem::{Code, Problem};
use crate::http::request::path::{not_found, number};

/// Selects a version of a data file.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VersionQuery {
    /// The SHA-256 of the file of an older version, as stored in games; the current version by default
    #[param(example = "40435a719b334d3341aaa9a6f11bc29629ca15535a7a77b78dc001cee4f0e8d3")]
    pub(crate) hash: Option<String>,
}

/// A version of a data file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct VersionBody {
    /// The number of the version, from 1.
    pub version: u32,
    /// The SHA-256 of the file.
    pub hash: String,
    /// Whether new games use this version.
    pub current: bool,
    /// The changes from the previous version, with reasons.
    pub changes: Vec<Change>,
}

/// Lists the versions of a data file by number; the last one is current.
/// `version` describes each as an older one.
pub fn listed<T>(versions: &[Arc<T>], version: impl Fn(&T) -> VersionBody) -> Vec<VersionBody> {
    let mut listed: Vec<VersionBody> = versions.iter().map(|one| version(one)).collect();
    if let Some(last) = listed.last_mut() {
        last.current = true;
    }
    listed
}

/// Returns the version of a data file that a query selects: the current one, or one by its hash.
///
/// # Errors
/// 404 when there is no such file or version.
pub fn find<T>(
    (kind, id): (&str, &str),
    query: &VersionQuery,
    current: Option<T>,
    by_hash: impl FnOnce(&str) -> Option<T>,
) -> Result<T, Problem> {
    let current = current.ok_or_else(|| not_found(kind, id))?;
    let Some(hash) = &query.hash else {
        return Ok(current);
    };
    let missing = || {
        let detail = format!("no version of {id} has the hash {hash:?}");
        Problem::new(Code::NotFound, detail)
    };
    by_hash(hash).ok_or_else(missing)
}

/// Returns the version of a data file with a number. `kind` includes its article.
///
/// # Errors
/// 404 when there is no such version.
pub fn find_numbered<T>(
    (kind, id): (&str, &str),
    version: &str,
    by_number: impl FnOnce(u32) -> Option<T>,
) -> Result<T, Problem> {
    let number = number("version", version)?;
    by_number(number).ok_or_else(|| {
        let detail = format!("there is no version {number} of {kind} {id:?}");
        Problem::new(Code::NotFound, detail)
    })
}
