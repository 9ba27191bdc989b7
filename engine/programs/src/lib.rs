//! What the programs share: boards and rulesets in a folder, records in files, progress.

mod library;
mod progress;
mod record_files;

pub use library::{DataOption, LibraryError, library};
pub use progress::Progress;
pub use record_files::{count_records, read_records, unpacked};
