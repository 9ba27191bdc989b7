//! The rows of a table, for pages.

use analytics::{Filters, Measure};
use serde_json::{Map, Value};

use crate::http::problem::{Code, Problem};
use crate::statistics::handlers::refused;
use crate::statistics::{Format, Statistics};

/// An answer in JSON.
pub type Rows = Vec<Map<String, Value>>;

const JSON: Format = ("application/json", |table| {
    Ok(table.to_json()?.to_string().into_bytes())
});

/// The rows of a table, as the API tells them.
pub async fn rows(
    statistics: &Statistics,
    measure: Measure,
    filters: &Filters,
) -> Result<Rows, Problem> {
    let answer = statistics.answer(measure, filters, JSON).await;
    let answer = answer.map_err(|error| refused(&error))?;
    let broken = |error: serde_json::Error| Problem::new(Code::Internal, error.to_string());
    let mut told: Value = serde_json::from_slice(&answer.body).map_err(broken)?;
    serde_json::from_value(told["rows"].take()).map_err(broken)
}
