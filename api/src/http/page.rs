//! Pages of lists.

use std::str::FromStr;

use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::problem::Problem;

/// The most items of a page.
pub const MOST: usize = 1_000;

/// How many items a page has when a request does not say.
pub const USUAL: usize = 50;

/// Which page of a list.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The `next` of the page before.
    pub cursor: Option<String>,
    /// How many, from 1 to 1000; 50 when left out.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
}

impl PageQuery {
    /// How many items the page has at most.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(USUAL).min(MOST)
    }

    /// Behind what the page begins, as `T` is written.
    ///
    /// # Errors
    /// 422 when the cursor is none of the list.
    pub fn cursor<T: FromStr>(&self) -> Result<Option<T>, Problem> {
        cursor(self.cursor.as_deref())
    }
}

/// Behind what a page begins, as `T` is written.
///
/// # Errors
/// 422 when the cursor is none of the list.
pub fn cursor<T: FromStr>(cursor: Option<&str>) -> Result<Option<T>, Problem> {
    let parsed = cursor.map(str::parse).transpose();
    parsed.map_err(|_| unknown_cursor())
}

/// A `cursor` that is none of the list.
pub fn unknown_cursor() -> Problem {
    Problem::invalid("cursor", "it is no cursor of this list")
}

/// The first `limit` of what was found, and the cursor of the next page, of the last of them, if more was found.
pub fn cut<T>(
    mut found: Vec<T>,
    limit: usize,
    cursor: impl FnOnce(&T) -> String,
) -> (Vec<T>, Option<String>) {
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(cursor);
    (found, next)
}
