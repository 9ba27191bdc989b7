//! The files that pages load. They are embedded, under a path that changes with their content, and cached for ever.

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, get, web};

use crate::http::problem::{Code, Problem};
use crate::http::reply::FOR_EVER;
use crate::http::secret::hashed;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The files: name, media type, content.
const FILES: &[(&str, &str, &str)] = &[
    ("style.css", CSS, include_str!("assets/style.css")),
    ("icon.svg", SVG, include_str!("assets/icon.svg")),
    ("account.js", JAVASCRIPT, include_str!("assets/account.js")),
    (
        "analysis.js",
        JAVASCRIPT,
        include_str!("assets/analysis.js"),
    ),
    ("board.js", JAVASCRIPT, include_str!("assets/board.js")),
    ("chat.js", JAVASCRIPT, include_str!("assets/chat.js")),
    ("rematch.js", JAVASCRIPT, include_str!("assets/rematch.js")),
    ("turn.svg", SVG, include_str!("assets/turn.svg")),
    ("runs.js", JAVASCRIPT, include_str!("assets/runs.js")),
    ("tabs.js", JAVASCRIPT, include_str!("assets/tabs.js")),
    ("api.js", JAVASCRIPT, include_str!("assets/api.js")),
    ("docs.js", JAVASCRIPT, include_str!("assets/docs.js")),
    ("embed.js", JAVASCRIPT, include_str!("assets/embed.js")),
    ("game.js", JAVASCRIPT, include_str!("assets/game.js")),
    ("import.js", JAVASCRIPT, include_str!("assets/import.js")),
    ("join.js", JAVASCRIPT, include_str!("assets/join.js")),
    ("lobby.js", JAVASCRIPT, include_str!("assets/lobby.js")),
    ("mine.js", JAVASCRIPT, include_str!("assets/mine.js")),
    (
        "minisearch.js",
        JAVASCRIPT,
        include_str!("assets/minisearch.js"),
    ),
    ("new.js", JAVASCRIPT, include_str!("assets/new.js")),
    ("orders.js", JAVASCRIPT, include_str!("assets/orders.js")),
    (
        "passkeys.js",
        JAVASCRIPT,
        include_str!("assets/passkeys.js"),
    ),
    ("play.js", JAVASCRIPT, include_str!("assets/play.js")),
    ("push.js", JAVASCRIPT, include_str!("assets/push.js")),
    (
        "push-worker.js",
        JAVASCRIPT,
        include_str!("assets/push-worker.js"),
    ),
];

/// The hash of all files. It is a folder in their paths, so that modules find each other by name.
static FOLDER: LazyLock<String> = LazyLock::new(|| {
    let parts = FILES
        .iter()
        .flat_map(|(name, _, content)| [*name, *content]);
    hashed(&parts.collect::<String>())[..12].to_owned()
});

/// The path of a file.
pub fn path(name: &str) -> String {
    format!("/assets/{}/{name}", *FOLDER)
}

/// The content of a file.
pub fn content(name: &str) -> Option<&'static str> {
    let file = FILES.iter().find(|(own, _, _)| *own == name);
    file.map(|(_, _, content)| *content)
}

/// A file, under the current hash only: a page with another hash is from another version of the program.
#[get("/assets/{hash}/{name}")]
pub async fn asset(path: web::Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (hash, name) = path.into_inner();
    let mut files = FILES.iter().filter(|_| hash == *FOLDER);
    let file = files.find(|(own, _, _)| *own == name);
    let Some((_, media_type, content)) = file else {
        let detail = format!("there is no {name:?} of this version");
        return Err(Problem::new(Code::NotFound, detail));
    };
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, *media_type))
        .insert_header((CACHE_CONTROL, FOR_EVER))
        .body(*content))
}
