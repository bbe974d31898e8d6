//! Queries: those that are open in the engine, and those that have ended and are still known by their id.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use hornbook_base::Limits;
use hornbook_engine::reply::{Answer, Step};

/// The queries of a workspace, in the order in which they were started.
#[derive(Debug, Default)]
pub struct Queries {
    open: Vec<Open>,
    ended: VecDeque<Ended>,
    started: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The id that clients use.
    pub id: String,
    /// The id in the engine.
    pub number: u64,
    /// Whether the engine has it: not when the one that had it is gone.
    pub in_engine: bool,
    /// The goal, as it was given.
    pub text: String,
    /// The revision of the book when it was opened.
    pub revision: u64,
    pub given: Given,
    /// What its engine has said that it took so far.
    pub inferences: u64,
}

/// The answers that a query has given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Given {
    pub count: usize,
    /// Tells whether other answers are the same.
    digest: u64,
}

impl Given {
    pub fn push(&mut self, answers: &[Answer]) {
        for answer in answers {
            let mut hasher = DefaultHasher::new();
            self.digest.hash(&mut hasher);
            for (name, text, _) in &answer.bindings {
                (name, text).hash(&mut hasher);
            }
            answer.residual.hash(&mut hasher);
            self.digest = hasher.finish();
        }
        self.count += answers.len();
    }
}

/// How many open queries an engine took with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Orphans {
    pub closed: usize,
    /// Those that can be asked anew.
    pub kept: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub id: String,
    /// Why it was closed, a sentence; `None` when it gave its last answer.
    pub closed: Option<String>,
    pub inferences: u64,
}

/// What an id stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    Open(Open),
    Ended(Ended),
}

/// Why a query cannot be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    TooMany,
    IdInUse,
}

impl Queries {
    /// The id and the engine's number of a query to be started. Nothing is open before [`Queries::opened`].
    pub fn prepare(&mut self, id: Option<&str>, limits: &Limits) -> Result<(String, u64), Refused> {
        if id.is_some_and(|id| self.position(id).is_some()) {
            return Err(Refused::IdInUse);
        }
        if self.open.len() >= limits.open_queries {
            return Err(Refused::TooMany);
        }
        self.started += 1;
        let id = id.map_or_else(|| self.fresh_id(), str::to_owned);
        Ok((id, self.started))
    }

    fn fresh_id(&self) -> String {
        let unused = |id: &String| self.find(Some(id)).is_none();
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
        self.open.push(query);
    }

    /// By its id; without one the newest that is open, or else the newest that has ended.
    pub fn find(&self, id: Option<&str>) -> Option<Known> {
        let wanted = |known: &str| id.is_none_or(|id| id == known);
        let open = self
            .open
            .iter()
            .rev()
            .find(|query| wanted(&query.id))
            .cloned()
            .map(Known::Open);
        let ended = || {
            self.ended
                .iter()
                .rev()
                .find(|query| wanted(&query.id))
                .cloned()
                .map(Known::Ended)
        };
        open.or_else(ended)
    }

    /// How many are open.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// An open query gave its last answer, or was closed for a reason that its client should hear.
    pub fn end(&mut self, id: &str, closed: Option<String>, limits: &Limits) {
        let open = self.position(id).map(|position| self.open.remove(position));
        self.forget_ended(id);
        self.ended.push_back(Ended {
            id: id.to_owned(),
            closed,
            inferences: open.map_or(0, |query| query.inferences),
        });
        while self.ended.len() > limits.ended_queries {
            self.ended.pop_front();
        }
    }

    /// The engine is gone. The queries that were opened in this revision of the book stay open; the others are
    /// closed for this reason.
    pub fn engine_lost(&mut self, revision: u64, reason: &str, limits: &Limits) -> Orphans {
        let mut closed = Vec::new();
        for query in &mut self.open {
            query.in_engine = false;
            if query.revision != revision {
                closed.push(query.id.clone());
            }
        }
        for id in &closed {
            self.end(id, Some(reason.to_owned()), limits);
        }
        Orphans {
            closed: closed.len(),
            kept: self.open.len(),
        }
    }

    pub fn is_open(&self, id: &str) -> bool {
        self.position(id).is_some()
    }

    /// An open query has come further.
    pub fn stepped(&mut self, id: &str, step: &Step) {
        if let Some(position) = self.position(id) {
            let query = &mut self.open[position];
            query.given.push(&step.answers);
            query.inferences = step.inferences;
        }
    }

    /// The inferences that a query has taken so far, where its engine said how many.
    pub fn inferences(&self, id: &str) -> Option<u64> {
        let inferences = match self.find(Some(id))? {
            Known::Open(query) => query.inferences,
            Known::Ended(query) => query.inferences,
        };
        (inferences > 0).then_some(inferences)
    }

    /// A query that its engine took with it is open in the new engine.
    pub fn restarted(&mut self, id: &str) {
        if let Some(position) = self.position(id) {
            self.open[position].in_engine = true;
        }
    }

    /// Closed by its client: it is not known any more.
    pub fn forget(&mut self, id: &str) {
        if let Some(position) = self.position(id) {
            self.open.remove(position);
        }
        self.forget_ended(id);
    }

    /// Forget all; how many were open.
    pub fn clear(&mut self) -> usize {
        self.ended.clear();
        std::mem::take(&mut self.open).len()
    }

    fn forget_ended(&mut self, id: &str) {
        self.ended.retain(|query| query.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(queries: &mut Queries, id: Option<&str>) -> String {
        let (id, number) = queries.prepare(id, &Limits::default()).unwrap();
        queries.opened(Open {
            id: id.clone(),
            number,
            in_engine: true,
            text: "true".into(),
            revision: 0,
            given: Given::default(),
            inferences: 0,
        });
        id
    }

    fn id_of(known: Option<Known>) -> Option<String> {
        known.map(|known| match known {
            Known::Open(query) => query.id,
            Known::Ended(query) => format!("{} ended", query.id),
        })
    }

    #[test]
    fn without_an_id_the_newest_open_query_is_meant() {
        let mut queries = Queries::default();
        assert_eq!(queries.find(None), None);
        start(&mut queries, Some("mine"));
        let second = start(&mut queries, None);
        assert_eq!(id_of(queries.find(None)), Some(second.clone()));
        queries.end(&second, None, &Limits::default());
        assert_eq!(id_of(queries.find(None)).as_deref(), Some("mine"));
        queries.end("mine", None, &Limits::default());
        assert_eq!(id_of(queries.find(None)).as_deref(), Some("mine ended"));
    }

    #[test]
    fn an_id_is_used_once_at_a_time_and_made_ids_avoid_given_ones() {
        let mut queries = Queries::default();
        let limits = Limits::default();
        start(&mut queries, Some("q2"));
        assert_eq!(queries.prepare(Some("q2"), &limits), Err(Refused::IdInUse));
        assert_eq!(start(&mut queries, None), "q3");
        queries.end("q2", None, &limits);
        assert_eq!(start(&mut queries, Some("q2")), "q2");
        assert!(matches!(queries.find(Some("q2")), Some(Known::Open(_))));
    }

    #[test]
    fn the_number_of_open_and_of_remembered_queries_is_bounded() {
        let mut queries = Queries::default();
        let limits = Limits {
            open_queries: 2,
            ended_queries: 1,
            ..Limits::default()
        };
        start(&mut queries, Some("a"));
        start(&mut queries, Some("b"));
        assert_eq!(queries.prepare(None, &limits), Err(Refused::TooMany));
        let orphans = Orphans { closed: 2, kept: 0 };
        assert_eq!(
            queries.engine_lost(1, "the engine was restarted", &limits),
            orphans
        );
        assert_eq!(queries.find(Some("a")), None);
        let lost = Ended {
            id: "b".into(),
            closed: Some("the engine was restarted".into()),
            inferences: 0,
        };
        assert_eq!(queries.find(Some("b")), Some(Known::Ended(lost)));
    }

    #[test]
    fn queries_of_this_revision_of_the_book_outlive_their_engine() {
        let mut queries = Queries::default();
        start(&mut queries, Some("a"));
        let orphans = Orphans { closed: 0, kept: 1 };
        assert_eq!(queries.engine_lost(0, "", &Limits::default()), orphans);
        let in_engine = |queries: &Queries| match queries.find(Some("a")) {
            Some(Known::Open(query)) => query.in_engine,
            other => panic!("{other:?}"),
        };
        assert!(!in_engine(&queries));
        queries.restarted("a");
        assert!(in_engine(&queries));
    }

    #[test]
    fn inferences_are_known_while_a_query_is_open_and_after() {
        let mut queries = Queries::default();
        start(&mut queries, Some("a"));
        assert_eq!(queries.inferences("a"), None);
        let step = |inferences| Step {
            inferences,
            ..Step::default()
        };
        queries.stepped("a", &step(7));
        assert_eq!(queries.inferences("a"), Some(7));
        queries.stepped("a", &step(12));
        queries.end("a", None, &Limits::default());
        assert_eq!(queries.inferences("a"), Some(12));
        assert_eq!(queries.inferences("b"), None);
    }

    #[test]
    fn the_same_answers_are_told_from_others_however_they_are_divided() {
        let answer = |text: &str| Answer {
            bindings: vec![("X".into(), text.into(), text.into())],
            residual: Vec::new(),
            output: String::new(),
        };
        let given = |groups: &[&[&str]]| {
            let mut given = Given::default();
            for group in groups {
                given.push(&group.iter().map(|text| answer(text)).collect::<Vec<_>>());
            }
            given
        };
        assert_eq!(given(&[&["a", "b"]]), given(&[&["a"], &["b"]]));
        assert_ne!(given(&[&["a", "b"]]), given(&[&["b", "a"]]));
        assert_ne!(given(&[&["a"]]), given(&[&["a", "a"]]));
    }
}
