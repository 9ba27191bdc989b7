//! How many connections there can be, by the files that the system lets a process open.

use crate::http::limits::options::{Limits, bound};

/// Files that are no connections: the database and its log, sockets that listen, what the runtime needs.
const OTHER_FILES: usize = 128;

/// How many connections wait to be accepted; the system bounds it further.
pub(crate) const BACKLOG: i32 = 1_024;

/// How many connections there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// In all.
    pub most: usize,
}

impl Connections {
    /// Asks the system for as many open files as it gives, and keeps the connections below them.
    pub fn bound(limits: &Limits) -> Connections {
        let files = rlimit::increase_nofile_limit(u64::MAX);
        let files = files.unwrap_or_else(|error| {
            tracing::warn!(%error, "it is not known how many files may be open");
            1_024
        });
        let files = usize::try_from(files).unwrap_or(usize::MAX);
        Connections {
            most: bound(limits.connections).min(Connections::within(files)),
        }
    }

    /// The connections that go with so many open files.
    fn within(files: usize) -> usize {
        // Where files are few, there are still more connections than other files.
        files - OTHER_FILES.min(files / 2)
    }

    /// How many of them may be live streams: others must find a place.
    pub fn streams(self) -> usize {
        (self.most / 2).max(1)
    }

    /// How many of them each of so many threads has.
    pub fn of_each(self, threads: usize) -> usize {
        (self.most / threads).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(Connections::within(1_024), 896);
        assert_eq!(Connections::within(100), 50);
        let few = Connections { most: 1 };
        assert_eq!((few.streams(), few.of_each(8)), (1, 1));
    }
}
