//! Threads that do a bounded number of things at once, with a bounded number waiting.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

type Work = Box<dyn FnOnce() + Send>;

/// Some threads and the work that waits for them. The threads end when this is dropped.
#[derive(Debug)]
pub struct Workers {
    queue: SyncSender<Work>,
}

/// Work that was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Busy {
    /// Too much is waiting.
    #[error("too many different statistics are asked for at once")]
    Full,
    /// It panicked, which has been logged.
    #[error("a measure panicked")]
    Panicked,
}

impl Workers {
    /// So many threads, and so much that may wait for them.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(name: &str, threads: usize, waiting: usize) -> std::io::Result<Workers> {
        let (queue, work) = sync_channel(waiting);
        let work = Arc::new(Mutex::new(work));
        for number in 0..threads {
            let work = work.clone();
            std::thread::Builder::new()
                .name(format!("{name}-{number}"))
                .spawn(move || run(&work))?;
        }
        Ok(Workers { queue })
    }

    /// Does something on one of the threads; not when whoever asked has gone meanwhile.
    ///
    /// # Errors
    /// When too much is waiting, or it panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (tell, told) = oneshot::channel();
        let work = move || {
            if !tell.is_closed() {
                // Whoever asked may go while it is done.
                let _ = tell.send(work());
            }
        };
        match self.queue.try_send(Box::new(work)) {
            Ok(()) => told.await.map_err(|_| Busy::Panicked),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(Busy::Full),
        }
    }
}

fn run(work: &Mutex<Receiver<Work>>) {
    loop {
        // Nothing panics while it is held.
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(next) = next else { return };
        // A panic has been logged by the panic hook; whoever waits finds the channel closed.
        let _ = catch_unwind(AssertUnwindSafe(next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_too_much_is_sent_away_and_a_panic_ends_nothing() {
        let workers = Arc::new(Workers::start("test", 1, 1).unwrap());
        let panicked = workers.run(|| panic!("as it should")).await;
        assert_eq!(panicked, Err::<(), Busy>(Busy::Panicked));
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let first = tokio::spawn({
            let workers = workers.clone();
            async move {
                let work = move || {
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    1
                };
                workers.run(work).await
            }
        });
        has_begun.await.unwrap();
        let mut second = Box::pin(workers.run(|| 2));
        // Polled once, it waits in the queue.
        let polled = futures_util::poll!(&mut second);
        assert!(polled.is_pending());
        assert_eq!(workers.run(|| 3).await, Err(Busy::Full));
        go.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(1));
        assert_eq!(second.await, Ok(2));
    }
}
