//! The answer of a table in a sentence.

use std::collections::BTreeMap;

use analytics::{LENGTHS, RowCells, StatisticsTable, WinRate};
use polars::prelude::PolarsResult;

use crate::site::texts::Texts;

/// Says which row of a table of win rates wins more often than expected, or how long games are: of the board and kind of
/// players with the most games. `None` for other tables.
pub fn answer(texts: Texts, table: &StatisticsTable) -> PolarsResult<Option<String>> {
    let is_lengths = table.measure == &LENGTHS;
    let needed: &[&str] = match is_lengths {
        true => &["games", "median", "q10", "q90"],
        false => &[
            "nation_games",
            "rate",
            "low",
            "high",
            "pooled_low",
            "expected",
            "q",
        ],
    };
    let names = table.rows.get_column_names();
    let has = |name: &&str| names.iter().any(|own| own.as_str() == *name);
    if !needed.iter().all(has) || table.rows.height() == 0 {
        return Ok(None);
    }
    let mut formats: BTreeMap<String, (u64, Vec<RowCells<'_>>)> = BTreeMap::new();
    for row in 0..table.rows.height() {
        let cells = table.cells(row);
        let (games, rows) = formats.entry(cells.title()?).or_default();
        *games += u64::from(cells.count(needed[0])?);
        rows.push(cells);
    }
    let count = formats.len();
    let most = formats.into_iter().max_by_key(|(_, (games, _))| *games);
    let Some((format, (_, rows))) = most else {
        return Ok(None);
    };
    let answer = match is_lengths {
        true => lengths(texts, &rows)?,
        false => Some(first(texts, table, rows)?),
    };
    Ok(answer.map(|answer| match count {
        1 => answer,
        _ => {
            let parts = [("format", format.into()), ("answer", answer.into())];
            texts.format("answer-of", parts)
        }
    }))
}

/// Says which of these rows is first.
fn first(texts: Texts, table: &StatisticsTable, rows: Vec<RowCells<'_>>) -> PolarsResult<String> {
    let mut best: Option<(RowCells<'_>, WinRate)> = None;
    for cells in rows {
        let rate = WinRate::read(&cells)?;
        let rank = |rate: &WinRate| (is_above(rate), rate.pooled_low);
        let is_better = |other: &WinRate| rank(&rate) > rank(other);
        if !rate.insufficient && best.as_ref().is_none_or(|(_, other)| is_better(other)) {
            best = Some((cells, rate));
        }
    }
    let Some((cells, rate)) = best else {
        return Ok(texts.text("answer-few").to_owned());
    };
    let id = match is_above(&rate) {
        true => "answer-above",
        false => "answer-unclear",
    };
    let figures = [
        ("row", label(texts, table, &cells)?.into()),
        ("rate", texts.part(rate.rate).into()),
        ("count", rate.nation_games.into()),
        ("span", texts.span(rate.low, rate.high).into()),
        ("expected", texts.part(rate.expected).into()),
    ];
    Ok(texts.format(id, figures))
}

/// Whether a rate is above the expected one, with all rows of its table counted as tests.
fn is_above(rate: &WinRate) -> bool {
    rate.rate > rate.expected && rate.q < 0.05
}

/// The name of a row: the values of its keys.
fn label(texts: Texts, table: &StatisticsTable, cells: &RowCells<'_>) -> PolarsResult<String> {
    match table.measure.key_names()[..] {
        ["nation"] => Ok(texts.nation(cells.text("nation")?)),
        _ => cells.label(),
    }
}

fn lengths(texts: Texts, rows: &[RowCells<'_>]) -> PolarsResult<Option<String>> {
    for cells in rows {
        if cells.text("quantity")? == "rounds" {
            let number = |name: &str| cells.number(name).map(|number| texts.decimal(number, 0));
            let numbers = [
                ("median", number("median")?.into()),
                ("least", number("q10")?.into()),
                ("most", number("q90")?.into()),
            ];
            return Ok(Some(texts.format("answer-lengths", numbers)));
        }
    }
    Ok(None)
}
