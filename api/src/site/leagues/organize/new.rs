//! The form of a new league.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::json;

use crate::games::model::Visibility;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::leagues::model::NewLeague;
use crate::site::accounts::refusal;
use crate::site::forms::redirect;
use crate::site::leagues::organize::page::{Fields, OrganizerPage, choice, read, refused};
use crate::site::leagues::organize::season::{season_fields, season_json};
use crate::site::leagues::organize::settings::joining_field;
use crate::site::lobby::parts::visibility;

fn form(page: &OrganizerPage, fields: &Fields, problem: Option<&Problem>) -> HttpResponse {
    let texts = page.texts();
    let seen = [
        Visibility::Public,
        Visibility::Unlisted,
        Visibility::Private,
    ];
    let seen = seen.map(|one| (one.name(), visibility(texts, one)));
    let main: Markup = html! {
        h1 { (texts.text("new-league")) }
        (refusal(texts, problem))
        form method="post" class="fields" {
            label { (texts.text("settings-league-name")) input name="name" required maxlength="64" value=(fields.get("name")); }
            label { (texts.text("settings-league-about"))
                textarea name="description" rows="4" maxlength="2000" { (fields.get("description")) } }
            (choice("visibility", texts.text("new-visibility"), &seen, fields.get("visibility")))
            (joining_field(texts, fields.given("joining").unwrap_or("invited")))
            h2 { (texts.text("season-first")) }
            (season_fields(texts, fields, true))
            button class="first" { (texts.text("new-league-do")) }
        }
    };
    page.shown(texts.text("new-league"), &main, problem)
}

/// The form of a new league.
#[get("/leagues/new")]
pub async fn new_league_page(page: OrganizerPage) -> Result<HttpResponse, Problem> {
    page.signed_in()?;
    Ok(form(&page, &Fields::default(), None))
}

/// Creates a league with its first season.
#[post("/leagues/new")]
pub async fn post_new_league(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    let outcome = async {
        charge(&page.request, Policy::Games)?;
        let new: NewLeague = read(json!({
            "name": fields.get("name"),
            "description": fields.given("description"),
            "visibility": fields.given("visibility").unwrap_or("public"),
            "joining": fields.given("joining").unwrap_or("invited"),
            "season": season_json(&fields)?,
        }))?;
        page.run(move |leagues, _, call| leagues.create(call, &new))
            .await
    };
    match refused(outcome.await)? {
        Ok(league) => Ok(redirect(&format!(
            "/leagues/{}/organize/members",
            league.summary.id
        ))),
        Err(problem) => Ok(form(&page, &fields, Some(&problem))),
    }
}
