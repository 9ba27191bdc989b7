//! The explorer of openings: where nations went first on the rondel, how they fared, and where from there.

use actix_web::HttpRequest;
use analytics::facts::STOPS;
use analytics::question::StopPath;
use analytics::{Filters, OPENINGS_TREE};
use engine::words::Field;
use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::http::problem::Problem;
use crate::site::english;
use crate::site::stats::filter::{board_name, query};
use crate::site::stats::wheel::{Hub, Slice, legend, wheel};
use crate::statistics::Statistics;
use crate::statistics::derive::UNLISTED;
use crate::statistics::figure::SHORT;

/// How many formats are shown, those with the most games.
const FORMATS: usize = 3;

type Cells = Map<String, Value>;

fn number(row: &Cells, name: &str) -> f64 {
    row.get(name).and_then(Value::as_f64).unwrap_or_default()
}

fn count(row: &Cells) -> u64 {
    row.get("nation_games")
        .and_then(Value::as_u64)
        .unwrap_or_default()
}

fn text<'a>(row: &'a Cells, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The address of the explorer at a path.
fn link(filters: &Filters, fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    let path: Option<StopPath> = names.join(",").parse().ok();
    let own = Filters {
        path: path.filter(|_| !fields.is_empty()),
        ..filters.clone()
    };
    format!("/stats/openings{}", query(&own))
}

/// What a child of a node tells of a next stop.
fn slice(child: &Cells, filters: &Filters, path: &[Field]) -> Option<Slice> {
    let field: Field = text(child, "field").parse().ok()?;
    let on = [path, &[field]].concat();
    Some(Slice {
        field,
        rate: number(child, "rate"),
        lift: number(child, "lift"),
        count: count(child),
        few: child.get("insufficient") == Some(&Value::Bool(true)),
        // The facts keep so many stops; behind the last there is nothing to tell.
        link: (on.len() < STOPS).then(|| link(filters, &on)),
    })
}

/// The explorer at the path of the filters.
pub async fn explorer(
    request: &HttpRequest,
    statistics: &Statistics,
    filters: &Filters,
) -> Result<Markup, Problem> {
    let measure = &OPENINGS_TREE;
    let rows = statistics.rows(measure, filters).await?;
    let mut nodes: Vec<&Cells> = rows.iter().collect();
    nodes.sort_by_key(|node| std::cmp::Reverse(count(node)));
    let figure = statistics.figure(measure, filters, SHORT).await?;
    let path: Vec<Field> = match &filters.path {
        Some(path) => path.fields().to_vec(),
        None => Vec::new(),
    };
    Ok(html! {
        section class="panel" aria-labelledby="explorer" {
            h2 id="explorer" { (english::OPENINGS_TITLE) }
            p class="faint" { (english::OPENINGS_LEAD) }
            nav aria-label=(english::OPENINGS_PATH) {
                ol class="path" {
                    li { a href=(link(filters, &[])) aria-current=[path.is_empty().then_some("page")] { (english::OPENINGS_START) } }
                    @for place in 0..path.len() {
                        li { a href=(link(filters, &path[..=place])) aria-current=[(place + 1 == path.len()).then_some("page")] {
                            (english::field(path[place])) } }
                    }
                }
            }
            @if nodes.is_empty() { p { (english::STATS_NONE) } }
            @for node in nodes.iter().take(FORMATS) { (shown(node, filters, &path)) }
            @if nodes.len() > FORMATS { p class="hint" { (english::openings_more(nodes.len() - FORMATS)) } }
            (legend())
            (figure.ways(request, measure, filters))
        }
    })
}

/// A node: its wheel, and its next stops in figures.
fn shown(node: &Cells, filters: &Filters, path: &[Field]) -> Markup {
    let children = node.get("children").and_then(Value::as_array);
    let children = children.into_iter().flatten().filter_map(Value::as_object);
    let mut children: Vec<(&Cells, Slice)> = children
        .filter_map(|child| Some((child, slice(child, filters, path)?)))
        .collect();
    children.sort_by_key(|(_, slice)| std::cmp::Reverse(slice.count));
    let bots = text(node, "bots").replace(',', ", ");
    let title = english::openings_of(
        &board_name(text(node, "board")),
        number(node, "nations") as u32,
        text(node, "play"),
        (&bots, text(node, "bot")),
    );
    let hub = Hub {
        rate: number(node, "rate"),
        count: count(node),
        back: path.split_last().map(|(_, before)| link(filters, before)),
    };
    let rows: Vec<Cells> = children.iter().map(|(child, _)| (*child).clone()).collect();
    let slices: Vec<Slice> = children.into_iter().map(|(_, slice)| slice).collect();
    html! {
        div class="node" {
            h3 { (title) }
            div class="halves" {
                (wheel(&slices, &hub, &english::openings_wheel(&title)))
                @if slices.is_empty() { p { (english::OPENINGS_END) } }
                @else {
                    div class="scroll" tabindex="0" role="group" aria-label=(title) {
                        table class="stops" {
                            thead { tr {
                                th scope="col" { (english::OPENINGS_STOP) }
                                th scope="col" { (english::OPENINGS_RATE) }
                                th scope="col" { (english::OPENINGS_N) }
                                th scope="col" { (english::OPENINGS_DONE) }
                                th scope="col" { (english::OPENINGS_EXAMPLE) }
                            } }
                            tbody { @for (row, slice) in rows.iter().zip(&slices) { (stop(row, slice)) } }
                        }
                    }
                }
            }
        }
    }
}

fn stop(row: &Cells, slice: &Slice) -> Markup {
    let done = english::DONE.iter().filter_map(|(name, words)| {
        let mean = number(row, name);
        (mean >= 0.05).then(|| format!("{mean:.1} {words}"))
    });
    let done: Vec<String> = done.collect();
    let name = english::stop(slice.field);
    let example = text(row, "example");
    html! {
        tr {
            th scope="row" {
                @match &slice.link { Some(link) => a href=(link) { (name) }, None => (name) }
            }
            td { b { (english::part(slice.rate)) } " " span class="faint nowrap" { (english::span(number(row, "low"), number(row, "high"))) } }
            td { (slice.count) @if slice.few { " " span class="faint" { (english::FEW) } } }
            td { (done.join(", ")) }
            td { @if !example.is_empty() && !example.starts_with(UNLISTED) {
                a href={ "/games/" (example) } aria-label=(english::example_of(name)) { (english::OPENINGS_WATCH) }
            } }
        }
    }
}
