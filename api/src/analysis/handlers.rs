//! What the search player thinks of a position.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::rt::task::spawn_blocking;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, post, web};
use futures_util::stream::{Stream, unfold};
use tokio::sync::{mpsc, oneshot, watch};

use crate::analysis::service::{AnalysisBody, AnalysisRequest, Subject, subject};
use crate::games::Games;
use crate::games::handlers::events::EVENT_STREAM;
use crate::http::answers::Analysing;
use crate::http::limits::analyses::AnalysisGuard;
use crate::http::limits::gate::{Gate, analysis, charge, stream};
use crate::http::limits::rates::Policy;
use crate::http::limits::streams::StreamGuard;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{Closing, JSON, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::body::Sent;

/// Analyse a position
///
/// What the bot `search` thinks of a position, given or of a game, with no more than who plays or watches may know:
/// hidden decks are guessed anew for each playout. For each candidate (mostly a whole turn) it tells how often it was
/// tried, what part of the win each seat may expect of it, and the line that it looks at. As JSON it is answered when
/// the budget is used up. As a stream of server-sent events, each of which has the whole analysis so far as its data, it
/// begins with what the first playout tells and grows; the last event has `done` true. The analysis of a stream stops
/// when the caller hangs up.
///
/// Positions of rated games are not analysed while the game runs. Shares rest on short playouts and a fitted
/// evaluation: they are good for comparing candidates.
#[utoipa::path(tag = "engine",
    request_body(content = AnalysisRequest, example = json!({
        "situation": {"edition": "antike", "board": "antike-east", "first": "greeks",
            "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]},
        "budget": {"playouts": 4}, "candidates": 2})),
    responses(
        (status = 200, description = "What is thought of it", content(
            (AnalysisBody = "application/json"), (String = "text/event-stream"))),
        Analysing,
    ))]
#[post("/v1/engine/analysis")]
pub async fn analyse_position(
    request: HttpRequest,
    Sent { call, body }: Sent<AnalysisRequest>,
    games: web::Data<Games>,
    closing: web::Data<Closing>,
    gate: web::Data<Gate>,
) -> Result<HttpResponse, Problem> {
    let offered = [JSON, EVENT_STREAM];
    let grows = offered[negotiate(&request, &offered)?] == EVENT_STREAM;
    charge(&request, Policy::Analysis)?;
    let most = match gate.limits.analysis_budget {
        0 => u32::MAX,
        most => most,
    };
    let subject = blocking(&games, move |games| subject(games, &call, body, most)).await?;
    let listens = match grows {
        true => stream(&request, false)?,
        false => None,
    };
    let told = begin(subject, grows, analysis(&request)?);
    if !grows {
        let whole = told.whole.await;
        // It panicked.
        let lost = |_| Problem::new(Code::Internal, "the fault has been logged");
        return Ok(HttpResponse::Ok().json(whole.map_err(lost)?));
    }
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, EVENT_STREAM));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    // Compression would hold events back.
    response.insert_header((CONTENT_ENCODING, "identity"));
    response.insert_header(("X-Accel-Buffering", "no"));
    Ok(response.streaming(events(told, closing.0.clone(), listens)))
}

/// What an analysis tells.
struct AnalysisProgress {
    /// What there is so far, as it grows.
    grown: mpsc::Receiver<AnalysisBody>,
    /// The end of it.
    whole: oneshot::Receiver<AnalysisBody>,
}

/// Analyses on a thread of its own for as long as somebody listens, and never waits for who does: who has not taken up
/// what was told before is told the next one.
fn begin(subject: Subject, grows: bool, guard: Option<AnalysisGuard>) -> AnalysisProgress {
    let (tell, grown) = mpsc::channel(1);
    let (end, whole) = oneshot::channel();
    // It is waited for by what it tells.
    drop(spawn_blocking(move || {
        let analysed = subject.analyse(grows, |so_far| {
            if let Some(analysis) = so_far {
                // The one before has not been taken up.
                let _ = tell.try_send(analysis);
            }
            !end.is_closed()
        });
        // Another one may begin before this one is taken up.
        drop(guard);
        if let Some(analysed) = analysed {
            // Whoever asked may be gone.
            let _ = end.send(analysed);
        }
    }));
    AnalysisProgress { grown, whole }
}

/// An analysis as it grows, for as long as the caller has a place among the listeners.
fn events(
    told: AnalysisProgress,
    closing: watch::Receiver<bool>,
    listens: Option<StreamGuard>,
) -> impl Stream<Item = Result<Bytes, Problem>> {
    let begun = Some((told, closing, listens));
    unfold(begun, |state| async move {
        let (mut told, mut closing, listens) = state?;
        let (analysis, more) = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return None,
            Some(analysis) = told.grown.recv() => (analysis, true),
            Ok(analysis) = &mut told.whole => (analysis, false),
            else => return None,
        };
        // It is plain data with string keys, which is always JSON.
        let json = serde_json::to_string(&analysis).unwrap_or_default();
        let event = Bytes::from(format!("data: {json}\n\n"));
        Some((Ok(event), more.then_some((told, closing, listens))))
    })
}
