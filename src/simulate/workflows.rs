//! Workflow runs: what clients do with them.

pub mod check;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use hornbook_base::{Clock, Control, Fault, FaultKind};
use hornbook_service::workflow::for_request;
use hornbook_workflow::fault::{WorkflowFault, WorkflowFaultKind};
use hornbook_workflow::json::{Json, Object};
use hornbook_workflow::load::{Installed, load};
use hornbook_workflow::model::Workflow;
use hornbook_workflow::prolog::{Block, End, Executed};
use hornbook_workflow::run::{Code, CodeFailure, Kind, Means, NodeHost, NodeProlog, Run};
use hornbook_workflow::runs::{Runs, Status, Whose};
use hornbook_workflow::state::Begin;
use hornbook_workspace::Workspace;

use super::acts::{Act, Ending, Told};
use super::calls::{Heard, is_doubtful};
use super::log::SIMULATED;
use super::random::Random;
use super::world::World;

/// How many of the runs that began last clients do something with.
const RECENT: usize = 6;
/// The time limit of a node, in milliseconds.
const NODE_MS: u64 = 400;
/// How often a run that can go on by itself is woken until it must have gone on.
const WAKES: usize = 3;

/// The texts of workflows; `RUN` is the name of the run. The nodes of one letter leave a clause in the book.
const SHAPES: [&str; 6] = [
    "- {name: a, book: true, run: \"assertz('w(RUN,a)')\"}
- {name: look, run: set x}
- {name: b, book: true, interrupt: before, run: \"assertz('w(RUN,b)')\"}
- {name: tell, uses: notify, output: told}
- {name: c, book: true, run: \"assertz('w(RUN,c)')\"}
",
    "- {name: a, book: true, run: \"assertz('w(RUN,a)')\"}
- {name: b, book: true, wait: 2s, run: \"assertz('w(RUN,b)')\"}
- {name: tell, uses: notify, output: told, on_error: {mode: retry, max_retries: 2, base_delay: 1}}
",
    "- {name: look, run: set x}
- {name: a, book: true, wait: {signal: go, timeout: 30s}, run: \"assertz('w(RUN,a)')\"}
- {name: b, book: true, wait: {signal: go}, run: \"assertz('w(RUN,b)')\"}
",
    "- {name: s, book: true, run: \"assertz('w(RUN,s)')\"}
- {name: a, book: true, run: \"assertz('w(RUN,a)')\"}
- {name: b, book: true, wait: {signal: go, timeout: 3s}, run: \"assertz('w(RUN,b)')\"}
- {name: join, run: set joined}
- {name: c, book: true, interrupt: after, run: \"assertz('w(RUN,c)')\"}
edges:
- {from: s, to: a, type: parallel, fan_in: join}
- {from: s, to: b, type: parallel, fan_in: join}
- {from: a, to: join}
- {from: b, to: join}
- {from: join, to: c}
",
    "- {name: a, book: true, run: \"interrupt(why), assertz('w(RUN,a)')\"}
- {name: b, book: true, run: \"assertz('w(RUN,b)')\"}
",
    "- {name: a, book: true, run: \"assertz('w(RUN,a)')\"}
- {name: tell, uses: notify, output: told}
- {name: tell_again, uses: notify, output: again}
- {name: b, book: true, run: \"assertz('w(RUN,b)')\"}
",
];

fn text_of(shape: usize, run: &str) -> String {
    format!("language: prolog\nnodes:\n{}", SHAPES[shape].replace("RUN", run))
}

/// The runs that clients know.
#[derive(Default)]
pub struct Known {
    begun: Cell<u64>,
    recent: RefCell<Vec<String>>,
    /// The workflows of the runs by their texts: one process after the other goes on with a run.
    loaded: RefCell<BTreeMap<String, Rc<Workflow>>>,
    /// The keys of the actions that were carried out.
    acted: Rc<RefCell<BTreeSet<String>>>,
}

impl Known {
    /// What a client does next.
    pub fn act(&self, random: &Random) -> Act {
        let known = || self.known(random);
        match random.below(100) {
            0..=39 => self.begin(random),
            40..=59 => Act::Resume(known()),
            60..=74 => Act::Signal(known()),
            75..=91 => Act::Wake,
            _ => Act::Cancel(known()),
        }
    }

    fn begin(&self, random: &Random) -> Act {
        let number = self.begun.get() + 1;
        self.begun.set(number);
        let run = format!("r{number}");
        let mut recent = self.recent.borrow_mut();
        if recent.len() == RECENT {
            recent.remove(0);
        }
        recent.push(run.clone());
        Act::Begin(random.below(SHAPES.len()), run)
    }

    fn workflow(&self, text: &str) -> Rc<Workflow> {
        let mut loaded = self.loaded.borrow_mut();
        if let Some(workflow) = loaded.get(text) {
            return workflow.clone();
        }
        let installed = Installed {
            actions: vec!["notify".to_owned()],
            ..Installed::default()
        };
        let workflow = Rc::new(load(text, &installed).unwrap_or_else(|fault| panic!("{fault}")));
        loaded.insert(text.to_owned(), workflow.clone());
        workflow
    }

    fn known(&self, random: &Random) -> String {
        let recent = self.recent.borrow();
        match recent.is_empty() {
            true => "r0".to_owned(),
            false => random.pick(&recent).clone(),
        }
    }
}

/// Carries out what is done with runs, for one call.
pub struct Worker<'a> {
    pub world: &'a World,
    pub known: &'a Known,
    pub workspace: &'a Workspace,
    pub runs: &'a Runs,
    pub control: &'a Control,
    /// How often an action fails, in 10,000 times.
    pub fails: u32,
}

impl Worker<'_> {
    pub async fn carry_out(&self, act: &Act) -> Result<Heard, Fault> {
        let runs = for_request(self.runs, self.workspace, self.control, Vec::new());
        match act {
            Act::Begin(shape, run) => {
                let text = text_of(*shape, run);
                let workflow = self.known.workflow(&text);
                let ledger = runs.begin(run, &workflow, &text, self.world.now_ms());
                let ledger = match ledger {
                    Ok(ledger) => ledger,
                    Err(why) => return refused(why),
                };
                let begin = Begin::Start(Object::new());
                let run_of = Run::new(workflow, self.means(), run.clone(), Some(ledger), begin);
                Ok(Heard::Ran(vec![self.to_end(run, run_of).await]))
            }
            Act::Resume(run) => match self.resume(&runs, run, true).await {
                Ok(told) => Ok(Heard::Ran(vec![told])),
                Err(why) => refused(why),
            },
            Act::Signal(run) => once(runs.signal(run, "go", &Json::Int(1)).await, 1),
            Act::Cancel(run) => once(runs.cancel(run, self.world.now_ms()).await, 0),
            Act::Wake => {
                let mut told = Vec::new();
                for run in self.due(&runs) {
                    // Another process may have it by now.
                    if let Ok(one) = self.resume(&runs, &run, false).await {
                        told.push(one);
                    }
                }
                Ok(Heard::Ran(told))
            }
            Act::Tend => self.tend(&runs).await,
        }
    }

    fn due(&self, runs: &Runs) -> Vec<String> {
        runs.due(Whose::Server(&[]), self.world.now_ms()).runs
    }

    /// Let a run go on: with the answer of a person, or because something has come by itself.
    async fn resume(&self, runs: &Runs, run: &str, answers: bool) -> Result<Told, String> {
        let text = runs.text(run)?;
        let workflow = self.known.workflow(&text);
        let kept = runs.load(run, None)?;
        kept.check_agrees(&workflow)?;
        let resumed = match answers {
            true => {
                let interrupts = kept.interrupts();
                let asked = interrupts.iter().find(|one| one.when.takes_answer());
                let mut updates = Object::new();
                if let Some(one) = asked {
                    updates.insert("answer".to_owned(), Json::Text(one.id.clone()));
                }
                let id = asked.map(|one| one.id.as_str());
                let resumed = kept.resumed(id, &updates, &workflow);
                Some(resumed.map_err(|why| why.message)?)
            }
            false => None,
        };
        let ledger = runs.resume(run, &kept, &workflow, &text)?;
        let thread = Box::new(kept.thread);
        let begin = match resumed {
            Some((path, did)) => Begin::Resume { thread, path, did },
            None => Begin::Wake { thread },
        };
        let going = Run::new(workflow, self.means(), run.to_owned(), Some(ledger), begin);
        Ok(self.to_end(run, going).await)
    }

    /// All is quiet: what can go on by itself does, and what was cut off can be resumed.
    async fn tend(&self, runs: &Runs) -> Result<Heard, Fault> {
        self.workspace.freshen().await;
        let mut all = Vec::new();
        let mut woken: BTreeMap<String, usize> = BTreeMap::new();
        let wrong = |why: String| Err(Fault::new(FaultKind::DomainError, why));
        while let Some(run) = self.due(runs).into_iter().next() {
            let told = self.resume(runs, &run, false).await;
            let times = woken.entry(run.clone()).or_default();
            *times += 1;
            if *times > WAKES {
                return wrong(format!(
                    "the time of {run} has come, and it does not go on: {told:?}"
                ));
            }
            all.extend(told.ok());
        }
        for listed in runs.list() {
            let run = &listed.run;
            if listed.interrupted {
                match self.resume(runs, run, true).await {
                    Ok(told) => all.push(told),
                    Err(why) if is_gap(&why) => {}
                    Err(why) => return wrong(format!("{run} was cut off, and cannot go on: {why}")),
                }
            }
            if listed.status == Status::Waiting && listed.due_ms.is_none() && listed.signals.is_empty() {
                match runs.load(run, None) {
                    Ok(kept) if kept.interrupts().is_empty() => {
                        return wrong(format!("{run} waits for nothing"));
                    }
                    Err(why) if !is_gap(&why) => return wrong(why),
                    _ => {}
                }
            }
        }
        Ok(Heard::Ran(all))
    }

    async fn to_end(&self, name: &str, run: Run) -> Told {
        let mut told = Told {
            run: name.to_owned(),
            nodes: Vec::new(),
            end: Ending::Left,
        };
        loop {
            let next = select(Box::pin(run.next()), Box::pin(self.control.cancel.cancelled()));
            let Either::Left((Some(event), _)) = next.await else {
                return told;
            };
            match event.kind {
                Kind::NodeEnd { checkpoint, .. } => told.nodes.extend(checkpoint),
                Kind::Final { .. } => told.end = Ending::Final,
                Kind::Interrupt { .. } => told.end = Ending::Waits,
                Kind::Error { fault, .. } => told.end = Ending::Failed(fault),
                _ => {}
            }
        }
    }

    fn means(&self) -> Means {
        let hands = Rc::new(Hands {
            world: self.world.clone(),
            acted: self.known.acted.clone(),
            fails: self.fails,
        });
        Means {
            prolog: hands.clone(),
            timeout_ms: NODE_MS,
            host: hands,
            books: Rc::default(),
            clock: Rc::new(self.world.clone()),
        }
    }
}

/// What the product says of a run of which an undo has taken a part.
fn is_gap(why: &str) -> bool {
    why.contains(" is missing. Go on from one before it") || why.contains("no records in this book")
}

fn refused(why: String) -> Result<Heard, Fault> {
    match is_doubtful(&why) {
        true => Ok(Heard::Unknown),
        false => Ok(Heard::Refused(FaultKind::DomainError)),
    }
}

fn once(done: Result<(), String>, least: usize) -> Result<Heard, Fault> {
    match done {
        Ok(()) => Ok(Heard::Done { least, most: 1 }),
        Err(why) => refused(why),
    }
}

/// Runs the nodes that do not run in the book.
struct Hands {
    world: World,
    acted: Rc<RefCell<BTreeSet<String>>>,
    fails: u32,
}

impl NodeProlog for Hands {
    fn block<'a>(&'a self, block: Block<'a>) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>> {
        async move {
            self.world.pause(0, 20).await;
            let key = block.code.trim_start_matches("set ").to_owned();
            Ok(Executed {
                output: String::new(),
                end: End::Solutions(vec![[(key, Json::Int(1))].into()]),
            })
        }
        .boxed_local()
    }

    fn condition<'a>(
        &'a self,
        _: &'a str,
        _: &'a Object,
        _: u64,
    ) -> LocalBoxFuture<'a, Result<Option<String>, WorkflowFault>> {
        unreachable!("no shape has conditions")
    }
}

impl NodeHost for Hands {
    fn code<'a>(&'a self, _: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>> {
        unreachable!("no shape has code of other languages")
    }

    fn action<'a>(
        &'a self,
        _: &'a str,
        _: &'a Json,
        _: &'a Object,
        key: &'a str,
        _: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        async move {
            self.world.pause(0, 50).await;
            if self.world.strikes(self.fails) {
                let message = format!("{SIMULATED}: nobody is there");
                return Err(WorkflowFault::new(WorkflowFaultKind::Action, message));
            }
            let node = key.rsplit_once('/').map_or(key, |(node, _)| node);
            self.acted.borrow_mut().insert(node.to_owned());
            Ok(Json::Text(key.to_owned()))
        }
        .boxed_local()
    }

    fn program<'a>(
        &'a self,
        _: &'a str,
        _: &'a Json,
        _: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>> {
        unreachable!("no shape has programs")
    }
}
