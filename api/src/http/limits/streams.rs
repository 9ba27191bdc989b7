//! Limits the live streams, each of which keeps a connection open.

use std::sync::Arc;

use crate::http::limits::options::{Limits, bound};
use crate::http::limits::tally::{Tally, TallyGuard};
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// Seconds until the caller should retry.
const RETRY_AFTER: u64 = 10;

/// Counts the live streams.
#[derive(Debug)]
pub(crate) struct Streams {
    all: Arc<Tally<()>>,
    by_address: Arc<Tally<Address>>,
    of_log: Arc<Tally<()>>,
}

/// Counts a live stream until it is dropped.
#[derive(Debug)]
pub struct StreamGuard {
    _all: TallyGuard<()>,
    _by_address: TallyGuard<Address>,
    _of_log: Option<TallyGuard<()>>,
}

impl Streams {
    /// Creates the counters, with at most `most` streams in total.
    pub(crate) fn new(limits: &Limits, most: usize) -> Streams {
        Streams {
            all: Tally::new(bound(limits.streams).min(most)),
            by_address: Tally::new(bound(limits.metered(limits.address_streams))),
            of_log: Tally::new(bound(limits.log_streams)),
        }
    }

    /// Starts a stream, of one game or of the log of all games.
    ///
    /// # Errors
    /// 429 when the caller's address has too many, 503 when there are too many in total.
    pub(crate) fn enter(&self, visitor: &Visitor, of_log: bool) -> Result<StreamGuard, Problem> {
        let too_many = || {
            let detail =
                "the service has too many live streams: read pages instead, or retry later";
            Problem::again(Code::Overloaded, detail, RETRY_AFTER)
        };
        let by_address = self.by_address.enter_times(visitor.address, visitor.times);
        let by_address = by_address.ok_or_else(|| {
            let detail = "your address has too many live streams: close one, or read pages instead";
            Problem::again(Code::RateLimited, detail, RETRY_AFTER)
        })?;
        let all = self.all.enter(()).ok_or_else(too_many)?;
        let of_log = of_log.then(|| self.of_log.enter(()).ok_or_else(too_many));
        Ok(StreamGuard {
            _all: all,
            _by_address: by_address,
            _of_log: of_log.transpose()?,
        })
    }
}
