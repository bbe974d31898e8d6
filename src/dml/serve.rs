//! What a program asks of its host, served: events, the user, tools, tasks.

use serde_json::Value;

use super::engine::Answer;
use super::event::Event;
use super::files::FileUse;
use super::record::{Entry, asked_user, called_tool};
use super::replies::{Asked, Call, Request};
use super::session::{Session, Stop};
use super::tools::{Argument, named_arguments};
use super::trace::{Branch, StepId, Trace};

impl Session {
    /// Serve a request, and follow where on its branch the goal is.
    pub async fn serve(&self, asked: Asked, branch: &mut Branch) -> Result<Answer, Stop> {
        self.tracer.went_back(branch, asked.after);
        let under = branch.under;
        let (answer, step) = match asked.request {
            Request::Output(text) => {
                self.output(text, under);
                return Ok(Answer::Done(Value::Null));
            }
            Request::Log(text) => {
                self.log(text, under);
                return Ok(Answer::Done(Value::Null));
            }
            Request::Answer(text) => {
                let content = text.clone();
                self.tracer.tell(|| Trace::Answer { under, content });
                self.events.push(Event::Answer { content: text });
                return Err(Stop::Answered);
            }
            Request::Input(text) => {
                let prompt = text.clone();
                let step = self.tracer.begin(|id| Trace::Input { id, under, prompt });
                (self.given(step, self.ask_user(&text).await?), step)
            }
            Request::File(asked) => return Ok(Answer::File(self.use_file(asked).await?)),
            Request::Exec(Call { tool, arguments }) => self.exec(&tool, arguments, under).await?,
            Request::Task(task) => self.task(task, true, under).await?,
            Request::Prompt(task) => self.task(task, false, under).await?,
        };
        if !matches!(answer, Answer::Failed) {
            branch.passed(asked.id, step);
        }
        Ok(answer)
    }

    async fn exec(
        &self,
        tool: &str,
        arguments: Vec<Argument>,
        under: StepId,
    ) -> Result<(Answer, StepId), Stop> {
        let found = self.tools.find(tool);
        let named = found.and_then(|known| named_arguments(tool, known, arguments));
        let args = named.as_ref().cloned().unwrap_or(Value::Null);
        let step = self.tracer.begin(|id| Trace::Call {
            id,
            under,
            tool: tool.into(),
            args,
        });
        let result = match named {
            Ok(arguments) => self.call_tool(tool, arguments).await?,
            Err(message) => Err(message),
        };
        Ok((self.given(step, result), step))
    }

    /// What the goal gets of something that came from outside.
    fn given(&self, step: StepId, result: Result<Value, String>) -> Answer {
        self.tracer.end(step, result.as_ref().map_err(String::as_str));
        match result {
            Ok(value) => Answer::Done(value),
            Err(message) => self.failed(message),
        }
    }

    pub fn output(&self, content: String, under: StepId) {
        let text = content.clone();
        self.tracer.tell(|| Trace::Output { under, content: text });
        self.tell(Event::Output { content });
    }

    pub fn log(&self, content: String, under: StepId) {
        let text = content.clone();
        self.tracer.tell(|| Trace::Log { under, content: text });
        self.tell(Event::Log { content });
    }

    /// Events without text are not told.
    pub fn tell(&self, event: Event) {
        if let Event::Output { content } | Event::Log { content } = &event
            && content.is_empty()
        {
            return;
        }
        self.events.push(event);
    }

    /// A request of the host failed: the goal fails, and the reason is told.
    pub fn failed(&self, message: String) -> Answer {
        self.tell(Event::Log { content: message });
        Answer::Failed
    }

    /// The user's answer, or why there is none. The time is the user's.
    pub async fn ask_user(&self, prompt: &str) -> Result<Result<Value, String>, Stop> {
        self.events.push(Event::InputRequired {
            prompt: prompt.into(),
        });
        let recorded = self.recorder.next(
            || asked_user(prompt),
            |entry| match entry {
                Entry::User {
                    prompt: before,
                    result,
                } if before == prompt => Some(result.clone()),
                _ => None,
            },
        )?;
        if let Some(result) = recorded {
            return Ok(result.into());
        }
        let started = self.clock.now_ms();
        let answer = self.ports.user.ask(prompt).await;
        let waited = self.clock.now_ms().saturating_sub(started);
        self.deadline.set(self.deadline.get() + waited);
        let result = match answer {
            Ok(Some(answer)) => Ok(Value::String(answer)),
            Ok(None) => Err(format!("Nobody answered the question “{prompt}”.")),
            Err(message) => Err(format!("The question “{prompt}” could not be asked: {message}")),
        };
        self.recorder.record(&Entry::User {
            prompt: prompt.into(),
            result: result.clone().into(),
        })?;
        Ok(result)
    }

    /// Call a tool of the host's that the policy allows; what goes wrong in it is an error to be told.
    pub async fn call_tool(&self, tool: &str, args: Value) -> Result<Result<Value, String>, Stop> {
        if let Some(operation) = self.tools.files.get(tool) {
            return Ok(match FileUse::of(*operation, &args) {
                Ok(asked) => self.use_file(asked).await?.into(),
                Err(message) => Err(message),
            });
        }
        self.spend(|budgets, used| budgets.tool_call(used))?;
        self.events.push(Event::ToolCall {
            tool: tool.into(),
            args: args.clone(),
        });
        let recorded = self.recorder.next(
            || called_tool(tool, &args),
            |entry| match entry {
                Entry::Tool {
                    tool: name,
                    args: before,
                    result,
                } if name == tool && *before == args => Some(result.clone()),
                _ => None,
            },
        )?;
        if let Some(result) = recorded {
            return Ok(result.into());
        }
        let result = self
            .within_time(self.ports.tools.call(tool, args.clone()))
            .await?;
        let result = result.map_err(|message| format!("The tool {tool} failed: {message}"));
        self.recorder.record(&Entry::Tool {
            tool: tool.into(),
            args,
            result: result.clone().into(),
        })?;
        Ok(result)
    }
}
