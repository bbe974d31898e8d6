//! Long work in slices, between which the host does other things.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;

use super::host::Clock;

/// The length of a slice, in milliseconds. Works that go on at the same time share it, as their slices follow each other.
const SLICE_MS: u64 = 10;

/// Units of work between two looks at the clock. A unit takes up to a microsecond: an entry, or 64 bytes of
/// text.
const LOOK: usize = 512;

thread_local! {
    /// How many works rest between two slices.
    static RESTING: Cell<u64> = const { Cell::new(0) };
}

/// One of the works that rest.
struct Resting;

impl Resting {
    fn begin() -> Resting {
        RESTING.set(RESTING.get() + 1);
        Resting
    }
}

impl Drop for Resting {
    fn drop(&mut self) {
        RESTING.set(RESTING.get() - 1);
    }
}

/// The result of a future that never waits, because its pace is [`Pace::unbroken`].
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let done = work.now_or_never();
    done.expect("unbroken work does not wait")
}

/// Tells when a slice of work is over. Dropping the future that works cancels the work between two slices.
///
/// ```ignore
/// for entry in entries {
///     work(entry);
///     if pace.is_over(1) {
///         pace.rest().await;
///     }
/// }
/// ```
pub struct Pace {
    clock: Option<Rc<dyn Clock>>,
    begun: Cell<u64>,
    /// The length of its slice, in milliseconds.
    slice: Cell<u64>,
    units: Cell<usize>,
}

impl Pace {
    pub fn new(clock: Rc<dyn Clock>) -> Self {
        let begun = Cell::new(clock.now_ms());
        Pace {
            clock: Some(clock),
            begun,
            slice: Cell::new(SLICE_MS),
            units: Cell::new(0),
        }
    }

    /// A pace that never rests, for work that must be done at once.
    pub fn unbroken() -> Self {
        Pace {
            clock: None,
            begun: Cell::new(0),
            slice: Cell::new(SLICE_MS),
            units: Cell::new(0),
        }
    }

    /// Count units of work done. Returns whether it is time to rest.
    #[inline]
    pub fn is_over(&self, units: usize) -> bool {
        let done = self.units.get() + units;
        self.units.set(done);
        done >= LOOK && self.look()
    }

    fn look(&self) -> bool {
        self.units.set(0);
        let Some(clock) = &self.clock else { return false };
        clock.now_ms().saturating_sub(self.begun.get()) >= self.slice.get()
    }

    /// Collect items into a vector, at one unit of work each.
    pub async fn collect<T>(&self, items: impl Iterator<Item = T>) -> Vec<T> {
        let mut collected = Vec::with_capacity(items.size_hint().0);
        for item in items {
            collected.push(item);
            if self.is_over(1) {
                self.rest().await;
            }
        }
        collected
    }

    /// Let the host do other work.
    pub async fn rest(&self) {
        if let Some(clock) = &self.clock {
            let resting = Resting::begin();
            clock.sleep(0).await;
            self.begun.set(clock.now_ms());
            self.slice.set((SLICE_MS / RESTING.get()).max(1));
            drop(resting);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::{LocalBoxFuture, join_all};

    /// Each look at it takes a millisecond.
    #[derive(Default)]
    struct Ticking(Cell<u64>);

    impl Clock for Ticking {
        fn now_ms(&self) -> u64 {
            self.0.set(self.0.get() + 1);
            self.0.get()
        }

        fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
            let mut slept = false;
            futures::future::poll_fn(move |context| {
                if std::mem::replace(&mut slept, true) {
                    return std::task::Poll::Ready(());
                }
                context.waker().wake_by_ref();
                std::task::Poll::Pending
            })
            .boxed_local()
        }
    }

    /// How many looks at the clock each slice lasts, after the first, while as many works go on.
    fn looks(works: usize) -> usize {
        let clock: Rc<dyn Clock> = Rc::new(Ticking::default());
        let work = async || {
            let pace = Pace::new(clock.clone());
            pace.rest().await;
            let mut looks = 1;
            while !pace.is_over(LOOK) {
                looks += 1;
            }
            // The others are still at work.
            pace.rest().await;
            looks
        };
        let all = futures::executor::block_on(join_all((0..works).map(|_| work())));
        all.into_iter().sum()
    }

    #[test]
    fn works_that_go_on_at_the_same_time_share_one_slice() {
        assert_eq!(looks(1), SLICE_MS as usize);
        assert_eq!(looks(2), SLICE_MS as usize);
        assert_eq!(looks(5), SLICE_MS as usize);
        assert_eq!(RESTING.get(), 0);
    }
}
