//! A run's effects on the outside: tools, files, the user. The model's turns are in `turn.rs`.

use std::rc::Rc;

use serde_json::{Value, json};

use super::book::{BookReply, BookUse, ProgramBook};
use super::entry::{Entry, HostReply, asked_book, asked_user, called_tool, used_file};
use super::event::{Event, Events};
use super::files::{self, FileOperation, FileReply, FileUse, Folder, missing_tool};
use super::meter::Meter;
use super::model::{LanguageModel, ToolHost, User};
use super::recorder::Recorder;
use super::stop::Stop;
use super::tools::{ASK_USER, ToolSet};
use super::trace::{StepId, Trace};
use super::tracer::Tracer;
use hornbook_base::Limits;

/// What a run needs of its host.
#[derive(Clone)]
pub struct Ports {
    pub model: Rc<dyn LanguageModel>,
    pub tools: Rc<dyn ToolHost>,
    pub user: Rc<dyn User>,
    /// The files that the run may use.
    pub folder: Option<Rc<dyn Folder>>,
    /// The book that the run may use.
    pub book: Option<Rc<dyn ProgramBook>>,
}

/// Everything a run does outside of itself. Each effect is checked against the budgets, recorded or replayed,
/// and reported.
pub struct Effects {
    pub ports: Ports,
    pub tools: ToolSet,
    pub meter: Meter,
    pub recorder: Recorder,
    pub events: Rc<Events>,
    pub tracer: Tracer,
    pub limits: Rc<Limits>,
    /// Whether the models' text is reported in pieces, as `stream` events.
    pub streaming: bool,
    /// Whether the run has a folder. When replaying, the recorded run may have had a folder that is gone.
    pub files: bool,
}

impl Effects {
    /// Report output; empty text is ignored.
    pub fn output(&self, content: String, under: StepId, line: Option<u32>) {
        if content.is_empty() {
            return;
        }
        let text = content.clone();
        self.tracer.tell(line, || Trace::Output { under, content: text });
        self.tell(Event::Output { content });
    }

    /// Report a log message; empty text is ignored.
    pub fn log(&self, content: String, under: StepId, line: Option<u32>) {
        if content.is_empty() {
            return;
        }
        let text = content.clone();
        self.tracer.tell(line, || Trace::Log { under, content: text });
        self.tell(Event::Log { content });
    }

    /// Report an event; empty output and log messages are ignored.
    pub fn tell(&self, event: Event) {
        if let Event::Output { content } | Event::Log { content } = &event
            && content.is_empty()
        {
            return;
        }
        self.events.push(event);
    }

    /// Ask the user. The time it takes is not the run's.
    pub async fn ask_user(&self, prompt: &str) -> Result<HostReply, Stop> {
        self.events.push(Event::InputRequired {
            prompt: prompt.into(),
        });
        let recorded = self
            .recorder
            .next(
                || asked_user(prompt),
                |entry| match entry {
                    Entry::User {
                        prompt: before,
                        result,
                    } if before == prompt => Some(result.clone()),
                    _ => None,
                },
            )
            .await?;
        if let Some(result) = recorded {
            return Ok(result);
        }
        let result = match self.meter.uncounted(self.ports.user.ask(prompt)).await {
            Ok(Some(answer)) => HostReply::Result(Value::String(answer)),
            Ok(None) => HostReply::Refused(format!("Nobody answered the question “{prompt}”.")),
            Err(message) => {
                HostReply::Error(format!("The question “{prompt}” could not be asked: {message}"))
            }
        };
        self.recorder.record(&Entry::User {
            prompt: prompt.into(),
            result: result.clone(),
        })?;
        Ok(result)
    }

    /// Call one of the host's tools, if the policy allows it.
    pub async fn call_tool(&self, tool: &str, args: Value) -> Result<HostReply, Stop> {
        if let Some(operation) = self.tools.files.get(tool) {
            return Ok(match FileUse::of(*operation, &args) {
                Ok(asked) => self.use_file(asked).await?.into(),
                Err(message) => HostReply::Error(message),
            });
        }
        if self.tools.asks && tool == ASK_USER {
            let Some(prompt) = args["prompt"].as_str() else {
                return Ok(HostReply::Error("ask_user needs `prompt`, a text.".into()));
            };
            return Ok(match self.ask_user(prompt).await? {
                HostReply::Result(answer) => HostReply::Result(json!({ "user_response": answer })),
                without => without,
            });
        }
        self.meter.tool_call()?;
        self.events.push(Event::ToolCall {
            tool: tool.into(),
            args: args.clone(),
        });
        let recorded = self
            .recorder
            .next(
                || called_tool(tool, &args),
                |entry| match entry {
                    Entry::Tool {
                        tool: name,
                        args: before,
                        result,
                    } if name == tool && *before == args => Some(result.clone()),
                    _ => None,
                },
            )
            .await?;
        if let Some(result) = recorded {
            return Ok(result);
        }
        let call = self.ports.tools.call(tool, args.clone());
        let call_ms = self.meter.budgets().call_ms;
        let result = match self.meter.within_call(call_ms, call).await? {
            Some(Ok(result)) => HostReply::Result(result),
            Some(Err(message)) => HostReply::Error(format!("The tool {tool} failed: {message}")),
            None => {
                let ms = call_ms.unwrap_or_default();
                HostReply::Late(format!(
                    "The tool {tool} took longer than the {ms} ms that one call may take."
                ))
            }
        };
        self.recorder.record(&Entry::Tool {
            tool: tool.into(),
            args,
            result: result.clone(),
        })?;
        Ok(result)
    }

    /// Use a file. It counts as a call of the corresponding tool, under the same policy and budgets.
    pub async fn use_file(&self, asked: FileUse) -> Result<FileReply, Stop> {
        let tool = asked.operation.tool();
        if !self.files {
            return Ok(FileReply::Refused(missing_tool(tool)));
        }
        if let Err(message) = self.tools.find(tool) {
            return Ok(FileReply::Refused(message));
        }
        self.meter.tool_call()?;
        if asked.operation != FileOperation::Exists {
            self.events.push(asked.event());
        }
        let recorded = self
            .recorder
            .next(
                || used_file(&asked),
                |entry| match entry {
                    Entry::File {
                        asked: before,
                        result,
                    } if *before == asked => Some(result.clone()),
                    _ => None,
                },
            )
            .await?;
        if let Some(result) = recorded {
            return Ok(result);
        }
        let result = match self.ports.folder.clone() {
            Some(folder) => {
                let done = files::done(folder, asked.clone(), &self.limits);
                self.meter.within_time(done).await?
            }
            None => FileReply::Refused(missing_tool(tool)),
        };
        self.recorder.record(&Entry::File {
            asked,
            result: result.clone(),
        })?;
        Ok(result)
    }

    /// Ask the book. The goal's output is reported, and its inferences count as the run's.
    pub async fn use_book(&self, asked: BookUse, under: StepId) -> Result<BookReply, Stop> {
        let recorded = self
            .recorder
            .next(
                || asked_book(&asked),
                |entry| match entry {
                    Entry::Book { asked: before, reply } if *before == asked => Some(reply.clone()),
                    _ => None,
                },
            )
            .await?;
        let reply = match (recorded, &self.ports.book) {
            (Some(reply), _) => reply,
            (None, book) => {
                let reply = match book {
                    Some(book) => self.meter.within_time(book.ask(&asked)).await?,
                    None => BookReply::not_allowed(),
                };
                self.recorder.record(&Entry::Book {
                    asked,
                    reply: reply.clone(),
                })?;
                reply
            }
        };
        self.output(reply.output.clone(), under, None);
        self.meter.add_inferences(reply.inferences)?;
        Ok(reply)
    }
}
