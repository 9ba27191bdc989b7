//! What Parquet files say of themselves.

use polars::prelude::*;
use polars_parquet::write::schema_to_metadata_key;

/// The metadata of a file with these columns: some entries, and the columns as every version of Arrow reads them. Left to
/// itself, polars names views of text there, of which pandas reads no lists.
pub(crate) fn metadata(
    schema: &Schema,
    entries: impl IntoIterator<Item = (String, String)>,
) -> KeyValueMetadata {
    let columns = schema_to_metadata_key(&schema.to_arrow(CompatLevel::oldest()));
    let columns = (columns.key, columns.value.unwrap_or_default());
    KeyValueMetadata::from_static(entries.into_iter().chain([columns]).collect())
}
