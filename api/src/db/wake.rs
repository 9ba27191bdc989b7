//! Callbacks that wake sleeping threads.

use std::sync::{Arc, OnceLock};

/// A function that wakes sleeping threads, such as after each commit.
#[derive(Clone, Default)]
pub struct Wake(Arc<OnceLock<Box<dyn Fn() + Send + Sync>>>);

impl Wake {
    /// Sets the function. Only the first call counts.
    pub fn set(&self, call: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(call));
    }

    /// Calls the function, if one is set.
    pub fn call(&self) {
        if let Some(call) = self.0.get() {
            call();
        }
    }
}

impl std::fmt::Debug for Wake {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Wake")
    }
}
