//! The rules in words, by number.

use actix_web::{HttpRequest, HttpResponse, get, web};
use engine::content::{Library, RuleText, rule_page, rule_text, rule_texts};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answers::LookingUpRendered;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, content, text};
use crate::http::request::accept::negotiate;
use crate::http::request::path::not_found;

/// The media type of Markdown.
const MARKDOWN: &str = "text/markdown";

/// The numbered rules of an edition.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RuleTexts {
    /// The rules in the order of the rule book. Those of the editions on which it is based follow.
    pub items: Vec<RuleText>,
}

fn check_edition(library: &Library, edition: &str) -> Result<(), Problem> {
    match library.ruleset(edition) {
        Some(_) => Ok(()),
        None => Err(not_found("edition", edition)),
    }
}

/// List the rules of an edition
///
/// The numbered rules in Tabularium's own words, with rulings where the rule book is silent. Problems and the
/// documentation cite these numbers. Texts are Markdown; as `text/markdown`, all rules are one page.
#[utoipa::path(tag = "rules", params(("edition" = String, Path, example = "antike")), responses(
    (status = 200, description = "The rules", content(
        (RuleTexts = "application/json"),
        (String = "text/markdown"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    LookingUpRendered,
))]
#[get("/v1/editions/{edition}/rules")]
pub async fn list_rules(
    request: HttpRequest,
    path: web::Path<String>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    check_edition(&library, &path)?;
    if negotiate(&request, &[JSON, MARKDOWN])? == 1 {
        return Ok(text(&request, MARKDOWN, rule_page(&path)));
    }
    let items = rule_texts(&path).cloned().collect();
    content(&request, &RuleTexts { items })
}

/// Get a rule
///
/// The rule that the `rule` of a problem cites.
#[utoipa::path(tag = "rules", params(
    ("edition" = String, Path, example = "antike"),
    ("number" = String, Path, example = "A27")), responses(
    (status = 200, description = "The rule", content(
        (RuleText = "application/json"),
        (String = "text/markdown"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    LookingUpRendered,
))]
#[get("/v1/editions/{edition}/rules/{number}")]
pub async fn get_rule(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    library: web::Data<Library>,
) -> Result<HttpResponse, Problem> {
    let (edition, number) = path.into_inner();
    check_edition(&library, &edition)?;
    let rule = rule_text(&edition, &number).ok_or_else(|| {
        let detail = format!("the edition {edition} has no rule {number:?}");
        Problem::new(Code::NotFound, detail)
    })?;
    match negotiate(&request, &[JSON, MARKDOWN])? {
        0 => content(&request, rule),
        _ => Ok(text(&request, MARKDOWN, rule.to_markdown())),
    }
}
