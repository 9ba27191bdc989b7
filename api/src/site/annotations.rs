//! The page on which a reader annotates a game: the action of a moment, or the whole game.

use actix_web::http::header::{CONTENT_DISPOSITION, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use maud::{Markup, html};
use records::{ActionVerdict, Note, Variation};
use serde::Deserialize;
use uuid::Uuid;

use crate::annotations::model::{GameAnnotations, NewAnnotations};
use crate::annotations::service;
use crate::games::Games;
use crate::games::bodies::{EventBody, GameSummary};
use crate::games::handlers::path::GameId;
use crate::games::model::Status;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, text};
use crate::http::request::caller::identity;
use crate::http::request::query::Query;
use crate::services::Services;
use crate::site::accounts::{refusal, shown as shown_page};
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::events::EventTexts;
use crate::site::forms::{given, redirect, sign_in_address};
use crate::site::game;
use crate::site::notes::{actions, notes};
use crate::site::regions::MomentQuery;
use crate::site::texts::Texts;

/// The form for a note about an action, or without an event for the comment on the whole game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct NoteForm {
    /// The event.
    at: Option<u64>,
    verdict: String,
    comment: String,
    /// Variations in notation, one on each line.
    variations: String,
}

/// A game with its annotations, and those of the reader.
struct Annotated {
    title: String,
    summary: GameSummary,
    events: Vec<EventBody>,
    all: Vec<GameAnnotations>,
    own: Option<GameAnnotations>,
}

fn read(
    services: &Services,
    call: &Call,
    id: Uuid,
    texts: Texts,
) -> Result<Annotated, ServiceError> {
    let games = &services.games;
    let summary = games.table(id)?.body()?.summary;
    let account = call
        .access
        .as_deref()
        .map(|access| access.account.to_string());
    let all = service::list(games, id)?.items;
    Ok(Annotated {
        title: game::title(texts, games, &summary),
        events: game::events(games, id, None)?,
        own: all
            .iter()
            .find(|own| Some(&own.player) == account.as_ref())
            .cloned(),
        all,
        summary,
    })
}

impl Annotated {
    /// The place of an event among the actions, and the event.
    fn action_at(&self, seq: u64) -> Option<(usize, &EventBody)> {
        let mut actions = actions(&self.events).into_iter().enumerate();
        actions.find(|(_, event)| event.seq == seq)
    }

    /// The annotations of the reader, to change them.
    fn own(&self) -> NewAnnotations {
        let own = self.own.clone();
        own.map_or_else(NewAnnotations::default, |own| NewAnnotations {
            comment: own.comment,
            notes: own.notes,
            text: None,
        })
    }

    /// Returns the annotations of the reader with the content of the form.
    fn with(&self, form: &NoteForm) -> Result<NewAnnotations, ServiceError> {
        let mut own = self.own();
        let comment = given(&form.comment).map(str::to_owned);
        let Some(at) = form.at else {
            own.comment = comment;
            return Ok(own);
        };
        let missing = || ServiceError::invalid("at", "this event is no action");
        let (action, _) = self.action_at(at).ok_or_else(missing)?;
        let unknown = |_| ServiceError::invalid("verdict", "choose one of the list");
        let verdict = given(&form.verdict).map(|sign| sign.parse().map_err(unknown));
        let variation = |line: &str| {
            let read = line.trim().parse::<Variation>();
            read.map_err(|message| ServiceError::invalid("variations", message))
        };
        let lines = form
            .variations
            .lines()
            .filter(|line| !line.trim().is_empty());
        let note = Note {
            action,
            verdict: verdict.transpose()?,
            comment,
            variations: lines.map(variation).collect::<Result<_, ServiceError>>()?,
        };
        own.notes.retain(|note| note.action != action);
        if !note.is_empty() {
            own.notes.push(note);
            own.notes.sort_by_key(|note| note.action);
        }
        Ok(own)
    }
}

/// The forms of a reader who is signed in.
fn forms(
    shown: &Annotated,
    form: &NoteForm,
    event_texts: EventTexts<'_>,
    nations: &Nations,
) -> Markup {
    let texts = nations.texts();
    let at = form.at.and_then(|at| shown.action_at(at));
    html! {
        @if let Some((_, event)) = at {
            form method="post" class="fields" {
                h2 {
                    @if let Some(nation) = &event.nation { (texts.nation(nation)) ": " }
                    (event_texts.describe(event).done)
                }
                input type="hidden" name="at" value=(event.seq);
                label { (texts.text("notes-verdict"))
                    select name="verdict" {
                        option value="" { (texts.text("notes-no-verdict")) }
                        @for verdict in ActionVerdict::ALL {
                            @let sign = verdict.to_string();
                            option value=(sign) selected[sign == form.verdict] { (sign) " " (texts.name("verdict", verdict.name())) }
                        }
                    }
                }
                label { (texts.text("notes-comment")) textarea name="comment" rows="4" maxlength="1000" { (form.comment) } }
                label { (texts.text("notes-variations"))
                    textarea name="variations" rows="2" spellcheck="false" placeholder="stone gold; end" { (form.variations) }
                }
                p class="hint" { (texts.text("notes-variations-hint")) " " code { (event.notation) } }
                button { (texts.text("notes-save")) }
            }
        } @else {
            p { (texts.text("notes-choose")) }
        }
        form method="post" class="fields" {
            h2 { (texts.text("notes-whole")) }
            @let whole = shown.own.as_ref().and_then(|own| own.comment.clone()).unwrap_or_default();
            label { (texts.text("notes-comment")) textarea name="comment" rows="4" maxlength="1000" { (whole) } }
            button { (texts.text("notes-save")) }
        }
    }
}

fn shown(
    request: &HttpRequest,
    visit: &Visit,
    (services, annotated): (&Services, &Annotated),
    form: &NoteForm,
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = visit.texts;
    let summary = &annotated.summary;
    let event_texts = EventTexts::of(texts, &services.library, summary);
    let nations = Nations::of(texts, summary);
    let back = match form.at {
        Some(at) => format!("/games/{}?at={at}", summary.id),
        None => format!("/games/{}", summary.id),
    };
    let main = html! {
        h1 { (texts.text("notes-title")) }
        p class="lead" { a href=(back) { (annotated.title) } }
        (refusal(texts, problem))
        @if summary.status != Status::Finished {
            p class="hint" { (texts.text("notes-after")) }
        } @else if visit.handle.is_some() {
            (forms(annotated, form, event_texts, &nations))
        } @else {
            p { a class="button" href=(sign_in_address(visit.here.as_deref().unwrap_or("/"))) { (texts.text("notes-sign-in")) } }
        }
        (notes(&annotated.all, &annotated.events, summary.id, event_texts, &nations))
    };
    let title = (texts.text("notes-title"), "/games");
    shown_page(request, visit, title, &main, problem)
}

/// The annotations of a game, and forms to write some.
#[get("/games/{game}/annotations")]
pub async fn annotations_page(
    request: HttpRequest,
    GameId(id): GameId,
    Query(query): Query<MomentQuery>,
    visit: Visit,
    services: web::Data<Services>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (call, texts) = (identity(&request), visit.texts);
    let read = move |services: &Services| read(services, &call, id, texts);
    let annotated = blocking(&services, read).await?;
    let action = query.at.and_then(|at| annotated.action_at(at));
    let own = annotated.own();
    let note = own
        .notes
        .iter()
        .find(|note| Some(note.action) == action.map(|(place, _)| place));
    let form = NoteForm {
        at: query.at,
        verdict: note
            .and_then(|note| note.verdict)
            .map(|verdict| verdict.to_string())
            .unwrap_or_default(),
        comment: note
            .and_then(|note| note.comment.clone())
            .unwrap_or_default(),
        variations: note
            .map(|note| {
                let lines = note.variations.iter().map(|one| one.to_string());
                lines.collect::<Vec<_>>().join("\n")
            })
            .unwrap_or_default(),
    };
    Ok(shown(
        &request,
        &visit,
        (&services, &annotated),
        &form,
        None,
    ))
}

/// Changes the note about an action, or the comment on the whole game. Empty fields delete it.
#[post("/games/{game}/annotations")]
pub async fn post_annotations(
    request: HttpRequest,
    GameId(id): GameId,
    visit: Visit,
    services: web::Data<Services>,
    web::Form(form): web::Form<NoteForm>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (call, texts, sent) = (identity(&request), visit.texts, form.clone());
    let change = move |services: &Services| {
        let annotated = read(services, &call, id, texts)?;
        let games = &services.games;
        let written = annotated.with(&sent).and_then(|own| {
            match own.comment.is_none() && own.notes.is_empty() {
                true if annotated.own.is_none() => Ok(()),
                true => service::delete(games, &call, id),
                false => service::write(games, &call, id, own).map(|_| ()),
            }
        });
        Ok((annotated, written))
    };
    let (annotated, written) = blocking(&services, change).await?;
    match written.map_err(Problem::from) {
        Ok(()) => Ok(redirect(&match form.at {
            Some(at) => format!("/games/{id}?at={at}#notes"),
            None => format!("/games/{id}#notes"),
        })),
        Err(problem) if problem.code == Code::Internal => Err(problem),
        Err(problem) => Ok(shown(
            &request,
            &visit,
            (&services, &annotated),
            &form,
            Some(&problem),
        )),
    }
}

/// The record of a game with a player's annotations, as a file.
#[get("/games/{game}/annotations/{player}.txt")]
pub async fn annotations_text(
    request: HttpRequest,
    GameId(id): GameId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let named = request.match_info().query("player").to_owned();
    let read = move |games: &Games| service::read_text(games, id, &named);
    let content = blocking(&games, read).await?;
    let name = format!("attachment; filename=\"{id}-annotated.txt\"");
    let mut answer = text(&request, "text/plain; charset=utf-8", content);
    if let Ok(name) = HeaderValue::from_str(&name) {
        answer.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(answer)
}
