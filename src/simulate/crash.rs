//! What is left of the log when the process that keeps its file ends.

use super::log::Log;
use super::state::{State, Writing};
use super::world::{NOBODY, Owner};

/// The most milliseconds until another process keeps the file.
const TAKEOVER_MS: u64 = 60;

impl Log {
    /// A process has ended. `power`: so have all others, at the same moment.
    pub fn ended(&self, owner: Owner, power: bool) {
        let mut state = self.0.state.borrow_mut();
        state.seats.retain(|seat| *seat != owner);
        if state.keeper != Some(owner) {
            return;
        }
        state.keeper = None;
        state.is_served = false;
        if let Some(writing) = state.writing.take() {
            self.tear(&mut state, writing);
        }
        if power && self.0.world.random().chance(5_000) {
            let head = state.durable_head.clone();
            let current = state.generations.last_mut().expect("there is one");
            let end = head.len().min(current.bytes.len());
            current.bytes[..end].copy_from_slice(&head[..end]);
        }
        drop(state);
        let log = self.clone();
        self.0.world.spawn(NOBODY, async move {
            log.0.world.pause(1, TAKEOVER_MS).await;
            log.take_over();
        });
    }

    /// The keeper has died while it wrote this.
    fn tear(&self, state: &mut State, Writing { at, bytes, head }: Writing) {
        let random = self.0.world.random();
        let current = state.generations.last_mut().expect("there is one");
        current.bytes.truncate(at);
        let left = self.part_of(bytes.len());
        current.bytes.extend(&bytes[..left]);
        self.0.world.tell(|| {
            format!(
                "{left} of {} bytes at {at} are left of what the keeper wrote",
                bytes.len()
            )
        });
        if left == bytes.len() && random.chance(5_000) {
            current.bytes[..head.len()].copy_from_slice(&head);
        } else if left < bytes.len() && random.chance(2_000) {
            current.bytes.resize(at + bytes.len(), 0);
        }
    }

    /// Another of those who have the file open keeps it from now on: it cuts off a torn end.
    fn take_over(&self) {
        let mut state = self.0.state.borrow_mut();
        if state.keeper.is_some() || state.seats.is_empty() {
            return;
        }
        let next = *self.0.world.random().pick(&state.seats);
        state.keeper = Some(next);
        // One that is still opening it repairs nothing else either.
        state.is_served = true;
        let current = state.generations.last_mut().expect("there is one");
        let end = current
            .bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        current.bytes.truncate(end);
        state.extend_to(end);
        self.0
            .world
            .tell(|| format!("life {next} keeps the file now, of {end} bytes"));
        drop(state);
        self.wake();
    }
}
