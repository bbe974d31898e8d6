//! What a run may use. A program can neither catch nor refund it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::model::{ModelRequest, Usage};
use hornbook_base::Limits;

/// A model's price, in dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For input tokens.
    pub input: f64,
    /// For output tokens.
    pub output: f64,
}

impl Price {
    fn of(&self, usage: Usage) -> f64 {
        (self.input.max(0.0) * usage.input_tokens as f64 + self.output.max(0.0) * usage.output_tokens as f64)
            / 1e6
    }
}

/// By the host's names for its models; `*` is the price of all others.
pub type Prices = BTreeMap<String, Price>;

/// Bytes of text per token, for estimates.
const TOKEN_BYTES: u64 = 4;

/// The bounds of one run; `None` means unbounded.
#[derive(Debug, Clone, PartialEq)]
pub struct Budgets {
    /// Milliseconds for the whole run, not counting time spent waiting for the user.
    pub time_ms: u64,
    /// Milliseconds that the program may compute between two requests.
    pub step_ms: u64,
    /// Inferences of the program and its tools together.
    pub inferences: Option<u64>,
    pub model_calls: Option<u64>,
    /// Input and output tokens together.
    pub tokens: Option<u64>,
    /// Calls of the host's tools.
    pub tool_calls: Option<u64>,
    /// The most dollars the models may cost.
    pub cost: Option<f64>,
    pub prices: Prices,
    /// A model's turns per task.
    pub turns: usize,
    /// Milliseconds for one call of a model or a tool.
    pub call_ms: Option<u64>,
    /// How often a turn of a model is tried again after a failure that may pass.
    pub retries: u32,
    /// Milliseconds before the first of them; the pause then doubles.
    pub retry_pause_ms: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets::of(&Limits::DEFAULT)
    }
}

/// What has been used so far.
#[derive(Debug, Default)]
pub struct Used {
    /// Of the program's goals, and of those in the book.
    pub inferences: u64,
    pub model_calls: u64,
    pub tool_calls: u64,
    pub usage: Usage,
    /// In dollars, for models that have a price.
    pub cost: f64,
    /// Whether a call has been refused because it might cost too much.
    pub too_dear: bool,
}

/// Why a model is not called.
#[derive(Debug, PartialEq)]
pub enum TooDear {
    /// The first time: the program gets an error.
    Refused(String),
    /// The program has carried on regardless: the run ends.
    Ended(String),
    /// The price is unknown.
    Unpriced(String),
}

impl Budgets {
    /// The budgets of a run that sets none.
    pub fn of(limits: &Limits) -> Budgets {
        Budgets {
            time_ms: limits.run_ms,
            step_ms: limits.run_step_ms,
            inferences: None,
            model_calls: None,
            tokens: None,
            tool_calls: None,
            cost: None,
            prices: Prices::new(),
            turns: limits.task_turns,
            call_ms: None,
            retries: limits.model_retries,
            retry_pause_ms: limits.retry_pause_ms,
        }
    }

    /// The inferences left; one engine may use all of them.
    pub fn gas(&self, used: &Used) -> Result<Option<u64>, String> {
        match self.inferences {
            None => Ok(None),
            Some(limit) if used.inferences < limit => Ok(Some(limit - used.inferences)),
            Some(limit) => Err(gas_exhausted(limit)),
        }
    }

    /// Count a model call.
    pub fn model_call(&self, used: &mut Used) -> Result<(), String> {
        if let Some(limit) = self.tokens {
            let tokens = used.usage.input_tokens + used.usage.output_tokens;
            if tokens >= limit {
                return Err(format!("The run has used its {limit} tokens ({tokens} in all)."));
            }
        }
        spend(self.model_calls, &mut used.model_calls, "calls of the model")
    }

    fn price(&self, model: Option<&str>) -> Option<&Price> {
        model
            .and_then(|model| self.prices.get(model))
            .or_else(|| self.prices.get("*"))
    }

    /// Whether the budget allows the request. Input is estimated at four bytes per token; output is unknown.
    pub fn affords(&self, request: &ModelRequest, used: &mut Used) -> Result<(), TooDear> {
        let Some(limit) = self.cost else { return Ok(()) };
        let Some(price) = self.price(request.model.as_deref()) else {
            let model = request.model.as_deref().unwrap_or("of the run");
            return Err(TooDear::Unpriced(format!(
                "the run may cost ${limit}, and the model {model} has no price"
            )));
        };
        let asked = Usage {
            input_tokens: bytes(request) / TOKEN_BYTES,
            output_tokens: 0,
        };
        let spent = used.cost;
        if spent < limit && spent + price.of(asked) <= limit {
            return Ok(());
        }
        let message = format!(
            "The run may cost ${limit}, ${spent:.4} of it are spent, and the next call of the model would pass it."
        );
        Err(match std::mem::replace(&mut used.too_dear, true) {
            false => TooDear::Refused(message),
            true => TooDear::Ended(message),
        })
    }

    /// Add a turn's usage. Returns its cost, if known.
    pub fn add_usage(&self, model: Option<&str>, usage: Usage, used: &mut Used) -> Option<f64> {
        used.usage.input_tokens += usage.input_tokens;
        used.usage.output_tokens += usage.output_tokens;
        let cost = self.price(model)?.of(usage);
        used.cost += cost;
        Some(cost)
    }

    /// Like [`Budgets::add_usage`], for a turn without reported usage.
    pub fn add_unsaid(&self, request: &ModelRequest, said_bytes: usize, used: &mut Used) {
        let usage = Usage {
            input_tokens: bytes(request) / TOKEN_BYTES,
            output_tokens: said_bytes as u64 / TOKEN_BYTES,
        };
        if let Some(price) = self.price(request.model.as_deref()) {
            used.cost += price.of(usage);
        }
    }

    /// Count a tool call.
    pub fn tool_call(&self, used: &mut Used) -> Result<(), String> {
        spend(self.tool_calls, &mut used.tool_calls, "calls of tools")
    }
}

/// The size of what a model reads.
fn bytes(request: &ModelRequest) -> u64 {
    let messages = request.messages.iter().map(|message| {
        let calls = message.calls.iter().map(|call| call.args.to_string().len());
        message.content.len() + calls.sum::<usize>()
    });
    let tools = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len());
    messages.chain(tools).sum::<usize>() as u64
}

pub fn gas_exhausted(limit: u64) -> String {
    format!("Gas exhausted: the program took more than its {limit} inferences.")
}

fn spend(limit: Option<u64>, used: &mut u64, what: &str) -> Result<(), String> {
    if let Some(limit) = limit
        && *used >= limit
    {
        return Err(format!("The run has made its {limit} {what}."));
    }
    *used += 1;
    Ok(())
}
