//! Tables of a report: the significant rates, and a table of all players for each format.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use polars::prelude::PolarsResult;

use super::source::ReportSource;
use crate::answer::{RowCells, StatisticsTable, WinRate};
use crate::measures::{INSUFFICIENT_BELOW, KNOW_HOWS, LENGTHS, Measure, NATIONS, OPENINGS, SEATS};
use crate::question::Filters;
use crate::statistics::interval::normal_quantile;
use crate::storage::FactsStoreError;

/// The measures of rates that are listed.
const RATES: [&Measure; 4] = [&NATIONS, &SEATS, &OPENINGS, &KNOW_HOWS];

/// A rate with a larger false discovery rate is not significant.
const DISCOVERY_RATE: f64 = 0.05;

/// The most formats with tables; those with the most games are shown.
const KINDS: usize = 40;

/// The most columns of players in a table; those with the most games are shown.
const LINEUPS: usize = 6;

/// The names of a row, as readers see them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RowNames {
    /// The format without the players.
    kind: String,
    /// The players.
    players: String,
    /// The keys of the row.
    label: String,
}

/// Rows by their names.
type Rows<T> = Vec<(RowNames, T)>;

/// The rates of one half of the games, by name.
type Half = BTreeMap<RowNames, WinRate>;

/// The number of games, and the quantiles of their length.
type Lengths = (u32, [f64; 5]);

fn named_rows<T>(
    table: &StatisticsTable,
    figures: fn(&RowCells<'_>) -> PolarsResult<T>,
) -> PolarsResult<Rows<T>> {
    table.read(|cells| {
        let names = RowNames {
            kind: cells.game()?,
            players: cells.players()?,
            label: cells.label()?,
        };
        Ok((names, figures(cells)?))
    })
}

fn percent(part: f64) -> String {
    format!("{:.1}%", 100.0 * part)
}

/// Formats a rate with its interval and the number of nations in games.
fn rate_with_count(rate: &WinRate) -> String {
    let [low, high] = [rate.low, rate.high].map(percent);
    let (rate, count) = (percent(rate.rate), rate.nation_games);
    format!("{rate} ({low} to {high}), n {count}")
}

/// Formats the median with the range of 80% of the games.
fn median_with_range((_, [low, _, median, _, high]): &Lengths) -> String {
    format!("{median:.0} ({low:.0} to {high:.0})")
}

/// True if two rates differ significantly at the level of 5%.
fn differ(one: &WinRate, other: &WinRate) -> bool {
    let error = |rate: &WinRate| (rate.high - rate.low) / (2.0 * normal_quantile());
    let distance = (one.rate - other.rate).abs();
    distance > normal_quantile() * error(one).hypot(error(other))
}

/// Lists the significant rates of all formats, and whether both halves of the games agree.
pub(super) fn significant(
    source: &ReportSource<'_>,
    measures: &[&'static Measure],
) -> Result<Markup, FactsStoreError> {
    let asked = source.filters.min_games.unwrap_or(0);
    let least = asked.max(INSUFFICIENT_BELOW);
    let filters = Filters {
        min_games: Some(least),
        ..source.filters.clone()
    };
    let mut parts = Vec::new();
    for measure in measures {
        let table = source.facts.measure(measure, &filters)?;
        let rows = named_rows(&table, WinRate::read)?;
        let halves = source.halves.map(|halves| {
            let [first, second] = halves.each_ref().map(|half| {
                let table = half.measure(measure, source.filters)?;
                Ok::<_, FactsStoreError>(named_rows(&table, WinRate::read)?.into_iter().collect())
            });
            Ok::<_, FactsStoreError>([first?, second?])
        });
        parts.push(significant_of(measure, &rows, halves.transpose()?.as_ref()));
    }
    Ok(html! {
        section aria-labelledby="significant" {
            h2 id="significant" { "Statistically significant rates" }
            p { "The rates of all formats with at least " (least) " games that differ from the expected rate at a \
                 false discovery rate of 5% (Benjamini-Hochberg)." }
            @for part in parts { (part) }
        }
    })
}

fn significant_of(measure: &Measure, rows: &Rows<WinRate>, halves: Option<&[Half; 2]>) -> Markup {
    let significant = rows.iter().filter(|(_, rate)| rate.q < DISCOVERY_RATE);
    let significant: Vec<_> = significant.collect();
    let in_halves = |names: &RowNames| Some(halves?.each_ref().map(|half| half.get(names)));
    let pairs = rows
        .iter()
        .filter_map(|(names, _)| match in_halves(names)? {
            [Some(one), Some(other)] => Some((one, other)),
            _ => None,
        });
    let pairs: Vec<(&WinRate, &WinRate)> = pairs.collect();
    let apart = pairs
        .iter()
        .filter(|(one, other)| differ(one, other))
        .count();
    html! {
        h3 { (measure.title()) }
        p {
            (significant.len()) " of " (rows.len()) " rates are significant."
            @if halves.is_some() {
                " Of " (pairs.len()) " rates that both halves have, " (apart) " differ between the halves at the 5% level."
            }
        }
        @if !significant.is_empty() {
            table {
                thead { tr {
                    th scope="col" { "Format" }
                    th scope="col" { "Players" }
                    th scope="col" { "" }
                    th scope="col" class="figure" { "Expected" }
                    th scope="col" class="figure" { "Rate" }
                    @if halves.is_some() {
                        th scope="col" class="figure" { "First half" }
                        th scope="col" class="figure" { "Second half" }
                    }
                } }
                tbody { @for (names, rate) in significant { tr {
                    td { (names.kind) }
                    td { (names.players) }
                    td { (names.label) }
                    td class="figure" { (percent(rate.expected)) }
                    td class="figure" { (rate_with_count(rate)) }
                    @for half in in_halves(names).into_iter().flatten() {
                        td class="figure" { @if let Some(half) = half { (rate_with_count(half)) } }
                    }
                } } }
            }
        }
    }
}

/// Builds a table for each format and measure, with a column for each group of players.
pub(super) fn kinds(
    source: &ReportSource<'_>,
    measures: &[&'static Measure],
) -> Result<Markup, FactsStoreError> {
    let lengths = source.facts.measure(&LENGTHS, source.filters)?;
    let lengths: Rows<Lengths> = named_rows(&lengths, |cells| {
        Ok((cells.count("games")?, cells.quantiles()?))
    })?;
    let mut games: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for (names, (count, _)) in lengths.iter().filter(|(names, _)| names.label == "Rounds") {
        let of_kind = games.entry(&names.kind).or_default();
        of_kind.insert(&names.players, (*count).into());
    }
    let mut kinds: Vec<(&str, BTreeMap<&str, u64>)> = games.into_iter().collect();
    let others = kinds.len().saturating_sub(KINDS);
    kinds.sort_by_key(|(_, played)| std::cmp::Reverse(played.values().sum::<u64>()));
    kinds.truncate(KINDS);
    kinds.sort_unstable();
    let mut rates = Vec::new();
    for measure in measures {
        let table = source.facts.measure(measure, source.filters)?;
        rates.push((measure.title(), named_rows(&table, WinRate::read)?));
    }
    Ok(html! {
        section aria-labelledby="kinds" {
            h2 id="kinds" { "Each format" }
            p { "Lengths are the median, with the range of eight of ten games. Rates have their 95% interval and n, the number \
                 of nations in games." }
            @for (kind, played) in &kinds {
                details {
                    summary { (kind) ", " (played.values().sum::<u64>()) " games" }
                    (kind_tables(kind, played, &lengths, &rates))
                }
            }
            @if others > 0 { p { (others) " formats with fewer games are omitted." } }
        }
    })
}

fn kind_tables(
    kind: &str,
    played: &BTreeMap<&str, u64>,
    lengths: &Rows<Lengths>,
    rates: &[(&str, Rows<WinRate>)],
) -> Markup {
    let mut players: Vec<(&str, u64)> =
        played.iter().map(|(name, games)| (*name, *games)).collect();
    players.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    players.truncate(LINEUPS);
    html! {
        (table("How long games are", kind, &players, lengths, median_with_range))
        @for (title, rows) in rates { (table(title, kind, &players, rows, rate_with_count)) }
        @if played.len() > players.len() {
            p class="faint" { (played.len() - players.len()) " more groups of players are omitted." }
        }
    }
}

fn table<T>(
    title: &str,
    kind: &str,
    players: &[(&str, u64)],
    rows: &Rows<T>,
    cell: fn(&T) -> String,
) -> Markup {
    let rows = rows.iter().filter(|(names, _)| names.kind == kind);
    let rows: Vec<_> = rows.collect();
    let mut known = BTreeSet::new();
    let labels: Vec<&str> = rows
        .iter()
        .map(|(names, _)| names.label.as_str())
        .filter(|label| known.insert(*label))
        .collect();
    let find = |label: &str, name: &str| {
        let mut rows = rows.iter();
        rows.find(|(names, _)| names.label == label && names.players == name)
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
                        td class="figure" { @if let Some((_, figures)) = find(label, name) { (cell(figures)) } }
                    }
                } } }
            }
        }
    }
}

/// Lists the measures of rates that the filters allow.
pub(super) fn measures(source: &ReportSource<'_>) -> Vec<&'static Measure> {
    let allowed = |measure: &&Measure| {
        let checked = measure.check(source.filters, source.library, None);
        checked.is_ok()
    };
    RATES.into_iter().filter(allowed).collect()
}
