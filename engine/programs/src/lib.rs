//! Common parts of the programs: boards and rulesets in a folder, files of records, progress.

mod library;
mod progress;
mod record_files;

pub use library::{DataOption, LibraryError, library};
pub use progress::ProgressDisplay;
pub use record_files::{count_records, read_records, unpacked};
