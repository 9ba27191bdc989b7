//! The settings of a league: name, description, registration, archive, deletion.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::json;

use crate::http::problem::{Code, Problem};
use crate::http::request::query::Query;
use crate::leagues::event::LeagueRole;
use crate::leagues::event::{Joining, LeagueSettings, RegistrationQuestion};
use crate::leagues::limits::MOST_QUESTIONS;
use crate::leagues::model::LeagueBody;
use crate::site::forms::redirect;
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, choice, read, refused, seen,
};
use crate::site::texts::Texts;

/// The number of questions that the form shows, at least.
const QUESTIONS: usize = 5;

const JOINING: [Joining; 3] = [Joining::Open, Joining::Approval, Joining::Invited];

fn joining_name(joining: Joining) -> &'static str {
    match joining {
        Joining::Open => "open",
        Joining::Approval => "approval",
        Joining::Invited => "invited",
    }
}

/// The choice of who may join.
pub fn joining_field(texts: Texts, chosen: &str) -> Markup {
    let options = JOINING.map(|joining| (joining_name(joining), texts.joining(joining)));
    choice("joining", texts.text("settings-joining"), &options, chosen)
}

fn shown(
    page: &OrganizerPage,
    league: &LeagueBody,
    (fields, done): (&Fields, &str),
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = page.texts();
    let is_owner = page.role(league) == Some(LeagueRole::Owner);
    let settings = match fields.get("action") {
        "save" => written(fields),
        _ => LeagueSettings {
            name: league.summary.name.clone(),
            description: league.description.clone(),
            joining: league.joining,
            questions: league.questions.clone(),
            archived: league.archived,
        },
    };
    let rows = (settings.questions.len() + 1).clamp(QUESTIONS, MOST_QUESTIONS);
    let main = html! {
        section class="panel" aria-labelledby="settings" {
            h2 id="settings" { (texts.text("organize-settings")) }
            form method="post" class="fields" {
                (seen(league, fields))
                label { (texts.text("settings-league-name")) input name="name" required maxlength="64" value=(settings.name); }
                label { (texts.text("settings-league-about"))
                    textarea name="description" rows="4" maxlength="2000" { (settings.description.as_deref().unwrap_or_default()) } }
                (joining_field(texts, joining_name(settings.joining)))
                fieldset {
                    legend { (texts.text("settings-questions")) }
                    p class="hint" { (texts.text("settings-questions-hint")) }
                    @for row in 0..rows {
                        @let question = settings.questions.get(row);
                        div class="question" {
                            label { (texts.format("settings-question", [("number", (row + 1).into())]))
                                input name={ "question-" (row) } maxlength="200" value=[question.map(|one| &one.text)]; }
                            label class="tick" {
                                input type="checkbox" name={ "required-" (row) } value="yes" checked[question.is_some_and(|one| one.required)];
                                " " (texts.text("settings-required"))
                            }
                        }
                    }
                }
                label class="tick" {
                    input type="checkbox" name="archived" value="yes" checked[settings.archived];
                    " " (texts.text("settings-archived"))
                }
                (act("save", texts.text("settings-save")))
            }
        }
        @if is_owner {
            section class="panel" aria-labelledby="delete" {
                h2 id="delete" { (texts.text("settings-delete")) }
                form method="post" class="fields" {
                    p class="hint" { (texts.text("settings-delete-hint")) }
                    (act("delete", texts.text("settings-delete")))
                }
            }
        }
    };
    let title = (texts.text("organize-settings"), done);
    page.organizer_page(league, "/organize/settings", title, &main, problem)
}

/// The page of the settings.
#[get("/leagues/{league}/organize/settings")]
pub async fn settings_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let league = page.organized(LeagueRole::Organizer).await?;
    let fields = (&Fields::default(), &*query.done);
    Ok(shown(&page, &league, fields, None))
}

/// The settings of a form, not yet checked.
fn written(fields: &Fields) -> LeagueSettings {
    let joining = JOINING
        .into_iter()
        .find(|one| joining_name(*one) == fields.get("joining"));
    let questions = (0..MOST_QUESTIONS).filter_map(|row| {
        Some(RegistrationQuestion {
            text: fields.given(&format!("question-{row}"))?.to_owned(),
            required: fields.given(&format!("required-{row}")).is_some(),
        })
    });
    LeagueSettings {
        name: fields.get("name").to_owned(),
        description: fields.given("description").map(str::to_owned),
        joining: joining.unwrap_or(Joining::Invited),
        questions: questions.collect(),
        archived: fields.given("archived").is_some(),
    }
}

/// Changes the settings, or deletes the league.
#[post("/leagues/{league}/organize/settings")]
pub async fn post_settings(
    mut page: OrganizerPage,
    fields: Fields,
) -> Result<HttpResponse, Problem> {
    let league = page.organized(LeagueRole::Organizer).await?;
    if fields.get("action") == "delete" {
        let outcome = page.run(|leagues, id, call| leagues.delete(id, call)).await;
        return match refused(outcome)? {
            Ok(()) => Ok(redirect("/leagues")),
            Err(problem) => Ok(shown(&page, &league, (&fields, ""), Some(&problem))),
        };
    }
    page.only_as_seen(&fields);
    let outcome = async {
        let new: LeagueSettings = read(json!(written(&fields)))?;
        page.run(move |leagues, id, call| leagues.change_settings(id, call, &new))
            .await
    };
    match refused(outcome.await)? {
        Ok(_) => Ok(page.to("/organize/settings?done=settings")),
        // The page shows the settings that another organizer has saved.
        Err(problem) if problem.code == Code::StaleView => {
            let fields = (&Fields::default(), "");
            Ok(shown(&page, &league, fields, Some(&problem)))
        }
        Err(problem) => Ok(shown(&page, &league, (&fields, ""), Some(&problem))),
    }
}
