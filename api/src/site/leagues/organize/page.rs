//! What the pages to organize a league share.

use std::future::{Ready, ready};
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::http::request::caller::call;
use crate::leagues::event::{LeagueRole, SeasonFormat};
use crate::leagues::model::LeagueBody;
use crate::leagues::service::Leagues;
use crate::site::accounts::refusal;
use crate::site::choice::Visit;
use crate::site::forms::{given, redirect};
use crate::site::frame::{Frame, page};
use crate::site::texts::Texts;

/// What was done before the page is shown.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DoneQuery {
    /// A word for it; empty if nothing was done.
    pub done: String,
}

/// The fields of a form, in their order. A name may occur several times.
#[derive(Clone, Debug, Default)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// The first field of this name, trimmed; empty if there is none.
    pub fn get(&self, name: &str) -> &str {
        let mut fields = self.0.iter();
        let found = fields.find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    }

    /// The first field of this name that is not empty.
    pub fn given(&self, name: &str) -> Option<&str> {
        let mut fields = self.0.iter().filter(|(known, _)| known == name);
        fields.find_map(|(_, value)| given(value))
    }

    /// All fields of this name, trimmed.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter().filter(move |(known, _)| known == name);
        fields.map(|(_, value)| value.trim())
    }

    /// A number, if the field is not empty.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Problem> {
        let parse = |text: &str| {
            let wrong = |_| Problem::invalid(name, format!("{text:?} is not a number in range"));
            text.parse().map_err(wrong)
        };
        self.given(name).map(parse).transpose()
    }
}

impl FromRequest for Fields {
    type Error = actix_web::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Fields, actix_web::Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let form = web::Form::<Vec<(String, String)>>::from_request(request, payload);
        Box::pin(async move { Ok(Fields(form.await?.into_inner())) })
    }
}

/// Reads a request of the API from the values of a form.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    serde_json::from_value(value)
        .map_err(|error| Problem::new(Code::InvalidBody, error.to_string()))
}

/// A request for a page about a league.
#[derive(Debug)]
pub struct OrganizerPage {
    /// The request.
    pub request: HttpRequest,
    /// The language and the reader.
    pub visit: Visit,
    /// The caller.
    pub call: Call,
    /// The id of the league.
    pub id: Uuid,
    /// The service.
    pub leagues: web::Data<Leagues>,
}

impl OrganizerPage {
    fn new(request: &HttpRequest) -> Result<OrganizerPage, Problem> {
        charge(request, Policy::Expensive)?;
        let id = match request.match_info().get("league") {
            Some(league) => crate::http::request::path::number("league", league)?,
            None => Uuid::nil(),
        };
        let leagues = request.app_data::<web::Data<Leagues>>().cloned();
        Ok(OrganizerPage {
            request: request.clone(),
            visit: Visit::of(request),
            call: call(request, b"")?,
            id,
            leagues: leagues.ok_or_else(Problem::internal)?,
        })
    }

    pub fn texts(&self) -> Texts {
        self.visit.texts
    }

    pub fn account(&self) -> Option<Uuid> {
        self.call.access.as_ref().map(|access| access.account)
    }

    /// Requires an account, so that a reader without one is led to the sign-in.
    pub fn signed_in(&self) -> Result<Uuid, Problem> {
        let detail = "the page belongs to an account: sign in";
        self.account()
            .ok_or_else(|| Problem::new(Code::Unauthenticated, detail))
    }

    /// Runs an operation of the service.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Leagues, Uuid, &Call) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (id, call) = (self.id, self.call.clone());
        blocking(&self.leagues, move |leagues| work(leagues, id, &call)).await
    }

    /// The league.
    pub async fn league(&self) -> Result<LeagueBody, Problem> {
        self.run(|leagues, id, call| leagues.get(id, call)).await
    }

    /// The league, for callers with at least this role.
    pub async fn organized(&self, least: LeagueRole) -> Result<LeagueBody, Problem> {
        self.signed_in()?;
        let allowed = self.run(move |leagues, id, call| leagues.check_role(id, call, least));
        allowed.await?;
        self.league().await
    }

    /// Lets actions fail if the league has changed since the form with these fields was shown.
    pub fn only_as_seen(&mut self, fields: &Fields) {
        let seq = fields.number("seq").ok().flatten();
        self.call.if_match = seq.map(|seq| vec![seq]);
    }

    /// The role of the reader.
    pub fn role(&self, league: &LeagueBody) -> Option<LeagueRole> {
        let own = self.account()?;
        let found = league.roles.iter().find(|one| one.id == own);
        found.map(|one| one.role)
    }

    /// A page of the organizers, with links to the others on top.
    pub fn organizer_page(
        &self,
        league: &LeagueBody,
        part: &str,
        (title, done): (&str, &str),
        main: &Markup,
        problem: Option<&Problem>,
    ) -> HttpResponse {
        let texts = self.texts();
        let main = html! {
            h1 { (title) }
            (ways(texts, league, self.role(league), part))
            (refusal(texts, with_names(problem, league).as_ref()))
            (notice(texts, problem, done))
            (main)
        };
        self.shown(
            &format!("{title} · {}", league.summary.name),
            &main,
            problem,
        )
    }

    /// The answer with a page, with the status of a problem.
    pub fn shown(&self, title: &str, main: &Markup, problem: Option<&Problem>) -> HttpResponse {
        let frame = Frame {
            title,
            part: "/leagues",
            scripts: &[],
            class: "league organize",
        };
        let mut answer = page(&self.request, self.texts(), frame.around(&self.visit, main));
        if let Some(problem) = problem {
            let status = StatusCode::from_u16(problem.status);
            *answer.status_mut() = status.unwrap_or(StatusCode::BAD_REQUEST);
        }
        if !self.request.method().is_safe() {
            let cache = HeaderValue::from_static("private, no-store");
            answer.headers_mut().insert(CACHE_CONTROL, cache);
        }
        answer
    }

    /// Leads the browser to a page of the league.
    pub fn to(&self, part: &str) -> HttpResponse {
        redirect(&format!("/leagues/{}{part}", self.id))
    }
}

impl FromRequest for OrganizerPage {
    type Error = Problem;
    type Future = Ready<Result<OrganizerPage, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(OrganizerPage::new(request))
    }
}

/// Returns a problem with names of members where the API gives their ids.
pub fn with_names(problem: Option<&Problem>, league: &LeagueBody) -> Option<Problem> {
    let mut problem = problem?.clone();
    for member in &league.members {
        problem.detail = problem.detail.replace(&member.id, &member.name);
    }
    Some(problem)
}

/// Returns the result of an action, unless the reader has to sign in first.
pub fn refused<T>(outcome: Result<T, Problem>) -> Result<Result<T, Problem>, Problem> {
    match outcome {
        Err(problem) if problem.code == Code::Unauthenticated => Err(problem),
        outcome => Ok(outcome),
    }
}

/// Says that an action was carried out.
pub fn notice(texts: Texts, problem: Option<&Problem>, done: &str) -> Markup {
    html! {
        @if problem.is_none() && !done.is_empty() { p class="good" role="status" { (texts.text("organize-done")) } }
    }
}

/// Links to the pages of a league for a reader with a role.
pub fn ways(texts: Texts, league: &LeagueBody, role: Option<LeagueRole>, part: &str) -> Markup {
    let path = format!("/leagues/{}", league.summary.id);
    // Every member of a ladder challenges others there.
    let format = league.seasons.last().map(|season| season.format);
    let is_ladder = matches!(format, Some(SeasonFormat::Ladder { .. }));
    let groups = (!is_ladder).then_some(LeagueRole::Organizer);
    let all = [
        ("", "", None),
        ("/results", "organize-results", None),
        ("/pauses", "organize-pauses", None),
        ("/groups", "organize-groups", groups),
        (
            "/organize/round",
            "organize-round",
            Some(LeagueRole::Organizer),
        ),
        (
            "/organize/season",
            "organize-season",
            Some(LeagueRole::Organizer),
        ),
        (
            "/organize/members",
            "league-members",
            Some(LeagueRole::Organizer),
        ),
        (
            "/organize/settings",
            "organize-settings",
            Some(LeagueRole::Organizer),
        ),
    ];
    html! {
        nav class="tabs" aria-label=(league.summary.name) {
            @for (address, text, least) in all {
                @if least.is_none() || role >= least {
                    " " a href={ (path) (address) } aria-current=[(address == part && !part.is_empty()).then_some("page")] {
                        @if address.is_empty() { (league.summary.name) } @else { (texts.text(text)) }
                    }
                }
            }
        }
        @if league.archived { p class="notice" { (texts.text("organize-archived")) } }
    }
}

/// What a reader can do, on the page of a league.
pub fn actions(visit: &Visit, account: Option<Uuid>, league: &LeagueBody) -> Markup {
    let texts = visit.texts;
    let path = format!("/leagues/{}", league.summary.id);
    let own = account.map(|account| account.to_string());
    let role = account.and_then(|own| league.roles.iter().find(|one| one.id == own));
    let is_member = league
        .members
        .iter()
        .any(|member| member.active && Some(&member.id) == own.as_ref());
    html! {
        p class="actions" {
            @if !is_member && !league.archived { a class="button" href={ (path) "/join" } { (texts.text("join-do")) } }
            @if is_member { a class="button" href={ (path) "/join" } { (texts.text("join-own")) } }
            a class="button" href={ (path) "/results" } { (texts.text("organize-results")) }
            @if role.is_some_and(|one| one.role >= LeagueRole::Organizer) {
                a class="button first" href={ (path) "/organize/round" } { (texts.text("organize-title-league")) }
            }
        }
        @if league.archived { p class="notice" { (texts.text("organize-archived")) } }
    }
}

/// A choice with the texts of its values.
pub fn choice(name: &str, label: &str, options: &[(&str, &str)], chosen: &str) -> Markup {
    html! {
        label { (label)
            select name=(name) {
                @for (value, text) in options { option value=(value) selected[*value == chosen] { (text) } }
            }
        }
    }
}

/// The version of a league that a form shows: see [`OrganizerPage::only_as_seen`].
pub fn seen(league: &LeagueBody, fields: &Fields) -> Markup {
    let seq = league.summary.seq.to_string();
    html! { input type="hidden" name="seq" value=(fields.given("seq").unwrap_or(&seq)); }
}

/// A button that does something.
pub fn act(action: &str, text: &str) -> Markup {
    html! { button name="action" value=(action) { (text) } }
}

/// The active members, from which fields with this list choose: their names, or their ids where a name is not unique.
pub fn member_list(league: &LeagueBody) -> Markup {
    html! {
        datalist id="member-names" {
            @for member in league.members.iter().filter(|member| member.active) {
                @if member_named(league, &member.name) == member.id { option value=(member.name) {} }
                @else { option value=(member.id) { (member.name) } }
            }
        }
    }
}

/// Returns the id of the member with a name; a name that is unknown or not unique is returned as it is.
/// An active member is meant before those who have left.
pub fn member_named<'a>(league: &'a LeagueBody, name: &'a str) -> &'a str {
    for is_active in [true, false] {
        let named = league
            .members
            .iter()
            .filter(|one| one.active == is_active && one.name == name);
        match *named.collect::<Vec<_>>() {
            [] => {}
            [member] => return &member.id,
            _ => break,
        }
    }
    name
}
