//! The maximum number of connections, from the number of files that a process may open.

use crate::http::limits::options::{Limits, bound};

/// Open files other than connections: the database, its log, listening sockets, the runtime.
const OTHER_FILES: usize = 128;

/// The length of the queue of connections to accept; the system may shorten it.
pub(crate) const BACKLOG: i32 = 1_024;

/// The maximum number of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// The maximum in total.
    pub most: usize,
}

impl Connections {
    /// Raises the limit of open files as far as possible, and keeps the connections below it.
    pub fn bound(limits: &Limits) -> Connections {
        let files = rlimit::increase_nofile_limit(u64::MAX);
        let files = files.unwrap_or_else(|error| {
            tracing::warn!(%error, "the limit of open files cannot be read or raised; assuming 1024");
            1_024
        });
        let files = usize::try_from(files).unwrap_or(usize::MAX);
        Connections {
            most: bound(limits.connections).min(Connections::within(files)),
        }
    }

    /// The connections that fit into a number of open files.
    fn within(files: usize) -> usize {
        // Even with few files, at least half of them are connections.
        files - OTHER_FILES.min(files / 2)
    }

    /// The maximum number of live streams; the other connections stay free for requests.
    pub fn streams(self) -> usize {
        (self.most / 2).max(1)
    }

    /// The maximum number of connections of each thread.
    pub fn per_thread(self, threads: usize) -> usize {
        (self.most / threads).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_other_files_open() {
        assert_eq!(Connections::within(1_024), 896);
        assert_eq!(Connections::within(100), 50);
        let few = Connections { most: 1 };
        assert_eq!((few.streams(), few.per_thread(8)), (1, 1));
    }
}
