//! Tables of a report: the statistically significant rates, and for each kind of games everybody who played it.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::source::ReportSource;
use crate::answer::{LabelledRow, number, shown};
use crate::measures::{INSUFFICIENT_BELOW, KNOW_HOWS, LENGTHS, Measure, NATIONS, OPENINGS, SEATS};
use crate::question::Filters;
use crate::statistics::interval::normal_quantile;
use crate::storage::{Store, StoreError};

/// The measures of rates that are listed.
const RATES: [&Measure; 4] = [&NATIONS, &SEATS, &OPENINGS, &KNOW_HOWS];

/// A rate with a larger false discovery rate is not significant.
const DISCOVERY_RATE: f64 = 0.05;

/// How many kinds of games have tables, those with the most games.
const KINDS: usize = 40;

/// How many columns a table has for those who played, those with the most games.
const LINEUPS: usize = 6;

/// The rows of a measure by the kind of games and by what they are about.
type ByName = BTreeMap<(String, String, String), LabelledRow>;

fn key(row: &LabelledRow) -> (String, String, String) {
    (row.kind.clone(), row.players.clone(), row.label.clone())
}

fn percent(part: f64) -> String {
    format!("{:.1}%", 100.0 * part)
}

/// A rate with its interval.
fn rate(row: &LabelledRow) -> String {
    let [rate, low, high] =
        ["rate", "low", "high"].map(|name| number(&row.cells, name).unwrap_or_default());
    format!("{} ({} to {})", percent(rate), percent(low), percent(high))
}

fn rate_with_count(row: &LabelledRow) -> String {
    format!("{}, n {}", rate(row), shown(&row.cells, "nation_games"))
}

/// True if two rates differ by more than chance explains in 19 of 20 pairs.
fn differ(one: &LabelledRow, other: &LabelledRow) -> bool {
    let of = |row: &LabelledRow, name: &str| number(&row.cells, name).unwrap_or_default();
    let error = |row: &LabelledRow| (of(row, "high") - of(row, "low")) / (2.0 * normal_quantile());
    let distance = (of(one, "rate") - of(other, "rate")).abs();
    distance > normal_quantile() * error(one).hypot(error(other))
}

/// The rows of all kinds of games whose rate is not what is expected, and whether both halves of the games agree.
pub(super) fn significant(
    source: &ReportSource<'_>,
    measures: &[&'static Measure],
) -> Result<Markup, StoreError> {
    let least = source
        .filters
        .min_games
        .unwrap_or(0)
        .max(INSUFFICIENT_BELOW);
    let filters = Filters {
        min_games: Some(least),
        ..source.filters.clone()
    };
    let mut parts = Vec::new();
    for measure in measures {
        let rows = source.facts.measure(measure, &filters)?.labelled_rows()?;
        let halves = source.halves.map(|halves| {
            let [first, second] = halves
                .each_ref()
                .map(|half| by_name(half, measure, source.filters));
            Ok::<_, StoreError>([first?, second?])
        });
        parts.push(significant_of(measure, &rows, halves.transpose()?.as_ref()));
    }
    Ok(html! {
        section aria-labelledby="significant" {
            h2 id="significant" { "Statistically significant rates" }
            p { "Of all kinds of games, rows of " (least) " games or more whose rate differs from the expected one at a \
                 false discovery rate of 5% (Benjamini and Hochberg)." }
            @for part in parts { (part) }
        }
    })
}

fn by_name(
    half: &Store,
    measure: &'static Measure,
    filters: &Filters,
) -> Result<ByName, StoreError> {
    let rows = half.measure(measure, filters)?.labelled_rows()?;
    Ok(rows.into_iter().map(|row| (key(&row), row)).collect())
}

fn significant_of(measure: &Measure, rows: &[LabelledRow], halves: Option<&[ByName; 2]>) -> Markup {
    let is_significant =
        |row: &&LabelledRow| number(&row.cells, "q").is_some_and(|q| q < DISCOVERY_RATE);
    let significant: Vec<&LabelledRow> = rows.iter().filter(is_significant).collect();
    let in_halves = |row: &LabelledRow| {
        let both = halves?.each_ref().map(|half| half.get(&key(row)));
        Some(both)
    };
    let pairs = rows.iter().filter_map(|row| match in_halves(row)? {
        [Some(one), Some(other)] => Some((one, other)),
        _ => None,
    });
    let pairs: Vec<(&LabelledRow, &LabelledRow)> = pairs.collect();
    let apart = pairs
        .iter()
        .filter(|(one, other)| differ(one, other))
        .count();
    html! {
        h3 { (measure.title()) }
        p {
            (significant.len()) " of " (rows.len()) " rates are significant."
            @if halves.is_some() {
                " Of " (pairs.len()) " rates that both halves have, " (apart) " differ between them by more than chance \
                 explains in one of twenty."
            }
        }
        @if !significant.is_empty() {
            table {
                thead { tr {
                    th scope="col" { "What was played" }
                    th scope="col" { "Who played" }
                    th scope="col" { "" }
                    th scope="col" class="figure" { "Expected" }
                    th scope="col" class="figure" { "Rate" }
                    @if halves.is_some() {
                        th scope="col" class="figure" { "First half" }
                        th scope="col" class="figure" { "Second half" }
                    }
                } }
                tbody { @for row in significant { tr {
                    td { (row.kind) }
                    td { (row.players) }
                    td { (row.label) }
                    td class="figure" { (percent(number(&row.cells, "expected").unwrap_or_default())) }
                    td class="figure" { (rate_with_count(row)) }
                    @for half in in_halves(row).into_iter().flatten() {
                        td class="figure" { @if let Some(half) = half { (rate_with_count(half)) } }
                    }
                } } }
            }
        }
    }
}

/// A table for each kind of games and measure, with a column for each of those who played it.
pub(super) fn kinds(
    source: &ReportSource<'_>,
    measures: &[&'static Measure],
) -> Result<Markup, StoreError> {
    let lengths = source.facts.measure(&LENGTHS, source.filters)?;
    let lengths = lengths.labelled_rows()?;
    let mut games: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for row in lengths.iter().filter(|row| row.label == "Rounds") {
        let count = row.cells.get("games").and_then(|count| count.as_u64());
        let of_kind = games.entry(&row.kind).or_default();
        of_kind.insert(&row.players, count.unwrap_or_default());
    }
    let mut kinds: Vec<(&str, BTreeMap<&str, u64>)> = games.into_iter().collect();
    let others = kinds.len().saturating_sub(KINDS);
    kinds.sort_by_key(|(_, played)| std::cmp::Reverse(played.values().sum::<u64>()));
    kinds.truncate(KINDS);
    kinds.sort_unstable();
    let mut rates = Vec::new();
    for measure in measures {
        let rows = source
            .facts
            .measure(measure, source.filters)?
            .labelled_rows()?;
        rates.push((measure.title(), rows));
    }
    Ok(html! {
        section aria-labelledby="kinds" {
            h2 id="kinds" { "Each kind of games" }
            p { "Lengths are the median, with the range of eight of ten games. Rates have their 95% interval and n, the number \
                 of nations in games." }
            @for (kind, played) in &kinds {
                details {
                    summary { (kind) ", " (played.values().sum::<u64>()) " games" }
                    (kind_tables(kind, played, &lengths, &rates))
                }
            }
            @if others > 0 { p { (others) " kinds with fewer games are omitted." } }
        }
    })
}

fn kind_tables(
    kind: &str,
    played: &BTreeMap<&str, u64>,
    lengths: &[LabelledRow],
    rates: &[(&str, Vec<LabelledRow>)],
) -> Markup {
    let mut players: Vec<(&str, u64)> =
        played.iter().map(|(name, games)| (*name, *games)).collect();
    players.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    players.truncate(LINEUPS);
    let length = |row: &LabelledRow| {
        let [low, median, high] =
            ["q10", "median", "q90"].map(|name| number(&row.cells, name).unwrap_or_default());
        format!("{median:.0} ({low:.0} to {high:.0})")
    };
    html! {
        (table("How long games are", kind, &players, lengths, &length))
        @for (title, rows) in rates { (table(title, kind, &players, rows, &rate_with_count)) }
        @if played.len() > players.len() {
            p class="faint" { (played.len() - players.len()) " more who played it are omitted." }
        }
    }
}

fn table(
    title: &str,
    kind: &str,
    players: &[(&str, u64)],
    rows: &[LabelledRow],
    cell: &dyn Fn(&LabelledRow) -> String,
) -> Markup {
    let rows: Vec<&LabelledRow> = rows.iter().filter(|row| row.kind == kind).collect();
    let mut known = BTreeSet::new();
    let labels: Vec<&str> = rows
        .iter()
        .map(|row| row.label.as_str())
        .filter(|label| known.insert(*label))
        .collect();
    let find = |label: &str, name: &str| {
        let mut rows = rows.iter();
        rows.find(|row| row.label == label && row.players == name)
    };
    html! {
        @if !rows.is_empty() {
            table {
                thead { tr {
                    th scope="col" { (title) }
                    @for (name, games) in players { th scope="col" class="figure" { (name) ", " (games) " games" } }
                } }
                tbody { @for label in labels { tr {
                    th scope="row" { (label) }
                    @for (name, _) in players {
                        td class="figure" { @if let Some(row) = find(label, name) { (cell(row)) } }
                    }
                } } }
            }
        }
    }
}

/// The measures of rates that the filters allow.
pub(super) fn measures(source: &ReportSource<'_>) -> Vec<&'static Measure> {
    let allowed = |measure: &&Measure| {
        let checked = measure.check(source.filters, source.library, None);
        checked.is_ok()
    };
    RATES.into_iter().filter(allowed).collect()
}
