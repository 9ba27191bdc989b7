//! A picture: rates with their intervals, quantiles, or winners beside the others, as the columns have them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use charts::{Chart, Group, Row, Shape, Theme, WIDE, titled, words};
use polars::prelude::{PolarsResult, polars_bail};
use serde_json::{Map, Value};

use super::table::Table;
use crate::facts::{ColumnInfo, Kind as ColumnKind};
use crate::measures::FORMAT;
use crate::measures::accuracy::JUDGE;

/// How many rows of a group a picture has; those with the most games.
pub const MOST: usize = 24;

/// Columns by which rows are told apart that are not compared with each other.
const APART: [&str; 3] = ["by", "act", "quantity"];

/// The row of a node of the tree itself.
const WHOLE: &str = "All of them";

/// A row of the table by column.
pub(crate) type Cells = Map<String, Value>;

pub(crate) fn number(row: &Cells, name: &str) -> Option<f64> {
    row.get(name)?.as_f64()
}

/// A cell as people write it.
pub(crate) fn shown(row: &Cells, name: &str) -> String {
    match row.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(value) => value.to_string(),
    }
}

/// What rows of a table are drawn as.
enum Kind {
    /// The column of this name, with the interval in the next two.
    Interval(&'static str),
    Quantiles,
    /// Parts of a whole.
    Parts,
    Means,
}

impl Kind {
    /// By the columns that the table has.
    fn of(columns: &[ColumnInfo]) -> Option<Kind> {
        let place = |name: &str| columns.iter().position(|column| column.name == name);
        match (place("low"), place("median"), place("winners_part")) {
            (Some(low), ..) if low > 0 && place("high") == Some(low + 1) => {
                Some(Kind::Interval(columns[low - 1].name))
            }
            (_, Some(_), _) => Some(Kind::Quantiles),
            (.., Some(_)) => Some(Kind::Parts),
            _ => place("winners_mean").map(|_| Kind::Means),
        }
    }

    fn shape(&self, row: &Cells) -> Option<Shape> {
        Some(match self {
            Kind::Interval(name) => Shape::Interval {
                at: number(row, name)?,
                low: number(row, "low")?,
                high: number(row, "high")?,
                expected: number(row, "expected"),
            },
            Kind::Quantiles => {
                let all = ["q10", "q25", "median", "q75", "q90"].map(|name| number(row, name));
                let [Some(q10), Some(q25), Some(median), Some(q75), Some(q90)] = all else {
                    return None;
                };
                Shape::Quantiles([q10, q25, median, q75, q90])
            }
            Kind::Parts => Shape::Pair {
                winners: number(row, "winners_part")?,
                others: number(row, "others_part")?,
            },
            Kind::Means => Shape::Pair {
                winners: number(row, "winners_mean")?,
                others: number(row, "others_mean")?,
            },
        })
    }
}

/// A row with the names that readers see.
#[derive(Clone, Debug)]
pub(crate) struct LabelledRow {
    /// What was played, whoever played it.
    pub kind: String,
    /// Who played.
    pub players: String,
    /// What the row is about.
    pub label: String,
    /// The row by column.
    pub cells: Cells,
}

/// The format of a row, as the title of what is told of it.
pub(super) fn format(row: &Cells) -> String {
    format!("{} · {}", kind_of(row), players_of(row)) + &editions_of(row)
}

/// The board of a row with its numbers of nations and players and its variants.
fn kind_of(row: &Cells) -> String {
    let board = titled(&shown(row, "board").replace('-', "_"));
    let (nations, players) = (shown(row, "nations"), shown(row, "players"));
    let mut parts = vec![board, format!("{nations} nations")];
    if players != nations {
        parts.push(format!("{players} players"));
    }
    let variants = shown(row, "variants");
    if !variants.is_empty() {
        parts.push(variants.replace(',', ", ").replace('_', " "));
    }
    parts.join(" · ")
}

/// Who plays in the games of a row, and who of these the row is of where it is of some.
fn players_of(row: &Cells) -> String {
    let (bots, bot) = (shown(row, "bots"), shown(row, "bot"));
    let all = bots.replace(',', ", ");
    let play = shown(row, "play");
    let all = match play.as_str() {
        "bots" => format!("bots: {all}"),
        "mixed" => format!("people and bots: {all}"),
        play => play.to_owned(),
    };
    match (play.as_str(), bot.as_str()) {
        ("mixed", "") => format!("{all} · people"),
        (_, "" | "all") => all,
        ("bots", bot) if bot == bots => all,
        (_, bot) => format!("{all} · {bot}"),
    }
}

/// The rules and the judge of a row, where rows are told apart by them.
fn editions_of(row: &Cells) -> String {
    let mut parts = vec![String::new()];
    let ruleset = shown(row, "ruleset");
    if !ruleset.is_empty() && ruleset != "all" {
        parts.push(format!("rules {ruleset}"));
    }
    let [judge, numbers, version] = JUDGE.map(|name| shown(row, name));
    if !judge.is_empty() {
        // Enough digits to tell files apart.
        let numbers: String = numbers.chars().take(8).collect();
        parts.push(format!(
            "judged by {judge}, version {version}, numbers {numbers}"
        ));
    }
    parts.join(" · ")
}

/// By what rows are ranked, the highest first; the whole before its parts.
fn rank(row: &Row) -> f64 {
    match row.shape {
        _ if row.label == WHOLE => f64::INFINITY,
        Shape::Interval { at, .. } => at,
        Shape::Quantiles([_, _, median, ..]) => median,
        Shape::Pair { winners, .. } => winners,
    }
}

/// So many rows, those with the most games, in their order.
fn with_most_games(rows: Vec<Row>, most: usize) -> Vec<Row> {
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by_key(|place| Reverse(rows[*place].count));
    let kept: BTreeSet<usize> = places.into_iter().take(most).collect();
    let rows = rows.into_iter().enumerate();
    rows.filter_map(|(place, row)| kept.contains(&place).then_some(row))
        .collect()
}

/// The columns by which rows are told apart besides their format.
fn keys(columns: &[ColumnInfo]) -> Vec<&'static str> {
    let keys = columns.iter().map(|column| column.name);
    keys.take_while(|name| !FORMAT.contains(name)).collect()
}

/// Names in a key as people write them: `know_how,temple` is `Know how, temple`.
fn label(key: &str) -> String {
    let spaced = key.replace(',', ", ");
    words(&spaced)
}

impl Table {
    /// The table as a picture, SVG: the rows of each format, at most [`MOST`] of them, those with the most
    /// games, with their intervals and what they are made of; rates by round as lines. 800 wide, for a screen, a
    /// sheet or an article, light or dark.
    ///
    /// # Errors
    /// When no picture is known for its columns; every measure has one.
    pub fn to_svg(&self, theme: Theme) -> PolarsResult<String> {
        Ok(self.picture(MOST, None)?.svg(WIDE, theme))
    }

    /// The rows that a picture of the table has: at most so many of each group, and only those groups that are
    /// told apart by `only`, where it is given.
    ///
    /// # Errors
    /// As [`Table::to_svg`].
    pub(super) fn chart(&self, most: usize, only: Option<&str>) -> PolarsResult<Chart> {
        let columns = self.measure.columns();
        let Some(kind) = Kind::of(&columns) else {
            polars_bail!(ComputeError: "no picture is known for {}", self.measure);
        };
        let keys = keys(&columns);
        let apart = keys.iter().copied().find(|name| APART.contains(name));
        let mut groups: Vec<(String, Vec<Row>)> = Vec::new();
        for cells in self.flat_rows()? {
            let own = apart.map(|name| shown(&cells, name)).unwrap_or_default();
            let Some(shape) = kind
                .shape(&cells)
                .filter(|_| only.is_none_or(|only| only == own))
            else {
                continue;
            };
            let own = if only.is_some() { String::new() } else { own };
            let title = match own.as_str() {
                "" => format(&cells),
                own => format!("{} · {}", format(&cells), own.replace('_', " ")),
            };
            let row = Row {
                label: self.label(&cells, &keys),
                count: cells
                    .get("nation_games")
                    .or_else(|| cells.get("games"))
                    .and_then(Value::as_u64)
                    .unwrap_or_default(),
                few: cells.get("insufficient") == Some(&Value::Bool(true)),
                shape,
            };
            match groups.iter_mut().find(|(own, _)| *own == title) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((title, vec![row])),
            }
        }
        // What has no order of its own is ranked.
        let ranked = columns[keys.len() - 1].kind == ColumnKind::Text;
        let groups = groups.into_iter().map(|(title, rows)| {
            let all = rows.len();
            let mut rows = with_most_games(rows, most);
            if ranked {
                rows.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
            }
            Group {
                title,
                parts: matches!(kind, Kind::Interval(_) | Kind::Parts),
                left_out: all - rows.len(),
                rows,
            }
        });
        Ok(Chart {
            title: self.measure.title().to_owned(),
            about: self.about(&kind),
            groups: groups.collect(),
            notes: self.notes(),
            bare: false,
        })
    }

    /// The rows with the names that readers see.
    ///
    /// # Errors
    /// As [`Table::to_json`].
    pub(crate) fn labelled_rows(&self) -> PolarsResult<Vec<LabelledRow>> {
        let columns = self.measure.columns();
        let keys = keys(&columns);
        let rows = self.flat_rows()?.into_iter().map(|cells| LabelledRow {
            kind: kind_of(&cells) + &editions_of(&cells),
            players: players_of(&cells),
            label: self.label(&cells, &keys),
            cells,
        });
        Ok(rows.collect())
    }

    /// What a row is about, by its keys. Of a node of the tree without a next stop it is the node.
    fn label(&self, cells: &Cells, keys: &[&str]) -> String {
        let own = keys
            .iter()
            .filter(|name| !APART.contains(name) || keys.len() == 1);
        let own = own.filter(|name| **name != "path");
        let parts = own.map(|name| (*name, shown(cells, name)));
        let parts = parts.map(|(name, text)| match name {
            "place" => format!("Place {text}"),
            "by_round" => format!("by round {text}"),
            "by_turn" => format!("by turn {text}"),
            "field" if text.is_empty() => WHOLE.to_owned(),
            "know_hows" if text.is_empty() => "Without know-how".to_owned(),
            _ => label(&text),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// What the numbers are, and the filters that were given.
    fn about(&self, kind: &Kind) -> String {
        let what = match kind {
            Kind::Interval("lost") => {
                "What of the win a turn lost on average, with 95% intervals; n: games"
            }
            Kind::Interval(_) => "Wins a nation in a game, with 95% intervals; n: nations in games",
            Kind::Quantiles => "Median, with what eight of ten games are; n: games",
            Kind::Parts => "Part of all personages at the end; n: games",
            Kind::Means => "Means of winners and of the others; n: nations in games",
        };
        self.with_filters(&format!("{what}."))
    }

    /// What the numbers are, with the filters that were given.
    pub(super) fn with_filters(&self, what: &str) -> String {
        // How far a picture looks ahead is seen.
        let given = self.filters.given().into_iter();
        let given = given.filter(|(name, _)| name != "levels");
        let given: Vec<String> = given
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        match given.is_empty() {
            true => what.to_owned(),
            false => format!("{what} Only {}.", given.join(", ")),
        }
    }

    /// What it is made of.
    pub(super) fn notes(&self) -> Vec<String> {
        let as_of = self.as_of.map_or(String::new(), |time| {
            format!(", as of {}", time.strftime("%Y-%m-%d %H:%M UTC"))
        });
        let whole = if self.complete {
            ""
        } else {
            ", more are being gathered"
        };
        vec![format!(
            "{} games{whole} · data {}{as_of}",
            self.games, self.data_version
        )]
    }
}
