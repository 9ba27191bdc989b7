//! Divisions, teams with line-ups, and the challenges of a ladder.

use std::collections::HashMap;

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::json;

use crate::http::error::ServiceError;
use crate::http::problem::Problem;
use crate::http::request::query::Query;
use crate::leagues::event::{LeagueRole, MemberGroup, SeasonFormat};
use crate::leagues::group_model::{
    NewChallenge, NewDivisions, NewPlacement, NewTeams, NextDivisions,
};
use crate::leagues::model::{LeagueBody, LineUp, SeasonBody};
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, member_list, member_named, read, refused,
};
use crate::site::texts::Texts;

/// The names of members by id.
fn names(league: &LeagueBody) -> HashMap<&str, &str> {
    let members = league.members.iter();
    members
        .map(|member| (member.id.as_str(), member.name.as_str()))
        .collect()
}

/// Groups as text: a line with the name and a colon, then a line for each member.
fn groups_text(groups: &[MemberGroup], names: &HashMap<&str, &str>) -> String {
    let group = |group: &MemberGroup| {
        let members = group.members.iter();
        let members = members.map(|id| names.get(id.as_str()).copied().unwrap_or(id));
        format!(
            "{}:\n{}",
            group.name,
            members.collect::<Vec<_>>().join("\n")
        )
    };
    groups.iter().map(group).collect::<Vec<_>>().join("\n\n")
}

/// Reads the groups of a text.
fn groups_of(league: &LeagueBody, field: &str, text: &str) -> Result<Vec<MemberGroup>, Problem> {
    let mut groups: Vec<MemberGroup> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match (line.strip_suffix(':'), groups.last_mut()) {
            (Some(name), _) => groups.push(MemberGroup {
                name: name.trim().to_owned(),
                members: Vec::new(),
            }),
            (None, Some(group)) => group.members.push(member_named(league, line).to_owned()),
            (None, None) => {
                let message = "begin with a line that has the name of a group and a colon";
                return Err(Problem::invalid(field, message));
            }
        }
    }
    Ok(groups)
}

fn text_form(texts: Texts, (title, action): (&str, &str), text: &str, more: &Markup) -> Markup {
    html! {
        section class="panel" aria-labelledby=(action) {
            h2 id=(action) { (texts.text(title)) }
            form method="post" class="fields" {
                label { (texts.text("groups-text"))
                    textarea name="groups" rows="12" { (text) }
                }
                p class="hint" { (texts.text("groups-hint")) }
                (more)
                (act(action, texts.text("groups-set")))
            }
        }
    }
}

/// A late member's division or team.
fn placement(texts: Texts, league: &LeagueBody, season: &SeasonBody) -> Markup {
    let (kind, groups) = match season.teams.is_empty() {
        true => ("division", &season.divisions),
        false => ("team", &season.teams),
    };
    html! {
        section class="panel" aria-labelledby="placement" {
            h2 id="placement" { (texts.text("groups-late")) }
            form method="post" class="filter" {
                label { (texts.text("groups-member")) input name="member" list="member-names" required maxlength="64"; }
                (member_list(league))
                label { (texts.text("groups-group"))
                    select name=(kind) {
                        @for (number, group) in (1..).zip(groups) { option value=(number) { (group.name) } }
                    }
                }
                (act("place", texts.text("groups-place")))
            }
        }
    }
}

fn line_ups(texts: Texts, season: &SeasonBody, names: &HashMap<&str, &str>) -> Markup {
    let name = |id: &String| names.get(id.as_str()).copied().unwrap_or(id).to_owned();
    html! {
        section class="panel" aria-labelledby="line-ups" {
            h2 id="line-ups" { (texts.text("line-ups-title")) }
            p class="hint" { (texts.text("line-ups-hint")) }
            ul class="rows" {
                @for line_up in &season.line_ups {
                    li {
                        @let team = season.teams.get(usize::from(line_up.team) - 1);
                        (texts.round(line_up.round.into())) " · " (team.map_or("", |team| &team.name)) ": "
                        (texts.listed(&line_up.members.iter().map(name).collect::<Vec<_>>()))
                    }
                }
            }
            @for (number, team) in (1..).zip(&season.teams) {
                form method="post" class="fields" {
                    fieldset {
                        legend { (team.name) }
                        input type="hidden" name="team" value=(number);
                        label { (texts.text("round-number")) input name="round" type="number" min="1" max="200" required; }
                        @for id in &team.members {
                            label class="tick" { input type="checkbox" name="member" value=(id) checked; " " (name(id)) }
                        }
                        (act("line_up", texts.text("line-ups-set")))
                    }
                }
            }
        }
    }
}

fn challenges(
    page: &OrganizerPage,
    league: &LeagueBody,
    season: &SeasonBody,
    is_organizer: bool,
) -> Markup {
    let texts = page.texts();
    let names = names(league);
    let own = page.account().map(|account| account.to_string());
    let name = |id: &str| names.get(id).copied().unwrap_or(id).to_owned();
    html! {
        section class="panel" aria-labelledby="challenges" {
            h2 id="challenges" { (texts.text("challenges-title")) }
            p class="hint" { (texts.text("challenges-hint")) }
            @if season.challenges.is_empty() { p { (texts.text("challenges-none")) } }
            ul class="rows" {
                @for one in &season.challenges {
                    li {
                        (texts.format("challenges-of", [("member", name(&one.member).into()), ("opponent", name(&one.opponent).into())]))
                        @if is_organizer || own.as_ref() == Some(&one.member) {
                            form method="post" {
                                input type="hidden" name="member" value=(one.member);
                                (act("withdraw", texts.text("challenges-withdraw")))
                            }
                        }
                    }
                }
            }
            @if own.is_some() && !season.closed {
                form method="post" class="filter" {
                    @if is_organizer {
                        label { (texts.text("challenges-member")) input name="member" list="member-names" maxlength="64"; }
                    }
                    label { (texts.text("challenges-opponent")) input name="opponent" list="member-names" required maxlength="64"; }
                    (member_list(league))
                    (act("challenge", texts.text("challenges-do")))
                }
            }
        }
    }
}

fn shown(
    page: &OrganizerPage,
    (league, next): (&LeagueBody, Option<&NextDivisions>),
    (fields, done): (&Fields, &str),
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = page.texts();
    let names = names(league);
    let is_organizer = page.role(league) >= Some(LeagueRole::Organizer);
    let season = league.seasons.last();
    let written = |action: &str, groups: &[MemberGroup]| match fields.get("action") == action {
        true => fields.get("groups").to_owned(),
        false => groups_text(groups, &names),
    };
    let main = html! {
        @match season {
            None => p { (texts.text("groups-no-season")) },
            Some(season) => {
                @if matches!(season.format, SeasonFormat::Ladder { .. }) {
                    (challenges(page, league, season, is_organizer))
                } @else if is_organizer {
                    @if season.tables == 0 {
                        @let proposed = next.filter(|_| season.divisions.is_empty());
                        @let (divisions, moves) = match proposed {
                            Some(next) => (&next.divisions, next.moves),
                            None => (&season.divisions, season.moves),
                        };
                        @if proposed.is_some() { p class="notice" { (texts.text("groups-proposed")) } }
                        @let moves = html! { label { (texts.text("groups-moves")) input name="moves" type="number" min="0" max="20" value=(fields.given("moves").unwrap_or(&moves.to_string())); } };
                        (text_form(texts, ("groups-divisions", "divisions"), &written("divisions", divisions), &moves))
                        (text_form(texts, ("groups-teams", "teams"), &written("teams", &season.teams), &html! {}))
                    } @else {
                        p { (texts.text("groups-fixed")) }
                    }
                    @if !season.divisions.is_empty() || !season.teams.is_empty() { (placement(texts, league, season)) }
                    @if !season.teams.is_empty() { (line_ups(texts, season, &names)) }
                } @else {
                    p { (texts.text("groups-for-organizers")) }
                }
            }
        }
    };
    let title = (texts.text("organize-groups"), done);
    page.organizer_page(league, "/groups", title, &main, problem)
}

/// The league, and the divisions that are proposed for its season.
async fn content(page: &OrganizerPage) -> Result<(LeagueBody, Option<NextDivisions>), Problem> {
    page.run(|leagues, id, call| {
        let league = leagues.get(id, call)?;
        match leagues.next_divisions(id, call) {
            Ok(next) => Ok((league, Some(next))),
            // No season has divisions and tables yet.
            Err(ServiceError::NotFound(_)) => Ok((league, None)),
            Err(error) => Err(error),
        }
    })
    .await
}

/// The divisions, teams or challenges of the current season.
#[get("/leagues/{league}/groups")]
pub async fn groups_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let (league, next) = content(&page).await?;
    let fields = (&Fields::default(), &*query.done);
    Ok(shown(&page, (&league, next.as_ref()), fields, None))
}

/// Sets divisions, teams or a line-up, places a member, or changes a challenge.
#[post("/leagues/{league}/groups")]
pub async fn post_groups(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    page.signed_in()?;
    let (league, next) = content(&page).await?;
    let named = |field: &str| fields.given(field).map(|name| member_named(&league, name));
    let outcome = async {
        match fields.get("action") {
            "divisions" => {
                let new = NewDivisions {
                    divisions: groups_of(&league, "divisions", fields.get("groups"))?,
                    moves: fields.number("moves")?.unwrap_or(0),
                };
                page.run(move |leagues, id, call| leagues.set_divisions(id, call, &new))
                    .await
            }
            "teams" => {
                let new = NewTeams {
                    teams: groups_of(&league, "teams", fields.get("groups"))?,
                };
                page.run(move |leagues, id, call| leagues.set_teams(id, call, &new))
                    .await
            }
            "place" => {
                let member = named("member").unwrap_or_default().to_owned();
                let new = NewPlacement {
                    division: fields.number("division")?,
                    team: fields.number("team")?,
                };
                page.run(move |leagues, id, call| leagues.place_member(id, call, &member, new))
                    .await
            }
            "line_up" => {
                let members: Vec<&str> = fields.all("member").collect();
                let new: LineUp = read(json!({"team": fields.number::<u16>("team")?,
                    "round": fields.number::<u16>("round")?, "members": members}))?;
                page.run(move |leagues, id, call| leagues.set_line_up(id, call, &new))
                    .await
            }
            "withdraw" => {
                let member = named("member").unwrap_or_default().to_owned();
                page.run(move |leagues, id, call| leagues.withdraw_challenge(id, call, &member))
                    .await
            }
            _ => {
                let new = NewChallenge {
                    opponent: named("opponent").unwrap_or_default().to_owned(),
                    member: named("member").map(str::to_owned),
                };
                page.run(move |leagues, id, call| leagues.challenge(id, call, &new))
                    .await
            }
        }
    };
    match refused(outcome.await)? {
        Ok(_) => Ok(page.to("/groups?done=groups")),
        Err(problem) => {
            let content = (&league, next.as_ref());
            Ok(shown(&page, content, (&fields, ""), Some(&problem)))
        }
    }
}
