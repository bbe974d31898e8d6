//! Long work in slices, between which the host does other things.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;

use super::host::Clock;

/// A slice, in milliseconds.
const SLICE_MS: u64 = 10;

/// The clock is looked at after so many units of work. A unit takes up to a microsecond: an entry, or 64 bytes of text.
const LOOK: usize = 512;

/// What a future gives that never waits, because its pace is [`Pace::unbroken`].
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

    /// For work that must be done at once: it never rests.
    pub fn unbroken() -> Self {
        Pace {
            clock: None,
            begun: Cell::new(0),
            units: Cell::new(0),
        }
    }

    /// So many units of work were done. Whether it is time to rest.
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

    /// Items as a vector, a unit of work each.
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

    /// Let the host do what waits.
    pub async fn rest(&self) {
        if let Some(clock) = &self.clock {
            clock.sleep(0).await;
            self.begun.set(clock.now_ms());
        }
    }
}
