//! SQL queries of measures of win rates, for engines that read the same Parquet files.
//!
//! A query returns counts, rates and the sums that intervals need: squares and products by game, and the variance of
//! player skill. The ends of intervals need Student's t and beta distributions, which SQL does not have. The page on
//! statistics from files computes them in a few lines of Python.

use crate::facts::derive::{CLUSTERS, WIN_PARTS};
use crate::measures::{FORMAT, MEASURES, Measure, SummaryRows};
use crate::question::Filters;
use crate::question::condition::{Condition, sql_column};

/// The measure has no SQL query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} has no SQL query; measures with one are {known}", known = measures_with_sql())]
pub struct SqlError(pub &'static Measure);

fn measures_with_sql() -> String {
    let known = MEASURES
        .iter()
        .filter(|measure| rows(measure, &Filters::default()).is_some());
    let names: Vec<&str> = known.map(|measure| measure.name).collect();
    names.join(", ")
}

/// Returns the query for the nations in games of each row: `game`, `nation` and the keys.
fn rows(measure: &Measure, filters: &Filters) -> Option<String> {
    let (summary, columns) = measure.sums.last()?;
    let keys = columns.iter().zip(measure.keys);
    let keys = keys.filter(|(column, _)| **column != "nation");
    let keys: String = keys
        .map(|(column, key)| format!(", {column} AS {}", key.name))
        .collect();
    match (&summary.rows, &summary.sql) {
        (_, Some(sql)) => Some((sql.rows)(filters)),
        (SummaryRows::Seats, None) => Some(format!("SELECT game, nation{keys} FROM passing")),
        (SummaryRows::Table(table, _), None) => Some(format!(
            "SELECT DISTINCT game, nation{keys} FROM {}",
            table.name()
        )),
        _ => None,
    }
}

/// Returns the query of a measure under filters, in standard SQL except `array_to_string`.
/// It reads the tables of facts by name. For Spark, replace `array_to_string` by `array_join`, `DOUBLE PRECISION` by
/// `DOUBLE`, `TIMESTAMP WITH TIME ZONE` by `TIMESTAMP`, and remove the double quotes.
///
/// # Errors
/// If the measure has no SQL query.
pub fn sql(measure: &'static Measure, filters: &Filters) -> Result<String, SqlError> {
    let rows = rows(measure, filters).ok_or(SqlError(measure))?;
    let own = measure
        .sums
        .last()
        .and_then(|(summary, _)| summary.sql.as_ref());
    // `by` is a keyword in SQL.
    let quoted = |name: &str| match name {
        "by" => "\"by\"".to_owned(),
        name => name.to_owned(),
    };
    let keys: Vec<String> = measure.key_names().into_iter().map(quoted).collect();
    // A key that is a column of `chosen` needs no join.
    let joined: String = keys
        .iter()
        .filter(|key| *key != "nation")
        .map(|key| format!(", {key}"))
        .collect();
    let source = match joined.is_empty() {
        true => "chosen".to_owned(),
        false => format!("chosen JOIN (\n    {rows}\n  ) AS done USING (game, nation)"),
    };
    let (keys, format) = (keys.join(", "), FORMAT.join(", "));
    let by = format!("{keys}, {format}");
    let order = format!("{format}, {keys}");
    let expected = match own.is_none_or(|sql| sql.is_against_seats) {
        true => {
            "expected_parts / nation_games AS expected,\n  \
             wins / expected_parts AS lift,\n  "
        }
        false => "",
    };
    Ok(format!(
        "WITH passing AS (\n  \
         SELECT * FROM seats\n  WHERE {conditions}\n\
         ), chosen AS (\n{chosen}\
         ), counted AS (\n  \
         SELECT {format}, game, nation, seat, person, share_parts, expected_parts{joined}\n  \
         FROM {source}\n\
         ), by_game AS (\n  \
         SELECT {by}, game, COUNT(*) AS n, {share} AS w, {due} AS e\n  \
         FROM counted GROUP BY {by}, game\n\
         ), added AS (\n  \
         SELECT {by}, COUNT(*) AS games, SUM(n) AS nation_games, SUM(w) AS wins, SUM(e) AS expected_parts,\n    \
         SUM(n * n) AS game_nn, SUM(n * w) AS game_nw, SUM(w * w) AS game_ww\n  \
         FROM by_game GROUP BY {by}\n\
         ), persons AS (\n  \
         SELECT {format}, person, SUM(n) AS n, SUM(w) AS w, SUM(n * n) AS nn, SUM(n * w) AS nw, SUM(w * w) AS ww\n  \
         FROM (\n    \
         SELECT {format}, person, game, seat, COUNT(*) AS n, {share} AS w\n    \
         FROM {all} WHERE person < {CLUSTERS} GROUP BY {format}, person, game, seat\n  \
         ) AS by_seat GROUP BY {format}, person\n\
         ), formats AS (\n  \
         SELECT {format}, SUM(n) AS all_n, SUM(w) / SUM(n) AS all_rate FROM persons GROUP BY {format}\n\
         ), skills AS (\n  \
         SELECT {format}, person, n, all_n, CASE WHEN n * n > nn THEN (\n    \
         (w - all_rate * n) * (w - all_rate * n) - GREATEST(ww - 2 * all_rate * nw + all_rate * all_rate * nn, 0)\n  \
         ) / (n * n - nn) ELSE 0 END AS skill\n  \
         FROM persons JOIN formats USING ({format})\n\
         ), shares AS (\n  \
         SELECT {by}, person, COUNT(*) AS own FROM counted WHERE person < {CLUSTERS} GROUP BY {by}, person\n\
         ), sizes AS (\n  \
         SELECT {by}, SUM(own) AS row_n, 1.0 * SUM(own) * SUM(own) / SUM(own * own) AS effective_persons\n  \
         FROM shares GROUP BY {by}\n\
         ), varied AS (\n  \
         SELECT {by}, MAX(effective_persons) AS effective_persons, GREATEST(SUM(skill * (COALESCE(own, 0) - 1.0 * row_n * n / all_n)\n    \
         * (COALESCE(own, 0) - 1.0 * row_n * n / all_n)), 0) AS skill_variance\n  \
         FROM sizes JOIN skills USING ({format}) LEFT JOIN shares USING ({by}, person) GROUP BY {by}\n\
         )\n\
         SELECT {by}, games, nation_games, wins,\n  \
         wins / nation_games AS rate,\n  \
         {expected}\
         game_nn, game_nw, game_ww,\n  \
         COALESCE(skill_variance, 0) AS skill_variance,\n  \
         COALESCE(effective_persons, 0) AS effective_persons\n\
         FROM added LEFT JOIN varied USING ({by})\n\
         WHERE games >= {least}\n\
         ORDER BY {order};\n",
        conditions = conditions(filters),
        chosen = chosen(measure, filters),
        share = win_parts("share_parts"),
        due = win_parts("expected_parts"),
        all = own.map_or("chosen", |sql| sql.all),
        least = filters.min_games.unwrap_or(0),
    ))
}

/// Returns the SQL sum of win shares, in wins.
fn win_parts(column: &str) -> String {
    format!("CAST(SUM({column}) AS DOUBLE PRECISION) / {WIN_PARTS}")
}

fn conditions(filters: &Filters) -> String {
    let conditions: Vec<String> = filters.conditions().iter().map(Condition::sql).collect();
    match conditions.is_empty() {
        true => "TRUE".to_owned(),
        false => conditions.join("\n    AND "),
    }
}

/// Returns the columns that a table adds to the format. `CLUSTER` is a keyword in some engines.
fn counted_columns(table: &str) -> String {
    format!("game, nation, seat, {table}.cluster AS person, share_parts, expected_parts")
}

/// Returns the query for the nations in games that pass the filters, with their format.
fn chosen(measure: &Measure, filters: &Filters) -> String {
    let format = FORMAT.map(|name| match name {
        "ruleset" if filters.is_by_ruleset() => "CONCAT(ruleset_version, '') AS ruleset".to_owned(),
        "ruleset" => "'all' AS ruleset".to_owned(),
        "bot" if measure.is_by_bot() => {
            "CASE WHEN bot IS NULL THEN '' ELSE player END AS bot".to_owned()
        }
        "bot" => "'all' AS bot".to_owned(),
        name => format!("{} AS {name}", sql_column(name)),
    });
    let records = format!(
        "  SELECT {}, {}\n  FROM passing\n",
        format.join(", "),
        counted_columns("passing")
    );
    match (measure.has_records(filters), measure.has_results(filters)) {
        (true, false) => records,
        (true, true) => format!("{records}  UNION ALL\n{}", results(filters)),
        (false, _) => results(filters),
    }
}

/// Returns the query for over-the-board results, in the columns of `seats`.
/// Only the last revision of each game that `as_of` includes is selected, if it counts.
fn results(filters: &Filters) -> String {
    let format = FORMAT.map(|name| match name {
        "variants" | "bots" => format!("'' AS {name}"),
        "play" => "'people' AS play".to_owned(),
        "ruleset" | "bot" => format!("'all' AS {name}"),
        name => name.to_owned(),
    });
    let known = filters.recorded_condition();
    let known = known.map_or("TRUE".to_owned(), |condition| condition.sql());
    let conditions = Condition::All(filters.conditions_on_results()).sql();
    format!(
        "  SELECT {format}, {counted}\n  FROM (\n    \
         SELECT *, MAX(revision) OVER (PARTITION BY game) AS last_revision\n    \
         FROM results WHERE {known}\n  ) AS known\n  \
         WHERE revision = last_revision AND counts AND {conditions}\n",
        format = format.join(", "),
        counted = counted_columns("known"),
    )
}
