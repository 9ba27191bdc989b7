//! Published datasets: facts that can be cited.
//!
//! A dataset is a folder that measures read like any folder of facts. Its `datapackage.json` is a Data Package
//! (<https://datapackage.org/standard/data-package/>) that lists each file with its size and SHA-256. The files
//! never change. Errors that are found later are listed in `errata` and corrected in another dataset.
//!
//! Each Parquet file is a resource of its own, because a resource with several paths means one file split into
//! pieces. The files of a table share a Table Schema. Their foreign keys refer to the index, a file with the ids of
//! all games.
//!
//! A dataset is written to a temporary folder and renamed, so it is never visible in part. A
//! [`FactsWriter`](crate::FactsWriter) refuses folders with a `datapackage.json` or `SHA256SUMS`.

mod model;
mod publisher;
mod schema;

pub use model::{
    CHECKSUMS, DESCRIPTOR, Dataset, DatasetError, Erratum, License, Resource, format_of, is_name,
};
pub use publisher::{Publication, add_erratum, publish};
