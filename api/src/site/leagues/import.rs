//! The page where organizers import members and past results: a file is tried first, and then imported.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking};
use crate::http::request::caller::Caller;
use crate::leagues::exchange::bgg::XML;
use crate::leagues::exchange::model::{ImportQuery, ImportReport, RowFate};
use crate::leagues::exchange::sheet::CSV;
use crate::leagues::handlers::exchange::{LONGEST_FILE, read_rows};
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::model::LeagueBody;
use crate::leagues::service::Leagues;
use crate::site::choice::Visit;
use crate::site::forms::{given, redirect, sign_in_address};
use crate::site::frame::{Frame, page};
use crate::site::texts::Texts;

/// How much longer a form is than its file: each byte may be written as `%XX`.
const ENCODED: usize = 3;

/// The form of an import.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImportForm {
    format: String,
    content: String,
    season: String,
    edition: String,
    board: String,
    /// Whether to import; otherwise the file is only tried.
    import: String,
}

/// What the page shows of the form that was sent.
type Outcome = Option<Result<ImportReport, Problem>>;

/// Adds the routes. The form may be longer than other forms.
pub fn configure(service: &mut web::ServiceConfig) {
    let longest = web::FormConfig::default().limit(LONGEST_FILE * ENCODED);
    service.service(
        web::resource("/leagues/{league}/import")
            .app_data(longest)
            .route(web::get().to(import_page))
            .route(web::post().to(post_import)),
    );
}

/// A link to the page, for readers who organize the league.
pub fn link(visit: &Visit, league: &LeagueBody) -> Markup {
    let organizes = |handle: &String| {
        let mut organizers = league.organizers.iter();
        organizers.any(|organizer| organizer.handle == *handle)
    };
    html! {
        @if visit.handle.as_ref().is_some_and(organizes) {
            p {
                a class="button" href={ "/leagues/" (league.summary.id) "/import" } {
                    (visit.texts.text("import-title"))
                }
            }
        }
    }
}

async fn import_page(
    request: HttpRequest,
    visit: Visit,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    if visit.handle.is_none() {
        return Ok(redirect(&sign_in_address(request.path())));
    }
    let league = blocking(&leagues, move |leagues| leagues.get(id, &call)).await?;
    Ok(shown(
        &request,
        &visit,
        &league,
        (&ImportForm::default(), None),
    ))
}

async fn post_import(
    request: HttpRequest,
    visit: Visit,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    web::Form(form): web::Form<ImportForm>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    if visit.handle.is_none() {
        return Ok(redirect(&sign_in_address(request.path())));
    }
    let reader = call.clone();
    let league = blocking(&leagues, move |leagues| leagues.get(id, &reader)).await?;
    let query = ImportQuery {
        dry_run: form.import.is_empty(),
        season: given(&form.season).map(str::to_owned),
        edition: given(&form.edition).map(str::to_owned),
        board: given(&form.board).map(str::to_owned),
    };
    let media_type = match form.format.as_str() {
        "bgg" => XML,
        "bgstats" => JSON,
        _ => CSV,
    };
    let content = form.content.clone();
    let outcome = async {
        let parse = move |leagues: &Leagues| Ok(read_rows(&content, media_type, leagues));
        let rows = blocking(&leagues, parse).await??;
        let import = move |leagues: &Leagues| leagues.import(id, &call, &rows, &query);
        blocking(&leagues, import).await
    };
    let outcome = outcome.await;
    Ok(shown(&request, &visit, &league, (&form, Some(outcome))))
}

fn shown(
    request: &HttpRequest,
    visit: &Visit,
    league: &LeagueBody,
    (form, outcome): (&ImportForm, Outcome),
) -> HttpResponse {
    let texts = visit.texts;
    let title = texts.text("import-title");
    let tried = matches!(&outcome, Some(Ok(report)) if !report.imported && report.refused == 0);
    let done = matches!(&outcome, Some(Ok(report)) if report.imported);
    let main = html! {
        h1 { (title) }
        p { a href={ "/leagues/" (league.summary.id) } { (league.summary.name) } }
        p class="lead" { (texts.text("import-lead")) " " a href="/docs/leagues#import-members-and-past-results" { (texts.text("import-columns")) } }
        @match &outcome {
            None => {}
            Some(Err(problem)) => p class="notice" role="alert" { (problem.detail) }
            Some(Ok(report)) => (table(texts, report))
        }
        @if !done {
            form class="panel import" method="post" {
                label for="file" { (texts.text("import-file")) }
                input id="file" type="file" accept=".csv,.xml,.json,.bgsplay,text/csv";
                label for="content" { (texts.text("import-content")) }
                textarea id="content" name="content" rows="12" required spellcheck="false" { (form.content) }
                label for="format" { (texts.text("import-format")) }
                select id="format" name="format" {
                    @for (value, name) in [("csv", "CSV"), ("bgg", "BoardGameGeek (XML)"), ("bgstats", "BG Stats (JSON)")] {
                        option value=(value) selected[form.format == value] { (name) }
                    }
                }
                @for (name, label, value) in [
                    ("season", "import-season", &form.season),
                    ("edition", "import-edition", &form.edition),
                    ("board", "import-board", &form.board),
                ] {
                    label for=(name) { (texts.text(label)) }
                    input id=(name) name=(name) value=(value) maxlength="64";
                }
                p {
                    button name="import" value="" { (texts.text("import-try")) }
                    @if tried { " " button name="import" value="yes" { (texts.text("import-do")) } }
                }
            }
        }
    };
    let frame = Frame {
        title,
        part: "/leagues",
        scripts: &["import.js"],
        class: "league",
    };
    page(request, texts, frame.around(visit, &main))
}

/// What happens to each row, except rows that are added without a remark.
fn table(texts: Texts, report: &ImportReport) -> Markup {
    let summary = match (report.imported, report.refused) {
        (true, _) => "import-done",
        (false, 0) => "import-tried",
        (false, _) => "import-refused",
    };
    let fate = |fate: RowFate| match fate {
        RowFate::Added => "fate-added",
        RowFate::Invited => "fate-invited",
        RowFate::PossibleDuplicate => "fate-possible-duplicate",
        RowFate::AlreadyThere => "fate-already-there",
        RowFate::Skipped => "fate-skipped",
        RowFate::Refused => "fate-refused",
    };
    let counts = [
        (RowFate::Added, report.added),
        (RowFate::Invited, report.invited),
        (RowFate::PossibleDuplicate, report.possible_duplicates),
        (RowFate::AlreadyThere, report.already_there),
        (RowFate::Skipped, report.skipped),
        (RowFate::Refused, report.refused),
    ];
    let rows = report.rows.iter();
    let rows: Vec<_> = rows
        .filter(|row| row.fate != RowFate::Added || row.message.is_some())
        .collect();
    html! {
        section class="panel" aria-labelledby="report" {
            h2 id="report" { (texts.text(summary)) }
            ul { @for (kind, count) in counts { @if count > 0 { li { (count) " " (texts.text(fate(kind))) } } } }
            @if !report.new_members.is_empty() {
                p { (texts.text("import-new-members")) " " (report.new_members.join(", ")) }
            }
            @if !report.new_seasons.is_empty() {
                p { (texts.text("import-new-seasons")) " " (report.new_seasons.join(", ")) }
            }
            @if !rows.is_empty() {
                div class="scroll" tabindex="0" role="group" aria-labelledby="report" {
                    table {
                        thead {
                            tr {
                                th scope="col" { (texts.text("import-row")) }
                                th scope="col" { (texts.text("league-member")) }
                                th scope="col" { (texts.text("import-column")) }
                                th scope="col" { (texts.text("import-fate")) }
                                th scope="col" { (texts.text("import-message")) }
                            }
                        }
                        tbody {
                            @for row in rows {
                                tr {
                                    td { (row.row) }
                                    td { (row.name) }
                                    td { (row.column.as_deref().unwrap_or_default()) }
                                    td { (texts.text(fate(row.fate))) }
                                    td { (row.message.as_deref().unwrap_or_default()) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
