//! The answer of a table in a sentence.

use std::collections::BTreeMap;

use analytics::{RowCells, StatisticsTable, WinRate};
use charts::words;
use polars::prelude::PolarsResult;

use crate::site::texts::Texts;

/// A sentence about rows of one format.
type Sentence = fn(Texts, &[RowCells<'_>]) -> PolarsResult<Option<String>>;

/// The sentences, each for tables with a column; the first that fits is used.
const SENTENCES: [(&str, Sentence); 9] = [
    ("trend_q", trend),
    ("pooled_low", first),
    ("equal_rate", equal),
    ("odds", worth),
    ("variance_share", skill),
    ("winners_part", parts),
    ("winners_mean", means),
    ("incidence", incidence),
    ("median", lengths),
];

/// The columns with the number of games of a row; the first that a table has is used.
const GAMES: [&str; 3] = ["nation_games", "games", "seats"];

/// Says in one sentence what a table shows, for the board and kind of players with the most games.
/// Returns `None` for tables without a sentence.
pub fn answer(texts: Texts, table: &StatisticsTable) -> PolarsResult<Option<String>> {
    let has = |name: &str| table.rows.column(name).is_ok();
    let sentence = SENTENCES.iter().find(|(column, _)| has(column));
    let counted = GAMES.into_iter().find(|name| has(name));
    let (Some((_, sentence)), Some(counted)) = (sentence, counted) else {
        return Ok(None);
    };
    let mut formats: BTreeMap<String, (u64, Vec<RowCells<'_>>)> = BTreeMap::new();
    for row in 0..table.rows.height() {
        let cells = table.cells(row);
        let (games, rows) = formats.entry(cells.title()?).or_default();
        *games += u64::from(cells.count(counted)?);
        rows.push(cells);
    }
    let count = formats.len();
    let most = formats.into_iter().max_by_key(|(_, (games, _))| *games);
    let Some((format, (_, rows))) = most else {
        return Ok(None);
    };
    let answer = sentence(texts, &rows)?;
    Ok(answer.map(|answer| match count {
        1 => answer,
        _ => {
            let parts = [("format", format.into()), ("answer", answer.into())];
            texts.format("answer-of", parts)
        }
    }))
}

/// Returns the row with the highest value of those with enough games.
fn highest<'a>(
    rows: &[RowCells<'a>],
    value: impl Fn(&RowCells<'a>) -> PolarsResult<f64>,
) -> PolarsResult<Option<RowCells<'a>>> {
    let mut best: Option<(RowCells<'a>, f64)> = None;
    for cells in rows {
        if !cells.flag("insufficient")? {
            let own = value(cells)?;
            if best.is_none_or(|(_, other)| own > other) {
                best = Some((*cells, own));
            }
        }
    }
    Ok(best.map(|(cells, _)| cells))
}

/// The answer of a table whose rows have too few games.
fn few(texts: Texts) -> PolarsResult<Option<String>> {
    Ok(Some(texts.text("answer-few").to_owned()))
}

/// Says which rate changes most clearly.
fn trend(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let number = |cells: &RowCells<'_>, name: &str| cells.optional_number(name);
    // Of the same q, the trend that is furthest from 0 relative to its interval.
    let clear = |cells: &RowCells<'_>| -> PolarsResult<f64> {
        let [trend, low, high] =
            ["trend", "trend_low", "trend_high"].map(|name| number(cells, name));
        Ok(match (trend?, low?, high?) {
            (Some(trend), Some(low), Some(high)) => trend.abs() / (high - low),
            _ => f64::NEG_INFINITY,
        })
    };
    let Some(cells) = highest(rows, clear)? else {
        return few(texts);
    };
    let [trend, low, high, q] =
        ["trend", "trend_low", "trend_high", "trend_q"].map(|name| number(&cells, name));
    let (Some(trend), Some(low), Some(high), Some(q)) = (trend?, low?, high?, q?) else {
        return Ok(Some(texts.text("answer-one-month").to_owned()));
    };
    let id = match q < 0.05 {
        true => "answer-trend",
        false => "answer-no-trend",
    };
    let points = |number: f64| texts.signed(number * 100.0, 1);
    let figures = [
        ("row", label(texts, &cells)?.into()),
        ("trend", points(trend).into()),
        ("low", points(low).into()),
        ("high", points(high).into()),
    ];
    Ok(Some(texts.format(id, figures)))
}

/// Says which of these rows is first.
fn first(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let mut best: Option<(RowCells<'_>, WinRate)> = None;
    for cells in rows {
        let rate = WinRate::read(cells)?;
        let rank = |rate: &WinRate| (is_above(rate), rate.pooled_low);
        let is_better = |other: &WinRate| rank(&rate) > rank(other);
        if !rate.insufficient && best.as_ref().is_none_or(|(_, other)| is_better(other)) {
            best = Some((*cells, rate));
        }
    }
    let Some((cells, rate)) = best else {
        return few(texts);
    };
    let id = match is_above(&rate) {
        true => "answer-above",
        false => "answer-unclear",
    };
    let figures = [
        ("row", label(texts, &cells)?.into()),
        ("rate", texts.part(rate.rate).into()),
        ("count", rate.nation_games.into()),
        ("span", texts.span(rate.low, rate.high).into()),
        ("expected", texts.part(rate.expected).into()),
    ];
    Ok(Some(texts.format(id, figures)))
}

/// Whether a rate is above the expected one, with all rows of its table counted as tests.
fn is_above(rate: &WinRate) -> bool {
    rate.rate > rate.expected && rate.q < 0.05
}

/// The name of a row: the values of its keys.
fn label(texts: Texts, cells: &RowCells<'_>) -> PolarsResult<String> {
    match cells.measure().key_names()[..] {
        ["nation"] => Ok(texts.nation(cells.text("nation")?)),
        ["by", "level", ..] => {
            let level = cells.text("level")?;
            Ok(match cells.text("by")? {
                "nation" => texts.nation(level),
                "place" => texts.format("answer-place", [("place", level.to_owned().into())]),
                _ => words(level),
            })
        }
        _ => cells.label(),
    }
}

/// Says which nation would win most if all players were equally strong.
fn equal(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let rows: Vec<RowCells<'_>> = with_text(rows, "by", "nation")?;
    let Some(cells) = highest(&rows, |cells| cells.number("equal_rate"))? else {
        return few(texts);
    };
    let span = texts.span(cells.number("low")?, cells.number("high")?);
    let figures = [
        ("row", label(texts, &cells)?.into()),
        ("rate", texts.part(cells.number("equal_rate")?).into()),
        ("span", span.into()),
    ];
    Ok(Some(texts.format("answer-equal", figures)))
}

/// Says which kind of personage is most clearly worth more or less than the others.
fn worth(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let clear = |cells: &RowCells<'_>| {
        Ok(cells.number("effect")?.abs() / (cells.number("high")? - cells.number("low")?))
    };
    let Some(cells) = highest(&with_text(rows, "by", "kind")?, clear)? else {
        return few(texts);
    };
    let odds = |name: &str| {
        cells
            .number(name)
            .map(|effect| texts.decimal(effect.exp(), 2))
    };
    let figures = [
        ("count", cells.count("at")?.into()),
        ("row", texts.name("personage", cells.text("level")?).into()),
        ("odds", odds("effect")?.into()),
        ("low", odds("low")?.into()),
        ("high", odds("high")?.into()),
    ];
    Ok(Some(texts.format("answer-worth", figures)))
}

/// Says how much skill explains.
fn skill(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let rows = with_text(rows, "part", "skill")?;
    let Some(cells) = highest(&rows, |cells| cells.number("variance_share"))? else {
        return few(texts);
    };
    let span = texts.span(cells.number("low")?, cells.number("high")?);
    let figures = [
        ("share", texts.part(cells.number("variance_share")?).into()),
        ("span", span.into()),
    ];
    Ok(Some(texts.format("answer-skill", figures)))
}

/// Says of which kind winners have a larger part of their personages than others.
fn parts(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let beyond =
        |cells: &RowCells<'_>| Ok(cells.number("winners_part")? - cells.number("others_part")?);
    let Some(cells) = highest(rows, beyond)? else {
        return few(texts);
    };
    let figures = [
        ("row", texts.name("personage", cells.text("kind")?).into()),
        ("winners", texts.part(cells.number("winners_part")?).into()),
        ("others", texts.part(cells.number("others_part")?).into()),
    ];
    Ok(Some(texts.format("answer-parts", figures)))
}

/// The turn of a nation after which winners are compared with others: late enough to differ, and early enough that the
/// game is open.
const COMPARED_AFTER: u32 = 10;

/// Says which quantity differs most between winners and others.
fn means(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let mut compared = Vec::new();
    for cells in rows {
        // That winners have more points needs no words.
        if cells.count("by_turn")? == COMPARED_AFTER && cells.text("quantity")? != "points" {
            compared.push(*cells);
        }
    }
    let ratio = |cells: &RowCells<'_>| {
        Ok(
            (cells.number("winners_mean")? / cells.number("others_mean")?.max(0.5))
                .ln()
                .abs(),
        )
    };
    let Some(cells) = highest(&compared, ratio)? else {
        return few(texts);
    };
    let mean = |name: &str| cells.number(name).map(|mean| texts.decimal(mean, 1));
    let figures = [
        ("turn", cells.count("by_turn")?.into()),
        (
            "quantity",
            words(cells.text("quantity")?).to_lowercase().into(),
        ),
        ("winners", mean("winners_mean")?.into()),
        ("others", mean("others_mean")?.into()),
    ];
    Ok(Some(texts.format("answer-means", figures)))
}

/// Says when half of the nations have their first personage.
fn incidence(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let numbers = with_text(&with_text(rows, "by", "number")?, "personages", "1")?;
    let mut soonest: Option<u32> = None;
    for cells in numbers {
        if cells.number("incidence")? >= 0.5 && !cells.flag("insufficient")? {
            let round = cells.count("by_round")?;
            soonest = Some(soonest.map_or(round, |other| other.min(round)));
        }
    }
    let Some(round) = soonest else {
        return few(texts);
    };
    Ok(Some(
        texts.format("answer-incidence", [("round", round.into())]),
    ))
}

/// Says how many rounds games last.
fn lengths(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    let rounds = with_text(rows, "quantity", "rounds")?;
    let Some(cells) = rounds.first() else {
        return Ok(None);
    };
    let number = |name: &str| cells.number(name).map(|number| texts.decimal(number, 0));
    let numbers = [
        ("median", number("median")?.into()),
        ("least", number("q10")?.into()),
        ("most", number("q90")?.into()),
    ];
    Ok(Some(texts.format("answer-lengths", numbers)))
}

/// Returns the rows with this text in a column.
fn with_text<'a>(
    rows: &[RowCells<'a>],
    column: &str,
    text: &str,
) -> PolarsResult<Vec<RowCells<'a>>> {
    let mut found = Vec::new();
    for cells in rows {
        if cells.text(column)? == text {
            found.push(*cells);
        }
    }
    Ok(found)
}
