//! Reads the league in a path.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::http::call::Call;
use crate::http::problem::Problem;
use crate::http::request::body::{JsonRequest, Reading};
use crate::http::request::caller::Bearer;
use crate::http::request::path::number;

/// The league in a path; 404 when it is not a UUID. The service checks whether the caller may see it.
#[derive(Clone, Copy, Debug)]
pub struct LeagueId(pub Uuid);

impl LeagueId {
    fn read(request: &HttpRequest) -> Result<LeagueId, Problem> {
        number("league", request.match_info().query("league")).map(LeagueId)
    }
}

impl FromRequest for LeagueId {
    type Error = Problem;
    type Future = Ready<Result<LeagueId, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(LeagueId::read(request))
    }
}

/// A JSON body that is sent to a league.
///
/// The problems come in the order of [`Bearer`], [`JsonRequest`], [`LeagueId`]. A tuple of extractors would not have this
/// order, because bodies arrive later.
#[derive(Clone, Debug)]
pub struct LeagueRequest<T> {
    /// The league.
    pub id: Uuid,
    /// The caller and its conditions.
    pub call: Call,
    /// The body.
    pub body: T,
}

impl<T: DeserializeOwned + 'static> FromRequest for LeagueRequest<T> {
    type Error = Problem;
    type Future = Reading<LeagueRequest<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bearer = Bearer::from_request(request, payload);
        let sent = JsonRequest::from_request(request, payload);
        let league = LeagueId::read(request);
        Box::pin(async move {
            bearer.await?;
            let JsonRequest { call, body } = sent.await?;
            let LeagueId(id) = league?;
            Ok(LeagueRequest { id, call, body })
        })
    }
}
