//! Slots for work that keeps a core, a connection or much memory busy: few in all and of an address at the same time.
//! Other requests wait for a slot, but not too many and not for long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::limits::tally::Tally;
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// After how many seconds a refused request may be tried again.
const AGAIN: u64 = 2;

/// How much of one kind of work runs and waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// What has too much to do, for messages.
    pub(crate) what: &'static str,
    /// How many run at the same time.
    pub(crate) all: usize,
    /// How many of an address run at the same time; `None` when addresses are not counted.
    pub(crate) of_address: Option<usize>,
    /// How many wait. An address has half of these places.
    pub(crate) waiting: usize,
    /// For how long each waits.
    pub(crate) wait: Duration,
}

/// The slots of one kind of work.
#[derive(Debug)]
pub(crate) struct Slots {
    bounds: Bounds,
    all: Arc<Semaphore>,
    /// The share of each address that has work. Its requests wait here first, so that a flood from one address
    /// does not stand in front of the requests of others.
    shares: Mutex<HashMap<Address, Weak<Semaphore>>>,
    waiting: Arc<Tally<()>>,
    address_waiting: Arc<Tally<Address>>,
}

/// A slot, until it is dropped.
#[derive(Debug)]
pub struct Slot {
    _share: Option<OwnedSemaphorePermit>,
    _all: Option<OwnedSemaphorePermit>,
}

impl Slots {
    pub(crate) fn new(bounds: Bounds) -> Arc<Slots> {
        let address_waiting = match bounds.of_address {
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

    /// Waits for a slot however long it takes, for work whose answer has begun: it is not broken off.
    pub(crate) async fn enter_patiently(&self, visitor: &Visitor) -> Slot {
        let mut own = None;
        if let Some(share) = self.share(visitor) {
            own = share.acquire_owned().await.ok();
        }
        Slot {
            _share: own,
            // It is never closed.
            _all: self.all.clone().acquire_owned().await.ok(),
        }
    }

    /// Waits for a slot. Work that no visitor has asked for has no share.
    ///
    /// # Errors
    /// 429 when the address of the visitor has too much of this work, 503 when all have.
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
                (self.address_waiting.enter_times(address, times)).ok_or_else(|| self.yours())?,
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
            _ if visitor.is_some() && own.is_none() && self.bounds.of_address.is_some() => {
                Err(self.yours())
            }
            _ => Err(self.overloaded()),
        }
    }

    /// The share of the visitor's address.
    fn share(&self, visitor: &Visitor) -> Option<Arc<Semaphore>> {
        let most = self
            .bounds
            .of_address?
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

    /// Forgets addresses without work.
    pub(crate) fn sweep(&self) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.retain(|_, share| share.strong_count() > 0);
        shares.shrink_to_fit();
    }

    fn yours(&self) -> Problem {
        let detail = format!(
            "{}: your address asks for too much at once",
            self.bounds.what
        );
        Problem::again(Code::RateLimited, detail, AGAIN)
    }

    fn overloaded(&self) -> Problem {
        let detail = format!("{}: the service has too much to do", self.bounds.what);
        Problem::again(Code::Overloaded, detail, AGAIN)
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
    async fn an_address_leaves_slots_and_places_to_others() {
        let slots = Slots::new(Bounds {
            what: "test",
            all: 2,
            of_address: Some(1),
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
        // Its share is free, but the slots are not.
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
    async fn even_with_a_share_of_all_slots_a_flood_waits_behind_others() {
        let slots = Slots::new(Bounds {
            what: "test",
            all: 1,
            of_address: Some(1),
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
    async fn a_wait_is_bounded_and_says_whose_fault_it_is() {
        let slots = Slots::new(Bounds {
            what: "test",
            all: 2,
            of_address: Some(1),
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
