//! Numbers and times the steps of a run, and reports them to those who watch.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::event::{Event, Events};
use super::trace::{StepEnd, StepId, Trace, Traced};
use hornbook_base::Clock;

/// Numbers the steps, and reports them if someone watches.
pub struct Tracer {
    watcher: Option<Watcher>,
    last: Cell<StepId>,
}

/// Where steps are reported, and when the open ones began.
struct Watcher {
    events: Rc<Events>,
    clock: Rc<dyn Clock>,
    /// Milliseconds since 1970.
    began: u64,
    open: RefCell<HashMap<StepId, u64>>,
    /// The lines of the steps in the program.
    lines: RefCell<HashMap<StepId, u32>>,
}

impl Watcher {
    fn now(&self) -> u64 {
        self.clock.now_ms().saturating_sub(self.began)
    }

    /// Report a step at its line, or else at the line of the step it belongs to. Returns the line.
    fn tell(&self, line: Option<u32>, trace: Trace) -> Option<u32> {
        let line = line.or_else(|| self.lines.borrow().get(&trace.step()).copied());
        let at = self.now();
        self.events.push(Event::Trace(Traced { at, line, trace }));
        line
    }
}

impl Tracer {
    /// Steps are reported to `events`, if given. The run begins now.
    pub fn new(events: Option<Rc<Events>>, clock: Rc<dyn Clock>) -> Tracer {
        Tracer {
            watcher: events.map(|events| Watcher {
                events,
                began: clock.now_ms(),
                clock,
                open: RefCell::default(),
                lines: RefCell::default(),
            }),
            last: Cell::new(0),
        }
    }

    /// Begin a step, at a line of the program if known; `trace` makes it from its number.
    pub fn begin(&self, line: Option<u32>, trace: impl FnOnce(StepId) -> Trace) -> StepId {
        self.last.set(self.last.get() + 1);
        let id = self.last.get();
        if let Some(watcher) = &self.watcher {
            watcher.open.borrow_mut().insert(id, watcher.now());
            if let Some(line) = watcher.tell(line, trace(id)) {
                watcher.lines.borrow_mut().insert(id, line);
            }
        }
        id
    }

    pub fn end(&self, id: StepId, outcome: Result<&Value, &str>) {
        let Some(watcher) = &self.watcher else { return };
        let now = watcher.now();
        let began = watcher.open.borrow_mut().remove(&id).unwrap_or(now);
        self.tell(None, || Trace::Ended {
            id,
            took: now.saturating_sub(began),
            end: match outcome {
                Ok(value) => StepEnd::Result(value.clone()),
                Err(why) => StepEnd::Failure(why.to_owned()),
            },
        });
    }

    /// Report something, at `line` or else at the line of the step it belongs to.
    pub fn tell(&self, line: Option<u32>, trace: impl FnOnce() -> Trace) {
        if let Some(watcher) = &self.watcher {
            watcher.tell(line, trace());
        }
    }
}
