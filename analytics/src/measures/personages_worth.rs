//! The measure `personages_worth`: what a personage of each kind is worth, with all else equal.
//!
//! See [`crate::statistics::logit`] for the model. It compares the nations of a game that won as many personages.

use std::collections::BTreeMap;

use polars::prelude::*;
use rayon::prelude::*;

use super::measure::{CurveColumns, FORMAT, Measure, MeasureSums, TableShape};
use super::rates::{self, INSUFFICIENT_BELOW, numbers};
use super::strength::{rows_by_format, skills};
use super::summary::{
    RATES, SHARE_PART, Summary, SummaryRows, SummarySource, SummaryStorage, joined,
    with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, columns};
use crate::statistics::interval::q_values;
use crate::statistics::logit::{PRIOR, Strength, StrengthSeat};

/// What a personage of each kind is worth among a nation's first personages.
pub static PERSONAGES_WORTH: Measure = Measure {
    name: "personages_worth",
    path: "personages/worth",
    label: "Worth of personages",
    meaning: "Worth of personages: what a king, a scholar, a general, a citizen or a navigator is worth among the \
        first personages of a nation, and which pairs of kinds are worth more together: effects on the log odds of the win with nation, \
        place, opening and the skill of the player equal. A conditional logit compares the nations of a game that won \
        at least `at` personages, so filters on nations are refused.",
    caveat: "Nations that win a kind can differ in what is not in the model, such as cities and income. The effects show \
        correlations, not causes.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&EACH_AWARD, &EACH)],
    finish: rows,
    is_of_whole_games: true,
    shape: TableShape::Curves(CurveColumns {
        along: "at",
        line: "level",
        value: "effect",
        about: "Effects on the log odds of the win, by the number of first personages",
    }),
    group: Some("by"),
    sample: Some("kind"),
    ..rates::MEASURE
};

static EACH_AWARD: Summary = Summary {
    name: "each_award",
    keys: &EACH,
    sums: &["share_parts"],
    rows: SummaryRows::Each(awards),
    storage: SummaryStorage::Nowhere,
    ..RATES
};

/// The columns that are kept of each nation when it won its n-th personage.
const EACH: [&str; 12] = [
    "game",
    "nation",
    "seat",
    "place",
    "opening",
    "player",
    "nth",
    "king",
    "scholar",
    "general",
    "citizen",
    "navigator",
];

/// The kinds of personages.
const KINDS: [&str; 5] = ["king", "scholar", "general", "citizen", "navigator"];

/// The columns of nations whose effects are held equal.
const EQUAL: [&str; 3] = ["nation", "place", "opening"];

/// The numbers of first personages.
const AT: std::ops::RangeInclusive<u32> = 2..=6;

const LOG_ODDS: &str = "log odds";

const KEYS: [ColumnInfo; 3] = columns! {
    /// The number of first personages that are compared, from 2 to 6.
    at: Count, "personages";
    /// Whether the row is about one kind, or about a pair of kinds.
    by: Text, "";
    /// The kind, or both kinds of the pair, joined by a comma.
    level: Text, "";
};

const FIGURES: [ColumnInfo; 10] = columns! {
    /// Games in which at least two seats have nations with as many personages.
    /// If the format has more than 10,000 games, 10,000 of them are selected by a hash of their ids.
    games: Count, "games";
    /// Nations in these games with the kind, or with both kinds, among their first personages.
    nation_games: Count, "nations in games";
    /// The odds of the win are multiplied by this: exp(effect).
    odds: Number, "";
    /// Of a kind: the effect of one personage of this kind instead of an average one of those that are compared.
    /// Of a pair: the effect of having both kinds, beyond the effects of the two.
    effect: Number, LOG_ODDS;
    /// Lower end of the 95% interval of the effect.
    low: Number, LOG_ODDS;
    /// Upper end of that interval.
    high: Number, LOG_ODDS;
    /// The false discovery rate if this row is called significant (Benjamini-Hochberg), among rows with the same by.
    q: Number, "";
    /// The number of players of the format with an estimated skill, see strength.
    skills: Count, "players";
    /// The most likely standard deviation of their skill.
    skill_spread: Number, LOG_ODDS;
    /// Whether there are fewer than 30 nations with the kind or pair, or the standard error is above 1.
    insufficient: Flag, "";
};

/// Returns the nations in games with their first personages, a row for each number of them.
fn awards(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let counts: Vec<Expr> = KINDS
        .iter()
        .chain(&["nth"])
        .map(|name| col(*name))
        .collect();
    let awards = source.by_nation(FactTable::Awards)?;
    let (least, most) = AT.into_inner();
    let nth = || col("nth");
    let first = nth().gt_eq(lit(least)).and(nth().lt_eq(lit(most)));
    let awards = awards.filter(first).select(with_nation_columns(&counts));
    let own = ["place", "opening", "player"].map(col);
    let more = source.seats.clone().select(with_nation_columns(&own));
    let by = || [col("game"), col("nation")];
    let inner = JoinArgs::new(JoinType::Inner);
    Ok(joined(&source.seats, awards.join(more, by(), by(), inner)))
}

/// A row without its format.
struct WorthRow {
    at: u32,
    by: &'static str,
    level: String,
    games: u32,
    nation_games: u32,
    effect: f64,
    low: f64,
    high: f64,
    p_value: f64,
    skills: u32,
    spread: f64,
    insufficient: bool,
}

/// Builds the rows of all formats.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let sums = added.own;
    let of_formats = rows_by_format(sums)?;
    let frames = of_formats.iter().map(|rows| {
        let own = sums.take(&IdxCa::from_vec("row".into(), rows.clone()))?;
        own.sort(["game", "seat", "place"], SortMultipleOptions::default())
    });
    // See `strength`: polars has its own threads.
    let frames = frames.collect::<PolarsResult<Vec<DataFrame>>>()?;
    let of_frames = frames.par_iter().map(format_rows);
    let of_frames = of_frames.collect::<PolarsResult<Vec<Vec<WorthRow>>>>()?;
    let least = added.filters.min_games.unwrap_or(0);
    let (mut rows, mut firsts): (Vec<WorthRow>, Vec<IdxSize>) = (Vec::new(), Vec::new());
    for (own, of_format) in of_frames.into_iter().zip(&of_formats) {
        rows.extend(own.into_iter().filter(|row| row.games >= least));
        firsts.resize(rows.len(), of_format[0]);
    }
    let mut q = vec![1.0; rows.len()];
    for by in ["kind", "pair"] {
        let own: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].by == by).collect();
        let p_values: Vec<f64> = own.iter().map(|row| rows[*row].p_value).collect();
        for (row, value) in own.into_iter().zip(q_values(&p_values)) {
            q[row] = value;
        }
    }
    let mut frame = sums.select(FORMAT)?;
    frame = frame.take(&IdxCa::from_vec("row".into(), firsts))?;
    let counts = |name: &str, count: fn(&WorthRow) -> u32| {
        Column::new(name.into(), rows.iter().map(count).collect::<Vec<u32>>())
    };
    let figures = |name: &str, number: fn(&WorthRow) -> f64| {
        Column::new(name.into(), rows.iter().map(number).collect::<Vec<f64>>())
    };
    let texts = |name: &str, text: fn(&WorthRow) -> &str| {
        Column::new(name.into(), rows.iter().map(text).collect::<Vec<&str>>())
    };
    let insufficient: Vec<bool> = rows.iter().map(|row| row.insufficient).collect();
    for column in [
        counts("at", |row| row.at),
        texts("by", |row| row.by),
        texts("level", |row| &row.level),
        counts("games", |row| row.games),
        counts("nation_games", |row| row.nation_games),
        figures("odds", |row| row.effect.exp()),
        figures("effect", |row| row.effect),
        figures("low", |row| row.low),
        figures("high", |row| row.high),
        Column::new("q".into(), q),
        counts("skills", |row| row.skills),
        figures("skill_spread", |row| row.spread),
        Column::new("insufficient".into(), insufficient),
    ] {
        frame.with_column(column)?;
    }
    let by = [&FORMAT[..], &["at", "by", "level"]].concat();
    added
        .select(frame.lazy())
        .sort(by, SortMultipleOptions::default())
        .collect()
}

/// The nations of one format when they won their n-th personage, sorted by game and seat.
struct AwardedNations {
    games: Vec<String>,
    seats: Vec<String>,
    players: Vec<String>,
    shares: Vec<f64>,
    /// The number of first personages.
    nth: Vec<f64>,
    /// The effect of each value of [`EQUAL`].
    equal: Vec<[usize; EQUAL.len()]>,
    /// How many effects these are.
    effects: usize,
    /// The number of personages of each kind.
    kinds: Vec<[usize; KINDS.len()]>,
}

impl AwardedNations {
    fn read(frame: &DataFrame) -> PolarsResult<AwardedNations> {
        let texts = |name: &str| -> PolarsResult<Vec<String>> {
            let column = frame.column(name)?.cast(&DataType::String)?;
            let texts = column.str()?.iter();
            Ok(texts
                .map(|text| text.unwrap_or_default().to_owned())
                .collect())
        };
        let mut equal = vec![[0; EQUAL.len()]; frame.height()];
        let mut effects = 0;
        for (kind, name) in EQUAL.iter().enumerate() {
            let values = texts(name)?;
            let mut known: BTreeMap<&str, usize> = BTreeMap::new();
            for value in &values {
                known.entry(value).or_default();
            }
            for (place, index) in known.values_mut().enumerate() {
                *index = effects + place;
            }
            for (row, value) in values.iter().enumerate() {
                equal[row][kind] = known[value.as_str()];
            }
            effects += known.len();
        }
        let mut kinds = vec![[0; KINDS.len()]; frame.height()];
        for (kind, name) in KINDS.iter().enumerate() {
            for (row, count) in numbers(frame, name)?.into_iter().enumerate() {
                kinds[row][kind] = count as usize;
            }
        }
        Ok(AwardedNations {
            games: texts("game")?,
            seats: texts("seat")?,
            players: texts("player")?,
            shares: numbers(frame, "share_parts")?,
            nth: numbers(frame, "nth")?,
            equal,
            effects,
            kinds,
        })
    }

    /// Returns the seats of each game with nations that won this many personages.
    /// Games in which only one seat did, or in which none of them won, contain no information.
    fn tables(&self, at: u32) -> Vec<Vec<Vec<usize>>> {
        let mut tables: Vec<Vec<Vec<usize>>> = Vec::new();
        let mut last: Option<usize> = None;
        for row in (0..self.nth.len()).filter(|row| self.nth[*row] == f64::from(at)) {
            let same = last.filter(|last| self.games[*last] == self.games[row]);
            match (tables.last_mut(), same) {
                (Some(table), Some(last)) => match table.last_mut() {
                    Some(seat) if self.seats[last] == self.seats[row] => seat.push(row),
                    _ => table.push(vec![row]),
                },
                _ => tables.push(vec![vec![row]]),
            }
            last = Some(row);
        }
        let won = |row: &usize| self.shares[*row] > 0.0;
        tables.retain(|table| table.len() > 1 && table.iter().flatten().any(won));
        tables
    }

    /// Returns the pairs of kinds that a nation has.
    fn pairs(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let has = move |kind: &usize| self.kinds[row][*kind] > 0;
        let pairs = PAIRS.iter().enumerate();
        pairs.filter_map(move |(pair, kinds)| kinds.iter().all(has).then_some(pair))
    }
}

/// The pairs of kinds, by their indexes in [`KINDS`].
const PAIRS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

/// Computes the rows of one format.
fn format_rows(frame: &DataFrame) -> PolarsResult<Vec<WorthRow>> {
    let nations = AwardedNations::read(frame)?;
    let mut rows = Vec::new();
    for at in AT {
        let tables = nations.tables(at);
        if tables.is_empty() {
            continue;
        }
        rows.extend(worth(&nations, &tables, at, "kind"));
        rows.extend(worth(&nations, &tables, at, "pair"));
    }
    Ok(rows)
}

/// Fits the model of kinds, or that of kinds and pairs, and returns its rows.
fn worth(
    nations: &AwardedNations,
    tables: &[Vec<Vec<usize>>],
    at: u32,
    by: &'static str,
) -> Vec<WorthRow> {
    let first_kind = nations.effects;
    let first_pair = first_kind + KINDS.len();
    let effects = match by {
        "kind" => first_pair,
        _ => first_pair + PAIRS.len(),
    };
    let skills = skills(tables, &nations.players, effects);
    let seat = |rows: &Vec<usize>| {
        let mut own = Vec::new();
        for row in rows {
            own.extend(nations.equal[*row]);
            for (kind, count) in nations.kinds[*row].iter().enumerate() {
                own.extend(std::iter::repeat_n(first_kind + kind, *count));
            }
            if by == "pair" {
                own.extend(nations.pairs(*row).map(|pair| first_pair + pair));
            }
        }
        StrengthSeat {
            share: rows.iter().map(|row| nations.shares[*row]).sum::<f64>() / SHARE_PART,
            player: skills.get(nations.players[rows[0]].as_str()).copied(),
            nations: rows.len(),
            effects: own,
        }
    };
    let seats: Vec<Vec<StrengthSeat>> = (tables.iter())
        .map(|table| table.iter().map(seat).collect())
        .collect();
    let model = Strength::fit(&seats, effects, skills.len());
    let all = || tables.iter().flatten().flatten();
    let row = |level: String, contrast: &[(usize, f64)], nation_games: usize| {
        let effect = model.effect(contrast);
        WorthRow {
            at,
            by,
            level,
            games: tables.len() as u32,
            nation_games: nation_games as u32,
            effect: effect.value,
            low: effect.low,
            high: effect.high,
            p_value: model.p_value(&effect),
            skills: skills.len() as u32,
            spread: model.spread(),
            insufficient: nation_games < INSUFFICIENT_BELOW as usize || effect.error > PRIOR / 2.0,
        }
    };
    let rows: Vec<WorthRow> = match by {
        "kind" => {
            let won =
                |kind: usize| all().map(|row| nations.kinds[*row][kind]).sum::<usize>() as f64;
            let won: Vec<f64> = (0..KINDS.len()).map(won).collect();
            let total: f64 = won.iter().sum();
            let mean = won.iter().enumerate();
            let mean: Vec<(usize, f64)> = mean
                .map(|(kind, count)| (first_kind + kind, -count / total))
                .collect();
            let rows = KINDS.iter().enumerate().map(|(kind, name)| {
                let contrast = [&mean[..], &[(first_kind + kind, 1.0)]].concat();
                let own = all().filter(|row| nations.kinds[**row][kind] > 0);
                row((*name).to_owned(), &contrast, own.count())
            });
            rows.collect()
        }
        _ => {
            let rows = PAIRS.iter().enumerate().map(|(pair, kinds)| {
                let names = kinds.map(|kind| KINDS[kind]).join(",");
                let own = all().filter(|row| nations.pairs(**row).any(|other| other == pair));
                row(names, &[(first_pair + pair, 1.0)], own.count())
            });
            rows.collect()
        }
    };
    rows.into_iter()
        .filter(|row| row.nation_games > 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of four nations, each with two first personages. A king multiplies the odds by three, and a king with a
    /// general by two more.
    fn frame(games: u32) -> DataFrame {
        let mixes = [
            [1, 1, 0, 0, 0],
            [1, 0, 1, 0, 0],
            [0, 2, 0, 0, 0],
            [0, 0, 1, 1, 0],
            [0, 0, 0, 1, 1],
            [2, 0, 0, 0, 0],
        ];
        let odds = |mix: &[i32; 5]| {
            3.0_f64.powi(mix[0]) * if mix[0] > 0 && mix[2] > 0 { 2.0 } else { 1.0 }
        };
        let mut columns: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut counts: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for game in 0..games {
            let own: Vec<&[i32; 5]> = (0..4)
                .map(|seat| &mixes[((game * (seat + 1) + seat) % 6) as usize])
                .collect();
            let total: f64 = own.iter().map(|mix| odds(mix)).sum();
            for (seat, mix) in own.iter().enumerate() {
                for (name, value) in [
                    ("game", format!("{game:05}")),
                    (
                        "nation",
                        ["a", "b", "c", "d"][(seat + game as usize) % 4].to_owned(),
                    ),
                    ("seat", seat.to_string()),
                    ("place", (seat + 1).to_string()),
                    ("opening", "other".to_owned()),
                    ("player", String::new()),
                ] {
                    columns.entry(name).or_default().push(value);
                }
                // The expected share, so that the estimate does not depend on chance.
                let share = (odds(mix) / total * 120_000.0).round() as u32;
                counts.entry("share_parts").or_default().push(share);
                counts.entry("nth").or_default().push(2);
                for (kind, count) in KINDS.iter().zip(mix.iter()) {
                    counts.entry(kind).or_default().push(*count as u32);
                }
            }
        }
        let texts = columns
            .into_iter()
            .map(|(name, values)| Column::new(name.into(), values));
        let counts = counts
            .into_iter()
            .map(|(name, values)| Column::new(name.into(), values));
        DataFrame::new(games as usize * 4, texts.chain(counts).collect()).expect("a frame")
    }

    #[test]
    fn effects_of_kinds_and_pairs_are_found() {
        let rows = format_rows(&frame(600)).expect("rows");
        let row = |by: &str, level: &str| {
            let mut rows = rows.iter();
            rows.find(|row| row.by == by && row.level == level)
                .expect("a row")
        };
        assert_eq!(rows.len(), KINDS.len() + 4);
        let king = row("kind", "king");
        assert!(
            king.low > 0.0 && king.p_value < 0.001 && !king.insufficient,
            "{}",
            king.effect
        );
        let scholar = row("kind", "scholar");
        assert!(scholar.effect < king.effect);
        let pair = row("pair", "king,general");
        assert!(
            pair.low < 2.0_f64.ln() && 2.0_f64.ln() < pair.high,
            "{} to {}",
            pair.low,
            pair.high
        );
        assert!(pair.effect > 0.3, "{}", pair.effect);
        // Nobody has both of these.
        assert!(rows.iter().all(|row| row.level != "scholar,navigator"));
        assert!(rows.iter().all(|row| row.at == 2 && row.games == 600));
    }

    #[test]
    fn games_in_which_one_seat_won_enough_contain_no_information() {
        let alone = frame(1).slice(0, 1);
        assert!(format_rows(&alone).expect("rows").is_empty());
    }
}
