//! Limits the analyses that run at the same time; each uses a whole core.

use std::sync::Arc;

use crate::http::limits::options::{Limits, bound};
use crate::http::limits::tally::{Tally, TallyGuard};
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// Seconds until the caller should retry.
const RETRY_AFTER: u64 = 2;

/// Counts the running analyses.
#[derive(Debug)]
pub(crate) struct RunningAnalyses {
    all: Arc<Tally<()>>,
    by_address: Arc<Tally<Address>>,
}

/// Counts an analysis until it is dropped.
#[derive(Debug)]
pub struct AnalysisGuard {
    _all: TallyGuard<()>,
    _by_address: TallyGuard<Address>,
}

impl RunningAnalyses {
    pub(crate) fn new(limits: &Limits) -> RunningAnalyses {
        RunningAnalyses {
            all: Tally::new(bound(limits.analyses)),
            by_address: Tally::new(bound(limits.metered(limits.address_analyses))),
        }
    }

    pub(crate) fn enter(&self, visitor: &Visitor) -> Result<AnalysisGuard, Problem> {
        let by_address = self
            .by_address
            .enter_times(visitor.address, visitor.times)
            .ok_or_else(|| {
                let detail = "your address runs too many analyses: wait until one ends";
                Problem::again(Code::RateLimited, detail, RETRY_AFTER)
            })?;
        let all = self.all.enter(()).ok_or_else(|| {
            let detail = "the service runs too many analyses: retry later";
            Problem::again(Code::Overloaded, detail, RETRY_AFTER)
        })?;
        Ok(AnalysisGuard {
            _all: all,
            _by_address: by_address,
        })
    }
}
