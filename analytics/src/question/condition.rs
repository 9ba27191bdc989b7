//! Conditions on rows of facts, said once: for polars and in SQL.

use jiff::Timestamp;
use polars::prelude::*;

/// A condition on the columns of a row. Lists are texts here, joined by commas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// A column has this text.
    Text(&'static str, String),
    /// A column has this number.
    Number(&'static str, u32),
    /// A column is true.
    Holds(&'static str),
    /// A column is not null.
    Known(&'static str),
    /// A column of times is not before.
    Since(&'static str, Timestamp),
    /// A column of times is before.
    Until(&'static str, Timestamp),
    /// A column of times is not behind.
    UpTo(&'static str, Timestamp),
    /// A column of places in a log is not behind.
    UpToPlace(&'static str, i64),
    /// A list has this text.
    Has(&'static str, String),
    /// It does not hold.
    Not(Box<Condition>),
    /// All hold.
    All(Vec<Condition>),
    /// One holds or more.
    Any(Vec<Condition>),
}

/// The columns that are lists, joined by commas in polars before conditions are asked.
const LISTS: [&str; 2] = ["variants", "bots"];

/// A column in SQL, with lists as texts.
pub(crate) fn sql_column(name: &str) -> String {
    match LISTS.contains(&name) {
        true => format!("array_to_string({name}, ',')"),
        false => name.to_owned(),
    }
}

/// A text for any engine: where a backslash would escape the quote behind it, as in Spark, it is named instead.
fn quoted(text: &str) -> String {
    let quoted = |part: &str| format!("'{}'", part.replace('\'', "''"));
    let parts: Vec<String> = text.split('\\').map(quoted).collect();
    match &parts[..] {
        [whole] => whole.clone(),
        parts => format!("({})", parts.join(" || CHR(92) || ")),
    }
}

impl Condition {
    /// A column has this text.
    pub fn text(column: &'static str, text: &str) -> Condition {
        Condition::Text(column, text.to_owned())
    }

    /// The opposite.
    pub fn not(self) -> Condition {
        Condition::Not(Box::new(self))
    }

    /// For polars.
    pub fn expression(&self) -> Expr {
        // Times as numbers: literals have no time zone.
        let micros = |column: &str| col(column).cast(DataType::Int64);
        let joined = |conditions: &[Condition], join: fn(Expr, Expr) -> Expr| {
            conditions.iter().map(Condition::expression).reduce(join)
        };
        match self {
            Condition::Text(column, text) => col(*column).eq(lit(text.as_str())),
            Condition::Number(column, number) => col(*column).eq(lit(*number)),
            Condition::Holds(column) => col(*column),
            Condition::Known(column) => col(*column).is_not_null(),
            Condition::Since(column, time) => micros(column).gt_eq(lit(time.as_microsecond())),
            Condition::Until(column, time) => micros(column).lt(lit(time.as_microsecond())),
            Condition::UpTo(column, time) => micros(column).lt_eq(lit(time.as_microsecond())),
            Condition::UpToPlace(column, place) => col(*column).lt_eq(lit(*place)),
            // Between commas, so that a name within another one is not found.
            Condition::Has(column, name) => (lit(",") + col(*column) + lit(","))
                .str()
                .contains_literal(lit(format!(",{name},"))),
            Condition::Not(condition) => condition.expression().not(),
            Condition::All(all) => joined(all, Expr::and).unwrap_or(lit(true)),
            Condition::Any(any) => joined(any, Expr::or).unwrap_or(lit(false)),
        }
    }

    /// In SQL, on the tables of facts.
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
            Condition::Holds(column) => (*column).to_owned(),
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
