//! A turn of the model: recorded or replayed, retried, reported.

use std::cell::RefCell;
use std::rc::Rc;

use super::budget::TooDear;
use super::effects::Effects;
use super::entry::{AskedModel, Entry, ModelReply, asked_model};
use super::event::Event;
use super::model::{Choice, Cut, ModelFailure, ModelRequest, Remedy, Trouble, Turn};
use super::stop::Stop;
use super::trace::{StepId, Trace};

/// Why there is no turn.
#[derive(Debug)]
pub enum NoTurn {
    Failure(ModelFailure),
    /// It was cut, and so does not count.
    Cut(Cut),
}

impl NoTurn {
    /// What another model may help with.
    pub fn trouble(&self) -> Trouble {
        match self {
            NoTurn::Failure(failure) => failure.trouble(),
            NoTurn::Cut(cut) => (*cut).into(),
        }
    }

    pub fn why(&self) -> &str {
        match self {
            NoTurn::Failure(failure) => &failure.message,
            NoTurn::Cut(cut) => cut.why(),
        }
    }
}

impl From<Cut> for Trouble {
    fn from(cut: Cut) -> Trouble {
        match cut {
            Cut::Length => Trouble::Length,
            Cut::ContentFilter => Trouble::ContentFilter,
        }
    }
}

impl Cut {
    fn why(self) -> &'static str {
        match self {
            Cut::Length => "it reached the limit of its output",
            Cut::ContentFilter => "the provider's filter withheld what the model said",
        }
    }
}

impl ModelFailure {
    fn trouble(&self) -> Trouble {
        if self.late { Trouble::Late } else { Trouble::Failed }
    }
}

/// The model has taken too long for one call.
fn late(call_ms: Option<u64>) -> ModelFailure {
    let ms = call_ms.unwrap_or_default();
    ModelFailure {
        message: format!("it took longer than the {ms} ms that one call may take"),
        transient: true,
        late: true,
        ..ModelFailure::default()
    }
}

impl Effects {
    /// Take one turn, as `how` says about retries, and report its text.
    pub async fn turn(
        &self,
        request: &ModelRequest,
        how: &Choice,
        under: StepId,
    ) -> Result<Result<Turn, NoTurn>, Stop> {
        let budgets = self.meter.budgets();
        let (most, mut pause_ms) = (how.retries.unwrap_or(budgets.retries), budgets.retry_pause_ms);
        let call_ms = how.call_ms.or(budgets.call_ms);
        let mut tries = 0;
        loop {
            self.meter.model_call()?;
            let (reply, streamed) = self.model_reply(request, call_ms, under).await?;
            match reply {
                ModelReply::Turn(turn) => {
                    let Some(cut) = turn.cut else {
                        self.report(request, &turn, streamed, under);
                        return Ok(Ok(turn));
                    };
                    // A turn that was cut by the limit of its output may go on in the next one.
                    let remedy = match (how.on.get(&cut.into()), cut) {
                        (None, Cut::Length) => {
                            self.report(request, &turn, streamed, under);
                            return Ok(Ok(turn));
                        }
                        (remedy, _) => remedy.copied().unwrap_or(Remedy::Outage),
                    };
                    self.spent(request, &turn, under);
                    if streamed {
                        self.events.push(Event::void_stream());
                    }
                    if remedy != Remedy::Retry || tries >= most {
                        return Ok(Err(NoTurn::Cut(cut)));
                    }
                    let why = format!(
                        "The model's turn does not count and is tried again: {}",
                        cut.why()
                    );
                    self.log(why, under, None);
                    tries += 1;
                }
                ModelReply::Failure(failure)
                    if failure.transient
                        && tries < most
                        && how.on.get(&failure.trouble()) != Some(&Remedy::Outage) =>
                {
                    let wait_ms = failure.retry_after_ms.unwrap_or_default().max(pause_ms);
                    let replays = self.recorder.replays();
                    if !replays && wait_ms >= self.meter.left_ms() {
                        return Ok(Err(NoTurn::Failure(failure)));
                    }
                    let why = format!("The model failed and is tried again: {}", failure.message);
                    self.log(why, under, None);
                    if streamed {
                        self.events.push(Event::void_stream());
                    }
                    if !replays {
                        self.meter.pause(wait_ms).await?;
                    }
                    pause_ms = pause_ms.saturating_mul(2);
                    tries += 1;
                }
                ModelReply::Failure(failure) => return Ok(Err(NoTurn::Failure(failure))),
            }
        }
    }

    /// The model's reply, live or from the recording, and whether its text has already been streamed.
    async fn model_reply(
        &self,
        request: &ModelRequest,
        call_ms: Option<u64>,
        under: StepId,
    ) -> Result<(ModelReply, bool), Stop> {
        let asked = AskedModel::new(request);
        let stream = |content: String| self.events.push(Event::stream(content));
        let recorded = self
            .recorder
            .next(
                || asked_model(&asked),
                |entry| match entry {
                    Entry::Model {
                        asked: before,
                        pieces,
                        reply,
                    } if *before == asked => Some((pieces.clone(), reply.clone())),
                    _ => None,
                },
            )
            .await?;
        if let Some((pieces, reply)) = recorded {
            if matches!(&reply, ModelReply::Failure(failure) if failure.too_dear) {
                self.meter.was_too_dear();
            }
            let streamed = request.streaming && !pieces.is_empty();
            pieces.into_iter().filter(|_| streamed).for_each(stream);
            return Ok((reply, streamed));
        }
        let (reply, pieces) = self.ask_model(request, call_ms, under).await?;
        let streamed = !pieces.is_empty();
        self.recorder.record(&Entry::Model {
            asked,
            pieces,
            reply: reply.clone(),
        })?;
        Ok((reply, streamed))
    }

    /// The cached reply to the same request, or else a new one, with its text in pieces as it arrived.
    async fn ask_model(
        &self,
        request: &ModelRequest,
        call_ms: Option<u64>,
        under: StepId,
    ) -> Result<(ModelReply, Vec<String>), Stop> {
        let model = &self.ports.model;
        match self.meter.within_time(model.kept(request)).await? {
            Ok(Some(turn)) => {
                let turn = Turn {
                    usage: None,
                    cached: true,
                    ..turn
                };
                return Ok((ModelReply::Turn(turn), Vec::new()));
            }
            Ok(None) => {}
            Err(message) => self.log(
                format!("A reply that was kept cannot be read: {message}"),
                under,
                None,
            ),
        }
        if let Some(failure) = self.too_dear(request)? {
            return Ok((ModelReply::Failure(failure), Vec::new()));
        }
        let pieces = Rc::new(RefCell::new(Vec::new()));
        let on_text = {
            let (events, pieces) = (self.events.clone(), pieces.clone());
            Rc::new(move |content: String| {
                pieces.borrow_mut().push(content.clone());
                events.push(Event::stream(content));
            })
        };
        let reply = self
            .meter
            .within_call(call_ms, model.turn(request, on_text))
            .await?;
        let reply = match reply.unwrap_or_else(|| Err(late(call_ms))) {
            Ok(turn) => {
                let turn = Turn {
                    cached: false,
                    ..turn
                };
                if let Err(message) = self.meter.within_time(model.keep(request, &turn)).await? {
                    self.log(
                        format!("A reply of the model cannot be kept: {message}"),
                        under,
                        None,
                    );
                }
                ModelReply::Turn(turn)
            }
            Err(failure) => ModelReply::Failure(failure),
        };
        Ok((reply, pieces.take()))
    }

    /// Why the model is not asked, if that might cost too much: the first time a failure, then the end of the
    /// run.
    fn too_dear(&self, request: &ModelRequest) -> Result<Option<ModelFailure>, Stop> {
        let failure = |message: String, too_dear: bool| {
            Ok(Some(ModelFailure {
                message,
                unreachable: !too_dear,
                too_dear,
                ..ModelFailure::default()
            }))
        };
        match self.meter.affords(request) {
            Ok(()) => Ok(None),
            Err(TooDear::Refused(message)) => failure(message, true),
            Err(TooDear::Unpriced(message)) => failure(message, false),
            Err(TooDear::Ended(message)) => Err(Stop::Broken(message)),
        }
    }

    /// Count what a turn used.
    fn spent(&self, request: &ModelRequest, turn: &Turn, under: StepId) {
        self.tracer.tell(None, || Trace::Turn {
            under,
            text: turn.text.clone(),
            calls: turn.calls.clone(),
            usage: turn.usage,
            cached: turn.cached,
        });
        let cost = self.meter.spend(request, turn);
        if let Some(usage) = turn.usage {
            self.events.push(Event::Usage { usage, cost });
        }
    }

    fn report(&self, request: &ModelRequest, turn: &Turn, streamed: bool, under: StepId) {
        self.spent(request, turn, under);
        if !self.streaming {
            self.tell(Event::Output {
                content: turn.text.clone(),
            });
            return;
        }
        if !streamed && !turn.text.is_empty() {
            self.events.push(Event::stream(turn.text.clone()));
        }
        if streamed || !turn.text.is_empty() {
            self.events.push(Event::Stream {
                content: String::new(),
                done: true,
                void: false,
            });
        }
    }
}
