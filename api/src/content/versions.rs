//! Versions of data files.

use std::sync::Arc;

use ::engine::content::Change;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::problem::{Code, Problem};
use crate::http::request::path::{not_found, number};

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

/// The versions of a data file by number, of which the last one is current. `version` describes each as an older one.
pub fn listed<T>(versions: &[Arc<T>], version: impl Fn(&T) -> VersionBody) -> Vec<VersionBody> {
    let mut listed: Vec<VersionBody> = versions.iter().map(|one| version(one)).collect();
    if let Some(last) = listed.last_mut() {
        last.current = true;
    }
    listed
}

/// The version of a data file that a query asks for: the current one, or one by its hash.
///
/// # Errors
/// 404 when there is no such file, or no such version of it.
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

/// The version of a data file with a number. `kind` has its article.
///
/// # Errors
/// 404 when there is none.
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
