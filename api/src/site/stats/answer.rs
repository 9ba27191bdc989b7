//! The answer of a table in a sentence.

use analytics::{LENGTHS, RowCells, StatisticsTable, WinRate};
use polars::prelude::PolarsResult;

use crate::site::texts::Texts;

/// Columns that a table omits when all rows have the same value.
pub const COMMON: [&str; 9] = [
    "edition", "board", "variants", "nations", "players", "play", "bots", "bot", "ruleset",
];

/// Says which row of a table of win rates wins more often than expected, or how long games are.
/// `None` for other tables, and for those that mix boards or kinds of players.
pub fn answer(texts: Texts, table: &StatisticsTable) -> PolarsResult<Option<String>> {
    for column in COMMON {
        if table.rows.column(column)?.n_unique()? > 1 {
            return Ok(None);
        }
    }
    let rows = (0..table.rows.height()).map(|row| table.cells(row));
    if table.measure == &LENGTHS {
        return lengths(texts, rows);
    }
    let names = table.rows.get_column_names();
    let has = |name: &str| names.iter().any(|own| own.as_str() == name);
    if !["rate", "low", "high", "expected", "nation_games"]
        .iter()
        .all(|name| has(name))
    {
        return Ok(None);
    }
    let mut best: Option<(RowCells<'_>, WinRate)> = None;
    for cells in rows {
        let rate = WinRate::read(&cells)?;
        let rank = |rate: &WinRate| (is_above(rate), rate.low);
        let is_better = |other: &WinRate| rank(&rate) > rank(other);
        if !rate.insufficient && best.as_ref().is_none_or(|(_, other)| is_better(other)) {
            best = Some((cells, rate));
        }
    }
    let Some((cells, rate)) = best else {
        return Ok(Some(texts.text("answer-few").to_owned()));
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
    Ok(Some(texts.format(id, figures)))
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

fn lengths<'a>(
    texts: Texts,
    rows: impl Iterator<Item = RowCells<'a>>,
) -> PolarsResult<Option<String>> {
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
