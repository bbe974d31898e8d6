//! The queries that are open in an engine, and those that have ended but are still known by id.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::types::{Answers, Leaves};
use hornbook_base::{Control, Fault, FaultKind, Limits};
use hornbook_engine::reply::{Answer, Step};

/// The queries of a workspace, in the order they were started.
#[derive(Debug, Default)]
pub struct Queries {
    open: Vec<Open>,
    ended: VecDeque<Ended>,
    started: u64,
    /// How many times any query was asked for answers.
    asks: u64,
    /// Answers that did not fit into a reply, by query: the next call for that query returns them.
    untold: BTreeMap<String, Answers>,
    /// The id of the latest query of each client.
    newest: BTreeMap<u64, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The id that clients use.
    pub id: String,
    /// The client that started it.
    pub client: u64,
    /// The id in the engine.
    pub number: u64,
    pub place: Place,
    /// The goal, as given.
    pub text: String,
    /// Shown instead of its text.
    pub shown_as: Option<String>,
    /// As of [`QueryStart`](crate::QueryStart).
    pub exact: bool,
    /// Clauses that hold for this query alone, as text.
    pub assume: Option<Vec<String>>,
    /// Whoever started it closes it ([`QueryStart::awaited`](super::QueryStart::awaited)).
    pub awaited: bool,
    pub leaves: Leaves,
    /// The revision of the book when it was opened.
    pub revision: u64,
    pub so_far: AnswerDigest,
    /// When it was last asked, in milliseconds since 1970, and the count of `asks` at that time.
    pub asked: (u64, u64),
    /// The inferences it has taken so far, as its engine reported.
    pub inferences: u64,
}

/// Where an open query is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the engine of the lane with this number.
    Engine(usize),
    /// Its engine is gone.
    Lost,
    /// It has left an engine beside the first, to continue in the first.
    Left,
}

impl Open {
    /// How lists and messages show it: its text, or what the caller gave instead.
    pub fn shown(&self) -> &str {
        self.shown_as.as_deref().unwrap_or(&self.text)
    }
}

/// A summary of the answers that a query has given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerDigest {
    pub count: usize,
    /// Equal for equal answers.
    digest: u64,
}

impl AnswerDigest {
    pub fn push(&mut self, answers: &[Answer]) {
        for answer in answers {
            let mut hasher = DefaultHasher::new();
            self.digest.hash(&mut hasher);
            for (name, text, _) in &answer.bindings {
                (name, text).hash(&mut hasher);
            }
            (&answer.residual, answer.undefined).hash(&mut hasher);
            self.digest = hasher.finish();
        }
        self.count += answers.len();
    }
}

/// What became of the open queries of an engine that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Orphans {
    pub closed: usize,
    /// Those that can be opened again.
    pub kept: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub id: String,
    pub end: End,
    /// The client that started it; `None` if it ended while it started.
    pub client: Option<u64>,
    /// How many answers it gave.
    pub given: usize,
    pub inferences: u64,
}

/// How a query ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It gave its last answer.
    Exhausted,
    /// It was stopped or closed early: why, a sentence without its period, and when, in milliseconds since
    /// 1970.
    Stopped { why: String, at_ms: u64 },
}

/// What an id stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    Open(Open),
    Ended(Ended),
}

impl Known {
    pub fn id(&self) -> &str {
        match self {
            Known::Open(query) => &query.id,
            Known::Ended(query) => &query.id,
        }
    }

    /// Whether the requester may use it.
    pub fn is_for(&self, control: &Control) -> bool {
        let client = match self {
            Known::Open(query) => Some(query.client),
            Known::Ended(query) => query.client,
        };
        !control.own_queries_only || client.is_none_or(|client| client == control.client)
    }
}

/// The id belongs to an open query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdInUse;

/// The fault of a query that asks for the id of an open one.
pub fn in_use(id: &str) -> Fault {
    let message = format!("A query with the id {id} is open.");
    Fault::new(FaultKind::QueryIdInUse, message)
}

/// How many clients have their newest query remembered.
const CLIENTS: usize = 1_000;

impl Queries {
    /// The id and the engine's number for a query about to start. It is not open before [`Queries::opened`],
    /// but counts as its client's newest from now on, even if it fails to start.
    pub fn prepare(&mut self, id: Option<&str>, client: u64) -> Result<(String, u64), IdInUse> {
        if id.is_some_and(|id| self.position(id).is_some()) {
            return Err(IdInUse);
        }
        self.started += 1;
        let id = id.map_or_else(|| self.fresh_id(), str::to_owned);
        self.newest.insert(client, id.clone());
        if self.newest.len() > CLIENTS {
            self.newest.pop_first();
        }
        Ok((id, self.started))
    }

    fn fresh_id(&self) -> String {
        let unused = |id: &String| self.find(id).is_none();
        (self.started..)
            .map(|number| format!("q{number}"))
            .find(unused)
            .expect("numbers do not end")
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.open.iter().position(|query| query.id == id)
    }

    pub fn opened(&mut self, query: Open) {
        self.forget_ended(&query.id);
        self.untold.remove(&query.id);
        self.open.push(query);
    }

    /// The id of the latest query of a client, open or not.
    pub fn newest(&self, client: u64) -> Option<&str> {
        self.newest.get(&client).map(String::as_str)
    }

    pub fn find(&self, id: &str) -> Option<Known> {
        let open = self.open.iter().find(|query| query.id == id);
        let ended = || self.ended.iter().find(|query| query.id == id);
        match open {
            Some(query) => Some(Known::Open(query.clone())),
            None => ended().cloned().map(Known::Ended),
        }
    }

    /// The open queries, in the order they were started.
    pub fn open(&self) -> &[Open] {
        &self.open
    }

    /// If more queries are open than allowed, the one idle longest; never the one asked last, nor an awaited
    /// one.
    pub fn surplus(&self, limits: &Limits) -> Option<Open> {
        let counted = || self.open.iter().filter(|query| !query.awaited);
        let surplus = counted().count() > limits.open_queries.max(1);
        surplus
            .then(|| counted().min_by_key(|query| query.asked).cloned())
            .flatten()
    }

    /// An open query has ended.
    pub fn end(&mut self, id: &str, end: End, limits: &Limits) {
        let open = self.position(id).map(|position| self.open.remove(position));
        self.forget_ended(id);
        self.ended.push_back(Ended {
            id: id.to_owned(),
            end,
            client: open.as_ref().map(|query| query.client),
            given: open.as_ref().map_or(0, |query| query.so_far.count),
            inferences: open.map_or(0, |query| query.inferences),
        });
        while self.ended.len() > limits.ended_queries {
            self.ended.pop_front();
        }
    }

    /// The engine of a lane is gone. Queries opened in this revision of the book stay open; the others end
    /// with `end`.
    pub fn engine_lost(&mut self, lane: usize, revision: u64, end: End, limits: &Limits) -> Orphans {
        let (mut closed, mut kept) = (Vec::new(), 0);
        for query in &mut self.open {
            match query.place {
                Place::Engine(number) if number == lane => query.place = Place::Lost,
                Place::Lost if lane == 0 => {}
                _ => continue,
            }
            match query.revision == revision {
                true => kept += 1,
                false => closed.push(query.id.clone()),
            }
        }
        for id in &closed {
            self.end(id, end.clone(), limits);
        }
        Orphans {
            closed: closed.len(),
            kept,
        }
    }

    pub fn is_open(&self, id: &str) -> bool {
        self.position(id).is_some()
    }

    /// An open query was just asked, and has made this step.
    pub fn stepped(&mut self, id: &str, step: &Step, now_ms: u64) {
        if let Some(position) = self.position(id) {
            let query = &mut self.open[position];
            query.so_far.push(&step.answers);
            self.asks += 1;
            query.asked = (now_ms, self.asks);
            query.inferences = step.inferences;
        }
    }

    /// The inferences that a query has taken so far, if its engine reported them.
    pub fn inferences(&self, id: &str) -> Option<u64> {
        let inferences = match self.find(id)? {
            Known::Open(query) => query.inferences,
            Known::Ended(query) => query.inferences,
        };
        (inferences > 0).then_some(inferences)
    }

    /// A query has moved.
    pub fn is_at(&mut self, id: &str, place: Place) {
        if let Some(position) = self.position(id) {
            self.open[position].place = place;
        }
    }

    /// Whether queries are open in the engine of this lane.
    pub fn are_in(&self, lane: usize) -> bool {
        self.open.iter().any(|query| query.place == Place::Engine(lane))
    }

    /// The client closed it: its id is no longer known.
    pub fn forget(&mut self, id: &str) {
        if let Some(position) = self.position(id) {
            self.open.remove(position);
        }
        self.forget_ended(id);
        self.untold.remove(id);
    }

    /// Keep answers of a query that did not fit into a reply.
    pub fn hold(&mut self, rest: Answers) {
        self.untold.insert(rest.query_id.clone(), rest);
    }

    pub fn take_held(&mut self, id: &str) -> Option<Answers> {
        self.untold.remove(id)
    }

    /// Forget all queries. Returns how many were open.
    pub fn clear(&mut self) -> usize {
        self.ended.clear();
        self.untold.clear();
        std::mem::take(&mut self.open).len()
    }

    fn forget_ended(&mut self, id: &str) {
        self.ended.retain(|query| query.id != id);
    }
}

#[cfg(test)]
mod tests;
