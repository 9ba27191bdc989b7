//! Handlers of earlier positions and of records.

use actix_web::{HttpRequest, HttpResponse, get, web};
use drawing::Style;
use records::Record;
use records::tlog::InclusionProof;
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::content::drawings::{PNG, SVG};
use crate::games::bodies::Moment;
use crate::games::handlers::path::GameId;
use crate::games::handlers::pictures::state_picture;
use crate::games::records::{GameRecord, GameRecords};
use crate::games::service::Games;
use crate::http::answers::{Reading, ReadingProof, ReadingRecord, Rendered};
use crate::http::error::ServiceError;
use crate::http::patch::{PatchStep, diff};
use crate::http::problem::Problem;
use crate::http::reply::{FOR_EVER, JSON, blocking, content, not_json, tag, versioned};
use crate::http::request::accept::negotiate;
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::signing::service::Signing;

/// The media type of patches (RFC 6902, section 6).
const JSON_PATCH: &str = "application/json-patch+json";

/// Get the position after an event
///
/// The response never changes and can be cached forever. As `image/svg+xml` or `image/png` it is a picture, as from
/// `states/{seq}.svg`. 404 if the game has no such event.
#[utoipa::path(tag = "history", params(("game" = String, Path, format = Uuid), ("seq" = u64, Path)),
    responses(
        (status = 200, description = "The position", content(
            (Moment = "application/json"), (String = "image/svg+xml"), (Vec<u8> = "image/png")),
            headers(("Cache-Control" = String, description = "`immutable`: the position never changes"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Rendered,
    ))]
#[get("/v1/games/{game}/states/{seq}")]
pub async fn get_state(
    request: HttpRequest,
    GameId(id): GameId,
    path: web::Path<(String, String)>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let seq = number("event", &path.1)?;
    let media_type = [JSON, SVG, PNG][negotiate(&request, &[JSON, SVG, PNG])?];
    if media_type != JSON {
        return state_picture(&request, games, (id, seq), Style::default(), media_type).await;
    }
    let position = blocking(&games, move |games| games.position(id, seq)).await?;
    let json = serde_json::to_string(&position).map_err(not_json)?;
    Ok(versioned(&request, &tag(seq), JSON, json.into(), FOR_EVER))
}

/// Get the difference between two positions
///
/// Returns a JSON Patch (RFC 6902) that changes the response of `states/{from}` to that of `states/{to}`. Either of
/// them may be the earlier one. The response never changes and can be cached forever.
#[utoipa::path(tag = "history", params(("game" = String, Path, format = Uuid),
        ("from" = u64, Path), ("to" = u64, Path)),
    responses(
        (status = 200, description = "The patch", body = Vec<PatchStep>,
            content_type = "application/json-patch+json", headers(
                ("Cache-Control" = String, description = "`immutable`: the patch never changes"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Reading,
    ))]
#[get("/v1/games/{game}/states/{from}/diff/{to}")]
pub async fn get_state_diff(
    request: HttpRequest,
    GameId(id): GameId,
    path: web::Path<(String, String, String)>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let (from, to) = (number("event", &path.1)?, number("event", &path.2)?);
    let json = blocking(&games, move |games| changes(games, id, from, to)).await?;
    let tag = format!("\"{from}-{to}\"");
    Ok(versioned(&request, &tag, JSON_PATCH, json.into(), FOR_EVER))
}

/// Returns the difference between two positions of a game, as JSON.
fn changes(games: &Games, id: Uuid, from: u64, to: u64) -> Result<String, ServiceError> {
    let (from, to) = (games.position(id, from)?, games.position(id, to)?);
    let changes = || {
        let (from, to) = (serde_json::to_value(&from)?, serde_json::to_value(&to)?);
        serde_json::to_string(&diff(&from, &to))
    };
    changes().map_err(|error| ServiceError::damaged(id, error))
}

/// The content of a record.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RecordQuery {
    /// Whether to include the log of events, in JSON only.
    #[serde(default)]
    events: bool,
}

/// Get the record of a game
///
/// Returns the record as JSON, or in notation as `text/plain`. While the game is not over and its seed is secret,
/// `setup` has `seed_commitment` instead of the seed. When the game is over, `setup` includes the decks of event
/// cards, so that it can be replayed without a random generator, and `signature` is the server's signature; see
/// `/v1/keys`. 403 if an administrator has hidden the texts of the game, because its record contains them.
#[utoipa::path(tag = "history", params(("game" = String, Path, format = Uuid), RecordQuery),
    responses(
        (status = 200, description = "The record", content(
            (Record = "application/json"), (String = "text/plain"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingRecord,
    ))]
#[get("/v1/games/{game}/record")]
pub async fn get_record(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<RecordQuery>,
    records: web::Data<GameRecords>,
) -> Result<HttpResponse, Problem> {
    let is_text = negotiate(&request, &[JSON, "text/plain"])? == 1;
    let render = move |records: &GameRecords| {
        records.check_texts_shown(id)?;
        match is_text {
            true => {
                let (text, found) = records.record_text(id)?;
                Ok((format!("\"{}-text\"", version(&found)), text))
            }
            false => {
                let found = records.record(id, query.events)?;
                Ok((format!("\"{}\"", version(&found)), record_json(id, found)?))
            }
        }
    };
    let (tag, body) = blocking(&records, render).await?;
    let media_type = match is_text {
        true => "text/plain; charset=utf-8",
        false => JSON,
    };
    Ok(versioned(
        &request,
        &tag,
        media_type,
        body.into(),
        "no-cache",
    ))
}

/// Get the proof of a game
///
/// Proves that the record of a finished game is in the transparency log of this server: the leaf, its index, the hashes
/// from the leaf to the root (RFC 6962), and the signed checkpoint with the root. `tabularium verify --proofs` checks it
/// without the server. 404 while the game is not finished, and for some seconds after it on a node that does not sign
/// the log. 403 if an administrator has hidden the texts of the game, like its record.
#[utoipa::path(tag = "history", params(("game" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The proof", body = InclusionProof),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingProof,
    ))]
#[get("/v1/games/{game}/proof")]
pub async fn get_proof(
    request: HttpRequest,
    GameId(id): GameId,
    (records, signing): (web::Data<GameRecords>, web::Data<Signing>),
) -> Result<HttpResponse, Problem> {
    let proof = blocking(&signing, move |signing| {
        records.check_texts_shown(id)?;
        signing.prove_game(id)
    })
    .await?;
    content(&request, &proof)
}

/// Serializes a record, with the commitment to its seed if that is secret.
fn record_json(id: Uuid, found: GameRecord) -> Result<String, ServiceError> {
    let value = serde_json::to_value(&found.record);
    let mut value = value.map_err(|error| ServiceError::damaged(id, error))?;
    if let (Some(commitment), Some(setup)) = (found.seed_commitment, value["setup"].as_object_mut())
    {
        setup.remove("seed");
        setup.insert("seed_commitment".to_owned(), Value::String(commitment));
    }
    Ok(value.to_string())
}

/// Returns the version of a game's record: its last event, and whether a signature is missing.
fn version(found: &GameRecord) -> String {
    let record = &found.record;
    match record.result.is_some() && record.signature.is_none() {
        true => format!("{}-unsigned", found.seq),
        false => found.seq.to_string(),
    }
}
