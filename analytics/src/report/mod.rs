//! A report: one HTML page about the games in facts, for example for the site of a league.

mod source;
mod tables;

use charts::{Theme, WIDE};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::answer::{Picture, StatisticsTable};
use crate::measures::{
    CARDS, KNOW_HOWS, LENGTHS, Measure, NATIONS, OPENINGS, OPENINGS_TREE, PERSONAGES, SEATS,
    STRENGTH, TIMING,
};
use crate::question::Filters;
use crate::storage::FactsStoreError;

pub use source::ReportSource;

/// The most formats in the pictures; those with the most games are shown.
const KINDS: usize = 3;

/// The most rows of a format in a picture; those with the most games are shown.
const ROWS: usize = 12;

/// The measures of the report, in order, some with the group of rows to show.
const PARTS: [(&Measure, Option<&str>); 10] = [
    (&LENGTHS, None),
    (&NATIONS, None),
    (&SEATS, None),
    (&STRENGTH, None),
    (&OPENINGS, None),
    (&OPENINGS_TREE, None),
    (&KNOW_HOWS, None),
    (&PERSONAGES, Some("leading")),
    (&TIMING, None),
    (&CARDS, Some("played")),
];

/// The style of the page, which loads nothing.
const STYLE: &str = "\
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 50rem; padding: 1.5rem 1rem 3rem; background: #fffdf8; color: #2b2620;
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
h1, h2 { font-family: 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, serif; line-height: 1.2; }
h1 { font-size: 2rem; margin: 0 0 .6rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 .5rem; padding-top: 1rem; border-top: 3px solid #7a2e1d; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: 0 0 .7rem; }
a { color: #7a2e1d; }
code { font: .86em/1.4 ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace; }
pre { margin: 0 0 .8rem; padding: .6rem .8rem; overflow-x: auto; border: 1px solid #d8cdb6; background: #fbf8f1; }
.faint, figcaption { color: #645b4d; font-size: .9rem; }
figure { margin: 0; overflow-x: auto; }
svg { display: block; width: 100%; min-width: 42rem; height: auto; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 1rem; padding: 0; list-style: none; }
table { border-collapse: collapse; margin: 0 0 1rem; }
th, td { text-align: left; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid #d8cdb6; vertical-align: top; }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; }
details { margin: 0 0 .6rem; overflow-x: auto; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, pre { display: none; }
  figure { break-inside: avoid-page; overflow: visible; }
  svg { min-width: 0; }
  h2, h3 { break-after: avoid; }
}
";

/// A section of the report.
struct Section {
    table: StatisticsTable,
    picture: Picture,
}

impl Section {
    fn anchor(&self) -> &'static str {
        self.table.measure.name
    }

    /// Returns the command that prints the numbers of the section.
    fn command(&self, asked: &str) -> String {
        let measure = self.table.measure.name.replace('_', "-");
        format!("tabularium-analytics measure {measure} --facts facts{asked}")
    }
}

/// Returns the filters as command line options, quoted for a shell.
fn options(filters: &Filters) -> String {
    let given = filters.given().into_iter();
    let options = given.map(|(name, value)| {
        let name = name.replace('_', "-");
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.:,@".contains(letter);
        match value.chars().all(plain) {
            true => format!(" --{name} {value}"),
            false => format!(" --{name} '{}'", value.replace('\'', r"'\''")),
        }
    });
    options.collect()
}

/// Returns the option with the folders of the halves.
fn halves(source: &ReportSource<'_>) -> String {
    let folders = source.halves.iter().flat_map(|halves| halves.iter());
    let folders = folders.map(|half| format!(" {}", half.directory().display()));
    match source.halves {
        Some(_) => " --halves".to_owned() + &folders.collect::<String>(),
        None => String::new(),
    }
}

/// Marks text between backticks as code.
fn inline(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// True if the title of a part of a picture belongs to the format.
fn belongs_to(title: &str, kind: &str) -> bool {
    let more = title.strip_prefix(kind);
    more.is_some_and(|more| more.is_empty() || more.starts_with(" · "))
}

/// Formats, each with the number of games.
type Kinds = Vec<(String, u64)>;

/// Returns the formats with the most games, and the numbers of omitted formats and games.
fn kinds(lengths: &StatisticsTable) -> Result<(Kinds, usize, u64), FactsStoreError> {
    let mut kinds = Vec::new();
    if let Picture::Rows(chart) = lengths.picture(1, Some("rounds"))? {
        let groups = chart.groups.into_iter();
        kinds.extend(groups.filter_map(|group| Some((group.title, group.rows.first()?.count))));
    }
    kinds.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let others = kinds.split_off(kinds.len().min(KINDS));
    let games = others.iter().map(|(_, games)| games).sum();
    Ok((kinds, others.len(), games))
}

/// Builds the report as one HTML page with pictures and style, without scripts or links.
/// The page loads nothing, and the same facts return the same page. Measures that refuse a filter are omitted.
///
/// # Errors
/// If there are no facts, or if a part cannot be read.
pub fn report(source: &ReportSource<'_>, title: &str) -> Result<String, FactsStoreError> {
    let ReportSource {
        facts,
        library,
        filters,
        ..
    } = *source;
    let lengths = facts.measure(&LENGTHS, filters)?;
    let (kinds, others, other_games) = kinds(&lengths)?;
    let mut parts = Vec::new();
    for (measure, only) in PARTS {
        if measure.check(filters, library, None).is_err() {
            continue;
        }
        let table = facts.measure(measure, &measure.for_picture(filters))?;
        let mut picture = table.picture(ROWS, only)?;
        picture.keep(|title| kinds.iter().any(|(kind, _)| belongs_to(title, kind)));
        picture.set_bare();
        // Editions without event cards have an empty picture.
        if !picture.is_empty() {
            parts.push(Section { table, picture });
        }
    }
    let asked = options(filters);
    let rates = tables::measures(source);
    let (significant, all_kinds) = match parts.is_empty() {
        true => Default::default(),
        false => (
            tables::significant(source, &rates)?,
            tables::kinds(source, &rates)?,
        ),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "tabularium-analytics " (env!("CARGO_PKG_VERSION")) };
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    (about(&lengths, &kinds, (others, other_games)))
                    @if parts.is_empty() { p { "No game matches." } }
                    @else {
                        nav aria-label="Parts of the report" {
                            ul {
                                @for part in &parts { li { a href={ "#" (part.anchor()) } { (part.table.measure.title()) } } }
                                li { a href="#significant" { "Statistically significant rates" } }
                                li { a href="#kinds" { "Each format" } }
                            }
                        }
                        (reading())
                        @for part in &parts { (section(part, &asked)) }
                        (significant)
                        (all_kinds)
                    }
                    (citing(title, &lengths, &(asked + &halves(source))))
                }
            }
        }
    };
    Ok(page.into_string())
}

/// Describes the games of the report.
fn about(
    lengths: &StatisticsTable,
    kinds: &[(String, u64)],
    (others, other_games): (usize, u64),
) -> Markup {
    let given = lengths.filters.given();
    html! {
        p {
            b { (lengths.games) " games" }
            @if let Some(as_of) = lengths.as_of { ", the last one on " (as_of.strftime("%-d %B %Y")) }
            @if given.is_empty() { "." }
            @else {
                "; only "
                @for (place, (name, value)) in given.iter().enumerate() {
                    @if place > 0 { ", " }
                    code { (name) "=" (value) }
                }
                "."
            }
            " Games that ended by resignation or by decision of people, and games from a given position, are excluded unless \
             the filters include them."
        }
        @if !kinds.is_empty() {
            table {
                thead { tr { th scope="col" { "Format" } th scope="col" class="figure" { "Games" } } }
                tbody {
                    @for (kind, games) in kinds { tr { td { (kind) } td class="figure" { (games) } } }
                    @if others > 0 {
                        tr { td { (others) " more formats, which are not shown" } td class="figure" { (other_games) } }
                    }
                }
            }
        }
    }
}

fn reading() -> Markup {
    html! {
        h2 { "How to read the pictures" }
        p {
            "Each row has a number, its 95% interval and " b { "n" } ", the number of nations in games (or of games). \
             Formats are never added up. The mark beside a rate is the expected rate: that of equally strong players, or that of \
             other nations. A filled triangle means that the number is above or below the mark at 95%, an open circle that it is \
             neither. The rate of few other nations is uncertain too: then the circle can be open although the whole interval is \
             on one side of the mark. One row in twenty differs by chance alone. A dashed interval is from too few games to be \
             reliable."
        }
    }
}

fn section(part: &Section, asked: &str) -> Markup {
    let table = &part.table;
    html! {
        section aria-labelledby=(part.anchor()) {
            h2 id=(part.anchor()) { (table.measure.title()) }
            p { (inline(&table.measure.description())) }
            figure tabindex="0" role="group" aria-labelledby=(part.anchor()) {
                (PreEscaped(part.picture.svg(WIDE, Theme::Light)))
                figcaption { (table.games) " games · data " (table.data_version) " · " code { (part.command(asked)) } }
            }
        }
    }
}

/// Explains how to cite the report and how to reproduce its numbers.
fn citing(title: &str, lengths: &StatisticsTable, asked: &str) -> Markup {
    let as_of = lengths.as_of.map_or_else(String::new, |at| {
        format!(", as of {}", at.strftime("%Y-%m-%d %H:%M UTC"))
    });
    let version = env!("CARGO_PKG_VERSION");
    html! {
        section aria-labelledby="citing" {
            h2 id="citing" { "How to cite this page and reproduce the numbers" }
            p {
                "“" (title) "”, made with Tabularium " (version) " from " (lengths.games) " games" (as_of) ", data "
                (lengths.data_version) "."
            }
            @if !lengths.rulesets.is_empty() {
                p {
                    "Rules: "
                    @for (place, ruleset) in lengths.rulesets.iter().enumerate() {
                        @if place > 0 { ", " }
                        (ruleset.edition) " version " (ruleset.version) " ("
                        code { (ruleset.hash.chars().take(8).collect::<String>()) } ", " (ruleset.games) " games)"
                    }
                    "."
                }
            }
            p { "These commands build exactly the same page from the records of the games:" }
            pre tabindex="0" { code {
                "tabularium-analytics facts --from games.ndjson --to facts\n"
                "tabularium-analytics report --facts facts --title '" (title.replace('\'', r"'\''")) "'" (asked) " --out report.html"
            } }
            p class="faint" { "The command below each picture prints its numbers, also with " code { "--format csv" } ", "
                code { "json" } " or " code { "parquet" } "." }
        }
    }
}
