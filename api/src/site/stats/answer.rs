//! The answer of a table in a sentence.

use analytics::{LENGTHS, RowCells, StatisticsTable, WinRate};
use polars::prelude::PolarsResult;

use crate::site::texts::Texts;

/// Columns that a table omits when all rows have the same value.
pub const COMMON: [&str; 9] = [
    "edition", "board", "variants", "nations", "players", "play", "bots", "bot", "ruleset",
];

/// Says which row of a table of win rates wins most, or how long games are.
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
    let mut best: Option<(String, WinRate)> = None;
    for cells in rows {
        let rate = WinRate::read(&cells)?;
        let is_better = best.as_ref().is_none_or(|(_, other)| rate.low > other.low);
        if !rate.insufficient && is_better {
            best = Some((label(texts, table, &cells)?, rate));
        }
    }
    Ok(Some(match best {
        None => texts.text("answer-few").to_owned(),
        Some((row, rate)) => texts.format(
            "answer-rate",
            [
                ("row", row.into()),
                ("rate", texts.part(rate.rate).into()),
                ("count", rate.nation_games.into()),
                ("span", texts.span(rate.low, rate.high).into()),
                ("expected", texts.part(rate.expected).into()),
            ],
        ),
    }))
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
