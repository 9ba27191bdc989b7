//! Answers about leagues.

use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

use crate::http::problem::Problem;
use crate::http::reply::{JSON, not_json, tagged, versioned};
use crate::http::secret::hashed;

/// 201 with what was made, under the tag of the league's last event.
pub(super) fn created(seq: u64, body: &impl Serialize) -> HttpResponse {
    tagged(HttpResponse::Created(), seq).json(body)
}

/// What is read of a league that stands at an event, or 304 when the caller has it. Names and times of games change
/// without an event, so the tag has a part of the text's hash too.
pub(super) fn league_content(
    request: &HttpRequest,
    seq: u64,
    body: &impl Serialize,
) -> Result<HttpResponse, Problem> {
    let json = serde_json::to_string(body).map_err(not_json)?;
    let tag = format!("\"{seq}.{}\"", &hashed(&json)[..8]);
    Ok(versioned(request, &tag, JSON, json.into(), "no-cache"))
}
