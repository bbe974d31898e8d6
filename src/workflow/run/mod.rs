//! Running a workflow.

mod event;
mod hands;
mod node;
mod route;

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::{LocalBoxFuture, join_all};

use hornbook_base::Limits;

use crate::fault::{Fault, FaultKind};
use crate::json::{Json, Object};
use crate::model::{Target, Workflow};

pub use event::{Event, Kind};
pub use hands::{Code, Coded, Hands};

/// A run. It goes on while its next event is waited for, and ends when it is dropped.
pub struct Run {
    work: RefCell<Option<LocalBoxFuture<'static, ()>>>,
    events: RefCell<UnboundedReceiver<Event>>,
}

/// Where a run begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Begin {
    Start(Object),
    /// Where it was interrupted, with this state.
    Resume {
        node: String,
        after: bool,
        state: Object,
    },
}

impl Run {
    /// `id` names the run for actions.
    pub fn new(workflow: Rc<Workflow>, hands: Rc<dyn Hands>, id: String, begin: Begin) -> Run {
        let (events, receiver) = unbounded();
        let runner = Runner {
            workflow,
            hands,
            events,
            id,
            nodes: Cell::default(),
        };
        Run {
            work: RefCell::new(Some(Box::pin(async move { runner.run(begin).await }))),
            events: RefCell::new(receiver),
        }
    }

    /// The next event; nothing after the last.
    pub async fn next(&self) -> Option<Event> {
        poll_fn(|context| {
            let mut events = self.events.borrow_mut();
            let mut work = self.work.borrow_mut();
            loop {
                if let Poll::Ready(event) = events.poll_next_unpin(context)
                    && event.is_some()
                {
                    return Poll::Ready(event);
                }
                let Some(running) = work.as_mut() else {
                    return Poll::Ready(None);
                };
                if pin!(running).poll(context).is_ready() {
                    *work = None;
                } else {
                    // It may have told something before it began to wait.
                    return match events.poll_next_unpin(context) {
                        Poll::Ready(Some(event)) => Poll::Ready(Some(event)),
                        _ => Poll::Pending,
                    };
                }
            }
        })
        .await
    }
}

struct Runner {
    workflow: Rc<Workflow>,
    hands: Rc<dyn Hands>,
    events: UnboundedSender<Event>,
    id: String,
    /// Gone through so far.
    nodes: Cell<u64>,
}

/// Why a run, or a branch of it, does not go on.
struct Stop {
    node: String,
    state: Object,
    why: Why,
}

enum Why {
    Fault(Fault),
    Interrupt { after: bool },
}

/// Where a run, or a branch of it, is.
struct Position {
    target: Target,
    state: Object,
    /// For the next node, which is the one where branches came together.
    parallel_results: Option<Json>,
    /// Whether the next node was interrupted already.
    resumed: bool,
}

/// What a branch is.
#[derive(Clone, Copy)]
struct Branch<'a> {
    name: Option<&'a str>,
    /// The node where it ends.
    until: Option<usize>,
}

impl Runner {
    async fn run(&self, begin: Begin) {
        let position = match self.begin(begin).await {
            Ok(position) => position,
            Err(stop) => return self.stopped(stop),
        };
        self.tell(
            None,
            None,
            Kind::Start {
                state: position.state.clone(),
            },
        );
        let whole = Branch {
            name: None,
            until: None,
        };
        match self.go(position, whole).await {
            Ok(state) => self.tell(None, None, Kind::Final { state }),
            Err(stop) => self.stopped(stop),
        }
    }

    async fn begin(&self, begin: Begin) -> Result<Position, Stop> {
        match begin {
            Begin::Start(given) => {
                let mut state = self.workflow.initial_state.clone();
                state.extend(given);
                let stop = |fault, state: &Object| Stop {
                    node: "__start__".into(),
                    state: state.clone(),
                    why: Why::Fault(fault),
                };
                self.check_state(&state).map_err(|fault| stop(fault, &state))?;
                let target = self.route(&self.workflow.start, "__start__", &state, None).await;
                let target = target.map_err(|fault| stop(fault, &state))?;
                Ok(Position {
                    target,
                    state,
                    parallel_results: None,
                    resumed: false,
                })
            }
            Begin::Resume { node, after, state } => {
                let stop = |fault| Stop {
                    node: node.clone(),
                    state: state.clone(),
                    why: Why::Fault(fault),
                };
                let index = self.workflow.nodes.iter().position(|known| known.name == node);
                let index = index.ok_or_else(|| {
                    let message =
                        format!("The run waits at node '{node}', which this workflow does not have.");
                    stop(Fault::new(FaultKind::Graph, message))
                })?;
                self.check_state(&state).map_err(stop)?;
                if !after {
                    return Ok(Position {
                        target: Target::Node(index),
                        state,
                        parallel_results: None,
                        resumed: true,
                    });
                }
                self.follow(index, state, None, None)
                    .await
                    .map_err(|(fault, state)| Stop {
                        node: node.clone(),
                        state,
                        why: Why::Fault(fault),
                    })
            }
        }
    }

    /// Go on until the end, or the end of the branch.
    fn go<'a>(
        &'a self,
        mut position: Position,
        branch: Branch<'a>,
    ) -> LocalBoxFuture<'a, Result<Object, Stop>> {
        Box::pin(async move {
            loop {
                let index = match position.target {
                    Target::End => return Ok(position.state),
                    Target::Node(index) if branch.until == Some(index) => return Ok(position.state),
                    Target::Node(index) => index,
                };
                position = self.step(index, position, branch).await?;
            }
        })
    }

    /// One node, and where the run goes from it.
    async fn step(&self, index: usize, position: Position, branch: Branch<'_>) -> Result<Position, Stop> {
        let node = &self.workflow.nodes[index];
        let Position {
            mut state,
            parallel_results,
            resumed,
            ..
        } = position;
        let stop = |why, state| Stop {
            node: node.name.clone(),
            state,
            why,
        };
        if node.interrupt_before && !resumed {
            return Err(stop(Why::Interrupt { after: false }, state));
        }
        self.nodes.set(self.nodes.get() + 1);
        // A graph may go round for ever.
        let most = Limits::DEFAULT.workflow_nodes;
        if self.nodes.get() > most {
            let message = format!(
                "The run went through {most} nodes and came to no end (limit: workflow_nodes = {most})."
            );
            return Err(stop(Why::Fault(Fault::new(FaultKind::Graph, message)), state));
        }
        self.tell(Some(&node.name), branch.name, Kind::NodeStart);
        let done = self.node(node, &state, parallel_results.as_ref(), branch).await;
        let done = match done {
            Ok(done) => done,
            Err(fault) => return Err(stop(Why::Fault(fault), state)),
        };
        let result = Json::Object(done.updates.clone());
        state.extend(done.updates.clone());
        self.tell(
            Some(&node.name),
            branch.name,
            Kind::NodeEnd {
                updates: done.updates,
                output: done.output,
                failed: done.failed,
            },
        );
        if let Err(fault) = self.check_state(&state) {
            return Err(stop(Why::Fault(fault), state));
        }
        if node.interrupt_after {
            return Err(stop(Why::Interrupt { after: true }, state));
        }
        if let Some(fallback) = done.fallback {
            return Ok(Position {
                target: Target::Node(fallback),
                state,
                parallel_results: None,
                resumed: false,
            });
        }
        if let Some(results) = done.parallel_results {
            let position = self.follow(index, state, Some(&result), Some(results)).await;
            return position.map_err(|(fault, state)| stop(Why::Fault(fault), state));
        }
        match self.branches(index, &state, &result).await {
            Err(fault) => return Err(stop(Why::Fault(fault), state)),
            Ok(Some((end, starts))) => return self.fork(end, starts, state, branch).await,
            Ok(None) => {}
        }
        let position = self.follow(index, state, Some(&result), None).await;
        position.map_err(|(fault, state)| stop(Why::Fault(fault), state))
    }

    /// Run branches side by side, each with a state of its own.
    async fn fork(
        &self,
        end: usize,
        starts: Vec<Target>,
        state: Object,
        within: Branch<'_>,
    ) -> Result<Position, Stop> {
        let names: Vec<String> = starts.iter().map(|target| self.target_name(*target)).collect();
        self.tell(
            None,
            within.name,
            Kind::BranchesStart {
                branches: names.clone(),
            },
        );
        let branches = starts.iter().zip(&names).map(|(target, name)| {
            let position = Position {
                target: *target,
                state: state.clone(),
                parallel_results: None,
                resumed: false,
            };
            async move {
                let begun = self.hands.now_ms();
                let branch = Branch {
                    name: Some(name),
                    until: Some(end),
                };
                let ended = self.go(position, branch).await;
                ended.map(|state| branch_result(name, Ok(state), self.hands.now_ms().saturating_sub(begun)))
            }
        });
        let ended = join_all(branches).await;
        self.tell(None, within.name, Kind::BranchesEnd);
        let results = ended.into_iter().collect::<Result<Vec<Json>, Stop>>()?;
        Ok(Position {
            target: Target::Node(end),
            state,
            parallel_results: Some(Json::Array(results)),
            resumed: false,
        })
    }

    fn target_name(&self, target: Target) -> String {
        match target {
            Target::End => "__end__".into(),
            Target::Node(index) => self.workflow.nodes[index].name.clone(),
        }
    }

    fn check_state(&self, state: &Object) -> Result<(), Fault> {
        for (key, kind) in &self.workflow.schema {
            if let Some(value) = state.get(key)
                && !kind.takes(value)
            {
                let message = format!(
                    "'{key}' of the state must be {}, not {}.",
                    kind.name(),
                    value.kind()
                );
                return Err(Fault::new(FaultKind::State, message));
            }
        }
        Ok(())
    }

    fn stopped(&self, stop: Stop) {
        let Stop { node, state, why } = stop;
        let kind = match why {
            Why::Interrupt { after } => Kind::Interrupt { after, state },
            Why::Fault(fault) => Kind::Error {
                fault,
                state,
                raises: self.workflow.raises,
            },
        };
        self.tell(Some(&node), None, kind);
    }

    fn tell(&self, node: Option<&str>, branch: Option<&str>, kind: Kind) {
        let event = Event {
            kind,
            node: node.map(str::to_owned),
            branch: branch.map(str::to_owned),
        };
        // Where nobody listens any more the run is being dropped.
        let _ = self.events.unbounded_send(event);
    }
}

/// What a fan-in node gets of a branch.
fn branch_result(name: &str, ended: Result<Object, (Fault, Object)>, timing_ms: u64) -> Json {
    let (success, state, error) = match ended {
        Ok(state) => (true, state, Json::Null),
        Err((fault, state)) => (false, state, Json::Text(fault.message)),
    };
    [
        ("branch", Json::Text(name.to_owned())),
        ("success", Json::Bool(success)),
        ("state", Json::Object(state)),
        ("error", error),
        ("timing_ms", Json::Int(timing_ms as i64)),
        ("retry_count", Json::Int(0)),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}
