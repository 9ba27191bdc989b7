//! Handlers of signing: the server's keys and the checkpoints of all logs.

use actix_web::{HttpRequest, HttpResponse, get, web};
use jiff::Timestamp;
use records::{Checkpoint, PublicKey};
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

/// A public key of this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyBody {
    /// The id by which signatures name the key: 16 hexadecimal digits.
    /// It is the beginning of the SHA-256 of its 32 bytes.
    pub id: String,
    /// Always `Ed25519` (RFC 8032).
    pub algorithm: String,
    /// The public key, 64 hexadecimal digits.
    pub public_key: String,
    /// The key in the form in which witnesses of the transparency log are configured (c2sp.org/signed-note).
    pub verifier_key: String,
    /// When it started to sign.
    pub created_at: Timestamp,
    /// When it stopped signing; null for the present key.
    pub retired_at: Option<Timestamp>,
}

impl KeyBody {
    /// Returns the body of a key, which signs the log with this name. A damaged key has no `verifier_key`.
    fn new(row: KeyRow, log: &str) -> KeyBody {
        let public: Result<PublicKey, _> = row.public_key.parse();
        KeyBody {
            id: row.id,
            algorithm: "Ed25519".to_owned(),
            verifier_key: public.map_or_else(|_| String::new(), |key| key.verifier_key(log)),
            public_key: row.public_key,
            created_at: timestamp(row.created_at),
            retired_at: row.retired_at.map(timestamp),
        }
    }
}

/// All public keys of this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Keys {
    /// Every key that has signed here, the oldest first.
    pub items: Vec<KeyBody>,
}

/// The range of a list of checkpoints.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CheckpointQuery {
    /// The number after which the list starts, such as that of the last checkpoint that you have.
    #[serde(default)]
    after: u64,
    /// The most checkpoints to return, from 1 to 1000; 50 if omitted.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// List the server's signing keys
///
/// The public keys that have signed here, including retired ones. Store them: with `tabularium verify --key` they
/// prove which server signed a record.
#[utoipa::path(tag = "signing", responses(
    (status = 200, description = "The keys", body = Keys),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Listing,
))]
#[get("/v1/keys")]
pub async fn list_keys(
    request: HttpRequest,
    signing: web::Data<Signing>,
) -> Result<HttpResponse, Problem> {
    let read = |signing: &Signing| Ok((signing.key_rows()?, signing.log_origin()?));
    let (rows, log) = blocking(&signing, read).await?;
    let log = log.unwrap_or_default();
    let items = rows
        .into_iter()
        .map(|row| KeyBody::new(row, &log))
        .collect();
    content(&request, &Keys { items })
}

/// List the checkpoints
///
/// A checkpoint signs the ends of the logs of all games and leagues. The server creates one a day if anything was
/// added. Each contains the hash of the previous one. So a client that has followed `/v1/events` can prove that no
/// event was changed or removed since.
#[utoipa::path(tag = "signing", params(CheckpointQuery), responses(
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
/// Finds it by its number; `latest` is the newest one. 404 if it does not exist.
#[utoipa::path(tag = "signing", params(("number" = String, Path,
        description = "The checkpoint's number, from 1, or `latest`", example = "latest")),
    responses(
        (status = 200, description = "The checkpoint", body = Checkpoint),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
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
