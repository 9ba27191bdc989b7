//! Columns of the fact tables, with their descriptions, and the conversion of rows to frames.

use std::sync::Arc;

use jiff::Timestamp;
use polars::prelude::*;

/// A column of a table, as the dictionary describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StatisticsColumn))]
pub struct ColumnInfo {
    /// The name in the table.
    pub name: &'static str,
    /// The type of the values.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// The unit of the values; empty if they have none.
    pub unit: &'static str,
    /// The meaning.
    pub meaning: &'static str,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StatisticsColumnType))]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// Whole number from 0, 32 bits.
    Count,
    /// Whole number from 0, 64 bits.
    Offset,
    /// Number, 64-bit float.
    Number,
    /// True or false.
    Flag,
    /// Time in UTC, to the microsecond.
    Time,
    /// List of UTF-8 texts.
    Texts,
}

impl ColumnType {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ColumnType::Text => "text",
            ColumnType::Count => "count",
            ColumnType::Offset => "offset",
            ColumnType::Number => "number",
            ColumnType::Flag => "flag",
            ColumnType::Time => "time",
            ColumnType::Texts => "texts",
        }
    }

    /// Returns the type in polars.
    pub fn data_type(self) -> DataType {
        match self {
            ColumnType::Text => DataType::String,
            ColumnType::Count => DataType::UInt32,
            ColumnType::Offset => DataType::Int64,
            ColumnType::Number => DataType::Float64,
            ColumnType::Flag => DataType::Boolean,
            ColumnType::Time => DataType::Datetime(TimeUnit::Microseconds, Some(TimeZone::UTC)),
            ColumnType::Texts => DataType::List(Box::new(DataType::String)),
        }
    }
}

/// A value that a fact table can hold.
pub trait Cell: Sized {
    /// The type of a column of such values.
    const KIND: ColumnType;

    /// True if values can be null.
    const IS_OPTIONAL: bool = false;

    /// Builds a column from values.
    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column
    where
        Self: 'a;
}

impl Cell for Arc<str> {
    const KIND: ColumnType = ColumnType::Text;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        StringChunked::from_iter_values(name.into(), values.map(|text| &**text)).into_column()
    }
}

impl Cell for Option<Arc<str>> {
    const KIND: ColumnType = ColumnType::Text;
    const IS_OPTIONAL: bool = true;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        let texts = values.map(|text| text.as_deref());
        StringChunked::from_iter_options(name.into(), texts).into_column()
    }
}

impl Cell for &'static str {
    const KIND: ColumnType = ColumnType::Text;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        StringChunked::from_iter_values(name.into(), values.copied()).into_column()
    }
}

impl Cell for Option<&'static str> {
    const KIND: ColumnType = ColumnType::Text;
    const IS_OPTIONAL: bool = true;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        StringChunked::from_iter_options(name.into(), values.copied()).into_column()
    }
}

impl Cell for u32 {
    const KIND: ColumnType = ColumnType::Count;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        UInt32Chunked::from_iter_values(name.into(), values.copied()).into_column()
    }
}

impl Cell for i64 {
    const KIND: ColumnType = ColumnType::Offset;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        Int64Chunked::from_iter_values(name.into(), values.copied()).into_column()
    }
}

impl Cell for f64 {
    const KIND: ColumnType = ColumnType::Number;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        Float64Chunked::from_iter_values(name.into(), values.copied()).into_column()
    }
}

impl Cell for bool {
    const KIND: ColumnType = ColumnType::Flag;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        BooleanChunked::from_iter_values(name.into(), values.copied()).into_column()
    }
}

impl Cell for Timestamp {
    const KIND: ColumnType = ColumnType::Time;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        Int64Chunked::from_iter_values(name.into(), values.map(|time| time.as_microsecond()))
            .into_datetime(TimeUnit::Microseconds, Some(TimeZone::UTC))
            .into_column()
    }
}

impl Cell for Option<u32> {
    const KIND: ColumnType = ColumnType::Count;
    const IS_OPTIONAL: bool = true;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        UInt32Chunked::from_iter_options(name.into(), values.copied()).into_column()
    }
}

impl Cell for Option<f64> {
    const KIND: ColumnType = ColumnType::Number;
    const IS_OPTIONAL: bool = true;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        Float64Chunked::from_iter_options(name.into(), values.copied()).into_column()
    }
}

/// A list of texts.
pub type TextList = Arc<[Arc<str>]>;

impl Cell for TextList {
    const KIND: ColumnType = ColumnType::Texts;

    fn column<'a>(name: &str, values: impl Iterator<Item = &'a Self>) -> Column {
        let mut lists = ListStringChunkedBuilder::new(name.into(), 0, 0);
        for texts in values {
            lists.append_values_iter(texts.iter().map(|text| &**text));
        }
        lists.finish().into_column()
    }
}

/// A row of a fact table.
pub trait FactRow: Sized {
    /// What one row describes.
    const MEANING: &'static str;

    /// The columns, in order.
    const COLUMNS: &'static [ColumnInfo];

    /// For each column, true if values can be null.
    const OPTIONAL: &'static [bool];

    /// Builds a frame from rows.
    ///
    /// # Errors
    /// None in practice: all columns have the length of `rows`.
    fn frame(rows: &[Self]) -> PolarsResult<DataFrame>;
}

/// The columns that each row begins with.
#[derive(Clone, Debug)]
pub(crate) struct RowKeys {
    pub edition: Arc<str>,
    pub month: Arc<str>,
    pub game: Arc<str>,
}

/// Declares the row type of a fact table, without the columns that each row begins with.
/// The doc comment of a field is the meaning of the column in the dictionary. The text after its type is the unit.
macro_rules! fact_row {
    ($(#[doc = $about:literal])+ $row:ident {
        $($(#[doc = $meaning:literal])+ $column:ident: $type:ty, $unit:literal;)+
    }) => {
        $crate::facts::column::fact_row! {
            @whole $(#[doc = $about])+ $row {
                /// The edition of the rules.
                edition: std::sync::Arc<str>, "";
                /// The month in which the game was played (UTC), such as 2026-11.
                month: std::sync::Arc<str>, "";
                /// The id of the game.
                /// For an over-the-board result, the id of the league and the number of the table.
                game: std::sync::Arc<str>, "";
                $($(#[doc = $meaning])+ $column: $type, $unit;)+
            }
        }

        impl $row {
            /// Returns a row with only the keys filled in.
            pub(crate) fn for_game(keys: &$crate::facts::column::RowKeys) -> $row {
                $row {
                    edition: keys.edition.clone(),
                    month: keys.month.clone(),
                    game: keys.game.clone(),
                    ..$row::default()
                }
            }
        }
    };
    (@whole $(#[doc = $about:literal])+ $row:ident {
        $($(#[doc = $meaning:literal])+ $column:ident: $type:ty, $unit:literal;)+
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $row {
            $($(#[doc = $meaning])+ pub $column: $type,)+
        }

        impl $crate::facts::column::FactRow for $row {
            const MEANING: &'static str = concat!($($about),+).trim_ascii();
            const COLUMNS: &'static [$crate::facts::column::ColumnInfo] = &[
                $($crate::facts::column::ColumnInfo {
                    name: stringify!($column),
                    kind: <$type as $crate::facts::column::Cell>::KIND,
                    unit: $unit,
                    meaning: concat!($($meaning),+).trim_ascii(),
                },)+
            ];
            const OPTIONAL: &'static [bool] =
                &[$(<$type as $crate::facts::column::Cell>::IS_OPTIONAL,)+];

            fn frame(
                rows: &[Self],
            ) -> polars::prelude::PolarsResult<polars::prelude::DataFrame> {
                polars::prelude::DataFrame::new(rows.len(), vec![
                    $(<$type as $crate::facts::column::Cell>::column(
                        stringify!($column),
                        rows.iter().map(|row| &row.$column),
                    ),)+
                ])
            }
        }
    };
}

/// Declares columns of a result table, in the form of `fact_row`.
macro_rules! columns {
    ($($(#[doc = $meaning:literal])+ $column:ident: $kind:ident, $unit:expr;)+ $(..$last:expr)?) => {
        [
            $($crate::facts::ColumnInfo {
                name: stringify!($column),
                kind: $crate::facts::ColumnType::$kind,
                unit: $unit,
                meaning: concat!($($meaning),+).trim_ascii(),
            },)+
            $($last,)?
        ]
    };
}

pub(crate) use {columns, fact_row};
