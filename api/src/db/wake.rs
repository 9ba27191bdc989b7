//! Wakes threads that sleep.

use std::sync::{Arc, OnceLock};

/// What is called when threads that sleep have to look again, such as after each commit.
#[derive(Clone, Default)]
pub struct Wake(Arc<OnceLock<Box<dyn Fn() + Send + Sync>>>);

impl Wake {
    /// Sets what is called; only the first time counts.
    pub fn set(&self, call: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.set(Box::new(call));
    }

    /// Calls it, if there is anything to call.
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
