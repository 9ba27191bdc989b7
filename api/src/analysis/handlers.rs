//! The analysis of positions by the bot `search`.

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
use crate::http::problem::Problem;
use crate::http::reply::{Closing, JSON, blocking};
use crate::http::request::accept::negotiate;
use crate::http::request::body::JsonRequest;

/// Analyse a position
///
/// The bot `search` evaluates a given position or one of a game. It uses only what players or spectators may know:
/// hidden decks are guessed for each playout. For each candidate (mostly a whole turn), the answer contains the number
/// of playouts, the expected share of the win for each seat, and the main line.
///
/// As JSON, the answer comes when the budget is used up. As a stream of server-sent events, each event contains the
/// whole analysis so far, from the first playout on; the last event has `done` true. The analysis of a stream stops
/// when the caller disconnects.
///
/// Positions of rated games are not analysed while the game runs. The shares are based on short playouts and a fitted
/// evaluation. Use them to compare candidates, not as predictions.
#[utoipa::path(tag = "engine",
    request_body(content = AnalysisRequest, example = json!({
        "situation": {"edition": "antike", "board": "antike-east", "first": "greeks",
            "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]},
        "budget": {"playouts": 4}, "candidates": 2})),
    responses(
        (status = 200, description = "The analysis", content(
            (AnalysisBody = "application/json"), (String = "text/event-stream"))),
        Analysing,
    ))]
#[post("/v1/engine/analysis")]
pub async fn analyse_position(
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<AnalysisRequest>,
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
    let progress = begin(subject, grows, analysis(&request)?);
    if !grows {
        let whole = progress.whole.await;
        // The analysis panicked.
        let lost = |_| Problem::internal();
        return Ok(HttpResponse::Ok().json(whole.map_err(lost)?));
    }
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, EVENT_STREAM));
    response.insert_header((CACHE_CONTROL, "no-cache"));
    // Compression would delay events.
    response.insert_header((CONTENT_ENCODING, "identity"));
    response.insert_header(("X-Accel-Buffering", "no"));
    Ok(response.streaming(events(progress, closing.0.clone(), listens)))
}

/// A running analysis.
struct AnalysisProgress {
    /// The growing analysis.
    grown: mpsc::Receiver<AnalysisBody>,
    /// The final analysis.
    whole: oneshot::Receiver<AnalysisBody>,
}

/// Starts the analysis on a separate thread; it runs as long as someone listens.
///
/// It never waits for a slow listener, who misses intermediate results instead.
fn begin(subject: Subject, grows: bool, guard: Option<AnalysisGuard>) -> AnalysisProgress {
    let (publisher, grown) = mpsc::channel(1);
    let (end, whole) = oneshot::channel();
    // The receivers notice the end of the task.
    drop(spawn_blocking(move || {
        let analysed = subject.analyse(grows, |so_far| {
            if let Some(analysis) = so_far {
                // Fails if the previous result was not received yet.
                let _ = publisher.try_send(analysis);
            }
            !end.is_closed()
        });
        // Another analysis may start before this result is received.
        drop(guard);
        if let Some(analysed) = analysed {
            // The caller may have disconnected.
            let _ = end.send(analysed);
        }
    }));
    AnalysisProgress { grown, whole }
}

/// Streams a growing analysis, and holds the caller's slot for streams.
fn events(
    progress: AnalysisProgress,
    closing: watch::Receiver<bool>,
    listens: Option<StreamGuard>,
) -> impl Stream<Item = Result<Bytes, Problem>> {
    let begun = Some((progress, closing, listens));
    unfold(begun, |state| async move {
        let (mut progress, mut closing, listens) = state?;
        let (analysis, more) = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return None,
            Some(analysis) = progress.grown.recv() => (analysis, true),
            Ok(analysis) = &mut progress.whole => (analysis, false),
            else => return None,
        };
        // Plain data with string keys can always be serialized.
        let json = serde_json::to_string(&analysis).unwrap_or_default();
        let event = Bytes::from(format!("data: {json}\n\n"));
        Some((Ok(event), more.then_some((progress, closing, listens))))
    })
}
