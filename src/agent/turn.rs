//! A turn of the model: recorded or replayed, tried again, told.

use std::cell::RefCell;
use std::rc::Rc;

use super::effects::Effects;
use super::event::Event;
use super::model::{ModelFailure, ModelRequest, Turn};
use super::record::{AskedModel, Entry, Said, asked_model};
use super::stop::Stop;
use super::trace::{StepId, Trace};

impl Effects {
    /// One turn, tried again after failures that may pass. Its text is told.
    pub async fn turn(
        &self,
        request: &ModelRequest,
        under: StepId,
    ) -> Result<Result<Turn, ModelFailure>, Stop> {
        let mut pause_ms = self.limits.retry_pause_ms;
        let mut tries = 0;
        loop {
            self.meter.model_call()?;
            let (said, streamed) = self.said(request).await?;
            match said {
                Said::Turn(turn) => {
                    self.told(&turn, streamed, under);
                    return Ok(Ok(turn));
                }
                Said::Failure(failure) if failure.transient && tries < self.limits.model_retries => {
                    let why = format!("The model failed and is tried again: {}", failure.message);
                    self.log(why, under);
                    if !self.recorder.replays() {
                        self.meter.pause(pause_ms).await?;
                    }
                    pause_ms *= 2;
                    tries += 1;
                }
                Said::Failure(failure) => return Ok(Err(failure)),
            }
        }
    }

    /// What the model says, or has said in the recording; and whether its text was told as it came.
    async fn said(&self, request: &ModelRequest) -> Result<(Said, bool), Stop> {
        let asked = AskedModel::new(request);
        let stream = |content: String| self.events.push(Event::Stream { content, done: false });
        let recorded = self
            .recorder
            .next(
                || asked_model(&asked),
                |entry| match entry {
                    Entry::Model {
                        asked: before,
                        pieces,
                        said,
                    } if *before == asked => Some((pieces.clone(), said.clone())),
                    _ => None,
                },
            )
            .await?;
        if let Some((pieces, said)) = recorded {
            let streamed = request.streaming && !pieces.is_empty();
            pieces.into_iter().filter(|_| streamed).for_each(stream);
            return Ok((said, streamed));
        }
        let pieces = Rc::new(RefCell::new(Vec::new()));
        let on_text = {
            let (events, pieces) = (self.events.clone(), pieces.clone());
            Rc::new(move |content: String| {
                pieces.borrow_mut().push(content.clone());
                events.push(Event::Stream { content, done: false });
            })
        };
        let turn = self
            .meter
            .within_time(self.ports.model.turn(request, on_text))
            .await?;
        let said = turn.map_or_else(Said::Failure, Said::Turn);
        let pieces = pieces.take();
        let streamed = !pieces.is_empty();
        self.recorder.record(&Entry::Model {
            asked,
            pieces,
            said: said.clone(),
        })?;
        Ok((said, streamed))
    }

    fn told(&self, turn: &Turn, streamed: bool, under: StepId) {
        self.tracer.tell(|| Trace::Turn {
            under,
            text: turn.text.clone(),
            calls: turn.calls.clone(),
            usage: turn.usage,
        });
        if let Some(usage) = turn.usage {
            self.meter.add_usage(usage);
            self.events.push(Event::Usage { usage });
        }
        if !self.streaming {
            self.tell(Event::Output {
                content: turn.text.clone(),
            });
            return;
        }
        if !streamed && !turn.text.is_empty() {
            self.events.push(Event::Stream {
                content: turn.text.clone(),
                done: false,
            });
        }
        if streamed || !turn.text.is_empty() {
            self.events.push(Event::Stream {
                content: String::new(),
                done: true,
            });
        }
    }
}
