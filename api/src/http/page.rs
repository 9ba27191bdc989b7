//! Pages of lists.

use std::str::FromStr;

use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::problem::Problem;

/// The maximum number of items on a page.
pub const MOST: usize = 1_000;

/// The number of items on a page if the request has no `limit`.
pub const USUAL: usize = 50;

/// Selects a page of a list.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The `next` of the previous page; omit it for the first page.
    pub cursor: Option<String>,
    /// The maximum number of items, from 1 to 1000; 50 by default.
    #[param(minimum = 1, maximum = 1000)]
    pub limit: Option<usize>,
}

impl PageQuery {
    /// The maximum number of items on the page.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(USUAL).min(MOST)
    }

    /// Parses the cursor, after which the page begins.
    ///
    /// # Errors
    /// 422 when the cursor does not belong to the list.
    pub fn cursor<T: FromStr>(&self) -> Result<Option<T>, Problem> {
        cursor(self.cursor.as_deref())
    }
}

/// Parses a cursor, after which a page begins.
///
/// # Errors
/// 422 when the cursor does not belong to the list.
pub fn cursor<T: FromStr>(cursor: Option<&str>) -> Result<Option<T>, Problem> {
    let parsed = cursor.map(str::parse).transpose();
    parsed.map_err(|_| unknown_cursor())
}

/// The problem of a `cursor` that does not belong to the list.
pub fn unknown_cursor() -> Problem {
    Problem::invalid_parameter(
        "cursor",
        "this is not a cursor of this list: send the `next` of the previous page, or omit it",
    )
}

/// Keeps the first `limit` items, and returns the cursor of the last one if there are more.
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
