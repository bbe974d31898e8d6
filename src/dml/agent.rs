//! The agent loop: a model works on one task, with tools, until it finishes.

use futures::future::LocalBoxFuture;
use serde_json::{Value, json};

use super::engine::Answer;
use super::loaded::ProgramTool;
use super::offer::{FINISH, Offered, SET_RESULT, input_names, messages};
use super::output::{Output, Outputs, in_words};
use super::program::described;
use super::replies::TaskRequest;
use super::session::{Outcome, Session, Stop};
use hornbook_agent::{
    ASK_USER, Call, Choice, Cut, Message, ModelRequest, NoTurn, Outage, Party, Remedy, Role, StepId, Trace,
    Turn, WantedOutput,
};

const CONTINUE: &str = "Continue with the subtask, and call finish when it is done or cannot be done.";

/// A task that a model is working on.
struct Task<'a> {
    session: &'a Session,
    step: StepId,
    outputs: Outputs,
    tools: Offered<'a>,
    choice: Choice,
    /// The index in `choice` of the model being asked; those before it gave no turn.
    model: usize,
    /// Tools of the program that are running already, and so must not be called again from a tool called
    /// here.
    running: Vec<String>,
    last_text: String,
}

enum Next {
    /// The result of the call, for the model.
    Result(String),
    Finish(bool),
}

impl Session {
    /// Run the loop. `whole`: the task may use the program's tools, and its result is remembered.
    pub fn task(
        &self,
        request: TaskRequest,
        whole: bool,
        under: StepId,
        line: Option<u32>,
    ) -> LocalBoxFuture<'_, Result<(Answer, StepId), Stop>> {
        Box::pin(async move {
            let wanted = request.outputs.iter().map(|output| Output {
                name: output.name.clone(),
                kind: output.kind.clone(),
                value: None,
            });
            let outputs = Outputs(wanted.collect());
            let messages = messages(&request, &outputs);
            let step = self.effects.tracer.begin(line, |id| Trace::Task {
                id,
                under,
                text: request.text.clone(),
                outputs: wanted_outputs(&request),
                messages: messages.clone(),
            });
            let mut task = Task {
                session: self,
                step,
                outputs,
                tools: self.offered(&request, whole),
                choice: request.choice.or(&self.choice),
                model: 0,
                running: request.running.clone(),
                last_text: String::new(),
            };
            Ok((task.work(messages).await?, step))
        })
    }
}

impl Task<'_> {
    async fn work(&mut self, mut messages: Vec<Message>) -> Result<Answer, Stop> {
        let tools = self.tools.model_tools(&self.outputs);
        let mut before: Option<(String, Vec<(String, Value)>)> = None;
        let mut repeated = 1;
        let mut unfinished = "unfinished";
        for number in 1..=self.session.effects.meter.budgets().turns {
            let asked = ModelRequest {
                messages: messages.clone(),
                tools: tools.clone(),
                streaming: self.session.effects.streaming,
                model: None,
                temperature: self.choice.temperature,
                max_output_tokens: self.choice.max_output_tokens,
                top_p: self.choice.top_p,
            };
            let mut turn = match self.turn(asked).await? {
                Ok(turn) => turn,
                Err(NoTurn::Cut(cut)) => {
                    let kind = match cut {
                        Cut::Length => "length",
                        Cut::ContentFilter => "content_filter",
                    };
                    return Ok(self.failed(kind, NoTurn::Cut(cut).why()));
                }
                Err(NoTurn::Failure(failure)) if failure.unreachable => {
                    let why = format!("The model cannot be reached: {}", failure.message);
                    self.session.effects.tracer.end(self.step, Err(&why));
                    return Ok(Answer::Refused(failure.message));
                }
                Err(NoTurn::Failure(failure)) if failure.too_dear => {
                    self.session.effects.tracer.end(self.step, Err(&failure.message));
                    return Ok(Answer::TooDear(failure.message));
                }
                Err(NoTurn::Failure(failure)) => {
                    let kind = if failure.late { "late" } else { "failed" };
                    return Ok(self.failed(kind, &format!("the model failed: {}", failure.message)));
                }
            };
            let calls = turn
                .calls
                .iter()
                .map(|call| (call.tool.clone(), call.args.clone()));
            let latest = Some((turn.text.clone(), calls.collect()));
            repeated = if latest == before { repeated + 1 } else { 1 };
            before = latest;
            name_calls(&mut turn.calls, number);
            messages.push(Message {
                calls: turn.calls.clone(),
                ..Message::new(Role::Assistant, turn.text.clone())
            });
            if turn.cut.is_some() {
                let why = "The model's turn was cut: it reached the limit of its output.";
                self.session.effects.log(why.into(), self.step, None);
                unfinished = "length";
            } else {
                unfinished = "unfinished";
            }
            if !turn.text.is_empty() {
                self.last_text = turn.text;
            }
            for call in &turn.calls {
                match self.call(call).await? {
                    Next::Result(result) => messages.push(Message::result(call, result)),
                    Next::Finish(true) => return Ok(self.done()),
                    Next::Finish(false) => {
                        let why = "The model gave up the task.";
                        self.session.effects.tracer.end(self.step, Err(why));
                        return Ok(Answer::Failed);
                    }
                }
            }
            if repeated == self.session.effects.limits.repeated_turns {
                return Ok(self.failed(unfinished, "the model repeats itself"));
            }
            if turn.calls.is_empty() {
                messages.push(Message::new(Role::User, CONTINUE));
            }
        }
        let turns = self.session.effects.meter.budgets().turns;
        Ok(self.failed(
            unfinished,
            &format!("the model did not finish within {turns} turns"),
        ))
    }

    /// A turn of the first model that gives one.
    async fn turn(&mut self, mut asked: ModelRequest) -> Result<Result<Turn, NoTurn>, Stop> {
        loop {
            asked.model = self.choice.models.get(self.model).cloned();
            let effects = &self.session.effects;
            let answered = effects.turn(&asked, &self.choice, self.step).await?;
            let (Err(none), Some(model), Some(next)) =
                (&answered, &asked.model, self.choice.models.get(self.model + 1))
            else {
                return Ok(answered);
            };
            let is_unreachable = matches!(none, NoTurn::Failure(failure) if failure.unreachable);
            let is_too_dear = matches!(none, NoTurn::Failure(failure) if failure.too_dear);
            let falls_back = self.choice.on.get(&none.trouble()) == Some(&Remedy::Fallback);
            if is_too_dear || !is_unreachable && !falls_back {
                return Ok(answered);
            }
            let what = if is_unreachable {
                "cannot be reached"
            } else {
                "gave no turn"
            };
            let why = format!("The model {model} {what}, {next} is asked: {}", none.why());
            self.session.effects.log(why, self.step, None);
            self.model += 1;
        }
    }

    async fn call(&mut self, call: &Call) -> Result<Next, Stop> {
        let step = self.session.effects.tracer.begin(None, |id| Trace::Call {
            id,
            under: self.step,
            tool: call.tool.clone(),
            args: call.args.clone(),
        });
        let result = if call.tool == FINISH {
            match self.finish(&call.args) {
                Ok(success) => {
                    self.session.effects.tracer.end(step, Ok(&Value::Null));
                    return Ok(Next::Finish(success));
                }
                Err(message) => Err(message),
            }
        } else {
            self.result(call, step).await?
        };
        self.session
            .effects
            .tracer
            .end(step, result.as_ref().map_err(String::as_str));
        let result = match result {
            Ok(value) => json!({ "result": value }),
            Err(message) => json!({ "error": message }),
        };
        Ok(Next::Result(result.to_string()))
    }

    /// The result of a call other than `finish`; the inner error is for the model.
    async fn result(&mut self, call: &Call, step: StepId) -> Result<Result<Value, String>, Stop> {
        let name = call.tool.as_str();
        Ok(match name {
            SET_RESULT if !self.outputs.0.is_empty() => self.outputs.set(&call.args).map(|()| json!(true)),
            ASK_USER if self.session.asks => match call.args["prompt"].as_str() {
                Some(prompt) => self.session.effects.ask_user(prompt).await?.result(),
                None => Err("`prompt` must be a string.".into()),
            },
            _ => match self.tools.program.iter().find(|tool| tool.name == name) {
                Some(tool) => self.call_program_tool(tool, &call.args, step).await?,
                None if self.tools.registered.contains(&name) => {
                    match self.session.effects.tools.find(name) {
                        Ok(_) if call.args.is_null() => {
                            self.session.effects.call_tool(name, json!({})).await?.result()
                        }
                        Ok(_) if call.args.is_object() => {
                            let args = call.args.clone();
                            self.session.effects.call_tool(name, args).await?.result()
                        }
                        Ok(_) => Err("The arguments must be one object, by their names.".into()),
                        Err(message) => Err(message),
                    }
                }
                None => Err(self.unknown(name)),
            },
        })
    }

    /// Whether the task succeeded; an error if it cannot finish yet.
    fn finish(&self, args: &Value) -> Result<bool, String> {
        let success = match &args["success"] {
            Value::Null => true,
            Value::Bool(success) => *success,
            Value::String(text) if text == "true" || text == "false" => text == "true",
            _ => return Err("`success` must be true or false.".into()),
        };
        let missing = self.outputs.missing();
        if success && !missing.is_empty() {
            let names = missing.join(", ");
            return Err(format!(
                "Not finished: store {names} with set_result first, or finish with success false."
            ));
        }
        Ok(success)
    }

    async fn call_program_tool(
        &self,
        tool: &ProgramTool,
        args: &Value,
        step: StepId,
    ) -> Result<Result<Value, String>, Stop> {
        let mut inputs = Vec::new();
        for name in input_names(tool) {
            match args.get(&name) {
                None => return Ok(Err(format!("The argument {name} is missing."))),
                Some(value) => inputs.push(Value::String(in_words(value))),
            }
        }
        let mut running = self.running.clone();
        running.push(tool.name.clone());
        let outcome = self
            .session
            .call_program_tool(&tool.name, &inputs, &running, step)
            .await?;
        Ok(match outcome {
            Outcome::True(value) => Ok(value),
            Outcome::False => Ok(Value::Bool(false)),
            Outcome::Error(error) => Err(described(&error)),
        })
    }

    fn unknown(&self, name: &str) -> String {
        let tools = self.tools.model_tools(&self.outputs);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        format!("There is no tool {name}; the tools are: {}.", names.join(", "))
    }

    fn done(&mut self) -> Answer {
        let results = self.outputs.in_words();
        let summary = if !results.is_empty() {
            format!("Task completed. Results: {}", results.join(", "))
        } else if self.last_text.is_empty() {
            "Task completed successfully.".into()
        } else {
            std::mem::take(&mut self.last_text)
        };
        let values = self
            .outputs
            .0
            .iter_mut()
            .map(|output| output.value.take().unwrap_or(Value::Null));
        let values: Vec<Value> = values.collect();
        let named = self.outputs.0.iter().map(|output| output.name.clone());
        let result = named.zip(values.iter().cloned()).collect();
        self.session
            .effects
            .tracer
            .end(self.step, Ok(&Value::Object(result)));
        Answer::Task(values, summary)
    }

    /// The model gave no answer.
    fn failed(&self, kind: &'static str, why: &str) -> Answer {
        let message = format!("The task failed: {why}.");
        self.session.effects.tracer.end(self.step, Err(&message));
        let party = Party::Model(kind);
        self.session.unanswered(Outage { party, message })
    }
}

/// What a task is to bind, for those who watch.
fn wanted_outputs(request: &TaskRequest) -> Vec<WantedOutput> {
    let wanted = request.outputs.iter().map(|output| WantedOutput {
        name: output.name.clone(),
        kind: output.kind.written(),
    });
    wanted.collect()
}

/// Give every call an id that is unique in its task.
fn name_calls(calls: &mut [Call], turn: usize) {
    for (index, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() {
            call.id = format!("call_{turn}_{}", index + 1);
        }
    }
}
