//! Slots for work that keeps a core, a connection or much memory busy.
//!
//! They are limited in total and for each address. Requests wait for a slot, but only some and not for long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::limits::tally::Tally;
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// Seconds until the caller should retry.
const RETRY_AFTER: u64 = 2;

/// The bounds of one kind of work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The name of the work, for messages.
    pub(crate) what: &'static str,
    /// The maximum that runs at the same time.
    pub(crate) all: usize,
    /// The maximum of an address that runs at the same time; `None` if addresses are not counted.
    pub(crate) each_address: Option<usize>,
    /// The maximum that waits. An address can use half of the places.
    pub(crate) waiting: usize,
    /// The longest wait.
    pub(crate) wait: Duration,
}

/// The slots of one kind of work.
#[derive(Debug)]
pub(crate) struct Slots {
    bounds: Bounds,
    all: Arc<Semaphore>,
    /// The share of each address that has work.
    ///
    /// Its requests wait here first, so a flood from one address does not delay the requests of others.
    shares: Mutex<HashMap<Address, Weak<Semaphore>>>,
    waiting: Arc<Tally<()>>,
    address_waiting: Arc<Tally<Address>>,
}

/// A slot; dropping it frees the slot.
#[derive(Debug)]
pub struct Slot {
    _share: Option<OwnedSemaphorePermit>,
    _all: Option<OwnedSemaphorePermit>,
}

impl Slots {
    pub(crate) fn new(bounds: Bounds) -> Arc<Slots> {
        let address_waiting = match bounds.each_address {
            Some(_) => (bounds.waiting / 2).max(1),
            None => usize::MAX,
        };
        Arc::new(Slots {
            all: Arc::new(Semaphore::new(bounds.all.min(Semaphore::MAX_PERMITS))),
            shares: Mutex::default(),
            waiting: Tally::new(bounds.waiting),
            address_waiting: Tally::new(address_waiting),
            bounds,
        })
    }

    /// Waits for a slot without a limit, for work whose answer has begun and should not be interrupted.
    pub(crate) async fn enter_patiently(&self, visitor: &Visitor) -> Slot {
        let mut own = None;
        if let Some(share) = self.share(visitor) {
            own = share.acquire_owned().await.ok();
        }
        Slot {
            _share: own,
            // The semaphore is never closed.
            _all: self.all.clone().acquire_owned().await.ok(),
        }
    }

    /// Waits for a slot. Work without a visitor has no share.
    ///
    /// # Errors
    /// 429 when the visitor's address has too much of this work, 503 when there is too much in total.
    pub(crate) async fn enter(&self, visitor: Option<Visitor>) -> Result<Slot, Problem> {
        let share = visitor.and_then(|visitor| self.share(&visitor));
        let acquire = |semaphore: &Arc<Semaphore>| semaphore.clone().try_acquire_owned();
        match share.as_ref().map(acquire).transpose() {
            Ok(own) => match acquire(&self.all) {
                Ok(all) => Ok(Slot {
                    _share: own,
                    _all: Some(all),
                }),
                Err(_) => self.wait(visitor, share, own).await,
            },
            Err(_) => self.wait(visitor, share, None).await,
        }
    }

    async fn wait(
        &self,
        visitor: Option<Visitor>,
        share: Option<Arc<Semaphore>>,
        mut own: Option<OwnedSemaphorePermit>,
    ) -> Result<Slot, Problem> {
        let _own_place = match visitor {
            Some(Visitor { address, times, .. }) => Some(
                (self.address_waiting.enter_times(address, times))
                    .ok_or_else(|| self.address_problem())?,
            ),
            None => None,
        };
        let _place = self.waiting.enter(()).ok_or_else(|| self.overloaded())?;
        let acquire = async {
            if let Some(share) = share.filter(|_| own.is_none()) {
                own = share.acquire_owned().await.ok();
            }
            self.all.clone().acquire_owned().await
        };
        // The semaphores are never closed.
        match tokio::time::timeout(self.bounds.wait, acquire).await {
            Ok(Ok(all)) => Ok(Slot {
                _share: own,
                _all: Some(all),
            }),
            _ if visitor.is_some() && own.is_none() && self.bounds.each_address.is_some() => {
                Err(self.address_problem())
            }
            _ => Err(self.overloaded()),
        }
    }

    /// Returns the share of the visitor's address.
    fn share(&self, visitor: &Visitor) -> Option<Arc<Semaphore>> {
        let most = self
            .bounds
            .each_address?
            .saturating_mul(visitor.times as usize);
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shares.get(&visitor.address).and_then(Weak::upgrade);
        Some(known.unwrap_or_else(|| {
            let most = most.min(self.bounds.all).min(Semaphore::MAX_PERMITS);
            let share = Arc::new(Semaphore::new(most));
            shares.insert(visitor.address, Arc::downgrade(&share));
            share
        }))
    }

    /// Evicts addresses without work.
    pub(crate) fn sweep(&self) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.retain(|_, share| share.strong_count() > 0);
        shares.shrink_to_fit();
    }

    fn address_problem(&self) -> Problem {
        let detail = format!(
            "{}: your address has too many requests running or waiting: wait for their answers",
            self.bounds.what
        );
        Problem::again(Code::RateLimited, detail, RETRY_AFTER)
    }

    fn overloaded(&self) -> Problem {
        let detail = format!(
            "{}: the service is overloaded: retry later",
            self.bounds.what
        );
        Problem::again(Code::Overloaded, detail, RETRY_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::poll;

    use super::*;

    fn visitor(address: [u8; 4]) -> Option<Visitor> {
        Some(Visitor {
            address: IpAddr::from(address).into(),
            times: 1,
            token: None,
        })
    }

    const ONE: [u8; 4] = [192, 0, 2, 1];
    const OTHER: [u8; 4] = [192, 0, 2, 2];

    #[tokio::test]
    async fn an_address_cannot_use_all_slots_and_places() {
        let slots = Slots::new(Bounds {
            what: "test",
            all: 2,
            each_address: Some(1),
            waiting: 4,
            wait: Duration::from_secs(600),
        });
        let first = slots.enter(visitor(ONE)).await.unwrap();
        let mut second = Box::pin(slots.enter(visitor(ONE)));
        let mut third = Box::pin(slots.enter(visitor(ONE)));
        assert!(poll!(&mut second).is_pending() && poll!(&mut third).is_pending());
        let refused = slots.enter(visitor(ONE)).await.unwrap_err();
        assert_eq!(refused.code, Code::RateLimited);
        let other = slots.enter(visitor(OTHER)).await.unwrap();
        // The third address has a free share, but all slots are in use.
        drop(first);
        let mut third_address = Box::pin(slots.enter(visitor([192, 0, 2, 3])));
        let second = second.await.unwrap();
        assert!(poll!(&mut third_address).is_pending());
        drop(other);
        assert!(third_address.await.is_ok());
        drop(second);
        third.await.unwrap();
        slots.enter_patiently(&visitor(ONE).unwrap()).await;
        slots.sweep();
        assert!(slots.shares.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_flood_waits_behind_others_even_with_a_share_of_all_slots() {
        let slots = Slots::new(Bounds {
            what: "test",
            all: 1,
            each_address: Some(1),
            waiting: 100,
            wait: Duration::from_secs(600),
        });
        let running = slots.enter(visitor(ONE)).await.unwrap();
        let mut flood: Vec<_> = (0..10)
            .map(|_| Box::pin(slots.enter(visitor(ONE))))
            .collect();
        for request in &mut flood {
            assert!(poll!(request).is_pending());
        }
        let mut other = Box::pin(slots.enter(visitor(OTHER)));
        assert!(poll!(&mut other).is_pending());
        drop(running);
        assert!(poll!(&mut other).is_ready());
    }

    #[tokio::test]
    async fn a_wait_is_bounded_and_the_problem_names_the_cause() {
        let slots = Slots::new(Bounds {
            what: "test",
            all: 2,
            each_address: Some(1),
            waiting: 100,
            wait: Duration::from_millis(10),
        });
        let _one = slots.enter(visitor(ONE)).await.unwrap();
        let code = async |visitor| slots.enter(visitor).await.unwrap_err().code;
        assert_eq!(code(visitor(ONE)).await, Code::RateLimited);
        let _other = slots.enter(visitor(OTHER)).await.unwrap();
        assert_eq!(code(visitor([192, 0, 2, 3])).await, Code::Overloaded);
        assert_eq!(code(None).await, Code::Overloaded);
        let one = visitor(ONE).unwrap();
        let patient = slots.enter_patiently(&one);
        assert!(
            tokio::time::timeout(Duration::from_millis(50), patient)
                .await
                .is_err()
        );
    }
}
