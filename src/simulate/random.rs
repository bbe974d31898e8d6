//! The one source of chance.

use std::cell::Cell;

/// A generator of random numbers (SplitMix64). Equal seeds give equal numbers on every machine.
#[derive(Debug)]
pub struct Random(Cell<u64>);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Cell::new(seed))
    }

    /// Another generator, which depends on this one's seed and the label, and not on what this one gives.
    pub fn of(seed: u64, label: u64) -> Random {
        Random::new(mixed(seed ^ mixed(label)))
    }

    pub fn next(&self) -> u64 {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        mixed(self.0.get())
    }

    /// A number below `end`, which is not 0.
    pub fn below(&self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    pub fn between(&self, least: u64, most: u64) -> u64 {
        least + self.below((most - least + 1) as usize) as u64
    }

    /// True this often in 10,000 times.
    pub fn chance(&self, often: u32) -> bool {
        often > 0 && self.below(10_000) < often as usize
    }

    pub fn pick<'a, T>(&self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// The bits of a number, mixed.
pub fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
