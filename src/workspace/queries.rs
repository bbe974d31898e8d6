//! Starting queries, asking for more answers, and closing them.

use super::request::Watch;
use super::steps::{Begun, ago, next_in, start_in};
use super::turn::Turn;
use super::types::*;
use super::{Inner, Workspace};
use crate::open::{End, IdInUse, Known, Open, Orphans, Place, in_use};
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::unreadable;
use hornbook_engine::protocol;
use hornbook_engine::reply::Closed;

/// How much of a query with long values the history shows.
const SHOWN_CHARS: usize = 1_000;

impl Workspace {
    /// Check a query and open it; with `take`, return its first answers. The answers are the same with and
    /// without `take`.
    pub async fn query_start(&self, mut start: QueryStart, control: &Control) -> Result<QueryStarted, Fault> {
        let workspace = &*self.0;
        workspace.check_query(&start)?;
        workspace.check_assumed(start.assume.as_deref().unwrap_or_default())?;
        let soft_ms = workspace.timeout(start.timeout_ms)?;
        workspace.check_take(start.take)?;
        if control.read_only && start.leaves == Leaves::All {
            start.leaves = Leaves::Nothing;
        }
        let mut turn = workspace.turn_of_query(control).await?;
        start.query = workspace.plain(&start.query).await?;
        if start.shown_as.is_none() && start.value_chars > SHOWN_CHARS {
            start.shown_as = Some(cut(&start.query, SHOWN_CHARS));
        }
        if let Some(texts) = start.assume.take() {
            start.assume = Some(workspace.all_plain(texts).await?);
        }
        let (id, number) = workspace.prepare(start.query_id.as_deref(), control.client)?;
        loop {
            let begun = start_in(&turn, &start, (&id, number), soft_ms, control).await?;
            drop(turn);
            turn = match begun {
                Begun::Started(started) => return Ok(*started),
                Begun::Leaves => workspace.turn_of_first(control).await?,
                Begun::IsLong => workspace.turn_of_long(control).await?,
            };
        }
    }

    /// More answers of a query, by default the client's newest. After the last answer, every further call
    /// reports the end again.
    pub async fn query_next(&self, next: QueryNext, control: &Control) -> Result<Answers, Fault> {
        let workspace = &*self.0;
        let soft_ms = workspace.timeout(next.timeout_ms)?;
        workspace.check_take(next.take)?;
        loop {
            // What counts is where the query is once the turn comes.
            let lane = workspace.lane_of(next.query_id.as_deref(), control);
            let mut turn = match lane {
                0 => workspace.wait_as_query(control).await?,
                _ => match workspace.turn_of_lane(lane, control).await? {
                    Some(turn) => turn,
                    None => continue,
                },
            };
            // It may take long wherever it is: begun again, it would not always give the same answers.
            turn.long = workspace.long.acquire_now();
            if workspace.lane_of(next.query_id.as_deref(), control) == lane
                && let Some(answers) = next_in(&turn, &next, soft_ms, control).await?
            {
                return Ok(answers);
            }
        }
    }

    /// Keep answers that did not fit into a reply: the next call for the query returns them.
    pub fn hold(&self, rest: Answers) {
        self.0.queries.borrow_mut().hold(rest);
    }

    /// Keep notices that the caller cannot show for the next reply.
    pub fn tell_later(&self, notices: Vec<Notice>) {
        for Notice(notice) in notices {
            self.0.supervisor.remark(notice);
        }
    }

    /// The open queries that the requester may use, in the order they were started.
    pub fn open_queries(&self, control: &Control) -> Vec<OpenQuery> {
        let now = self.now_ms();
        let queries = self.0.queries.borrow();
        let own = queries
            .open()
            .iter()
            .filter(|query| !control.own_queries_only || query.client == control.client);
        let listed = own.map(|query| OpenQuery {
            query_id: query.id.clone(),
            query: query.shown().to_owned(),
            solutions: query.so_far.count,
            idle_ms: now.saturating_sub(query.asked.0),
        });
        listed.collect()
    }

    /// The inferences that a query has taken so far; `None` if unknown, or its engine was ended before it
    /// could report them.
    pub fn inferences(&self, query_id: &str) -> Option<u64> {
        self.0.queries.borrow().inferences(query_id)
    }

    /// Close a query when its turn comes.
    pub fn close_soon(&self, query_id: String) {
        let workspace = self.clone();
        (self.0.spawner)(Box::pin(async move {
            // If its engine is gone, so is the query.
            let _ = workspace.query_close(Some(&query_id), &Control::default()).await;
        }));
    }

    /// Close a query. Does nothing if it is not open.
    pub async fn query_close(&self, query_id: Option<&str>, control: &Control) -> Result<QueryClosed, Fault> {
        let workspace = &*self.0;
        let uncancelled = control.uncancelled();
        let lane = workspace.lane_of(query_id, control);
        // Beside the first engine nobody waits for another's query to close one: the next turn there does.
        if lane > 0
            && workspace.lanes[lane].supervisor.turn_now().is_none()
            && let Ok(Known::Open(query)) = workspace.find(query_id, control)
        {
            workspace.lanes[lane].close_later(query.number);
            workspace.queries.borrow_mut().forget(&query.id);
            return Ok(QueryClosed {
                query_id: Some(query.id),
                was_open: true,
            });
        }
        // A query whose engine beside the first is gone is not open anywhere.
        let turn = match lane {
            0 => None,
            _ => workspace.turn_of_lane(lane, &uncancelled).await?,
        };
        let turn = match turn {
            Some(turn) => turn,
            None => workspace.wait_as_query(&uncancelled).await?,
        };
        let known = workspace.find(query_id, control).ok();
        let (id, open) = match known {
            None => {
                return Ok(QueryClosed {
                    query_id: query_id.map(str::to_owned),
                    was_open: false,
                });
            }
            Some(Known::Ended(query)) => (query.id, None),
            Some(Known::Open(query)) => (query.id.clone(), Some(query)),
        };
        if let Some(query) = &open {
            workspace.close_in_engine(&turn, query).await;
        }
        workspace.queries.borrow_mut().forget(&id);
        Ok(QueryClosed {
            query_id: Some(id),
            was_open: open.is_some(),
        })
    }
}

impl Inner {
    pub(super) fn check_query(&self, start: &QueryStart) -> Result<(), Fault> {
        let limits = &self.limits;
        if start.query.trim().is_empty() {
            return Err(Fault::new(FaultKind::SyntaxError, "The query is empty.")
                .with_next("Give a goal, as `member(X, [a, b])`."));
        }
        if start.value_chars > limits.value_chars {
            let message = "The values in the query have more characters than are allowed";
            let fault = Fault::limit(message, "value_chars", limits.value_chars);
            return Err(fault.with_next("Put them into the book as facts, or raise the limit in `limits`."));
        }
        if start.query.chars().count().saturating_sub(start.value_chars) > limits.query_chars {
            let message = "The query has more characters than are allowed";
            return Err(Fault::limit(message, "query_chars", limits.query_chars));
        }
        if let Some(fault) = unreadable("The query", &start.query, Lexer::new(&start.query), limits) {
            return Err(fault);
        }
        let id_fits = |id: &String| !id.trim().is_empty() && id.chars().count() <= limits.query_id_chars;
        if !start.query_id.as_ref().is_none_or(id_fits) {
            let message = "The query_id is empty or too long";
            return Err(Fault::limit(message, "query_id_chars", limits.query_id_chars));
        }
        Ok(())
    }

    /// Check clauses that hold for one query: they go to the engine in one request.
    fn check_assumed(&self, texts: &[String]) -> Result<(), Fault> {
        let limits = &self.limits;
        if texts.iter().map(|text| text.chars().count()).sum::<usize>() > limits.query_chars {
            let message = "The clauses in assume have more characters than are allowed";
            return Err(Fault::limit(message, "query_chars", limits.query_chars));
        }
        let fault = |text: &String| unreadable("A clause in assume", text, Lexer::new(text), limits);
        texts.iter().find_map(fault).map_or(Ok(()), Err)
    }

    fn check_take(&self, take: Option<usize>) -> Result<(), Fault> {
        match take {
            Some(take) if !(1..=self.limits.take).contains(&take) => {
                let message = format!("take must be from 1 to {}, not {take}", self.limits.take);
                Err(Fault::limit(message, "take", self.limits.take)
                    .with_next("Take fewer; query_next gives those after them."))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn timeout(&self, timeout_ms: Option<u64>) -> Result<u64, Fault> {
        let longest = self.limits.longest_timeout_ms;
        match timeout_ms {
            Some(ms) if !(1..=longest).contains(&ms) => {
                let message = format!("timeout_ms must be from 1 to {longest}, not {ms}");
                Err(Fault::limit(message, "longest_timeout_ms", longest))
            }
            Some(ms) => Ok(ms),
            None => Ok(self.timeout_ms),
        }
    }

    fn prepare(&self, id: Option<&str>, client: u64) -> Result<(String, u64), Fault> {
        let prepared = self.queries.borrow_mut().prepare(id, client);
        prepared.map_err(|IdInUse| in_use(id.unwrap_or_default()))
    }

    /// A query that the requester may use, by default its newest.
    pub(super) fn find(&self, id: Option<&str>, control: &Control) -> Result<Known, Fault> {
        let (queries, client) = (self.queries.borrow(), control.client);
        let found = id.or(queries.newest(client)).and_then(|id| queries.find(id));
        let found = found.filter(|query| query.is_for(control));
        found.ok_or_else(|| {
            let message = match id {
                Some(id) => format!("There is no query {id}."),
                None if queries.newest(client).is_some() => {
                    "The newest query is not open: it could not be started, or was closed.".to_owned()
                }
                None => "No query was started here.".to_owned(),
            };
            Fault::new(FaultKind::NoSuchQuery, message)
        })
    }

    /// If more queries are open than allowed, close the one idle longest.
    pub(super) async fn close_surplus(&self, turn: &Turn<'_>) -> Option<Notice> {
        let query = self.queries.borrow().surplus(&self.limits)?;
        self.close_in_engine(turn, &query).await;
        let (most, now) = (self.limits.open_queries, self.clock.now_ms());
        let why = format!("it had been idle longest when the limit of {most} open queries was exceeded");
        self.queries
            .borrow_mut()
            .end(&query.id, End::Stopped { why, at_ms: now }, &self.limits);
        let idle = ago(now.saturating_sub(query.asked.0));
        Some(Notice(format!(
            "Query {}, last asked {idle}, was closed: at most {most} queries may be open (limit: open_queries = {most}).",
            query.id
        )))
    }

    /// The lane of the engine in which a query continues; without an id, the client's newest query.
    fn lane_of(&self, id: Option<&str>, control: &Control) -> usize {
        match self.find(id, control) {
            Ok(Known::Open(Open {
                place: Place::Engine(lane),
                ..
            })) => lane,
            _ => 0,
        }
    }

    /// Close a query in its engine: now, or at that engine's next turn.
    pub(super) async fn close_in_engine(&self, turn: &Turn<'_>, query: &Open) {
        let Place::Engine(lane) = query.place else {
            return;
        };
        if lane != turn.lane.number {
            self.lanes[lane].close_later(query.number);
        } else if turn.has_engine() {
            let watch = Watch {
                query: Some(&query.id),
                ..Watch::short("close")
            };
            // If the engine is lost, the query is closed all the same.
            let _ = turn.ask::<Closed>(protocol::close(query.number), watch).await;
        }
    }

    /// The engine of a lane is gone: decide what becomes of its queries.
    pub(super) fn orphan_queries(&self, lane: usize) -> Orphans {
        let lost =
            self.stopped("the engine was restarted, and the book has changed since the query was opened");
        self.queries
            .borrow_mut()
            .engine_lost(lane, self.book.borrow().revision(), lost, &self.limits)
    }

    /// The end of a query that is stopped now; `why` is a sentence without its period.
    pub(super) fn stopped(&self, why: impl Into<String>) -> End {
        End::Stopped {
            why: why.into(),
            at_ms: self.clock.now_ms(),
        }
    }
}
