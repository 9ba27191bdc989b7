//! Members, requests to join, invitations and roles.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::json;

use crate::http::problem::Problem;
use crate::http::request::base;
use crate::http::request::query::Query;
use crate::leagues::event::LeagueRole;
use crate::leagues::model::{LeagueBody, NewMember};
use crate::leagues::registration::model::{
    InvitationLink, RegistrationBody, RegistrationState, RegistrationsBody,
};
use crate::leagues::roles::NewRole;
use crate::site::leagues::links::named;
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, choice, read, refused,
};
use crate::site::texts::Texts;

/// A role in plain words.
pub fn role_name(texts: Texts, role: LeagueRole) -> &'static str {
    match role {
        LeagueRole::Owner => texts.text("role-owner"),
        LeagueRole::Organizer => texts.text("role-organizer"),
        LeagueRole::Referee => texts.text("role-referee"),
        LeagueRole::Scorer => texts.text("role-scorer"),
    }
}

/// A button that does something to a member or an account.
fn act_on(action: &str, id: &str, text: &str, name: &str) -> Markup {
    html! {
        form method="post" {
            input type="hidden" name="player" value=(id);
            button name="action" value=(action) aria-label={ (text) ": " (name) } { (text) }
        }
    }
}

fn answers(one: &RegistrationBody) -> Markup {
    html! {
        @if !one.answers.is_empty() {
            dl class="settings" {
                @for answer in &one.answers { div { dt { (answer.question) } dd { (answer.answer) } } }
            }
        }
    }
}

fn requests(texts: Texts, registrations: &RegistrationsBody) -> Markup {
    let waiting = registrations.items.iter();
    let waiting = waiting.filter(|one| one.state == RegistrationState::Requested);
    let waiting: Vec<&RegistrationBody> = waiting.collect();
    html! {
        section class="panel" aria-labelledby="requests" {
            h2 id="requests" { (texts.text("members-requests")) }
            @if waiting.is_empty() { p { (texts.text("members-no-requests")) } }
            ul class="rows" {
                @for one in waiting {
                    @let (id, name) = (one.account.id.to_string(), &one.account.handle);
                    li {
                        a href={ "/players/" (id) } { (name) }
                        (answers(one))
                        span class="both" {
                            (act_on("approve", &id, texts.text("members-approve"), name))
                            (act_on("remove", &id, texts.text("members-refuse"), name))
                        }
                    }
                }
            }
        }
    }
}

fn invitations(page: &OrganizerPage, league: &LeagueBody, link: Option<&InvitationLink>) -> Markup {
    let texts = page.texts();
    html! {
        section class="panel" aria-labelledby="invite" {
            h2 id="invite" { (texts.text("members-invite")) }
            form method="post" class="filter" {
                label { (texts.text("account-handle")) input name="player" required maxlength="64" autocapitalize="none" spellcheck="false"; }
                (act("invite", texts.text("members-invite-do")))
            }
            form method="post" class="filter" {
                label { (texts.text("members-placeholder")) input name="name" required maxlength="64"; }
                (act("placeholder", texts.text("members-placeholder-do")))
            }
            @if let Some(link) = link {
                p role="status" { (texts.text("members-link-once")) }
                p { code { (base(&page.request)) (link.path) } }
            }
            form method="post" class="filter" {
                (act("link", texts.text("members-link")))
                (act("unlink", texts.text("members-unlink")))
            }
            p class="hint" { (texts.text("members-link-hint")) }
            p { a href={ "/leagues/" (league.summary.id) "/join" } { (texts.text("members-page")) } }
            @if !league.invited.is_empty() {
                h3 { (texts.text("members-invited")) }
                ul class="rows" {
                    @for one in &league.invited {
                        li { (one.handle) (act_on("remove", &one.id.to_string(), texts.text("members-uninvite"), &one.handle)) }
                    }
                }
            }
        }
    }
}

fn list(texts: Texts, league: &LeagueBody, registrations: &RegistrationsBody) -> Markup {
    let find = |id: &str| {
        let mut all = registrations.items.iter();
        all.find(|one| one.account.id.to_string() == id)
    };
    html! {
        section class="panel" aria-labelledby="members" {
            h2 id="members" { (texts.text("league-members")) }
            @if league.members.is_empty() { p { (texts.text("league-nobody")) } }
            ul class="rows" {
                @for member in &league.members {
                    li {
                        span {
                            (named(member))
                            @if !member.active { " " span class="tag" { (texts.text("league-left")) } }
                        }
                        @if let Some(one) = find(&member.id) { (answers(one)) }
                        @if member.active { (act_on("remove", &member.id, texts.text("members-remove"), &member.name)) }
                    }
                }
            }
        }
    }
}

fn roles(texts: Texts, league: &LeagueBody, is_owner: bool) -> Markup {
    let all = LeagueRole::ALL.map(|role| (role.name(), role_name(texts, role)));
    html! {
        section class="panel" aria-labelledby="roles" {
            h2 id="roles" { (texts.text("members-roles")) }
            p class="hint" { (texts.text("members-roles-hint")) }
            ul class="rows" {
                @for one in &league.roles {
                    li {
                        span { a href={ "/players/" (one.id) } { (one.handle) } " " span class="tag" { (role_name(texts, one.role)) } }
                        @if is_owner { (act_on("unrole", &one.id.to_string(), texts.text("members-unrole"), &one.handle)) }
                    }
                }
            }
            @if is_owner {
                form method="post" class="filter" {
                    label { (texts.text("account-handle")) input name="player" required maxlength="64" autocapitalize="none" spellcheck="false"; }
                    (choice("role", texts.text("members-role"), &all, "scorer"))
                    (act("role", texts.text("members-role-do")))
                }
            }
        }
    }
}

async fn shown(
    page: &OrganizerPage,
    done: &str,
    link: Option<&InvitationLink>,
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let texts = page.texts();
    let league = page.organized(LeagueRole::Organizer).await?;
    let registrations = page
        .run(|leagues, id, call| leagues.registrations(id, call))
        .await?;
    let is_owner = page.role(&league) == Some(LeagueRole::Owner);
    let main = html! {
        (requests(texts, &registrations))
        (invitations(page, &league, link))
        (list(texts, &league, &registrations))
        (roles(texts, &league, is_owner))
    };
    let title = (texts.text("league-members"), done);
    Ok(page.organizer_page(&league, "/organize/members", title, &main, problem))
}

/// The page of the members.
#[get("/leagues/{league}/organize/members")]
pub async fn members_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    shown(&page, &query.done, None, None).await
}

/// Adds, admits, invites or removes members, and sets roles.
#[post("/leagues/{league}/organize/members")]
pub async fn post_members(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    page.organized(LeagueRole::Organizer).await?;
    let player = fields.get("player").to_owned();
    if fields.get("action") == "link" {
        let link = page
            .run(|leagues, id, call| leagues.create_link(id, call))
            .await;
        return match refused(link)? {
            Ok(link) => shown(&page, "", Some(&link), None).await,
            Err(problem) => shown(&page, "", None, Some(&problem)).await,
        };
    }
    let outcome = async {
        match fields.get("action") {
            "unlink" => {
                page.run(|leagues, id, call| leagues.withdraw_link(id, call))
                    .await
            }
            "remove" => {
                page.run(move |leagues, id, call| leagues.remove_member(id, call, &player))
                    .await
            }
            "placeholder" => {
                let new: NewMember = read(json!({"placeholder": fields.get("name")}))?;
                page.run(move |leagues, id, call| leagues.add_member(id, call, &new))
                    .await
            }
            "role" => {
                let new: NewRole = read(json!({"role": fields.get("role")}))?;
                page.run(move |leagues, id, call| leagues.change_role(id, call, &player, &new))
                    .await
            }
            "unrole" => {
                let new = NewRole { role: None };
                page.run(move |leagues, id, call| leagues.change_role(id, call, &player, &new))
                    .await
            }
            _ => {
                let new = NewMember::Id(player);
                page.run(move |leagues, id, call| leagues.add_member(id, call, &new))
                    .await
            }
        }
    };
    match refused(outcome.await)? {
        Ok(_) => Ok(page.to("/organize/members?done=members")),
        Err(problem) => shown(&page, "", None, Some(&problem)).await,
    }
}
