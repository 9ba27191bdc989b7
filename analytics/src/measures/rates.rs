//! Win rates: one table, by different keys.

use polars::prelude::*;

use super::FORMAT;
use crate::facts::{ColumnInfo, FactRow, Kind, SHARE_PART, SeatRow};
use crate::filters::Filters;
use crate::interval::wilson;

/// Rows with fewer games than this are marked `insufficient`.
pub const INSUFFICIENT_BELOW: u32 = 30;

/// A measure of win rates: what its rows are told apart by.
pub(super) struct Rates {
    /// Columns of `seats`, besides the format.
    pub keys: &'static [&'static str],
    /// The name under which a row shows the only key, where it is another one.
    pub shown: Option<ColumnInfo>,
    /// Whether rows with many games come first within a format.
    pub frequent_first: bool,
    /// Whether rows get the column `leading`.
    pub leading: bool,
}

/// By nation.
pub(super) const NATIONS: Rates = Rates {
    keys: &["nation"],
    shown: None,
    frequent_first: false,
    leading: false,
};

/// By opening strategy.
pub(super) const OPENINGS: Rates = Rates {
    keys: &["opening"],
    shown: Some(ColumnInfo {
        name: "strategy",
        kind: Kind::Text,
        unit: "",
        meaning: "What came first within the nation's first six turns: a temple built (growth), a \
                  unit armed (military; recruiting alone is not), a know-how developed (progress), \
                  none (other).",
    }),
    frequent_first: false,
    leading: false,
};

/// By the five counts of personages at the end.
pub(super) const PERSONAGES: Rates = Rates {
    keys: &["king", "scholar", "general", "citizen", "navigator"],
    shown: None,
    frequent_first: true,
    leading: true,
};

/// By place in turn order.
pub(super) const SEATS: Rates = Rates {
    keys: &["place"],
    shown: None,
    frequent_first: false,
    leading: false,
};

const LEADING: ColumnInfo = ColumnInfo {
    name: "leading",
    kind: Kind::Text,
    unit: "",
    meaning: "The kind of which the nation has most; even when kinds tie, none without personages.",
};

/// The columns that every table of win rates ends with.
pub(super) const RATE_COLUMNS: [ColumnInfo; 8] = [
    ColumnInfo {
        name: "games",
        kind: Kind::Count,
        unit: "games",
        meaning: "Games of nations: a game counts once for each nation in it that belongs to the \
                  row.",
    },
    ColumnInfo {
        name: "wins",
        kind: Kind::Number,
        unit: "wins",
        meaning: "Sum of their parts of the win: 1/k for each of k winning seats, split evenly \
                  between the nations of a seat.",
    },
    ColumnInfo {
        name: "rate",
        kind: Kind::Number,
        unit: "wins a game",
        meaning: "wins / games.",
    },
    ColumnInfo {
        name: "low",
        kind: Kind::Number,
        unit: "wins a game",
        meaning: "Lower end of the 95% interval of the rate (Wilson; with shared wins at least as \
                  wide as need be).",
    },
    ColumnInfo {
        name: "high",
        kind: Kind::Number,
        unit: "wins a game",
        meaning: "Upper end of that interval.",
    },
    ColumnInfo {
        name: "expected",
        kind: Kind::Number,
        unit: "wins a game",
        meaning: "The rate if every seat were as likely to win: the mean of 1 / (seats * nations \
                  of the seat).",
    },
    ColumnInfo {
        name: "lift",
        kind: Kind::Number,
        unit: "",
        meaning: "rate / expected.",
    },
    ColumnInfo {
        name: "insufficient",
        kind: Kind::Flag,
        unit: "",
        meaning: "Whether there are fewer than 30 games.",
    },
];

/// The columns of a measure of win rates.
pub(super) fn columns(rates: &Rates) -> Vec<ColumnInfo> {
    let keys = match rates.shown {
        Some(shown) => vec![shown],
        None => seat_columns(rates.keys),
    };
    let leading = rates.leading.then_some(LEADING);
    keys.into_iter()
        .chain(leading)
        .chain(seat_columns(&FORMAT))
        .chain(RATE_COLUMNS)
        .collect()
}

/// The columns of `seats` with these names.
pub(super) fn seat_columns(names: &[&str]) -> Vec<ColumnInfo> {
    let named = |name: &&str| SeatRow::COLUMNS.iter().find(|column| column.name == *name);
    names.iter().filter_map(named).copied().collect()
}

/// The result table of a measure of win rates.
pub(super) fn rows(
    sums: Vec<DataFrame>,
    rates: &Rates,
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    let mut frame = rated(&sums[0], filters)?;
    let by: Vec<&str> = match rates.frequent_first {
        true => [&FORMAT[..], &["games"], rates.keys].concat(),
        false => [&FORMAT[..], rates.keys].concat(),
    };
    let descending: Vec<bool> = by.iter().map(|name| *name == "games").collect();
    let order = SortMultipleOptions::default().with_order_descending_multi(descending);
    frame = frame.sort(by, order)?;
    if rates.leading {
        let leading = leading(&frame, rates.keys)?;
        frame.with_column(leading)?;
    }
    if let (Some(shown), [key]) = (rates.shown, rates.keys) {
        frame.rename(key, shown.name.into())?;
    }
    let names: Vec<&str> = columns(rates).iter().map(|column| column.name).collect();
    frame.select(names)
}

/// The columns of [`RATE_COLUMNS`] in the place of sums, behind the keys and other sums; rows with
/// too few games are left out.
pub(super) fn rated(sums: &DataFrame, filters: &Filters) -> PolarsResult<DataFrame> {
    let enough = filters.min_games.unwrap_or(0);
    let enough = sums.column("games")?.u32()?.gt_eq(enough);
    let mut frame = sums.filter(&enough)?;
    let numbers = |name: &str| -> PolarsResult<Vec<f64>> {
        let column = frame.column(name)?.cast(&DataType::Float64)?;
        Ok(column.f64()?.iter().flatten().collect())
    };
    let wins_of = |parts: Vec<f64>| -> Vec<f64> {
        let wins = parts.into_iter().map(|parts| parts / SHARE_PART);
        wins.collect()
    };
    let games = numbers("games")?;
    let (wins, expected) = (wins_of(numbers("wins")?), wins_of(numbers("expected")?));
    let pairs = || wins.iter().zip(&games);
    let rate: Vec<f64> = pairs().map(|(wins, games)| wins / games).collect();
    let (low, high): (Vec<f64>, Vec<f64>) = pairs().map(|(w, g)| wilson(*w, *g)).unzip();
    let expected: Vec<f64> = expected.iter().zip(&games).map(|(e, g)| e / g).collect();
    let lift: Vec<f64> = rate.iter().zip(&expected).map(|(r, e)| r / e).collect();
    let insufficient: Vec<bool> = games
        .iter()
        .map(|games| *games < f64::from(INSUFFICIENT_BELOW))
        .collect();
    for column in [
        Column::new("wins".into(), wins),
        Column::new("rate".into(), rate),
        Column::new("low".into(), low),
        Column::new("high".into(), high),
        Column::new("expected".into(), expected),
        Column::new("lift".into(), lift),
        Column::new("insufficient".into(), insufficient),
    ] {
        frame.with_column(column)?;
    }
    Ok(frame)
}

/// The kind of personage that leads in each row.
fn leading(frame: &DataFrame, kinds: &[&str]) -> PolarsResult<Column> {
    let counts = kinds
        .iter()
        .map(|kind| frame.column(kind)?.u32())
        .collect::<PolarsResult<Vec<&UInt32Chunked>>>()?;
    let leads = (0..frame.height()).map(|row| {
        let count = |column: &&UInt32Chunked| column.get(row).unwrap_or(0);
        let most = counts.iter().map(count).max().unwrap_or(0);
        let mut with_most = kinds
            .iter()
            .zip(&counts)
            .filter(|(_, own)| count(own) == most);
        match (most, with_most.next(), with_most.next()) {
            (0, _, _) | (_, None, _) => "none",
            (_, Some((kind, _)), None) => *kind,
            _ => "even",
        }
    });
    Ok(StringChunked::from_iter_values(LEADING.name.into(), leads).into_column())
}
