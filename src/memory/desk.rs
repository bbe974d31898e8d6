//! One memory, and all who use it.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use futures::lock::Mutex;
use hornbook_base::{Clock, Fault};

use crate::arguments::{Object, TOOLS};
use crate::call::{Given, Outcome, call};
use crate::memory::Memory;
use crate::record::Change;

/// Where changes are kept before they count.
pub trait Keeper {
    /// Keep all of these or none; `operation` is the tool and the action.
    fn keep(&self, operation: &str, changes: Vec<Change>) -> LocalBoxFuture<'static, Result<(), Fault>>;
}

/// Who wants to hear of what has changed.
type Listener = Rc<dyn Fn(&[Change])>;

/// A memory whose calls are carried out one after the other where they change something.
pub struct Desk {
    memory: RefCell<Memory>,
    /// `None` where the memory lives as long as the process.
    keeper: Option<Rc<dyn Keeper>>,
    clock: Rc<dyn Clock>,
    new_id: Box<dyn Fn() -> String>,
    turn: Mutex<()>,
    listeners: RefCell<Vec<Listener>>,
}

impl Desk {
    /// `new_id` gives a text of letters and digits that nothing else has.
    pub fn new(
        memory: Memory,
        keeper: Option<Rc<dyn Keeper>>,
        clock: Rc<dyn Clock>,
        new_id: impl Fn() -> String + 'static,
    ) -> Desk {
        Desk {
            memory: RefCell::new(memory),
            keeper,
            clock,
            new_id: Box::new(new_id),
            turn: Mutex::new(()),
            listeners: RefCell::default(),
        }
    }

    pub fn memory(&self) -> Ref<'_, Memory> {
        self.memory.borrow()
    }

    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Call a tool; what it changes is kept when this resolves with an answer. An error is a sentence.
    pub async fn call(&self, tool: &str, arguments: Object) -> Result<Object, String> {
        if reads(tool, &arguments) {
            return self.read(tool, arguments);
        }
        let _turn = self.turn.lock().await;
        let action = arguments
            .get("action")
            .and_then(|action| action.as_str())
            .unwrap_or_default();
        let operation = format!("{tool} {action}");
        let Outcome { reply, changes } = self.outcome(tool, arguments, false)?;
        if let Some(keeper) = self.keeper.as_ref().filter(|_| !changes.is_empty()) {
            let kept = keeper.keep(&operation, changes.clone()).await;
            kept.map_err(|fault| format!("{} {}", fault.message, fault.next).trim().to_string())?;
        }
        self.take(&changes);
        Ok(reply)
    }

    /// Call a tool that changes nothing; actions that would are refused.
    pub fn read(&self, tool: &str, arguments: Object) -> Result<Object, String> {
        Ok(self.outcome(tool, arguments, true)?.reply)
    }

    fn outcome(&self, tool: &str, arguments: Object, only_reading: bool) -> Result<Outcome, String> {
        let given = Given {
            now_ms: self.clock.now_ms(),
            only_reading,
            new_id: &mut || (self.new_id)(),
        };
        call(&self.memory.borrow(), tool, arguments, given)
    }

    /// Take over changes that are kept. Those that were taken over before change nothing; a record that cannot be read
    /// is left as it was.
    pub fn take(&self, changes: &[Change]) {
        for change in changes {
            // It is of a later version: whoever wrote it can read it.
            let _ = self.memory.borrow_mut().apply(change);
        }
        if changes.is_empty() {
            return;
        }
        let listeners = self.listeners.borrow().clone();
        for listener in listeners {
            listener(changes);
        }
    }

    /// Called after every change.
    pub fn on_change(&self, listener: impl Fn(&[Change]) + 'static) {
        self.listeners.borrow_mut().push(Rc::new(listener));
    }
}

/// Whether a call changes nothing, as far as its arguments tell.
fn reads(tool: &str, arguments: &Object) -> bool {
    let named = arguments.get("action").and_then(|action| action.as_str());
    let tool = TOOLS.iter().find(|known| known.name == tool);
    let action = tool.and_then(|tool| tool.actions.iter().find(|action| Some(action.name) == named));
    action.is_some_and(|action| action.only_reads(arguments))
}
