//! The toolset `dml`: programs that use the client's model and its user.

mod book;
pub(crate) mod results;
mod sampling;

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use serde_json::Value;

use self::results::{DmlRun, DmlRunResult, DmlStatus};
use crate::person;
use crate::report::{Outcome, Report};
use crate::schema::{Argument, Arguments, Kind};
use crate::toolset::{Hints, Served, Tool, Toolset};
use hornbook_agent::{
    Budgets, Event, Folder, LanguageModel, ModelFailure, ModelRequest, Ports, ProgramBook, ToolHost, Turn,
    User,
};
use hornbook_base::{Clock, Fault, FaultKind, Limits, Progress};
use hornbook_dml::{Dml, RunOptions};
use hornbook_mcp::{Call, Question};
use hornbook_workspace::Workspace;

pub use book::{BookAccess, BookOfProgram};

/// A program's run, with the client's model and its user.
pub fn toolset(context: DmlTools) -> Rc<dyn Served> {
    let set = Toolset {
        name: "dml",
        instructions: INSTRUCTIONS,
        checks_itself: false,
        tools: match (
            context.folder.is_some(),
            context.book.as_ref().map(|(_, access)| *access),
        ) {
            (false, None) => &[&RUN],
            (true, None) => &[&RUN_WITH_FILES],
            (false, Some(BookAccess::Read)) => &[&RUN_ON_BOOK],
            (true, Some(BookAccess::Read)) => &[&RUN_ON_BOOK_WITH_FILES],
            (false, Some(BookAccess::Write)) => &[&RUN_ON_OPEN_BOOK],
            (true, Some(BookAccess::Write)) => &[&RUN_ON_OPEN_BOOK_WITH_FILES],
        },
        resources: &[],
        prompts: &[],
        topics: &[],
        task_id: |_, _| None,
        on_change: |_, _| {},
        on_subscribe: |_, _, _| {},
    };
    set.on(context)
}

const INSTRUCTIONS: &str = "dml_run runs programs in DML: Prolog with goals that ask your language model and your \
user. Use it where a plan must hold: several tasks whose results are checked, with other ways when one fails.";

pub(crate) const RUN: Tool<DmlTools> = Tool {
    name: "dml_run",
    title: "Run DML program",
    description: include_str!("run.md"),
    arguments: ARGUMENTS,
    hints: Hints::AsksOthers,
    run: |tools, arguments, call| tools.run(arguments, call).boxed_local(),
};

/// For hosts that give programs a folder.
const RUN_WITH_FILES: Tool<DmlTools> = Tool {
    description: concat!(include_str!("run.md"), include_str!("files.md")),
    hints: Hints::Anything,
    ..RUN
};

/// For hosts whose programs may query the book.
const RUN_ON_BOOK: Tool<DmlTools> = Tool {
    description: concat!(include_str!("run.md"), include_str!("book.md")),
    ..RUN
};

const RUN_ON_BOOK_WITH_FILES: Tool<DmlTools> = Tool {
    description: concat!(
        include_str!("run.md"),
        include_str!("files.md"),
        include_str!("book.md")
    ),
    ..RUN_WITH_FILES
};

/// For hosts whose programs may also change the book.
const RUN_ON_OPEN_BOOK: Tool<DmlTools> = Tool {
    description: concat!(
        include_str!("run.md"),
        include_str!("book.md"),
        include_str!("change.md")
    ),
    hints: Hints::Anything,
    ..RUN
};

const RUN_ON_OPEN_BOOK_WITH_FILES: Tool<DmlTools> = Tool {
    description: concat!(
        include_str!("run.md"),
        include_str!("files.md"),
        include_str!("book.md"),
        include_str!("change.md")
    ),
    ..RUN_WITH_FILES
};

const ARGUMENTS: &[Argument] = &[
    Argument {
        name: "code",
        kind: Kind::Text,
        required: true,
        operations: &[],
        description: "",
    },
    Argument {
        name: "params",
        kind: Kind::Object,
        required: false,
        operations: &[],
        description: "by name: for the variables of agent_main, param/2 and {Name}",
    },
    Argument {
        name: "timeout_ms",
        kind: Kind::Integer(1),
        required: false,
        operations: &[],
        description: "",
    },
];

/// The context of the toolset.
#[derive(Clone)]
pub struct DmlTools {
    pub dml: Rc<Dml>,
    pub clock: Rc<dyn Clock>,
    /// The files that programs may use.
    pub folder: Option<Rc<dyn Folder>>,
    /// The book that programs may use, and how.
    pub book: Option<(Workspace, BookAccess)>,
}

impl DmlTools {
    async fn run(self, arguments: Arguments, call: Call) -> Outcome {
        let limits = self.dml.limits().clone();
        let mut budgets = Budgets::of(&limits);
        if let Some(asked) = arguments.integer("timeout_ms") {
            budgets.time_ms = asked.min(limits.run_ms);
        }
        let options = RunOptions {
            parameters: arguments.object("params"),
            budgets,
            seed: self.clock.now_ms() as u32,
            ..RunOptions::default()
        };
        let control = call.control();
        let client = Rc::new(Client {
            call: call.clone(),
            clock: self.clock,
            limits: limits.clone(),
            asked: Cell::new(0),
        });
        let ports = Ports {
            model: client.clone(),
            tools: client.clone(),
            user: client,
            folder: self.folder.clone(),
            book: self.book.clone().map(|(workspace, access)| {
                // A read-only client's programs are read-only, too.
                let access = if control.read_only {
                    BookAccess::Read
                } else {
                    access
                };
                Rc::new(BookOfProgram::new(
                    workspace,
                    "dml_run",
                    access,
                    control.who.clone(),
                )) as Rc<dyn ProgramBook>
            }),
        };
        let run = self
            .dml
            .run(arguments.text("code").unwrap_or_default(), options, ports);
        let mut summary = Summary::within(limits.run_output_chars);
        loop {
            // While the client is behind in reading, the run waits.
            let next = Box::pin(async {
                call.read().await;
                run.next().await
            });
            let event = match select(next, Box::pin(control.cancel.cancelled())).await {
                Either::Left((Some(event), _)) => event,
                Either::Left((None, _)) | Either::Right(_) => return summary.outcome(),
            };
            summary.events += 1;
            if let Some(tell) = &control.progress {
                tell(Progress {
                    done: summary.events,
                    total: None,
                    message: event.progress(),
                });
            }
            summary.take(event);
        }
    }
}

/// What a run has reported so far.
struct Summary {
    events: u64,
    output: Kept,
    log: Kept,
    answer: Option<String>,
    success: bool,
    error: Option<Fault>,
}

impl Summary {
    /// Keep at most `chars` characters of output, and as many of the log.
    fn within(chars: usize) -> Summary {
        Summary {
            events: 0,
            output: Kept::within(chars),
            log: Kept::within(chars),
            answer: None,
            success: false,
            error: None,
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Output { content } => self.output.push(content),
            Event::Log { content } => self.log.push(content),
            Event::Answer { content, .. } => self.answer = Some(content),
            Event::Finished { success, .. } => self.success = success,
            Event::Error {
                content,
                line,
                column,
            } => {
                self.error = Some(Fault {
                    line,
                    column,
                    ..Fault::new(FaultKind::ProgramError, content)
                });
            }
            // Other events are for those who watch the run.
            _ => {}
        }
    }

    fn outcome(self) -> Outcome {
        let status = match (&self.answer, &self.error, self.success) {
            (Some(_), _, _) => DmlStatus::Answered,
            (_, Some(_), _) => DmlStatus::Error,
            (_, _, true) => DmlStatus::True,
            (_, _, false) => DmlStatus::False,
        };
        let left_out: Vec<String> = [("output", &self.output), ("log", &self.log)]
            .into_iter()
            .filter_map(|(name, kept)| kept.left_out(name))
            .collect();
        let mut lines = self.output.texts.clone();
        lines.extend(self.log.texts.iter().map(|line| format!("Log: {line}")));
        lines.extend(left_out.iter().cloned());
        lines.extend(self.answer.clone());
        match (&self.error, status) {
            // The sentence already includes the position.
            (Some(error), _) => lines.push(format!("Error: {}", error.message)),
            (None, DmlStatus::True) => lines.push("agent_main is true.".into()),
            (None, DmlStatus::False) => lines.push("agent_main is false.".into()),
            (None, DmlStatus::Answered | DmlStatus::Error) => {}
        }
        let structured = DmlRunResult::Run(DmlRun {
            status,
            output: self.output.texts,
            log: self.log.texts,
            left_out: (!left_out.is_empty()).then_some(left_out),
            answer: self.answer,
            error: self.error,
        });
        Ok(Report {
            is_error: status == DmlStatus::Error,
            ..Report::new(lines.join("\n"), structured)
        })
    }
}

/// The first texts that a program wrote, up to a limit.
struct Kept {
    texts: Vec<String>,
    /// Characters left.
    room: usize,
    most: usize,
    /// Characters dropped.
    lost: usize,
}

impl Kept {
    fn within(most: usize) -> Kept {
        Kept {
            texts: Vec::new(),
            room: most,
            most,
            lost: 0,
        }
    }

    /// Keep as much of the text's beginning as fits. An empty text counts as one character.
    fn push(&mut self, mut text: String) {
        let chars = text.chars().count().max(1);
        if chars > self.room {
            let end = text
                .char_indices()
                .nth(self.room)
                .map_or(text.len(), |(at, _)| at);
            text.truncate(end);
            self.lost += chars - self.room;
        }
        if self.room > 0 {
            self.texts.push(text);
        }
        self.room = self.room.saturating_sub(chars);
    }

    /// A sentence about what was left out, if anything was.
    fn left_out(&self, name: &str) -> Option<String> {
        let Kept { most, lost, .. } = self;
        (*lost > 0).then(|| {
            format!("{lost} more characters of {name} were left out (limit: run_output_chars = {most}); what answer/1 gives is never cut.")
        })
    }
}

/// The client as a program's host.
struct Client {
    call: Call,
    clock: Rc<dyn Clock>,
    limits: Limits,
    asked: Cell<u64>,
}

impl Client {
    /// The key of a new question, unique within the request.
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
        let failure = |message: String, unreachable: bool| ModelFailure {
            message,
            unreachable,
            ..ModelFailure::default()
        };
        let Some(sampling) = self.call.client_capability("sampling") else {
            let message = "this MCP client offers none: it has not declared the capability `sampling`";
            return async move { Err(failure(message.into(), true)) }.boxed_local();
        };
        let with_tools = sampling.get("tools").is_some_and(Value::is_object);
        let params = sampling::params(request, with_tools, self.limits.turn_tokens);
        let question = Question::sampling(&self.key("model"), params);
        let call = self.call.clone();
        async move {
            let mut answers = call
                .ask(vec![question])
                .await
                .map_err(|error| failure(error.message, false))?;
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
        let question = person::question(&self.key("input"), prompt);
        let (call, late) = (self.call.clone(), self.clock.sleep(self.limits.user_ms));
        async move {
            match select(Box::pin(call.ask(vec![question])), late).await {
                Either::Left((Ok(answers), _)) => Ok(person::answer(&answers[0])),
                Either::Left((Err(error), _)) => Err(error.message),
                Either::Right(_) => Ok(None),
            }
        }
        .boxed_local()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_writes_is_kept_within_its_limit() {
        let mut kept = Kept::within(5);
        kept.push("žé".into());
        assert_eq!(kept.left_out("output"), None);
        for text in ["abcd", "", "e"] {
            kept.push(text.into());
        }
        assert_eq!(kept.texts, ["žé", "abc"]);
        let left_out = kept.left_out("output").unwrap();
        assert!(left_out.starts_with("3 more characters of output"), "{left_out}");
        assert!(left_out.contains("run_output_chars = 5"), "{left_out}");
    }
}
