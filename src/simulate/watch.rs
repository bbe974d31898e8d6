//! Watched goals: what those who watch are told.

use std::cell::RefCell;
use std::rc::Rc;

use hornbook_base::FaultKind;
use hornbook_book::Book;
use hornbook_engine::scripted::answers;
use hornbook_workspace::{Watched, Watching, Workspace};

use super::random::Random;
use super::rules::texts;

/// The most goals that the clients of a process watch.
const MOST: usize = 4;

/// A goal that a client watches.
pub struct Watch {
    goal: String,
    told: Rc<RefCell<Vec<Told>>>,
    _watching: Watching,
}

struct Told {
    /// Sorted: their order does not count.
    answers: Vec<String>,
    fault: Option<FaultKind>,
    revision: u64,
    /// The engines held back clauses that had killed others.
    is_aside: bool,
}

impl Told {
    fn of(watched: &Watched, is_aside: bool) -> Told {
        let texts = watched.answers.iter().map(|answer| &answer.bindings[0].text);
        let mut answers: Vec<String> = texts.map(|text| text.trim_end_matches('.').to_owned()).collect();
        answers.sort_unstable();
        Told {
            answers,
            fault: watched.fault.as_ref().map(|fault| fault.kind),
            revision: watched.revision,
            is_aside,
        }
    }
}

/// A goal to watch.
pub fn goal(random: &Random) -> String {
    let goals = [
        "(p0(X))",
        "(p1(X))",
        "(q0(X))",
        "(r0(X))",
        "(q0(X), \\+ q1(X))",
        "(q1(X), q2(X))",
    ];
    random.pick(&goals).to_string()
}

/// Watch a goal, in the place of another if there are many.
pub fn begin(watches: &mut Vec<Watch>, goal: &str, workspace: &Workspace) {
    if watches.len() == MOST {
        watches.remove(0);
    }
    let told: Rc<RefCell<Vec<Told>>> = Rc::default();
    let (heard, asked) = (told.clone(), workspace.clone());
    let _watching = workspace.watch(goal.to_owned(), move |watched| {
        let is_aside = !asked.book().aside().is_empty();
        heard.borrow_mut().push(Told::of(watched, is_aside));
    });
    watches.push(Watch {
        goal: goal.to_owned(),
        told,
        _watching,
    });
}

impl Watch {
    /// The answers that follow from a book, sorted.
    fn answers(&self, book: &Book) -> Vec<String> {
        let mut found = answers(&self.goal, &texts(book));
        found.sort_unstable();
        found
    }

    /// Whether it was told each change of its answers once, in order, and has those of the last of these books, which
    /// are all since the last quiet point.
    pub fn check(&self, states: &[Book], is_aside: bool) -> Result<(), String> {
        let mut told = self.told.borrow_mut();
        let result = match is_aside || told.iter().any(|one| one.is_aside) {
            true => Ok(()),
            false => self.check_told(states, &told),
        };
        // The next begins with what was told last.
        let done = told.len().saturating_sub(1);
        told.drain(..done);
        result.map_err(|what| format!("{} is watched: {what}", self.goal))
    }

    fn check_told(&self, states: &[Book], told: &[Told]) -> Result<(), String> {
        for pair in told.windows(2) {
            if pair[0].answers == pair[1].answers && pair[0].fault == pair[1].fault {
                return Err(format!("{:?} was told twice", pair[0].answers));
            }
        }
        let first = states[0].revision();
        let mut at = 0;
        for one in told.iter().filter(|one| one.fault.is_none()) {
            let end = one.revision.saturating_sub(first) as usize;
            let is_so = |position: &usize| self.answers(&states[*position]) == one.answers;
            let found = (at..=end.min(states.len() - 1)).find(is_so);
            at = found.ok_or_else(|| {
                let from = first + at as u64;
                format!(
                    "{:?} was told, and was never so between revision {from} and {}",
                    one.answers, one.revision
                )
            })?;
        }
        let (last, now) = (told.last(), self.answers(states.last().expect("there is one")));
        match last {
            None => Err("nothing was told".to_owned()),
            // The goal itself may be too much for an engine.
            Some(Told {
                fault: Some(FaultKind::Timeout | FaultKind::OutOfMemory),
                ..
            }) => Ok(()),
            Some(Told {
                fault: Some(kind), ..
            }) => Err(format!("a fault was told last: {kind:?}")),
            Some(last) if last.answers != now => {
                Err(format!("{:?} was told last, and it has {now:?}", last.answers))
            }
            Some(_) => Ok(()),
        }
    }
}
