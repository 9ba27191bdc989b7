//! Published datasets: facts that somebody cites. A dataset is a folder that answers measures like any folder of
//! facts, with a Data Package (<https://datapackage.org/standard/data-package/>) in `datapackage.json` that names
//! each of its files with its size and its SHA-256. Its files never change; what is found to be wrong later is listed
//! in `errata`, and corrected in another dataset.
//!
//! Each Parquet file of a table is a resource of its own: a resource with several paths means one file that results from
//! joining their bytes, which Parquet files cannot be. The files of a table share a Table Schema, and their foreign keys
//! refer to the index, a file with the ids of all games.
//!
//! A dataset is written beside its place and renamed, so it appears whole. No writer opens a folder that has
//! `datapackage.json` or `SHA256SUMS`.

mod model;
mod publisher;
mod schema;

pub use model::{
    CHECKSUMS, DESCRIPTOR, Dataset, DatasetError, Erratum, License, Resource, format_of, is_name,
};
pub use publisher::{Publication, add_erratum, publish};
