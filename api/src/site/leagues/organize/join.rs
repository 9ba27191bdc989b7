//! The registration page of a league: joining, answering its questions, leaving.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use crate::http::problem::{Code, Problem};
use crate::http::request::query::Query;
use crate::leagues::event::Joining;
use crate::leagues::registration::model::{NewRegistration, RegistrationForm, RegistrationState};
use crate::site::accounts::refusal;
use crate::site::forms::{given, redirect, sign_in_address};
use crate::site::leagues::organize::page::{Fields, OrganizerPage, act, read};

/// The code of an invitation link, and what was done before.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JoinQuery {
    code: String,
}

async fn read_form(page: &OrganizerPage, code: &str) -> Result<RegistrationForm, Problem> {
    let code = given(code).map(str::to_owned);
    page.run(move |leagues, id, call| leagues.registration_form(id, call, code.as_deref()))
        .await
}

fn shown(
    page: &OrganizerPage,
    form: &RegistrationForm,
    (code, fields): (&str, &Fields),
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = page.texts();
    let is_wanted = form.has_code || form.invited;
    let can_join = !form.archived
        && (is_wanted || form.joining != Joining::Invited)
        && !matches!(
            form.state,
            Some(RegistrationState::Member | RegistrationState::Requested)
        );
    let here = page.visit.here.as_deref().unwrap_or("/");
    let main: Markup = html! {
        h1 { (form.name) }
        @for part in form.description.iter().flat_map(|text| text.split("\n\n")) { p class="lead" { (part) } }
        (refusal(texts, problem))
        @match form.state {
            Some(RegistrationState::Member) => {
                p role="status" { (texts.text("join-member")) }
                p { a class="button" href={ "/leagues/" (page.id) } { (texts.text("join-to-league")) } }
                form method="post" class="fields" { (act("leave", texts.text("join-leave"))) }
            }
            Some(RegistrationState::Requested) => {
                p role="status" { (texts.text("join-requested")) }
                form method="post" class="fields" { (act("leave", texts.text("join-withdraw"))) }
            }
            Some(RegistrationState::Left) | None if page.account().is_none() => {
                p { (texts.joining(form.joining)) }
                p { a class="button first" href=(sign_in_address(here)) { (texts.text("reader-sign-in")) } }
            }
            _ if !can_join => p { (texts.joining(form.joining)) },
            _ => {
                @if !is_wanted { p { (texts.joining(form.joining)) } }
                form method="post" class="fields" {
                    input type="hidden" name="code" value=(code);
                    @for (number, question) in form.questions.iter().enumerate() {
                        label { (question.text) @if !question.required { " " span class="faint" { (texts.text("join-optional")) } }
                            input name={ "answer-" (number) } maxlength="500" required[question.required] value=(fields.get(&format!("answer-{number}"))); }
                    }
                    p class="hint" { (texts.text("join-agree")) }
                    @if form.joining == Joining::Approval && !is_wanted { (act("join", texts.text("join-ask"))) }
                    @else { (act("join", texts.text("join-do"))) }
                }
            }
        }
    };
    page.shown(&form.name, &main, problem)
}

/// The registration page.
#[get("/leagues/{league}/join")]
pub async fn join_page(
    page: OrganizerPage,
    Query(query): Query<JoinQuery>,
) -> Result<HttpResponse, Problem> {
    let form = read_form(&page, &query.code).await?;
    Ok(shown(&page, &form, (&query.code, &Fields::default()), None))
}

/// Registers the reader's account, withdraws a request, or leaves the league.
#[post("/leagues/{league}/join")]
pub async fn post_join(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    let own = page.signed_in()?.to_string();
    let code = fields.get("code").to_owned();
    let form = read_form(&page, &code).await?;
    let outcome = async {
        if fields.get("action") == "leave" {
            let left = page.run(move |leagues, id, call| leagues.remove_member(id, call, &own));
            return left.await.map(drop);
        }
        let answers = 0..form.questions.len();
        let answers = answers.map(|number| fields.get(&format!("answer-{number}")).to_owned());
        let answers: Vec<String> = answers.collect();
        let new: NewRegistration = read(json!({"answers": answers, "code": given(&code)}))?;
        let registered = page.run(move |leagues, id, call| leagues.register(id, call, &new));
        registered.await.map(drop)
    };
    match outcome.await {
        Ok(()) => match page.league().await {
            Ok(_) => Ok(page.to("/join")),
            // A private league is not shown to an account that asked to join it, or left it.
            Err(problem) if problem.code == Code::NotFound => Ok(redirect("/leagues")),
            Err(problem) => Err(problem),
        },
        Err(problem) => Ok(shown(&page, &form, (&code, &fields), Some(&problem))),
    }
}
