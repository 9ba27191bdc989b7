//! The explorer of openings: the first rondel spaces of nations, their results, and what follows.

use actix_web::HttpRequest;
use analytics::facts::STOPS;
use analytics::question::StopPath;
use analytics::{Filters, OPENINGS_TREE, RowCells, StatisticsTable, TreeNode, WinRate};
use engine::words::Field;
use maud::{Markup, html};
use polars::prelude::{PolarsResult, polars_err};

use crate::http::problem::Problem;
use crate::site::stats::filter::query;
use crate::site::stats::wheel::{Hub, Slice, legend, wheel};
use crate::site::texts::Texts;
use crate::statistics::derive::UNLISTED;
use crate::statistics::figure::SHORT;
use crate::statistics::{Statistics, StatisticsError};

/// The number of formats that are shown, those with the most games first.
const FORMATS: usize = 3;

/// What is done at a stop, by column.
pub const DONE: [&str; 8] = [
    "produced",
    "temples",
    "walls",
    "units",
    "recruited",
    "know_hows",
    "cities",
    "extra_steps",
];

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

/// A next stop as a slice of the wheel.
fn slice(
    cells: &RowCells<'_>,
    rate: &WinRate,
    filters: &Filters,
    path: &[Field],
) -> PolarsResult<Slice> {
    let field = cells.text("field")?.parse();
    let field: Field = field.map_err(|error| polars_err!(ComputeError: "{error}"))?;
    let on = [path, &[field]].concat();
    Ok(Slice {
        field,
        rate: rate.rate,
        lift: cells.number("lift")?,
        count: rate.nation_games.into(),
        few: rate.insufficient,
        // The facts have only this many stops.
        link: (on.len() < STOPS).then(|| link(filters, &on)),
    })
}

/// The nodes of a table as they are shown, those with most nations first.
fn nodes(
    texts: Texts,
    table: &StatisticsTable,
    filters: &Filters,
    path: &[Field],
) -> Result<Vec<Markup>, StatisticsError> {
    let mut nodes = Vec::new();
    for node in table.nodes()? {
        let rate = WinRate::read(&table.cells(node.row))?;
        nodes.push((
            rate.nation_games,
            shown(texts, table, &node, filters, path)?,
        ));
    }
    nodes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    Ok(nodes.into_iter().map(|(_, node)| node).collect())
}

/// The explorer at the path of the filters.
pub async fn explorer(
    request: &HttpRequest,
    texts: Texts,
    statistics: &Statistics,
    filters: &Filters,
) -> Result<Markup, Problem> {
    let measure = &OPENINGS_TREE;
    let table = statistics.table(measure, filters).await?;
    let figure = statistics.figure(measure, filters, SHORT).await?;
    let path = filters.path.iter().flat_map(|path| path.fields());
    let path: Vec<Field> = path.copied().collect();
    let nodes = nodes(texts, &table, filters, &path)?;
    Ok(html! {
        section class="panel" aria-labelledby="explorer" {
            h2 id="explorer" { (texts.text("openings-title")) }
            p class="faint" { (texts.text("openings-lead")) }
            nav aria-label=(texts.text("openings-path")) {
                ol class="path" {
                    li { a href=(link(filters, &[])) aria-current=[path.is_empty().then_some("page")] { (texts.text("openings-start")) } }
                    @for place in 0..path.len() {
                        li { a href=(link(filters, &path[..=place])) aria-current=[(place + 1 == path.len()).then_some("page")] {
                            (texts.field(path[place])) } }
                    }
                }
            }
            @if nodes.is_empty() { p { (texts.text("stats-none")) } }
            @for node in nodes.iter().take(FORMATS) { (node) }
            @if nodes.len() > FORMATS { p class="hint" { (texts.openings_more(nodes.len() - FORMATS)) } }
            (legend(texts))
            (figure.ways(request, texts, measure, filters))
        }
    })
}

/// A node: its wheel, and its next stops in figures.
fn shown(
    texts: Texts,
    table: &StatisticsTable,
    node: &TreeNode,
    filters: &Filters,
    path: &[Field],
) -> PolarsResult<Markup> {
    let stops = node.children.iter().map(|child| {
        let cells = table.cells(child.row);
        let rate = WinRate::read(&cells)?;
        Ok((cells, rate, slice(&cells, &rate, filters, path)?))
    });
    let mut stops = stops.collect::<PolarsResult<Vec<_>>>()?;
    stops.sort_by_key(|(_, rate, _)| std::cmp::Reverse(rate.nation_games));
    let cells = table.cells(node.row);
    let title = texts.openings_of(
        &texts.short_board(cells.text("board")?),
        cells.count("nations")?,
        cells.text("play")?,
        (&cells.text("bots")?.replace(',', ", "), cells.text("bot")?),
    );
    let rate = WinRate::read(&cells)?;
    let hub = Hub {
        rate: rate.rate,
        count: rate.nation_games.into(),
        back: path.split_last().map(|(_, before)| link(filters, before)),
    };
    let slices: Vec<&Slice> = stops.iter().map(|(.., slice)| slice).collect();
    Ok(html! {
        div class="node" {
            h3 { (title) }
            div class="halves" {
                (wheel(texts, &slices, &hub, &texts.openings_wheel(&title)))
                @if slices.is_empty() { p { (texts.text("openings-end")) } }
                @else {
                    div class="scroll" tabindex="0" role="group" aria-label=(title) {
                        table class="stops" {
                            thead { tr {
                                th scope="col" { (texts.text("openings-stop")) }
                                th scope="col" { (texts.text("openings-rate")) }
                                th scope="col" { (texts.text("openings-n")) }
                                th scope="col" { (texts.text("openings-done")) }
                                th scope="col" { (texts.text("openings-example")) }
                            } }
                            tbody { @for (cells, rate, slice) in &stops { (stop(texts, cells, rate, slice)?) } }
                        }
                    }
                }
            }
        }
    })
}

fn stop(texts: Texts, cells: &RowCells<'_>, rate: &WinRate, slice: &Slice) -> PolarsResult<Markup> {
    let mut done = Vec::new();
    for column in DONE {
        let mean = cells.number(column)?;
        if mean >= 0.05 {
            let done_there = texts.name("done", column);
            done.push(format!("{} {done_there}", texts.decimal(mean, 1)));
        }
    }
    let name = texts.stop(slice.field);
    let example = cells.text("example")?;
    Ok(html! {
        tr {
            th scope="row" {
                @match &slice.link { Some(link) => a href=(link) { (name) }, None => (name) }
            }
            td { b { (texts.part(rate.rate)) } " " span class="faint nowrap" { (texts.span(rate.low, rate.high)) } }
            td { (slice.count) @if slice.few { " " span class="faint" { (texts.text("few")) } } }
            td { (done.join(", ")) }
            td { @if !example.is_empty() && !example.starts_with(UNLISTED) {
                a href={ "/games/" (example) } aria-label=(texts.example_of(&name)) { (texts.text("openings-watch")) }
            } }
        }
    })
}
