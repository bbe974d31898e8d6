//! What a run waits for, each with an id, and what answers it.

use std::rc::Rc;

use serde::Serialize;

use super::refused::{Refused, RefusedKind};
use super::thread::{At, Part, Thread};
use super::{Did, key};
use crate::difference::Gave;
use crate::json::{Json, Object};

/// Something that a run waits for.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "WorkflowInterrupt", optional_fields)
)]
pub struct Interrupt {
    /// Names it to whoever answers.
    pub id: String,
    pub node: String,
    pub when: When,
    /// What the Prolog of the node asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub question: Option<Json>,
    /// When it goes on by itself, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
    /// The name of the signal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
}

/// Where or for what a run waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "WorkflowInterruptWhen")
)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// For somebody, before the node.
    #[default]
    Before,
    /// For somebody, after the node.
    After,
    /// For the answer to a question of its Prolog.
    Question,
    /// For a time.
    Time,
    Signal,
}

impl When {
    /// As in events.
    pub fn word(self) -> &'static str {
        match self {
            When::Before => "before",
            When::After => "after",
            When::Question => "question",
            When::Time => "time",
            When::Signal => "signal",
        }
    }

    /// Whether somebody answers it.
    pub fn takes_answer(self) -> bool {
        matches!(self, When::Before | When::After | When::Question)
    }
}

/// An interrupt and where it is.
struct Place {
    interrupt: Interrupt,
    path: Vec<Part>,
    /// Within the thread: the path of what asks.
    asks: Option<String>,
    /// It has an answer, with which the run failed.
    answered: bool,
    state: Rc<Object>,
}

impl Thread {
    /// What it waits for, in the order of the branches.
    pub fn interrupts(&self) -> Vec<Interrupt> {
        self.places().into_iter().map(|place| place.interrupt).collect()
    }

    /// The states of the threads that wait, in the same order.
    pub(crate) fn interrupted_states(&self) -> Vec<Rc<Object>> {
        self.places().into_iter().map(|place| place.state).collect()
    }

    /// What resuming it with `updates` does, and to which thread. They answer the interrupt `id` or, if everything that can
    /// go on has done so (`idle`), the only one. An `answer` and nothing else answers the only question, `idle` or not.
    pub fn resumed(
        &self,
        id: Option<&str>,
        updates: &Object,
        idle: bool,
    ) -> Result<(Vec<Part>, Did), Refused> {
        let places = self.places();
        let answers = updates.len() == 1 && updates.contains_key("answer");
        let mut open = places.iter().filter(|place| match place.interrupt.when {
            When::Question if answers => true,
            when => idle && when.takes_answer() && !place.answered,
        });
        let place = match id {
            Some(id) => {
                let place = places.iter().find(|place| place.interrupt.id == id);
                let place = place.ok_or_else(|| RefusedKind::NotWaiting.because(not_waiting(id, &places)))?;
                if !place.interrupt.when.takes_answer() {
                    let message = format!(
                        "'{id}' waits for {}, and for nobody's answer.",
                        place.interrupt.awaited()
                    );
                    return Err(RefusedKind::NotWaiting.because(message));
                }
                place
            }
            None if self.at == At::End && !updates.is_empty() => {
                return Err(RefusedKind::Ended
                    .because("The run has ended: begin a new one, or resume from one of its checkpoints."));
            }
            None => match (open.next(), open.next()) {
                (Some(place), None) => place,
                (Some(_), Some(_)) => {
                    let message = format!(
                        "The run waits for several answers: name one of {}.",
                        listed(&places)
                    );
                    return Err(RefusedKind::SeveralInterrupts.because(message));
                }
                _ => {
                    let updates = Gave::of(&self.state, updates);
                    return Ok((Vec::new(), Did::Resumed { updates }));
                }
            },
        };
        let did = match &place.asks {
            None => Did::Resumed {
                updates: Gave::of(&place.state, updates),
            },
            Some(path) => {
                let answer = updates.get("answer").filter(|_| updates.len() == 1);
                let (path, answer) = (
                    path.clone(),
                    answer
                        .cloned()
                        .ok_or_else(|| RefusedKind::Invalid.because(unanswered(place)))?,
                );
                Did::Answered { path, answer }
            }
        };
        Ok((place.path.clone(), did))
    }

    /// Whether it waits for one thing, beside which nothing else goes on.
    pub fn waits_alone(&self) -> bool {
        let alone = |place: &Place| {
            let beside = |part: &Part| match part {
                Part::Branch(_) => true,
                Part::Graph(path) => key::of_item(path),
            };
            !place.path.iter().any(beside) && !place.asks.as_deref().is_some_and(key::of_item)
        };
        matches!(&self.places()[..], [place] if alone(place))
    }

    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        self.add_places(&Within::default(), &mut places);
        places
    }

    fn add_places(&self, within: &Within, places: &mut Vec<Place>) {
        let mut add = |id: String, node: String, asks: Option<(&str, bool)>, interrupt: Interrupt| {
            places.push(Place {
                interrupt: Interrupt {
                    id: format!("{}{id}", within.prefix),
                    node: format!("{}{node}", within.names),
                    ..interrupt
                },
                path: within.path.clone(),
                asks: asks.map(|(path, _)| path.to_owned()),
                answered: asks.is_some_and(|(_, answered)| answered),
                state: self.state.clone(),
            });
        };
        match &self.at {
            At::Before {
                node,
                waits: true,
                awaits,
                ..
            } => {
                let awaits = awaits.clone();
                let (when, until_ms, signal) = match awaits {
                    None => (When::Before, None, None),
                    Some(awaits) => match awaits.signal {
                        None => (When::Time, awaits.until_ms, None),
                        Some((name, _)) => (When::Signal, awaits.until_ms, Some(name)),
                    },
                };
                let interrupt = Interrupt {
                    when,
                    until_ms,
                    signal,
                    ..Interrupt::default()
                };
                let id = format!("{}:{}", self.visit(node), when.word());
                add(id, node.clone(), None, interrupt);
            }
            At::After {
                node, waits: true, ..
            } => {
                let when = When::After;
                let interrupt = Interrupt {
                    when,
                    ..Interrupt::default()
                };
                let id = format!("{}:{}", self.visited(node), when.word());
                add(id, node.clone(), None, interrupt);
            }
            _ => {}
        }
        for (path, all) in &self.within.asked {
            let open = all.last().filter(|asked| asked.answer.is_none() || asked.failed);
            if let Some(asked) = open {
                let interrupt = Interrupt {
                    when: When::Question,
                    question: Some(asked.question.clone()),
                    ..Interrupt::default()
                };
                add(
                    format!("{path}:{}", all.len()),
                    shown(path),
                    Some((path, asked.failed)),
                    interrupt,
                );
            }
        }
        for (path, thread) in &self.within.graphs {
            let attempt = self.within.tried.get(path).map_or(0, |tried| tried.0) + 1;
            let inner = within.of(
                Part::Graph(path.clone()),
                &format!("{path}/{attempt}/"),
                &format!("{}/", shown(path)),
            );
            thread.add_places(&inner, places);
        }
        let visit = self.visited(self.at.node());
        let branches = self.fork.iter().flat_map(|fork| &fork.branches);
        for (index, branch) in branches.enumerate() {
            let inner = within.of(Part::Branch(index), &format!("{visit}[{index}]/"), "");
            branch.add_places(&inner, places);
        }
    }
}

/// Where a thread is.
#[derive(Default)]
struct Within {
    path: Vec<Part>,
    prefix: String,
    names: String,
}

impl Within {
    fn of(&self, part: Part, prefix: &str, names: &str) -> Within {
        Within {
            path: self.path.iter().cloned().chain([part]).collect(),
            prefix: format!("{}{prefix}", self.prefix),
            names: format!("{}{names}", self.names),
        }
    }
}

impl Interrupt {
    /// What comes by itself.
    fn awaited(&self) -> String {
        match &self.signal {
            Some(name) => format!("the signal '{name}'"),
            None => "a time".to_owned(),
        }
    }
}

/// The node or the step of a path, for people: without the number of the visit.
fn shown(path: &str) -> String {
    let shown = key::shown(path);
    let Some((node, rest)) = shown.split_once('#') else {
        return shown;
    };
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    match digits {
        0 => shown,
        _ => format!("{node}{}", &rest[digits..]),
    }
}

fn unanswered(place: &Place) -> String {
    let Interrupt { id, question, .. } = &place.interrupt;
    let question = question.clone().unwrap_or_default();
    format!("'{id}' asks {question}: give the answer as `answer`, and nothing else.")
}

fn not_waiting(id: &str, places: &[Place]) -> String {
    match places.is_empty() {
        true => format!("The run does not wait at '{id}', nor for anything else."),
        false => format!("The run does not wait at '{id}'; it waits at {}.", listed(places)),
    }
}

fn listed(places: &[Place]) -> String {
    let ids = places.iter().map(|place| format!("'{}'", place.interrupt.id));
    ids.collect::<Vec<_>>().join(", ")
}
