//! Beginning and closing seasons.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::http::problem::{Code, Problem};
use crate::http::request::query::Query;
use crate::leagues::event::LeagueRole;
use crate::leagues::event::{SeatCredit, TieBreak};
use crate::leagues::model::{LeagueBody, NewSeason};
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, choice, read, refused, seen,
};
use crate::site::texts::Texts;

/// The points of a season that the form proposes.
const POINTS: &str = "5 3 2 0";

/// The fields of a season. The first season has no earlier rules to keep.
pub fn season_fields(texts: Texts, fields: &Fields, is_first: bool) -> Markup {
    let formats = [
        ("spread", texts.text("season-format-spread")),
        ("swiss", texts.text("season-format-swiss")),
        ("round_robin", texts.text("season-format-round-robin")),
        ("knock_out", texts.text("season-format-knock-out")),
        (
            "double_elimination",
            texts.text("season-format-double-elimination"),
        ),
        ("ladder", texts.text("season-format-ladder")),
    ];
    let ticked: Vec<&str> = fields.all("tie_break").collect();
    let is_ticked = |tie_break: TieBreak| match fields.0.is_empty() {
        true => matches!(tie_break, TieBreak::Wins | TieBreak::HeadToHead),
        false => ticked.contains(&tie_break.name()),
    };
    let ends = [
        ("", texts.text("season-deadline-none")),
        ("by_points", texts.text("season-deadline-by-points")),
        ("forfeit", texts.text("season-deadline-forfeit")),
    ];
    let credits = [SeatCredit::Split, SeatCredit::First, SeatCredit::Last];
    let credits = credits.map(|credit| (credit_name(credit), texts.seat_credit(credit)));
    html! {
        label { (texts.text("season-name")) input name="season" required maxlength="64" value=(fields.get("season")); }
        @if !is_first {
            label class="tick" { input type="checkbox" name="same" value="yes" checked[fields.0.is_empty() || fields.given("same").is_some()]; " " (texts.text("season-same")) }
        }
        (choice("format", texts.text("season-format"), &formats, fields.get("format")))
        label { (texts.text("season-games")) input name="games" type="number" min="1" max="4" value=(fields.given("games").unwrap_or("1")); }
        label { (texts.text("season-best-of")) input name="best_of" type="number" min="1" max="7" step="2" value=(fields.given("best_of").unwrap_or("1")); }
        label { (texts.text("season-reach")) input name="reach" type="number" min="1" max="20" value=(fields.given("reach").unwrap_or("3")); }
        label { (texts.text("season-bye")) input name="bye_points" type="number" min="0" max="1000" value=(fields.given("bye_points").unwrap_or("0")); }
        label { (texts.text("season-points")) input name="points" value=(fields.given("points").unwrap_or(POINTS)) aria-describedby="points-hint"; }
        p class="hint" id="points-hint" { (texts.text("season-points-hint")) }
        fieldset {
            legend { (texts.text("season-tie-breaks")) }
            @for tie_break in TieBreak::ALL {
                @let (head, about) = texts.tie_break(tie_break);
                label class="tick" {
                    input type="checkbox" name="tie_break" value=(tie_break.name()) checked[is_ticked(tie_break)];
                    " " (head) " – " (about)
                }
            }
        }
        label { (texts.text("season-best")) input name="best" type="number" min="1" max="1000" value=(fields.get("best")); }
        label { (texts.text("season-holidays")) input name="holiday_days" type="number" min="0" max="366" value=(fields.given("holiday_days").unwrap_or("0")); }
        (choice("deadline", texts.text("season-deadline"), &ends, fields.get("deadline")))
        label { (texts.text("season-grace")) input name="grace_hours" type="number" min="0" max="336" value=(fields.given("grace_hours").unwrap_or("24")); }
        (choice("credit", texts.text("season-credit"), &credits, fields.get("credit")))
    }
}

fn credit_name(credit: SeatCredit) -> &'static str {
    match credit {
        SeatCredit::Split => "split",
        SeatCredit::First => "first",
        SeatCredit::Last => "last",
    }
}

/// The season of a form, as the API takes it.
pub fn season_json(fields: &Fields) -> Result<Value, Problem> {
    if fields.given("same").is_some() {
        return Ok(json!({"name": fields.get("season")}));
    }
    let format = match fields.get("format") {
        "swiss" => {
            json!({"type": "swiss", "bye_points": fields.number::<u16>("bye_points")?.unwrap_or(0)})
        }
        "round_robin" => {
            json!({"type": "round_robin", "games": fields.number::<u8>("games")?.unwrap_or(1)})
        }
        "ladder" => {
            json!({"type": "ladder", "reach": fields.number::<u8>("reach")?.unwrap_or(3)})
        }
        bracket @ ("knock_out" | "double_elimination") => {
            json!({"type": bracket, "best_of": fields.number::<u8>("best_of")?.unwrap_or(1)})
        }
        other => json!({"type": other}),
    };
    let points = fields.given("points").unwrap_or(POINTS);
    let points = points
        .split([' ', ',', ';'])
        .filter(|part| !part.is_empty());
    let points: Result<Vec<u16>, _> = points.map(str::parse).collect();
    let wrong = |_| {
        Problem::invalid(
            "points",
            "give whole numbers with spaces between them, such as 5 3 2 0",
        )
    };
    let tie_breaks: Vec<&str> = fields.all("tie_break").collect();
    let mut rules = json!({"scoring": {"rank_points": points.map_err(wrong)?},
        "tie_breaks": tie_breaks, "replacement": fields.given("credit").unwrap_or("split"),
        "holiday_days": fields.number::<u16>("holiday_days")?.unwrap_or(0)});
    if let Some(then) = fields.given("deadline") {
        let grace = fields.number::<u16>("grace_hours")?.unwrap_or(0);
        rules["deadline"] = json!({"then": then, "grace_hours": grace});
    }
    if let Some(best) = fields.number::<u16>("best")? {
        rules["counted"] = json!({ "best": best });
    }
    Ok(json!({"name": fields.get("season"), "format": format, "rules": rules}))
}

fn shown(
    page: &OrganizerPage,
    league: &LeagueBody,
    (fields, done): (&Fields, &str),
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = page.texts();
    let current = league.seasons.last();
    let main = html! {
        @if let Some(season) = current {
            section class="panel" aria-labelledby="current" {
                h2 id="current" { (texts.season(season.season, &season.name)) }
                p { (texts.season_format(season.format)) " " (texts.counted_of(season.counted as usize, season.tables as usize)) }
                @if season.closed { p { (texts.text("season-closed")) } }
                @else {
                    form method="post" class="fields" {
                        input type="hidden" name="number" value=(season.season);
                        p class="hint" { (texts.text("season-close-hint")) }
                        (act("close", texts.text("season-close")))
                    }
                }
            }
        }
        section class="panel" aria-labelledby="begin" {
            h2 id="begin" { (texts.text("season-new")) }
            form method="post" class="fields" {
                (seen(league, fields))
                (season_fields(texts, fields, current.is_none()))
                (act("begin", texts.text("season-begin")))
            }
        }
    };
    let title = (texts.text("organize-season"), done);
    page.organizer_page(league, "/organize/season", title, &main, problem)
}

/// The page of the current season.
#[get("/leagues/{league}/organize/season")]
pub async fn season_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let league = page.organized(LeagueRole::Organizer).await?;
    Ok(shown(
        &page,
        &league,
        (&Fields::default(), &query.done),
        None,
    ))
}

/// Begins or closes a season.
#[post("/leagues/{league}/organize/season")]
pub async fn post_season(
    mut page: OrganizerPage,
    mut fields: Fields,
) -> Result<HttpResponse, Problem> {
    let league = page.organized(LeagueRole::Organizer).await?;
    page.only_as_seen(&fields);
    let outcome = async {
        match fields.get("action") {
            "close" => {
                let season = fields.number("number")?.unwrap_or(0);
                page.run(move |leagues, id, call| leagues.close_season(id, call, season))
                    .await
            }
            _ => {
                let new: NewSeason = read(season_json(&fields)?)?;
                page.run(move |leagues, id, call| leagues.begin_season(id, call, &new))
                    .await
            }
        }
    };
    match refused(outcome.await)? {
        Ok(_) => Ok(page.to("/organize/season?done=season")),
        Err(problem) => {
            // The page shows the league as it is now.
            fields
                .0
                .retain(|(name, _)| name != "seq" || problem.code != Code::StaleView);
            Ok(shown(&page, &league, (&fields, ""), Some(&problem)))
        }
    }
}
