//! What the programs share: boards and rulesets in a folder, records in files, progress.

mod library;
mod progress;
mod records;

pub use library::{DataOption, LibraryError, library};
pub use progress::Progress;
pub use records::{count_records, read_records, unpacked};
