//! Running analyses of positions, each of which keeps a core busy.

use std::sync::Arc;

use crate::http::limits::options::{Limits, bound};
use crate::http::limits::tally::{Tally, TallyGuard};
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// After how many seconds an analysis may be tried again.
const AGAIN: u64 = 2;

/// The analyses there are.
#[derive(Debug)]
pub(crate) struct RunningAnalyses {
    all: Arc<Tally<()>>,
    by_address: Arc<Tally<Address>>,
}

/// An analysis is counted while this lives; keep it as long as somebody thinks.
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
                let detail = "your address has too many analyses under way";
                Problem::again(Code::RateLimited, detail, AGAIN)
            })?;
        let all = self.all.enter(()).ok_or_else(|| {
            let detail = "too many positions are being analysed";
            Problem::again(Code::Overloaded, detail, AGAIN)
        })?;
        Ok(AnalysisGuard {
            _all: all,
            _by_address: by_address,
        })
    }
}
