//! Serves a program's requests: events, the user, tools, tasks.

use serde_json::{Value, json};

use super::branch::Branch;
use super::engine::Answer;
use super::replies::{Answered, Asked, Call, Request};
use super::session::{Session, Stop};
use hornbook_agent::{Argument, BookUse, Event, HostReply, Outage, Party, StepId, Trace, named_arguments};

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
            Request::Answer(Answered { text, value }) => {
                let content = text.clone();
                effects.tracer.tell(line, || Trace::Answer { under, content });
                effects.events.push(Event::Answer { content: text, value });
                return Err(Stop::Answered);
            }
            Request::Input(text) => {
                let prompt = text.clone();
                let step = effects
                    .tracer
                    .begin(line, |id| Trace::Input { id, under, prompt });
                (
                    self.answer_of(step, effects.ask_user(&text).await?, |_| Party::User),
                    step,
                )
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
        let tools = &self.effects.tools;
        let missing = |message| (Some("missing"), message);
        let wrong = |message| (Some("arguments"), message);
        let named = match tools.allows(tool) {
            Ok(()) => tools
                .find(tool)
                .map_err(missing)
                .and_then(|known| named_arguments(tool, known, arguments).map_err(wrong)),
            Err(message) => Err((None, message)),
        };
        let args = named.as_ref().cloned().unwrap_or(Value::Null);
        let step = self.effects.tracer.begin(line, |id| Trace::Call {
            id,
            under,
            tool: tool.into(),
            args,
        });
        let (result, kind) = match named {
            Ok(arguments) => (self.effects.call_tool(tool, arguments).await?, "failed"),
            Err((Some(kind), message)) => (HostReply::Error(message), kind),
            Err((None, message)) => (HostReply::Refused(message), "failed"),
        };
        let party = |late| Party::Tool(tool.into(), if late { "late" } else { kind });
        Ok((self.answer_of(step, result, party), step))
    }

    /// The answer for something that came from outside; `party` says who did not answer, and whether in time.
    fn answer_of(&self, step: StepId, reply: HostReply, party: impl Fn(bool) -> Party) -> Answer {
        let result = reply.clone().result();
        self.effects
            .tracer
            .end(step, result.as_ref().map_err(String::as_str));
        let (party, message) = match reply {
            HostReply::Result(value) => return Answer::Done(value),
            HostReply::Refused(message) => return self.failed(message),
            HostReply::Error(message) => (party(false), message),
            HostReply::Late(message) => (party(true), message),
        };
        self.unanswered(Outage { party, message })
    }

    /// A question to the outside got no answer, and the reason is logged.
    pub fn unanswered(&self, outage: Outage) -> Answer {
        self.effects.tell(Event::Log {
            content: outage.message.clone(),
        });
        Answer::Outage(outage)
    }

    /// A request to the host was refused: the goal fails, and the reason is logged.
    pub fn failed(&self, message: String) -> Answer {
        self.effects.tell(Event::Log { content: message });
        Answer::Failed
    }
}
