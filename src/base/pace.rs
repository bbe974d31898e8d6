//! Long work in slices, between which the host does other things.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;

use super::host::Clock;

/// The length of a slice, in milliseconds.
const SLICE_MS: u64 = 10;

/// Units of work between two looks at the clock. A unit takes up to a microsecond: an entry, or 64 bytes of
/// text.
const LOOK: usize = 512;

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
    units: Cell<usize>,
}

impl Pace {
    pub fn new(clock: Rc<dyn Clock>) -> Self {
        let begun = Cell::new(clock.now_ms());
        Pace {
            clock: Some(clock),
            begun,
            units: Cell::new(0),
        }
    }

    /// A pace that never rests, for work that must be done at once.
    pub fn unbroken() -> Self {
        Pace {
            clock: None,
            begun: Cell::new(0),
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
        clock.now_ms().saturating_sub(self.begun.get()) >= SLICE_MS
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
            clock.sleep(0).await;
            self.begun.set(clock.now_ms());
        }
    }
}
