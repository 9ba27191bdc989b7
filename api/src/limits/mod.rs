//! What requests may cost.

use std::time::Duration;

/// What requests may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest body, in bytes.
    pub body: usize,
    /// How long a request may take until its answer begins.
    pub request_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 256 * 1024,
            request_time: Duration::from_secs(30),
        }
    }
}
