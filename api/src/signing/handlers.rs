//! The office: the keys it signs with and its checkpoints of the log of all games.

use actix_web::{HttpRequest, HttpResponse, get, web};
use jiff::Timestamp;
use records::Checkpoint;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::db::time::timestamp;
use crate::http::answers::{Listing, Reading};
use crate::http::page::USUAL;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, content};
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::signing::checkpoints::CheckpointPage;
use crate::signing::queries::KeyRow;
use crate::signing::service::Signing;

/// A key that signs here, or has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyBody {
    /// By what signatures name it: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes.
    pub id: String,
    /// Always `Ed25519` (RFC 8032).
    pub algorithm: String,
    /// The public key, 64 hexadecimal digits.
    pub public_key: String,
    /// Since when it signs.
    pub created_at: Timestamp,
    /// Since when it signs no more; null for one that does.
    pub retired_at: Option<Timestamp>,
}

impl From<KeyRow> for KeyBody {
    fn from(row: KeyRow) -> KeyBody {
        KeyBody {
            id: row.id,
            algorithm: "Ed25519".to_owned(),
            public_key: row.public_key,
            created_at: timestamp(row.created_at),
            retired_at: row.retired_at.map(timestamp),
        }
    }
}

/// The keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Keys {
    /// All that have ever signed here, the oldest first.
    pub items: Vec<KeyBody>,
}

/// Which checkpoints are asked for.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CheckpointQuery {
    /// The number of the last checkpoint that the caller has; those behind it are given.
    #[serde(default)]
    after: u64,
    /// How many, from 1 to 1000; 50 when left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// List the keys that sign here
///
/// Public keys, those that are retired too. Keep them: by them `tabularium verify --key` tells who has
/// signed a record, wherever it comes from.
#[utoipa::path(tag = "office", responses(
    (status = 200, description = "The keys", body = Keys),
    (status = 304, description = "The caller has it"),
    Listing,
))]
#[get("/v1/keys")]
pub async fn list_keys(
    request: HttpRequest,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let rows = blocking(&signing, |signing| Ok(signing.key_rows()?)).await?;
    let items = rows.into_iter().map(KeyBody::from).collect();
    content(&request, &Keys { items })
}

/// List the checkpoints of the log of all games
///
/// Made once a day when something was added. Each names the one before by its hash, so whoever has
/// followed `/v1/events` can show that nothing was altered or dropped since. They cover leagues too.
#[utoipa::path(tag = "office", params(CheckpointQuery), responses(
    (status = 200, description = "A page of checkpoints", body = CheckpointPage),
    Listing,
))]
#[get("/v1/checkpoints")]
pub async fn list_checkpoints(
    Query(query): Query<CheckpointQuery>,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let limit = query.limit.unwrap_or(USUAL);
    let page = blocking(&signing, move |signing| {
        signing.checkpoints(query.after, limit)
    })
    .await?;
    Ok(HttpResponse::Ok().json(page))
}

/// Get a checkpoint
///
/// By its number, or the newest as `latest`.
#[utoipa::path(tag = "office", params(("number" = String, Path,
        description = "The checkpoint's number, from 1, or `latest`", example = "latest")),
    responses(
        (status = 200, description = "The checkpoint", body = Checkpoint),
        (status = 304, description = "The caller has it"),
        Reading,
    ))]
#[get("/v1/checkpoints/{number}")]
pub async fn get_checkpoint(
    request: HttpRequest,
    path: web::Path<String>,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let number = match path.as_str() {
        "latest" => None,
        text => Some(number("checkpoint", text)?),
    };
    let checkpoint = blocking(&signing, move |signing| signing.checkpoint(number)).await?;
    content(&request, &checkpoint)
}
