//! A workspace's book, for the programs of a run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde_json::json;

use hornbook_agent::{BookReply, BookUse, ProgramBook};
use hornbook_base::{Control, Fault, Who};
use hornbook_workspace::{Answers, QueryNext, QueryStart, Workspace};

/// The client number that stands for programs.
const PROGRAMS: u64 = u64::MAX;

/// How programs may use a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookAccess {
    Read,
    Write,
}

/// The book as one run sees it. A goal runs as a query that returns one answer at a time; its changes are one
/// revision, which the history attributes to the program.
pub struct BookOfProgram(Rc<Inner>);

struct Inner {
    workspace: Workspace,
    program: String,
    access: BookAccess,
    /// Whom the rules of the book take the program for.
    who: Option<Rc<Who>>,
    /// Inferences used so far, by open query.
    open: RefCell<BTreeMap<String, u64>>,
}

impl BookOfProgram {
    /// `who` started the program; `None` is the host itself.
    pub fn new(
        workspace: Workspace,
        program: &str,
        access: BookAccess,
        who: Option<Rc<Who>>,
    ) -> BookOfProgram {
        BookOfProgram(Rc::new(Inner {
            workspace,
            program: program.to_owned(),
            access,
            who,
            open: RefCell::default(),
        }))
    }
}

impl ProgramBook for BookOfProgram {
    fn ask(&self, asked: &BookUse) -> LocalBoxFuture<'static, BookReply> {
        let (inner, asked) = (self.0.clone(), asked.clone());
        async move { inner.ask(asked).await }.boxed_local()
    }

    fn close(&self, query: &str) {
        if self.0.open.borrow_mut().remove(query).is_some() {
            self.0.workspace.close_soon(query.to_owned());
        }
    }
}

impl Drop for BookOfProgram {
    fn drop(&mut self) {
        for query in self.0.open.take().into_keys() {
            self.0.workspace.close_soon(query);
        }
    }
}

impl Inner {
    async fn ask(&self, asked: BookUse) -> BookReply {
        self.workspace.freshen().await;
        let control = Control {
            client: PROGRAMS,
            read_only: self.access == BookAccess::Read,
            who: self.who.clone(),
            ..Control::default()
        };
        let answers = match asked {
            BookUse::Ask { goal, variables } => {
                let start = QueryStart {
                    query: query_for(&goal, variables),
                    shown_as: Some(format!("{}: {goal}", self.program)),
                    take: Some(1),
                    awaited: true,
                    ..QueryStart::default()
                };
                let started = self.workspace.query_start(start, &control).await;
                started.map(|started| {
                    self.workspace.tell_later(started.notices);
                    started.answers
                })
            }
            BookUse::More { query } => {
                let next = QueryNext {
                    query_id: Some(query),
                    take: Some(1),
                    ..QueryNext::default()
                };
                self.workspace.query_next(next, &control).await.map(Some)
            }
            BookUse::Close { query } => {
                self.open.borrow_mut().remove(&query);
                self.workspace.close_soon(query);
                Ok(None)
            }
        };
        match answers {
            Ok(Some(mut answers)) => {
                self.workspace.tell_later(std::mem::take(&mut answers.notices));
                self.reply(answers)
            }
            Ok(None) => BookReply::default(),
            Err(fault) => refused(&fault),
        }
    }

    fn reply(&self, answers: Answers) -> BookReply {
        let id = answers.query_id;
        let mut open = self.open.borrow_mut();
        let before = open.remove(&id).unwrap_or_default();
        let so_far = self.workspace.inferences(&id).unwrap_or_default();
        let answer = answers.answers.into_iter().next();
        let more = answers.more && answer.is_some();
        if more {
            open.insert(id.clone(), so_far);
        }
        let mut reply = match (&answers.fault, &answer) {
            (Some(fault), _) => refused(fault),
            (None, Some(answer)) => BookReply {
                answer: answer
                    .bindings
                    .first()
                    .and_then(|binding| binding.json.as_str().map(str::to_owned)),
                undefined: answer.undefined,
                query: more.then_some(id),
                ..BookReply::default()
            },
            (None, None) => BookReply::default(),
        };
        let written = answer.map_or_else(String::new, |answer| answer.output);
        reply.output = written + &answers.output;
        reply.inferences = so_far.saturating_sub(before);
        reply
    }
}

/// A query with one binding: the answer as text that reads back whatever operators the book defines.
fn query_for(goal: &str, variables: usize) -> String {
    let names: Vec<String> = (1..=variables).map(|number| format!("_B{number}")).collect();
    let names = names.join(",");
    format!(
        "({goal}\n), copy_term([{names}],_BV,_BR), with_output_to(string(Answer), write_canonical(_BV-_BR))"
    )
}

fn refused(fault: &Fault) -> BookReply {
    let kind = json!(fault.kind);
    BookReply::error(kind.as_str().unwrap_or_default(), fault.message.clone())
}
