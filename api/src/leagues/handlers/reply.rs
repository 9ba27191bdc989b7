//! Answers about leagues.

use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

use crate::http::problem::Problem;
use crate::http::reply::{JSON, not_json, tagged, versioned};
use crate::http::secret::hashed;

/// Returns 201 with the new resource, tagged with the league's last event.
pub(in crate::leagues) fn created(seq: u64, body: &impl Serialize) -> HttpResponse {
    tagged(HttpResponse::Created(), seq).json(body)
}

/// Returns the content of a league at an event, or 304 if the caller has it.
///
/// Names and due times change without an event, so the tag also contains a part of the content's hash.
pub(in crate::leagues) fn league_content(
    request: &HttpRequest,
    seq: u64,
    body: &impl Serialize,
) -> Result<HttpResponse, Problem> {
    let json = serde_json::to_string(body).map_err(not_json)?;
    let tag = format!("\"{seq}.{}\"", &hashed(&json)[..8]);
    Ok(versioned(request, &tag, JSON, json.into(), "no-cache"))
}
