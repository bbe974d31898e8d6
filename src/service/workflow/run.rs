//! The tools: a run from its text to its end, or as far as it gets.

use std::rc::Rc;

use futures::future::{Either, select};
use hornbook_base::{Fault, FaultKind, Progress};
use hornbook_mcp::Call;
use hornbook_workflow::fault::WorkflowFaultKind;
use hornbook_workflow::json::{Json, Object};
use hornbook_workflow::load::{Installed, load};
use hornbook_workflow::model::Workflow;
use hornbook_workflow::prolog::Place;
use hornbook_workflow::run::{Event, Kind, Means, Run};
use hornbook_workflow::runs::{Kept, ROOM};
use hornbook_workflow::state::{Begin, Did, Interrupt, Part};

use super::given::{Files, files_of, members, refused};
use super::host::ToolsOfServer;
use super::report::{Budget, Ended, RunReport};
use super::results::RunTool;
use super::{WorkflowTools, keeper};
use crate::report::{Outcome, Report, invalid_argument};
use crate::schema::Arguments;

/// How long a node's code may run unless the workflow says otherwise, in milliseconds.
const NODE_MS: u64 = 30_000;
impl WorkflowTools {
    pub async fn run(self, arguments: Arguments, call: Call) -> Outcome {
        let tools = self.of_writer(&call).await?;
        let text = arguments.text("yaml").unwrap_or_default();
        let workflow = tools.loaded(&text, files_of(&arguments))?;
        let run = (tools.new_id)();
        let ledger = tools.runs.begin(&run, &workflow, &text, tools.clock.now_ms());
        let ledger = ledger.map_err(refused)?;
        let begin = Begin::Start(members(arguments.object("state"))?);
        let running = Run::new(
            workflow.clone(),
            tools.means(&workflow, &call),
            run.clone(),
            Some(ledger),
            begin,
        );
        tools
            .to_end(RunTool::Run, run, running, &call, Budget::of(&arguments))
            .await
    }

    pub async fn resume(self, arguments: Arguments, call: Call) -> Outcome {
        let tools = self.of_writer(&call).await?;
        let run = arguments.text("run").unwrap_or_default();
        // Before anything of it is kept.
        let shapers = tools.runs.shaped_by(&run).map_err(refused)?;
        tools
            .workspace
            .permits_to_carry_on(&run, &shapers, &call.control())?;
        if arguments.flag("cancel") == Some(true) {
            return tools.cancel(&run, arguments).await;
        }
        let state = arguments.object("state");
        let state = state.map(|state| members(Some(state))).transpose()?;
        let signals = arguments.object("signals");
        let signals = signals.map(|signals| members(Some(signals))).transpose()?;
        let (from, interrupt) = (arguments.integer("from"), arguments.text("interrupt"));
        let (text, workflow) = tools.text_of(&run, arguments.text("yaml"), files_of(&arguments))?;
        for (name, data) in signals.iter().flatten() {
            workflow.check_signal(name, data).map_err(refused)?;
        }
        if signals.is_some() && from.is_none() {
            tools.runs.check_takes_signals(&run).map_err(refused)?;
        }
        // Who sends signals, or none, answers nothing by that.
        let wakes = signals.is_some() && state.is_none() && interrupt.is_none();
        let answer = (!wakes).then(|| (interrupt.as_deref(), state.unwrap_or_default()));
        let now_ms = tools.clock.now_ms();
        let kept = match from {
            Some(checkpoint) => tools.runs.forked(&run, checkpoint, now_ms),
            None => tools.runs.load(&run, None),
        };
        let ready = Ready::of(kept.map_err(refused)?, text, workflow, answer)?;
        let signals = signals.unwrap_or_default();
        let budget = Budget::of(&arguments);
        let (run, running) = match from {
            Some(_) => {
                let fork = (tools.new_id)();
                let forked = tools.runs.keep_fork(&ready.kept, fork.clone(), now_ms).await;
                forked.map_err(refused)?;
                let running = tools.running(&fork, ready, &call)?;
                (fork, running)
            }
            None if wakes && tools.runs.is_live(&run) => {
                tools.runs.send(&run, &signals).await.map_err(refused)?;
                return Ok(tools.report(&run, Ended::Runs, budget));
            }
            None => {
                let running = tools.running(&run, ready, &call)?;
                (run, running)
            }
        };
        // It takes them once it goes on.
        if !signals.is_empty() {
            tools.runs.send(&run, &signals).await.map_err(refused)?;
        }
        tools.to_end(RunTool::Resume, run, running, &call, budget).await
    }

    /// Give a run up.
    async fn cancel(&self, run: &str, arguments: Arguments) -> Outcome {
        let budget = Budget::of(&arguments);
        let given = arguments.into_object();
        let mut others = given.keys();
        if let Some(other) = others.find(|name| !matches!(name.as_str(), "run" | "cancel" | "budget")) {
            return Err(invalid_argument(
                format!("`cancel` gives the run up, so `{other}` means nothing; nothing was done."),
                "Leave one of them out.",
            ));
        }
        let cancelled = self.runs.cancel(run, self.clock.now_ms()).await;
        cancelled.map_err(refused)?;
        let said = format!("Run {run} is cancelled: it does not go on.");
        Ok(self.report(run, Ended::Cancelled(said), budget))
    }

    /// What a call that runs nothing tells of a run.
    fn report(&self, run: &str, ended: Ended, budget: Budget) -> Report {
        let state = self.runs.load(run, None).map(|kept| kept.thread.state);
        let report = RunReport {
            tool: RunTool::Resume,
            run,
            ended,
            failed: Vec::new(),
            output: String::new(),
        };
        report.report(&state.unwrap_or_default(), budget)
    }

    /// The tools with the rights of this call. Every run is stored in the book, so a client that may only read
    /// is told before anything of it runs.
    async fn of_writer(&self, call: &Call) -> Result<WorkflowTools, Fault> {
        let control = call.control();
        if control.read_only {
            let message = "This client may only read the book, and a run is stored in it; nothing was run.";
            return Err(Fault::new(FaultKind::ReadOnly, message)
                .with_next("Look at runs with workflow_runs, or ask for the scope write."));
        }
        self.workspace.permits_room(ROOM, &control).await?;
        Ok(WorkflowTools {
            runs: keeper::for_request(&self.runs, &self.workspace, &control, self.toolsets()),
            ..self.clone()
        })
    }

    fn toolsets(&self) -> Vec<String> {
        self.sets.iter().map(|set| set.name().to_owned()).collect()
    }

    /// The text of a run, or `text`, and its workflow. `given` overrides the run's files by name.
    fn text_of(
        &self,
        run: &str,
        text: Option<String>,
        given: Files,
    ) -> Result<(String, Rc<Workflow>), Fault> {
        let mut files = self.runs.files(run).map_err(refused)?;
        files.extend(given);
        let text = match text {
            Some(text) => text,
            None => self.runs.text(run).map_err(refused)?,
        };
        let workflow = self.loaded(&text, files)?;
        Ok((text, workflow))
    }

    /// The run that goes on with this.
    fn running(&self, run: &str, ready: Ready, call: &Call) -> Result<Run, Fault> {
        let Ready {
            kept,
            text,
            workflow,
            resumed,
        } = ready;
        let ledger = self.runs.resume(run, &kept, &workflow, &text).map_err(refused)?;
        let shapers = self.runs.shaped_by(run).map_err(refused)?;
        let thread = Box::new(kept.thread);
        let begin = match resumed {
            Some((path, did)) => Begin::Resume { thread, path, did },
            None => Begin::Wake { thread },
        };
        Ok(Run::new(
            workflow.clone(),
            self.means(&workflow, &call.carrying_on(&shapers)),
            run.to_owned(),
            Some(ledger),
            begin,
        ))
    }

    fn loaded(&self, text: &str, files: Files) -> Result<Rc<Workflow>, Fault> {
        let tools = self.sets.iter().flat_map(|set| set.tools());
        let installed = Installed {
            only_prolog: true,
            actions: tools
                .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
                .collect(),
            programs: self.sets.iter().any(|set| set.name() == "dml"),
            files,
            ..Installed::default()
        };
        load(text, &installed).map(Rc::new).map_err(|fault| Fault {
            line: Some(fault.line as u32),
            column: Some(fault.column as u32),
            ..invalid_argument(
                fault.message,
                "Nodes need `language: prolog` here, or a tool of this server that they use. The help topic workflow says how to write one.",
            )
        })
    }

    fn means(&self, workflow: &Workflow, call: &Call) -> Means {
        Means {
            prolog: Rc::new(self.prolog.clone()),
            timeout_ms: workflow.timeout_ms.unwrap_or(NODE_MS),
            host: Rc::new(ToolsOfServer {
                sets: self.sets.clone(),
                call: call.clone(),
            }),
            // No other books: every name that a node gives means the workspace's own.
            books: Rc::default(),
            clock: self.clock.clone(),
        }
    }

    /// The run that goes on with an answer to an interrupt.
    fn answered(&self, run: &str, first: &Interrupt, updates: Object, call: &Call) -> Result<Run, Fault> {
        let (text, workflow) = self.text_of(run, None, Files::new())?;
        let kept = self.runs.load(run, None).map_err(refused)?;
        let answer = Some((Some(&*first.id), updates));
        let ready = Ready::of(kept, text, workflow, answer)?;
        self.running(run, ready, call)
    }

    /// Run to the end. Whenever the run waits and the client can ask its user, the user is asked.
    async fn to_end(
        &self,
        tool: RunTool,
        run: String,
        mut running: Run,
        call: &Call,
        budget: Budget,
    ) -> Outcome {
        let control = call.control();
        let mut report = RunReport {
            tool,
            run: &run,
            ended: Ended::CutOff,
            failed: Vec::new(),
            output: String::new(),
        };
        let (mut nodes, mut questions) = (0, 0);
        let mut last = Object::new();
        loop {
            // While the client is behind in reading, the run waits.
            let next = Box::pin(async {
                call.read().await;
                running.next().await
            });
            let event = match select(next, Box::pin(control.cancel.cancelled())).await {
                Either::Left((Some(event), _)) => event,
                Either::Left((None, _)) | Either::Right(_) => break,
            };
            if let Kind::NodeEnd { .. } = event.kind {
                nodes += 1;
            }
            if let (Some(tell), Some(message)) = (&control.progress, progress_of(&event)) {
                tell(Progress {
                    done: nodes,
                    total: None,
                    message,
                });
            }
            match event.kind {
                Kind::NodeEnd {
                    node, output, failed, ..
                } => {
                    if report.output.len() < budget.chars() {
                        report.output.push_str(&output);
                    }
                    if let Some(Place { line, goal, .. }) = failed {
                        report.failed.push(format!("{node} line {line}: {goal}"));
                    }
                }
                Kind::Final { state } => {
                    report.ended = Ended::Final;
                    last = state;
                }
                Kind::Error {
                    node, fault, state, ..
                } => {
                    report.ended = match fault.kind {
                        WorkflowFaultKind::Cancelled => Ended::Cancelled(fault.message),
                        _ => Ended::Failed { node, fault },
                    };
                    last = state;
                }
                Kind::Interrupt {
                    first,
                    interrupts: all,
                    state,
                    ..
                } => {
                    questions += 1;
                    let answer = match first.when.takes_answer() {
                        true => self.asked(&run, &first, &state, questions, call).await,
                        false => None,
                    };
                    match answer {
                        Some(updates) => {
                            drop(running);
                            running = self.answered(&run, &first, updates, call)?;
                        }
                        None => {
                            report.ended = Ended::Waits { first, all };
                            last = state;
                        }
                    }
                }
                _ => {}
            }
        }
        if let (Ended::CutOff, Ok(kept)) = (&report.ended, self.runs.load(&run, None)) {
            last = (*kept.thread.state).clone();
        }
        Ok(report.report(&last, budget))
    }
}

/// A run that can go on, before anything of that is kept.
struct Ready {
    kept: Kept,
    text: String,
    workflow: Rc<Workflow>,
    /// What its answer does; none if it goes on only where what it waits for has come by itself.
    resumed: Option<(Vec<Part>, Did)>,
}

impl Ready {
    fn of(
        kept: Kept,
        text: String,
        workflow: Rc<Workflow>,
        answer: Option<(Option<&str>, Object)>,
    ) -> Result<Ready, Fault> {
        kept.check_agrees(&workflow).map_err(refused)?;
        let resumed = answer.map(|(interrupt, updates)| kept.resumed(interrupt, &updates, &workflow));
        let resumed = resumed.transpose().map_err(|why| refused(why.message))?;
        Ok(Ready {
            kept,
            text,
            workflow,
            resumed,
        })
    }
}

/// One line of progress for an event.
fn progress_of(event: &Event) -> Option<String> {
    match &event.kind {
        Kind::NodeStart { node } => Some(format!("{node} runs")),
        Kind::NodeEnd { node, .. } => Some(format!("{node} is done")),
        Kind::NodeEvent {
            node,
            event: Json::Object(event),
        } => match event.get("content") {
            Some(Json::Text(said)) if !said.is_empty() => Some(format!("{node}: {said}")),
            _ => None,
        },
        Kind::Retry { node, delay_ms, .. } => Some(format!("{node} is tried again in {delay_ms} ms")),
        Kind::Interrupt { first, .. } => Some(format!("waits at {}", first.node)),
        _ => None,
    }
}
