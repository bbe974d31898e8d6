//! One memory, shared by all who use it.

use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use hornbook_base::{Clock, Control, Fault};
use serde_json::json;

use crate::arguments::{self};
use crate::budget::fitted;
use crate::call::{Outcome, call};
use crate::crossref::crossref;
use crate::draft::{CallContext, envelope, warn};
use crate::exchange::{self, Report};
use crate::infer::{self, Inferred, Question, Rule};
use crate::meaning::{Embed, Meanings, Near, requests, vector_of, vectors_of};
use crate::memory::Memory;
use crate::others::Others;
use crate::record::Change;
use crate::tools::Object;
use crate::tools::TOOLS;

/// Computes the changes to make.
pub type Plan = Box<dyn FnMut() -> Vec<Change>>;

/// The clauses that answers rest on, by id.
pub type Rules = BTreeMap<i64, Rule>;

/// Where a memory is stored, together with rules.
pub trait Keeper {
    /// Call `plan` when nobody else in this process can change the store, then store all of its changes or
    /// none; rules may refuse them. If another process wrote first, `plan` is called again. The changes reach
    /// the memory by [`Desk::take`] before this resolves to the rules' warnings. `operation` is the tool and
    /// the action.
    fn edit(
        &self,
        operation: String,
        plan: Plan,
        control: Control,
    ) -> LocalBoxFuture<'static, Result<Vec<String>, Fault>>;

    /// The first record whose key is greater than `key`: its key, and its JSON text.
    fn record_after(&self, key: &str) -> Option<(String, String)>;

    /// Infer answers from what is stored.
    fn infer(
        &self,
        question: Question,
        control: Control,
    ) -> LocalBoxFuture<'static, Result<(Inferred, Rules), Fault>>;
}

/// Receives each list of changes.
type Listener = Rc<dyn Fn(&[Change])>;

/// A memory, and where it is stored.
pub struct Desk {
    memory: RefCell<Memory>,
    keeper: Rc<dyn Keeper>,
    clock: Rc<dyn Clock>,
    new_id: Box<dyn Fn() -> String>,
    others: Option<Rc<dyn Others>>,
    embed: Option<Rc<dyn Embed>>,
    meanings: RefCell<Meanings>,
    listeners: RefCell<Vec<Listener>>,
}

impl Desk {
    /// `new_id` returns a unique text of letters and digits; `crossref` searches `others`. `embed` makes
    /// vectors of texts, with which recall and context find what is worded differently.
    pub fn new(
        memory: Memory,
        keeper: Rc<dyn Keeper>,
        clock: Rc<dyn Clock>,
        new_id: impl Fn() -> String + 'static,
        others: Option<Rc<dyn Others>>,
        embed: Option<Rc<dyn Embed>>,
    ) -> Desk {
        Desk {
            memory: RefCell::new(memory),
            keeper,
            clock,
            new_id: Box::new(new_id),
            others,
            embed,
            meanings: RefCell::default(),
            listeners: RefCell::default(),
        }
    }

    pub fn memory(&self) -> Ref<'_, Memory> {
        self.memory.borrow()
    }

    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Call a tool; its changes are stored by the time this resolves. An error is a sentence.
    pub async fn call(
        self: &Rc<Self>,
        tool: &str,
        arguments: Object,
        control: Control,
    ) -> Result<Object, String> {
        if reads(tool, &arguments) {
            return self.read(tool, arguments, control).await;
        }
        let action = arguments.get("action").and_then(|action| action.as_str());
        let operation = format!("{tool} {}", action.unwrap_or_default());
        let answer: Rc<RefCell<Option<Result<Object, String>>>> = Rc::default();
        let plan = {
            let (desk, tool, answer) = (self.clone(), tool.to_string(), answer.clone());
            move || {
                let (given, changes) = match desk.outcome(&tool, arguments.clone(), false, None) {
                    Ok(Outcome { reply, changes }) => (Ok(reply), changes),
                    Err(message) => (Err(message), Vec::new()),
                };
                *answer.borrow_mut() = Some(given);
                changes
            }
        };
        let kept = self.keeper.edit(operation, Box::new(plan), control).await;
        let warnings = kept.map_err(sentence)?;
        let mut answer = answer.take().unwrap_or_else(|| Err("Nothing was done".into()))?;
        warn(&mut answer, warnings);
        Ok(answer)
    }

    /// Call a tool without changing anything; actions that would are refused.
    pub async fn read(&self, tool: &str, arguments: Object, control: Control) -> Result<Object, String> {
        match (tool, arguments.get("action").and_then(|action| action.as_str())) {
            ("kn_intel", Some("infer")) => self.infer(arguments, control).await,
            ("kn_intel", Some("crossref")) => self.crossref(arguments).await,
            (_, action) => {
                let about = match (tool, action) {
                    ("kn_intel", Some("recall")) => arguments.get("topic"),
                    ("kn_intel", Some("context")) => arguments.get("keywords"),
                    _ => None,
                };
                let (near, warnings) = match (&self.embed, about.and_then(|about| about.as_str())) {
                    (Some(embed), Some(text)) => self.near(&**embed, text).await,
                    _ => (None, Vec::new()),
                };
                let mut reply = self.outcome(tool, arguments, true, near)?.reply;
                warn(&mut reply, warnings);
                Ok(reply)
            }
        }
    }

    /// The entries near in meaning to a text, and notices of what could not be compared.
    async fn near(&self, embed: &dyn Embed, text: &str) -> (Option<Rc<Near>>, Vec<String>) {
        let asked = match vector_of(embed, text).await {
            Ok(vector) => vector,
            Err(why) => return (None, vec![format!("Found by words alone, not by meaning: {why}")]),
        };
        self.meanings.borrow_mut().expect(asked.len());
        let missing = || self.meanings.borrow_mut().missing(&self.memory.borrow());
        let (mut warnings, mut apart) = (Vec::new(), 0);
        for _ in requests() {
            let (entries, texts): (Vec<_>, Vec<String>) = missing().into_iter().unzip();
            if entries.is_empty() {
                break;
            }
            let vectors = match vectors_of(embed, texts).await {
                Ok(vectors) => vectors,
                Err(why) => {
                    warnings.push(format!(
                        "Entries without a vector yet are found by words alone, not by meaning: {why}"
                    ));
                    break;
                }
            };
            let mut meanings = self.meanings.borrow_mut();
            for (entry, vector) in entries.into_iter().zip(vectors) {
                apart += usize::from(!meanings.keep(entry, vector));
            }
        }
        if apart > 0 {
            warnings.push(format!(
                "{apart} of the entries cannot be found by meaning, only by words: their vectors have no direction, or \
                 another length than the topic's"
            ));
        }
        if warnings.is_empty() && !missing().is_empty() {
            warnings.push("Older entries are not compared by meaning yet: ask again".into());
        }
        (Some(Rc::new(self.meanings.borrow().near(&asked))), warnings)
    }

    async fn crossref(&self, arguments: Object) -> Result<Object, String> {
        // Report invalid arguments before reading other books.
        let (_, _, arguments) = arguments::read("kn_intel", arguments, true)?;
        let others = match &self.others {
            Some(others) => others.memories().await,
            None => Vec::new(),
        };
        let now = self.clock.now_ms();
        let reply = json!(crossref(&self.memory.borrow(), &others, &arguments, now));
        let mut reply = envelope(fitted(reply, arguments.budget()));
        warn(&mut reply, arguments.warnings);
        Ok(reply)
    }

    async fn infer(&self, arguments: Object, control: Control) -> Result<Object, String> {
        let (_, _, arguments) = arguments::read("kn_intel", arguments, true)?;
        let now = self.clock.now_ms().max(self.memory.borrow().latest());
        let question = Question::read(&arguments, now);
        let inferred = self.keeper.infer(question.clone(), control).await;
        let (inferred, rules) = inferred.map_err(sentence)?;
        let mut reply = infer::answer(&self.memory.borrow(), &question, inferred, &rules);
        warn(&mut reply, arguments.warnings);
        Ok(reply)
    }

    /// The first record whose key is greater than `key`: its key, and its line.
    pub fn export_after(&self, key: &str) -> Option<(String, String)> {
        let (key, record) = self.keeper.record_after(key)?;
        let line = exchange::line(&key, &record);
        Some((key, line))
    }

    /// All records, one per line.
    pub fn export(&self) -> String {
        let (mut lines, mut last) = (String::new(), String::new());
        while let Some((key, line)) = self.export_after(&last) {
            lines.push_str(&line);
            lines.push('\n');
            last = key;
        }
        lines
    }

    /// Import lines of JSON ([`crate::import`]) as one revision, and report on them.
    pub async fn import(self: &Rc<Self>, text: String, control: Control) -> Result<Report, String> {
        let report: Rc<RefCell<Report>> = Rc::default();
        let plan = {
            let (desk, report) = (self.clone(), report.clone());
            move || {
                let given = CallContext {
                    now_ms: desk.clock.now_ms(),
                    only_reading: false,
                    new_id: &mut || (desk.new_id)(),
                    near: None,
                };
                let import = exchange::import(&desk.memory.borrow(), &text, given);
                *report.borrow_mut() = import.report;
                import.changes
            }
        };
        let kept = self.keeper.edit("import".into(), Box::new(plan), control).await;
        let warnings = kept.map_err(sentence)?;
        Ok(Report {
            warnings,
            ..report.take()
        })
    }

    fn outcome(
        &self,
        tool: &str,
        arguments: Object,
        only_reading: bool,
        near: Option<Rc<Near>>,
    ) -> Result<Outcome, String> {
        let given = CallContext {
            now_ms: self.clock.now_ms(),
            only_reading,
            new_id: &mut || (self.new_id)(),
            near,
        };
        call(&self.memory.borrow(), tool, arguments, given)
    }

    /// Apply stored changes. Applying one again has no effect; a record that cannot be read is left as it
    /// was.
    pub fn take(&self, changes: &[Change]) {
        for change in changes {
            // It is of a later version; whoever wrote it can read it.
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

    /// Call `listener` after every change.
    pub fn on_change(&self, listener: impl Fn(&[Change]) + 'static) {
        self.listeners.borrow_mut().push(Rc::new(listener));
    }
}

fn sentence(fault: Fault) -> String {
    format!("{} {}", fault.message, fault.next).trim().to_string()
}

/// Whether a call changes nothing, as far as its arguments show.
fn reads(tool: &str, arguments: &Object) -> bool {
    let named = arguments.get("action").and_then(|action| action.as_str());
    let tool = TOOLS.iter().find(|known| known.name == tool);
    let action = tool.and_then(|tool| tool.actions(false).find(|action| Some(action.name) == named));
    action.is_some_and(|action| action.only_reads(arguments))
}
