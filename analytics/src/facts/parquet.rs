//! Metadata of Parquet files.

use polars::prelude::*;
use polars_parquet::write::schema_to_metadata_key;

/// Returns the metadata of a file: the entries, and the columns as old versions of Arrow read them.
/// By default polars declares views of text there, and pandas cannot read lists of these.
pub(crate) fn metadata(
    schema: &Schema,
    entries: impl IntoIterator<Item = (String, String)>,
) -> KeyValueMetadata {
    let columns = schema_to_metadata_key(&schema.to_arrow(CompatLevel::oldest()));
    let columns = (columns.key, columns.value.unwrap_or_default());
    KeyValueMetadata::from_static(entries.into_iter().chain([columns]).collect())
}
