//! Counts things that exist at the same time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts things that exist at the same time, for each key, up to a bound.
///
/// It stores only keys with a count above zero.
#[derive(Debug)]
pub struct Tally<K> {
    most: usize,
    counts: Mutex<HashMap<K, usize>>,
}

impl<K: Clone + Eq + Hash> Tally<K> {
    /// Creates a tally with a bound for each key.
    pub fn new(most: usize) -> Arc<Tally<K>> {
        Arc::new(Tally {
            most,
            counts: Mutex::default(),
        })
    }

    /// Counts one more for a key until the guard is dropped; `None` if the bound is reached.
    pub fn enter(self: &Arc<Self>, key: K) -> Option<TallyGuard<K>> {
        self.enter_times(key, 1)
    }

    /// The same as [`Tally::enter`], with a bound that is `times` as high.
    pub fn enter_times(self: &Arc<Self>, key: K, times: u32) -> Option<TallyGuard<K>> {
        let most = self.most.saturating_mul(times as usize);
        let mut counts = self.counts();
        match counts.get_mut(&key) {
            Some(count) if *count >= most => return None,
            Some(count) => *count += 1,
            None if self.most == 0 => return None,
            None => {
                counts.insert(key.clone(), 1);
            }
        }
        drop(counts);
        let tally = self.clone();
        Some(TallyGuard { tally, key })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        // Counting is a single step, so a panic cannot leave it half done.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts one in a [`Tally`] until it is dropped.
#[derive(Debug)]
pub struct TallyGuard<K: Clone + Eq + Hash> {
    tally: Arc<Tally<K>>,
    key: K,
}

impl<K: Clone + Eq + Hash> Drop for TallyGuard<K> {
    fn drop(&mut self) {
        let mut counts = self.tally.counts();
        match counts.get_mut(&self.key) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                counts.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_bound_and_is_removed_at_zero() {
        let tally = Tally::new(2);
        let first = tally.enter("a").unwrap();
        let second = tally.enter("a").unwrap();
        assert!(tally.enter("a").is_none());
        let other = tally.enter("b").unwrap();
        drop(first);
        let third = tally.enter("a").unwrap();
        assert!(tally.enter("a").is_none());
        drop((second, third, other));
        assert!(tally.counts().is_empty());
    }
}
