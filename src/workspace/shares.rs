//! How much of the engines each client has had of late: who has had less goes first.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use hornbook_base::Clock;

/// A client is entitled to one engine for one part in so many of the time; what it has beyond that is held against it.
const PARTS: u64 = 4;
/// No more than this many milliseconds are held against a client, so that it is even again after so many times as many.
const MOST_MS: u64 = 10_000;
/// A client that has had no more than this many milliseconds too much yields to nobody. It yields to those that have had
/// less than one part in [`PARTS`] of what it has had.
const LITTLE_MS: u64 = 250;
/// A client that has had no turn for this many milliseconds is forgotten.
const FORGET_MS: u64 = 60_000;
/// The most clients that are known; beyond them, the one that has had no turn for longest is forgotten.
const MOST_CLIENTS: usize = 256;

/// The clients of a workspace that had a turn of late. Cheap to clone: clones are the same.
#[derive(Clone, Default)]
pub(super) struct Shares(Rc<RefCell<BTreeMap<u64, Share>>>);

#[derive(Clone, Copy, Default)]
struct Share {
    /// What it had beyond what it is entitled to.
    had_ms: u64,
    /// Time that is not yet counted for it, below [`PARTS`] milliseconds.
    rest_ms: u64,
    /// When that was.
    at_ms: u64,
}

/// Where a client stands among those that use the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has had much more than another, and none has had much more.
    Greedy,
    /// Another has had much more.
    Modest,
    /// Neither, or it is not known yet.
    Even,
}

impl Share {
    fn until(self, now_ms: u64) -> Share {
        let entitled = self.rest_ms + now_ms.saturating_sub(self.at_ms);
        Share {
            had_ms: self.had_ms.saturating_sub(entitled / PARTS),
            rest_ms: entitled % PARTS,
            at_ms: now_ms,
        }
    }
}

impl Shares {
    /// A turn of this client begins; what is returned counts it until it is dropped.
    pub fn begin(&self, client: u64, clock: &Rc<dyn Clock>) -> Having {
        Having {
            shares: self.clone(),
            client,
            clock: clock.clone(),
            begun_ms: clock.now_ms(),
        }
    }

    pub fn standing(&self, client: u64, now_ms: u64) -> Standing {
        let mut shares = self.0.borrow_mut();
        shares.retain(|_, share| now_ms.saturating_sub(share.at_ms) < FORGET_MS);
        let had = |share: &Share| share.until(now_ms).had_ms;
        let Some(own) = shares.get(&client).map(had) else {
            return Standing::Even;
        };
        let others = shares.iter().filter(|(other, _)| **other != client);
        let others = others.map(|(_, share)| had(share));
        let much_more = |more: u64, less: u64| more > LITTLE_MS && less < more / PARTS;
        let (least, most) = others.fold((own, own), |(least, most), other| {
            (least.min(other), most.max(other))
        });
        if much_more(most, own) {
            Standing::Modest
        } else if much_more(own, least) {
            Standing::Greedy
        } else {
            Standing::Even
        }
    }

    fn note(&self, client: u64, had_ms: u64, now_ms: u64) {
        let mut shares = self.0.borrow_mut();
        if shares.len() >= MOST_CLIENTS && !shares.contains_key(&client) {
            let oldest = shares.iter().min_by_key(|(_, share)| share.at_ms);
            if let Some((&oldest, _)) = oldest {
                shares.remove(&oldest);
            }
        }
        let share = shares.entry(client).or_default();
        *share = share.until(now_ms);
        share.had_ms = (share.had_ms + had_ms).min(MOST_MS);
    }
}

/// The turn of a client.
pub(super) struct Having {
    shares: Shares,
    client: u64,
    clock: Rc<dyn Clock>,
    begun_ms: u64,
}

impl Drop for Having {
    fn drop(&mut self) {
        let now_ms = self.clock.now_ms();
        let had_ms = now_ms.saturating_sub(self.begun_ms);
        self.shares.note(self.client, had_ms, now_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(had: &[(u64, u64)]) -> Shares {
        let shares = Shares::default();
        for &(client, had_ms) in had {
            shares.note(client, had_ms, 0);
        }
        shares
    }

    #[test]
    fn who_has_had_much_yields_to_who_has_had_little_until_that_is_long_ago() {
        let shares = shares(&[(1, 2_000), (2, 20), (3, 900)]);
        assert_eq!(shares.standing(1, 0), Standing::Greedy);
        assert_eq!(shares.standing(2, 0), Standing::Modest);
        assert_eq!(shares.standing(3, 0), Standing::Greedy);
        // It does not yield beside one that has had far more.
        shares.note(5, 400, 0);
        assert_eq!(shares.standing(5, 0), Standing::Modest);
        assert_eq!(shares.standing(4, 0), Standing::Even);
        assert_eq!(shares.standing(1, 7_500), Standing::Even);
        assert_eq!(shares.standing(2, 7_500), Standing::Even);
    }

    #[test]
    fn one_that_is_alone_or_among_its_like_yields_to_nobody() {
        assert_eq!(shares(&[(1, 9_000)]).standing(1, 0), Standing::Even);
        let alike = shares(&[(1, 9_000), (2, 4_000)]);
        assert_eq!(alike.standing(1, 0), Standing::Even);
        assert_eq!(alike.standing(2, 0), Standing::Even);
        assert_eq!(shares(&[(1, 200), (2, 1)]).standing(1, 0), Standing::Even);
    }

    #[test]
    fn what_a_client_is_entitled_to_is_not_held_against_it_however_short_its_turns() {
        let shares = Shares::default();
        for turn in 0..1_000 {
            shares.note(1, 1, turn * 5);
            shares.note(2, 4, turn * 5);
        }
        assert_eq!(shares.standing(1, 5_000), Standing::Modest);
        assert_eq!(shares.standing(2, 5_000), Standing::Greedy);
    }

    #[test]
    fn any_number_of_clients_is_bounded_and_the_newest_are_known() {
        let shares = Shares::default();
        for client in 0..2_000 {
            shares.note(client, 1_000, client);
        }
        assert_eq!(shares.0.borrow().len(), MOST_CLIENTS);
        assert!(shares.0.borrow().contains_key(&1_999));
    }
}
