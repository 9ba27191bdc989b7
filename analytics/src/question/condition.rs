//! Conditions on rows of facts, as polars expressions and as SQL.

use jiff::Timestamp;
use polars::prelude::*;

/// A condition on the columns of a row. Lists are texts here, joined by commas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// The column equals the text.
    Text(&'static str, String),
    /// The column equals the number.
    Number(&'static str, u32),
    /// The column is the number or more.
    AtLeast(&'static str, u32),
    /// The column is true; polars joins it from other rows, and SQL computes it by a subquery.
    Joined(&'static str, String),
    /// The column is true.
    Holds(&'static str),
    /// The column is not null.
    Known(&'static str),
    /// The column is at or after the time.
    Since(&'static str, Timestamp),
    /// The column is before the time.
    Until(&'static str, Timestamp),
    /// The column is at or before the time.
    UpTo(&'static str, Timestamp),
    /// The column is at or before the offset.
    UpToPlace(&'static str, i64),
    /// The list contains the text.
    Has(&'static str, String),
    /// The column is at most the number.
    AtMost(&'static str, u32),
    /// The condition is false.
    Not(Box<Condition>),
    /// All conditions are true.
    All(Vec<Condition>),
    /// At least one condition is true.
    Any(Vec<Condition>),
}

/// The columns with lists. For polars, they are joined by commas before a condition is applied.
const LISTS: [&str; 2] = ["variants", "bots"];

/// Returns a column in SQL, with lists as texts.
pub(crate) fn sql_column(name: &str) -> String {
    match LISTS.contains(&name) {
        true => format!("array_to_string({name}, ',')"),
        false => name.to_owned(),
    }
}

/// Quotes a text for any SQL engine.
/// In Spark a backslash escapes the next quote, so it is written by its code.
pub(crate) fn quoted(text: &str) -> String {
    let quoted = |part: &str| format!("'{}'", part.replace('\'', "''"));
    let parts: Vec<String> = text.split('\\').map(quoted).collect();
    match &parts[..] {
        [whole] => whole.clone(),
        parts => format!("({})", parts.join(" || CHR(92) || ")),
    }
}

impl Condition {
    /// The column equals the text.
    pub fn text(column: &'static str, text: &str) -> Condition {
        Condition::Text(column, text.to_owned())
    }

    /// Negates the condition.
    pub fn not(self) -> Condition {
        Condition::Not(Box::new(self))
    }

    /// Returns the condition for polars.
    pub fn expression(&self) -> Expr {
        // Compares times as numbers, because literals have no time zone.
        let micros = |column: &str| col(column).cast(DataType::Int64);
        let joined = |conditions: &[Condition], join: fn(Expr, Expr) -> Expr| {
            conditions.iter().map(Condition::expression).reduce(join)
        };
        match self {
            Condition::Text(column, text) => col(*column).eq(lit(text.as_str())),
            Condition::Number(column, number) => col(*column).eq(lit(*number)),
            Condition::AtLeast(column, number) => col(*column).gt_eq(lit(*number)),
            Condition::AtMost(column, number) => col(*column).lt_eq(lit(*number)),
            Condition::Holds(column) | Condition::Joined(column, _) => col(*column),
            Condition::Known(column) => col(*column).is_not_null(),
            Condition::Since(column, time) => micros(column).gt_eq(lit(time.as_microsecond())),
            Condition::Until(column, time) => micros(column).lt(lit(time.as_microsecond())),
            Condition::UpTo(column, time) => micros(column).lt_eq(lit(time.as_microsecond())),
            Condition::UpToPlace(column, place) => col(*column).lt_eq(lit(*place)),
            // Compares between commas, so that a name inside another name is not found.
            Condition::Has(column, name) => (lit(",") + col(*column) + lit(","))
                .str()
                .contains_literal(lit(format!(",{name},"))),
            Condition::Not(condition) => condition.expression().not(),
            Condition::All(all) => joined(all, Expr::and).unwrap_or(lit(true)),
            Condition::Any(any) => joined(any, Expr::or).unwrap_or(lit(false)),
        }
    }

    /// Returns the condition in SQL, for the tables of facts.
    pub fn sql(&self) -> String {
        let time = |time: &Timestamp| format!("TIMESTAMP WITH TIME ZONE '{time}'");
        let joined = |conditions: &[Condition], word: &str, none: &str| {
            let conditions: Vec<String> = conditions.iter().map(Condition::sql).collect();
            match conditions.len() {
                0 => none.to_owned(),
                1 => conditions[0].clone(),
                _ => format!("({})", conditions.join(word)),
            }
        };
        match self {
            Condition::Text(column, text) => format!("{} = {}", sql_column(column), quoted(text)),
            Condition::Number(column, number) => format!("{column} = {number}"),
            Condition::AtLeast(column, number) => format!("{column} >= {number}"),
            Condition::AtMost(column, number) => format!("{column} <= {number}"),
            Condition::Holds(column) => (*column).to_owned(),
            Condition::Joined(_, sql) => sql.clone(),
            Condition::Known(column) => format!("{column} IS NOT NULL"),
            Condition::Since(column, since) => format!("{column} >= {}", time(since)),
            Condition::Until(column, until) => format!("{column} < {}", time(until)),
            Condition::UpTo(column, last) => format!("{column} <= {}", time(last)),
            Condition::UpToPlace(column, place) => format!("{column} <= {place}"),
            Condition::Has(column, name) => {
                let list = sql_column(column);
                let name = quoted(&format!(",{name},"));
                format!("POSITION({name} IN ',' || {list} || ',') > 0")
            }
            Condition::Not(condition) => format!("NOT ({})", condition.sql()),
            Condition::All(all) => joined(all, " AND ", "TRUE"),
            Condition::Any(any) => joined(any, " OR ", "FALSE"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts_in_sql() {
        let name = Condition::text("player", "O'Neill' OR TRUE --");
        assert_eq!(name.sql(), "player = 'O''Neill'' OR TRUE --'");
        let name = Condition::text("player", r"\' OR TRUE --");
        let expected = "player = ('' || CHR(92) || ''' OR TRUE --')";
        assert_eq!(name.sql(), expected);
        let variant = Condition::Has("variants", "a'b".to_owned());
        let expected = "POSITION(',a''b,' IN ',' || array_to_string(variants, ',') || ',') > 0";
        assert_eq!(variant.sql(), expected);
    }
}
