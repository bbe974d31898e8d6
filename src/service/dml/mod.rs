//! The toolset `dml`: programs that use the client's model and its user.

mod sampling;

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use serde_json::{Map, Value, json};

use crate::report::{Failure, Outcome, Report};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Served, Tool, Toolset};
use hornbook_base::{Clock, Progress};
use hornbook_dml::{
    Budgets, Dml, Event, Folder, LanguageModel, ModelFailure, ModelRequest, Ports, RunOptions, ToolHost,
    Turn, User,
};
use hornbook_mcp::{Call, Question};

/// A program's run, with the client's model and its user.
pub fn toolset(context: DmlTools) -> Rc<dyn Served> {
    let set = Toolset {
        name: "dml",
        instructions: INSTRUCTIONS,
        checks_itself: false,
        tools: if context.folder.is_some() {
            &[&RUN_WITH_FILES]
        } else {
            &[&RUN]
        },
        resources: &[],
        prompts: &[],
        topics: &[],
        on_change: |_, _| {},
    };
    set.on(context)
}

const INSTRUCTIONS: &str = "dml_run runs programs in DML: Prolog with goals that ask your language model and your \
user. Use it where a plan must hold: several tasks whose results are checked, with other ways when one fails.";

const RUN: Tool<DmlTools> = Tool {
    name: "dml_run",
    title: "Run DML program",
    description: include_str!("run.md"),
    arguments: ARGUMENTS,
    hints: Hints::AsksOthers,
    run: |tools, arguments, call| tools.run(arguments, call).boxed_local(),
};

/// Where programs have a folder.
const RUN_WITH_FILES: Tool<DmlTools> = Tool {
    description: concat!(include_str!("run.md"), include_str!("files.md")),
    hints: Hints::Anything,
    ..RUN
};

const ARGUMENTS: &[Argument] = &[
    Argument {
        name: "code",
        kind: Kind::Text,
        required: true,
        description: "",
    },
    Argument {
        name: "params",
        kind: Kind::Object,
        required: false,
        description: "by name: for the variables of agent_main, param/2 and {Name}",
    },
    Argument {
        name: "timeout_ms",
        kind: Kind::Integer(1),
        required: false,
        description: "",
    },
];

/// A run over MCP may last so long, in milliseconds, without the time of the user; and so long between two requests.
const RUN_MS: u64 = 600_000;
const STEP_MS: u64 = 30_000;
/// A user who has not answered by then does not answer.
const USER_MS: u64 = 600_000;

/// What the toolset works with.
#[derive(Clone)]
pub struct DmlTools {
    pub dml: Rc<Dml>,
    pub clock: Rc<dyn Clock>,
    /// The files that programs may use.
    pub folder: Option<Rc<dyn Folder>>,
}

impl DmlTools {
    async fn run(self, arguments: Arguments, call: Call) -> Outcome {
        let options = RunOptions {
            parameters: arguments.object("params"),
            budgets: Budgets {
                time_ms: arguments.integer("timeout_ms").unwrap_or(RUN_MS).min(RUN_MS),
                step_ms: STEP_MS,
                ..Budgets::default()
            },
            seed: self.clock.now_ms() as u32,
            ..RunOptions::default()
        };
        let control = call.control();
        let client = Rc::new(Client {
            call: call.clone(),
            clock: self.clock,
            asked: Cell::new(0),
        });
        let ports = Ports {
            model: client.clone(),
            tools: client.clone(),
            user: client,
            folder: self.folder.clone(),
        };
        let run = self
            .dml
            .run(arguments.text("code").unwrap_or_default(), options, ports);
        let mut told = Told::default();
        loop {
            // A client that does not read is told no more: the run waits.
            let next = Box::pin(async {
                call.read().await;
                run.next().await
            });
            let event = match select(next, Box::pin(control.cancel.cancelled())).await {
                Either::Left((Some(event), _)) => event,
                Either::Left((None, _)) | Either::Right(_) => return told.outcome(),
            };
            told.events += 1;
            if let Some(tell) = &control.progress {
                tell(Progress {
                    done: told.events,
                    total: None,
                    message: progress_of(&event),
                });
            }
            told.take(event);
        }
    }
}

/// One line for who waits.
fn progress_of(event: &Event) -> String {
    match event {
        Event::Output { content } | Event::Log { content } | Event::Answer { content } => content.clone(),
        Event::InputRequired { prompt } => format!("asks the user: {prompt}"),
        Event::ToolCall { tool, .. } => format!("calls the tool {tool}"),
        Event::Error { content, .. } => content.clone(),
        Event::Stream { .. } | Event::Trace(_) | Event::Usage { .. } | Event::Finished { .. } => {
            String::new()
        }
    }
}

/// What a run has told so far.
#[derive(Default)]
struct Told {
    events: u64,
    output: Vec<String>,
    log: Vec<String>,
    answer: Option<String>,
    success: bool,
    error: Option<Failure>,
}

impl Told {
    fn take(&mut self, event: Event) {
        match event {
            Event::Output { content } => self.output.push(content),
            Event::Log { content } => self.log.push(content),
            Event::Answer { content } => self.answer = Some(content),
            Event::Finished { success, .. } => self.success = success,
            Event::Error {
                content,
                line,
                column,
            } => {
                self.error = Some(Failure {
                    kind: json!("program_error"),
                    message: content,
                    next: String::new(),
                    line,
                    column,
                });
            }
            Event::Stream { .. }
            | Event::InputRequired { .. }
            | Event::ToolCall { .. }
            | Event::Trace(_)
            | Event::Usage { .. } => {}
        }
    }

    fn outcome(self) -> Outcome {
        let status = match (&self.answer, &self.error, self.success) {
            (Some(_), _, _) => "answered",
            (_, Some(_), _) => "error",
            (_, _, true) => "true",
            (_, _, false) => "false",
        };
        let mut structured =
            json!({ "type": "dml_run", "status": status, "output": self.output, "log": self.log });
        let mut lines = self.output;
        lines.extend(self.log.iter().map(|line| format!("Log: {line}")));
        if let Some(answer) = self.answer {
            structured["answer"] = json!(answer);
            lines.push(answer);
        }
        if let Some(error) = self.error {
            // The sentence has the place already.
            lines.push(format!("Error: {}", error.message));
            structured["error"] = json!(error);
        } else if status != "answered" {
            lines.push(format!("agent_main is {status}."));
        }
        let mut report = Report::new(lines.join("\n"), structured);
        report.is_error = status == "error";
        Ok(report)
    }
}

/// The client as a program's host.
struct Client {
    call: Call,
    clock: Rc<dyn Clock>,
    asked: Cell<u64>,
}

impl Client {
    /// Names a question: each is asked once in its request.
    fn key(&self, kind: &str) -> String {
        self.asked.set(self.asked.get() + 1);
        format!("{kind}_{}", self.asked.get())
    }
}

impl LanguageModel for Client {
    fn turn(
        &self,
        request: &ModelRequest,
        _: Rc<dyn Fn(String)>,
    ) -> LocalBoxFuture<'static, Result<Turn, ModelFailure>> {
        let failure = |message: String| ModelFailure {
            message,
            transient: false,
        };
        let Some(sampling) = self.call.client_capability("sampling") else {
            let message = "this MCP client offers none: it has not declared the capability `sampling`";
            return async move { Err(failure(message.into())) }.boxed_local();
        };
        let with_tools = sampling.get("tools").is_some_and(Value::is_object);
        let question = Question::sampling(&self.key("model"), sampling::params(request, with_tools));
        let call = self.call.clone();
        async move {
            let mut answers = call
                .ask(vec![question])
                .await
                .map_err(|error| failure(error.message))?;
            Ok(sampling::turn(&answers.remove(0), with_tools))
        }
        .boxed_local()
    }
}

impl ToolHost for Client {
    fn call(&self, tool: &str, _: Value) -> LocalBoxFuture<'static, Result<Value, String>> {
        let message = format!("there is no tool {tool}");
        async move { Err(message) }.boxed_local()
    }
}

impl User for Client {
    fn can_answer(&self) -> bool {
        self.call.client_can("elicitation")
    }

    fn ask(&self, prompt: &str) -> LocalBoxFuture<'static, Result<Option<String>, String>> {
        if !self.can_answer() {
            let message =
                "this MCP client does not ask its user: it has not declared the capability `elicitation`";
            return async move { Err(message.to_owned()) }.boxed_local();
        }
        let schema = json!({
            "type": "object",
            "properties": { "answer": { "type": "string", "title": "Answer" } },
            "required": ["answer"],
        });
        let question = Question::elicitation(&self.key("input"), prompt, schema);
        let (call, late) = (self.call.clone(), self.clock.sleep(USER_MS));
        async move {
            match select(Box::pin(call.ask(vec![question])), late).await {
                Either::Left((Ok(answers), _)) => Ok(answer(&answers[0])),
                Either::Left((Err(error), _)) => Err(error.message),
                Either::Right(_) => Ok(None),
            }
        }
        .boxed_local()
    }
}

/// What the user wrote; `None` where nothing was to be answered.
fn answer(result: &Value) -> Option<String> {
    if result["action"] != "accept" {
        return None;
    }
    let content: &Map<String, Value> = result["content"].as_object()?;
    match content.get("answer")? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
