//! The measure `personages_incidence`: the part of nations that have personages by the end of a round.
//!
//! The win rates of [`super::timing`] do not show how many nations reach a number of personages.

use polars::prelude::*;

use super::measure::{CurveColumns, FORMAT, Measure, MeasureSums, TableShape};
use super::rates::{self, INSUFFICIENT, is_insufficient, numbers};
use super::summary::{
    ALL_BY_BOT, ALL_CLUSTERS, RATES, SEAT_BOT, Summary, SummaryRows, SummarySource, joined, nation,
    union, with_nation_columns,
};
use super::timing::{KEYS, awards_by_round, one, rounds};
use crate::facts::{ColumnInfo, columns};
use crate::statistics::interval::{Evidence, SkillVariance, Squares};

/// The measure `personages_incidence`.
pub static PERSONAGES_INCIDENCE: Measure = Measure {
    name: "personages_incidence",
    path: "personages/incidence",
    label: "Personages by round",
    meaning: "The part of nations that have a number or a kind of personages by the end of a round: the cumulative \
        incidence. The end of the game is the competing event: a nation without the personage by then never has \
        it, and stays in the total.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_ROUND, &ROW)],
    finish: rows,
    shape: TableShape::Curves(CurveColumns {
        along: "by_round",
        line: "personages",
        value: "incidence",
        about: "The part of all nations that had a number or a kind of personages by the end of a round",
    }),
    ..rates::MEASURE
};

static BY_ROUND: Summary = Summary {
    name: "personages_incidence",
    keys: &[SEAT_BOT, "by", "personages", "by_round"],
    sums: &["with_game", "with_seat", "over"],
    rows: SummaryRows::Nations(reached),
    ..RATES
};

const ROW: [&str; 3] = ["by", "personages", "by_round"];

/// The value of `by` for nations whose game is over; the table has no such row.
const OVER: &str = "over";

const FIGURES: [ColumnInfo; 8] = columns! {
    /// Games of the format.
    games: Count, "games";
    /// All nations in these games.
    nation_games: Count, "nations in games";
    /// Nations that have the personage at the end of the round.
    reached: Count, "nations in games";
    /// reached / nation_games.
    incidence: Number, "";
    /// Lower end of the 95% interval of the incidence, computed as for win rates.
    low: Number, "";
    /// Upper end of that interval.
    high: Number, "";
    /// The part of all nations whose game is over at the end of the round and that never had the personage.
    over_without: Number, "";
    ..INSUFFICIENT
};

/// Returns the nations by what they had at the end of rounds, and whether the game was over.
/// `with_game` and `with_seat` count the nations (of the same bot) that pass the filters in the game and in the
/// seat.
fn reached(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let count = |by: &[&str]| {
        let by: Vec<Expr> = by.iter().map(|name| col(*name)).collect();
        len().cast(DataType::Int64).over(by)
    };
    let beside = source.seats.clone().select(with_nation_columns(&[
        count(&["game", SEAT_BOT])?.alias("with_game"),
        count(&["game", "seat", SEAT_BOT])?.alias("with_seat"),
    ]));
    let over = source
        .games
        .clone()
        .select([col("game"), col("rounds"), one()])
        .inner_join(rounds()?, col("one"), col("one"))
        .filter(col("rounds").lt_eq(col("by_round")))
        .inner_join(
            source.seats.clone().select(nation()),
            col("game"),
            col("game"),
        )
        .select(with_nation_columns(&[
            lit(OVER).alias("by"),
            lit("").alias("personages"),
            col("by_round"),
            lit(true).alias("is_over"),
            lit(false).alias("is_win"),
        ]));
    let reached = union(vec![awards_by_round(source)?, over])?
        .with_column(col("is_over").cast(DataType::Int64).alias("over"))
        .join(beside, nation(), nation(), JoinArgs::new(JoinType::Inner));
    Ok(joined(&source.seats, reached))
}

/// Returns squares and products of the number of nations and of those that reached it.
fn squares(frame: &DataFrame, [nn, nw, ww]: [&str; 3]) -> PolarsResult<Vec<Squares>> {
    let (nn, nw, ww) = (
        numbers(frame, nn)?,
        numbers(frame, nw)?,
        numbers(frame, ww)?,
    );
    let rows = nn.into_iter().zip(nw).zip(ww);
    Ok(rows.map(|((nn, nw), ww)| Squares { nn, nw, ww }).collect())
}

/// Builds a row for each number, kind and round of each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let of_all = |frame: &DataFrame| {
        frame
            .clone()
            .lazy()
            .filter(col("cluster").eq(lit(ALL_CLUSTERS)))
    };
    let of_persons = |frame: &DataFrame| {
        frame
            .clone()
            .lazy()
            .filter(col("cluster").neq(lit(ALL_CLUSTERS)))
    };
    let format = || FORMAT.map(col).to_vec();
    let by = |names: &[&str]| -> Vec<Expr> {
        let names = FORMAT.iter().chain(names);
        names.map(|name| col(*name)).collect()
    };
    let square = |name: &str| col(name) * col(name);
    let left = || JoinArgs::new(JoinType::Left);

    let nations = ["games", "nation_games", "nn"].map(col);
    let all = of_all(added.all).select([&format()[..], &nations].concat());
    let persons = of_persons(added.all).group_by(format()).agg([
        col("nation_games").sum().alias("persons"),
        square("nation_games").sum().alias("persons_nn"),
        col("nn").sum().alias("seats_nn"),
    ]);
    let person = of_persons(added.all)
        .select([by(&["cluster"]), vec![col("nation_games").alias("person")]].concat());
    let persons_reached = of_persons(added.own)
        .join(
            person,
            by(&["cluster"]),
            by(&["cluster"]),
            JoinArgs::new(JoinType::Inner),
        )
        .group_by(by(&ROW))
        .agg([
            (col("person") * col("nation_games"))
                .sum()
                .alias("persons_nw"),
            square("nation_games").sum().alias("persons_ww"),
            col("with_seat").sum().alias("seats_nw"),
            col("nn").sum().alias("seats_ww"),
        ]);
    let own = of_all(added.own).select(
        [
            by(&ROW),
            vec![
                col("nation_games").alias("reached"),
                col("with_game").alias("nw"),
                col("nn").alias("ww"),
                col("over"),
            ],
        ]
        .concat(),
    );
    let is_over = || col("by").eq(lit(OVER));
    let ends = own.clone().filter(is_over());
    let ends = ends.select([by(&["by_round"]), vec![col("reached").alias("ends")]].concat());
    let mut frame = own
        .filter(is_over().not())
        .join(all, format(), format(), JoinArgs::new(JoinType::Inner))
        .join(ends, by(&["by_round"]), by(&["by_round"]), left())
        .join(persons, format(), format(), left())
        .join(persons_reached, by(&ROW), by(&ROW), left())
        .with_columns(
            [
                "ends",
                "persons",
                "persons_nn",
                "persons_nw",
                "persons_ww",
                "seats_nn",
                "seats_nw",
                "seats_ww",
            ]
            .map(|name| col(name).fill_null(lit(0))),
        )
        .filter(col("games").gt_eq(lit(added.filters.min_games.unwrap_or(0))))
        .collect()?;

    let (games, nation_games) = (numbers(&frame, "games")?, numbers(&frame, "nation_games")?);
    let (reached, persons) = (numbers(&frame, "reached")?, numbers(&frame, "persons")?);
    let by_game = squares(&frame, ["nn", "nw", "ww"])?;
    let by_person = squares(&frame, ["persons_nn", "persons_nw", "persons_ww"])?;
    let by_seat = squares(&frame, ["seats_nn", "seats_nw", "seats_ww"])?;
    let evidence: Vec<Evidence> = (0..frame.height())
        .map(|row| {
            let rate = reached[row] / nation_games[row];
            Evidence {
                games: games[row],
                nation_games: nation_games[row],
                wins: reached[row],
                by_game: by_game[row],
                skill: SkillVariance::for_sample(persons[row], by_person[row], by_seat[row], rate),
            }
        })
        .collect();
    let (low, high): (Vec<f64>, Vec<f64>) = evidence.iter().map(Evidence::interval).unzip();
    let insufficient: Vec<bool> = evidence.iter().map(is_insufficient).collect();
    frame.with_column(Column::new("low".into(), low))?;
    frame.with_column(Column::new("high".into(), high))?;
    frame.with_column(Column::new("insufficient".into(), insufficient))?;
    let part = |count: Expr| count.cast(DataType::Float64) / col("nation_games");
    let count = |name: &str| col(name).cast(DataType::UInt32);
    let frame = frame.lazy().with_columns([
        part(col("reached")).alias("incidence"),
        part(col("ends") - col("over")).alias("over_without"),
        count("games"),
        count("nation_games"),
        count("reached"),
    ]);
    added
        .select(frame)
        .sort([&FORMAT[..], &ROW].concat(), SortMultipleOptions::default())
        .collect()
}
