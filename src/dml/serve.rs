//! Serves a program's requests: events, the user, tools, tasks.

use serde_json::{Value, json};

use super::branch::Branch;
use super::engine::Answer;
use super::replies::{Asked, Call, Request};
use super::session::{Session, Stop};
use hornbook_agent::{Argument, BookUse, Event, StepId, Trace, named_arguments};

impl Session {
    /// Serve a request, and record its position on the goal's branch.
    pub async fn serve(&self, asked: Asked, branch: &mut Branch) -> Result<Answer, Stop> {
        let effects = &self.effects;
        branch.went_back(&effects.tracer, asked.after);
        let under = branch.under;
        let line = asked.at.map(|offset| self.line(offset));
        let (answer, step) = match asked.request {
            Request::Output(text) => {
                effects.output(text, under, line);
                return Ok(Answer::Done(Value::Null));
            }
            Request::Log(text) => {
                effects.log(text, under, line);
                return Ok(Answer::Done(Value::Null));
            }
            Request::Answer(text) => {
                let content = text.clone();
                effects.tracer.tell(line, || Trace::Answer { under, content });
                effects.events.push(Event::Answer { content: text });
                return Err(Stop::Answered);
            }
            Request::Input(text) => {
                let prompt = text.clone();
                let step = effects
                    .tracer
                    .begin(line, |id| Trace::Input { id, under, prompt });
                (self.answer_of(step, effects.ask_user(&text).await?), step)
            }
            Request::File(asked) => return Ok(Answer::File(effects.use_file(asked).await?)),
            Request::Book(BookUse::Close { query }) => {
                if let Some(book) = &effects.ports.book {
                    book.close(&query);
                }
                return Ok(Answer::Done(Value::Null));
            }
            Request::Book(asked) => self.book(asked, under, line).await?,
            Request::Exec(Call { tool, arguments }) => self.exec(&tool, arguments, under, line).await?,
            Request::Task(task) => self.task(task, true, under, line).await?,
            Request::Prompt(task) => self.task(task, false, under, line).await?,
            Request::Concurrent(group) => Box::pin(self.concurrent(group, under, line)).await?,
        };
        if answer.goes_on() {
            branch.passed(asked.id, step);
        }
        Ok(answer)
    }

    async fn book(&self, asked: BookUse, under: StepId, line: Option<u32>) -> Result<(Answer, StepId), Stop> {
        let step = self.effects.tracer.begin(line, |id| Trace::Call {
            id,
            under,
            tool: "book".into(),
            args: json!(asked),
        });
        let reply = self.effects.use_book(asked, step).await?;
        match (&reply.answer, &reply.error) {
            (_, Some(error)) => self.effects.tracer.end(step, Err(&error.message)),
            (Some(answer), None) => self.effects.tracer.end(step, Ok(&json!(answer))),
            (None, None) => self.effects.tracer.end(step, Err("There is no answer.")),
        }
        Ok((Answer::Book(reply), step))
    }

    async fn exec(
        &self,
        tool: &str,
        arguments: Vec<Argument>,
        under: StepId,
        line: Option<u32>,
    ) -> Result<(Answer, StepId), Stop> {
        let found = self.effects.tools.find(tool);
        let named = found.and_then(|known| named_arguments(tool, known, arguments));
        let args = named.as_ref().cloned().unwrap_or(Value::Null);
        let step = self.effects.tracer.begin(line, |id| Trace::Call {
            id,
            under,
            tool: tool.into(),
            args,
        });
        let result = match named {
            Ok(arguments) => self.effects.call_tool(tool, arguments).await?,
            Err(message) => Err(message),
        };
        Ok((self.answer_of(step, result), step))
    }

    /// The answer for something that came from outside.
    fn answer_of(&self, step: StepId, result: Result<Value, String>) -> Answer {
        self.effects
            .tracer
            .end(step, result.as_ref().map_err(String::as_str));
        match result {
            Ok(value) => Answer::Done(value),
            Err(message) => self.failed(message),
        }
    }

    /// A request to the host failed: the goal fails, and the reason is logged.
    pub fn failed(&self, message: String) -> Answer {
        self.effects.tell(Event::Log { content: message });
        Answer::Failed
    }
}
