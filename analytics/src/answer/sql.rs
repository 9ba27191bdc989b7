//! The query of a measure in SQL, for engines that read the same Parquet files: of measures that count
//! nations in games, whose keys, tables and filters are said once for polars and SQL.
//!
//! It gives whole numbers and what follows from them by division. Intervals, p and q need Student's
//! distribution, which SQL does not have: ask the program for those.

use crate::facts::derive::WIN_PARTS;
use crate::measures::{FORMAT, MEASURES, Measure, SummaryRows};
use crate::question::Filters;
use crate::question::condition::{Condition, sql_column};

/// A measure that has no query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} has no query in SQL; there are {known}", known = known())]
pub struct NoSql(pub &'static Measure);

fn known() -> String {
    let known = MEASURES.iter().filter(|measure| counted(measure).is_some());
    let names: Vec<&str> = known.map(|measure| measure.name).collect();
    names.join(", ")
}

/// How the nations in games of a measure are found: its keys, and the table in which nations that did
/// something are, if it is asked for those.
struct NationQuery {
    keys: &'static [&'static str],
    done_in: Option<&'static str>,
}

fn counted(measure: &Measure) -> Option<NationQuery> {
    let (summary, keys) = measure.sums.last()?;
    let done_in = match summary.rows {
        SummaryRows::Seats => None,
        SummaryRows::Done(table, _) => Some(table.name()),
        SummaryRows::Nations(_) | SummaryRows::Each | SummaryRows::Games(_) => return None,
    };
    Some(NationQuery { keys, done_in })
}

/// The query of a measure under filters, in standard SQL but for `array_to_string`, which joins lists.
/// Spark has `array_join` for it, `DOUBLE` and `TIMESTAMP` for `DOUBLE PRECISION` and
/// `TIMESTAMP WITH TIME ZONE`. It reads the tables of facts by their names (`seats`, `cards` …).
///
/// # Errors
/// When the measure has none.
pub fn sql(measure: &'static Measure, filters: &Filters) -> Result<String, NoSql> {
    let NationQuery { keys, done_in } = counted(measure).ok_or(NoSql(measure))?;
    let shown = |key: &&str| match *key {
        "opening" => "strategy".to_owned(),
        key => key.to_owned(),
    };
    let format = FORMAT.iter().map(|name| match *name {
        "ruleset" if filters.tells_rulesets_apart() => {
            "CONCAT(ruleset_version, '') AS ruleset".to_owned()
        }
        "ruleset" => "'all' AS ruleset".to_owned(),
        "bot" if measure.is_by_bot() => {
            "CASE WHEN bot IS NULL THEN '' ELSE player END AS bot".to_owned()
        }
        "bot" => "'all' AS bot".to_owned(),
        name => format!("{} AS {name}", sql_column(name)),
    });
    // Keys of what was done are joined to nations; those of nations are columns of theirs.
    let own = match done_in {
        Some(_) => &[],
        None => keys,
    };
    let always = ["game", "nation", "share_parts", "expected_parts"];
    let always = always.iter().filter(|name| !own.contains(name));
    let columns = format
        .chain(own.iter().map(|key| format!("{key} AS {}", shown(key))))
        .chain(always.map(|name| (*name).to_owned()));
    let columns: Vec<String> = columns.collect();
    let joined = done_in.map_or(String::new(), |table| {
        let keys = keys.join(", ");
        format!("\nJOIN (SELECT DISTINCT game, nation, {keys} FROM {table}) AS done USING (game, nation)")
    });
    let by: Vec<String> = keys
        .iter()
        .map(shown)
        .chain(FORMAT.map(str::to_owned))
        .collect();
    let order: Vec<String> = FORMAT
        .map(str::to_owned)
        .into_iter()
        .chain(keys.iter().map(shown))
        .collect();
    let conditions: Vec<String> = filters.conditions().iter().map(Condition::sql).collect();
    let conditions = match conditions.is_empty() {
        true => "TRUE".to_owned(),
        false => conditions.join("\n    AND "),
    };
    let records = format!(
        "  SELECT {}\n  FROM seats\n  WHERE {conditions}\n",
        columns.join(", ")
    );
    let results = results(keys, filters);
    let chosen = match (measure.has_records(filters), measure.has_results(filters)) {
        (true, false) => records,
        (true, true) => format!("{records}  UNION ALL\n{results}"),
        (false, _) => results,
    };
    Ok(format!(
        "WITH chosen AS (\n{chosen})\n\
         SELECT {by},\n  \
         COUNT(DISTINCT game) AS games,\n  \
         COUNT(*) AS nation_games,\n  \
         CAST(SUM(share_parts) AS DOUBLE PRECISION) / {WIN_PARTS} AS wins,\n  \
         CAST(SUM(share_parts) AS DOUBLE PRECISION) / {WIN_PARTS} / COUNT(*) AS rate,\n  \
         CAST(SUM(expected_parts) AS DOUBLE PRECISION) / {WIN_PARTS} / COUNT(*) AS expected,\n  \
         CAST(SUM(share_parts) AS DOUBLE PRECISION) / SUM(expected_parts) AS lift\n\
         FROM chosen{joined}\n\
         GROUP BY {by}\n\
         HAVING COUNT(DISTINCT game) >= {least}\n\
         ORDER BY {order};\n",
        by = by.join(", "),
        order = order.join(", "),
        least = filters.min_games.unwrap_or(0),
    ))
}

/// The nations in games at real tables, as those in games of which there are records: of each game the last revision
/// that is asked counts, if it does.
fn results(keys: &[&str], filters: &Filters) -> String {
    let format = FORMAT.map(|name| match name {
        "variants" | "bots" => format!("'' AS {name}"),
        "play" => "'people' AS play".to_owned(),
        "ruleset" | "bot" => format!("'all' AS {name}"),
        name => name.to_owned(),
    });
    let always = ["game", "nation", "share_parts", "expected_parts"];
    let always = always.iter().filter(|name| !keys.contains(name));
    let own = keys.iter().chain(always).map(|name| (*name).to_owned());
    let columns: Vec<String> = format.into_iter().chain(own).collect();
    let known = filters.on_places();
    let known = known.map_or("TRUE".to_owned(), |condition| condition.sql());
    let conditions = Condition::All(filters.conditions_on_results()).sql();
    format!(
        "  SELECT {columns}\n  FROM (\n    \
         SELECT *, MAX(revision) OVER (PARTITION BY game) AS last_revision\n    \
         FROM results WHERE {known}\n  ) AS known\n  \
         WHERE revision = last_revision AND counts AND {conditions}\n",
        columns = columns.join(", "),
    )
}
