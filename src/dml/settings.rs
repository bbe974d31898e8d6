//! The JSON options of a run.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ranges::check;
use super::run::RunOptions;
use hornbook_agent::{Budgets, Choice, Entry, Outages, Prices, Remedy, Sink, Trouble};
use hornbook_base::Limits;

/// The options of a run; all are optional.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RunSettings {
    /// By name: for the variables of `agent_main`, `param/2,3` and `{Name}`.
    pub params: Option<Map<String, Value>>,
    /// By position, for `agent_main`.
    pub args: Option<Vec<Value>>,
    /// The name of the program in the book's history, if it may use the book. Default: `program`.
    pub name: Option<String>,
    /// Report the models' text in pieces, as `stream` events. Default: false.
    pub streaming: Option<bool>,
    /// Also report the run as a tree, in `trace` events. Default: false.
    pub trace: Option<bool>,
    /// Inferences of the program and its tools. Default: no limit.
    pub gas_limit: Option<u64>,
    /// Milliseconds for the run, not counting time spent waiting for the user. Default: the limit `run_ms`.
    pub timeout_ms: Option<u64>,
    /// Milliseconds that the program may compute between two requests. Default: the limit `run_step_ms`.
    pub step_timeout_ms: Option<u64>,
    /// Default: no limit.
    pub max_model_calls: Option<u64>,
    /// Input and output tokens together. Default: no limit.
    pub max_tokens: Option<u64>,
    /// Default: no limit.
    pub max_tool_calls: Option<u64>,
    /// The most dollars the models may cost, according to `prices`. The first call that might exceed it
    /// raises `cost_error(Message)` in the program; the next one ends the run. Default: no limit.
    pub max_cost: Option<f64>,
    /// By the host's names for its models; `*` is the price of all others.
    pub prices: Option<Prices>,
    /// Turns of the model in one task. Default: the limit `task_turns`.
    pub max_turns: Option<usize>,
    /// The host's names for the models to ask if the program names none; the first that can be reached is
    /// asked. Default: the run's own model.
    pub models: Option<Vec<String>>,
    /// The models' temperature if the program sets none. Default: the model's own.
    pub temperature: Option<f64>,
    /// The most tokens of one turn of a model if the program says nothing. Default: the model's own.
    pub max_output_tokens: Option<u64>,
    /// The models' `topP` if the program sets none. Default: the model's own.
    pub top_p: Option<f64>,
    /// What is done about a turn of a model that failed or was cut, if the program says nothing: `retry`, `fallback` to
    /// the next of `models`, or `outage`. Default: failures that may pass are tried again, a turn that was cut by
    /// the limit of its output goes on in the next, and a withheld one is an outage.
    pub on: Option<BTreeMap<Trouble, Remedy>>,
    /// Milliseconds for one call of a model or a tool. Default: the time of the run.
    pub call_timeout_ms: Option<u64>,
    /// How often a turn of a model is tried again after a failure that may pass. Default: 3.
    pub retries: Option<u32>,
    /// Milliseconds before the first of them, which then double; a longer time that the provider asks for
    /// (`Retry-After`) is kept. Default: 500.
    pub retry_pause_ms: Option<u64>,
    /// What it does that a model or a tool has given no answer: with `unknown` the goal has no solution, and
    /// where its failure would count as a “no”, its error is raised; with `throw` the error is raised at once;
    /// with `fail` the goal is false. Default: what the directive `:- outages(…)` of the program says, or
    /// else `unknown`.
    pub outages: Option<Outages>,
    /// A recording to replay. What it contains is not asked of the model, the tools or the user again; if it
    /// was cut off, the run continues live. `params` and `args` are those of the recording, unless they are
    /// given.
    pub replay: Option<Vec<Entry>>,
}

impl RunSettings {
    /// Check what also the options of tasks say, in the same ranges.
    ///
    /// # Errors
    /// What an option must be.
    pub fn check(&self) -> Result<(), String> {
        let most_tokens = self.max_output_tokens.map(|tokens| tokens as f64);
        check("temperature", "temperature", 1.0, self.temperature)?;
        check("top_p", "topP", 1.0, self.top_p)?;
        check("max_output_tokens", "maxOutputTokens", 1.0, most_tokens)?;
        check("retries", "retries", 1.0, self.retries.map(f64::from))?;
        check(
            "call_timeout",
            "callTimeoutMs",
            1000.0,
            self.call_timeout_ms.map(|ms| ms as f64),
        )
    }

    /// The corresponding options, within the limits.
    pub fn options(self, limits: &Limits, seed: u32, record: Option<Sink>) -> RunOptions {
        let usual = Budgets::of(limits);
        RunOptions {
            parameters: self.params,
            arguments: self.args,
            streaming: self.streaming.unwrap_or_default(),
            trace: self.trace.unwrap_or_default(),
            budgets: Budgets {
                time_ms: self.timeout_ms.unwrap_or(usual.time_ms),
                step_ms: self.step_timeout_ms.unwrap_or(usual.step_ms),
                inferences: self.gas_limit,
                model_calls: self.max_model_calls,
                tokens: self.max_tokens,
                tool_calls: self.max_tool_calls,
                cost: self.max_cost,
                prices: self.prices.unwrap_or_default(),
                turns: self.max_turns.unwrap_or(usual.turns),
                call_ms: self.call_timeout_ms,
                retries: self.retries.unwrap_or(usual.retries),
                retry_pause_ms: self.retry_pause_ms.unwrap_or(usual.retry_pause_ms),
            },
            choice: Choice {
                models: self.models.unwrap_or_default(),
                temperature: self.temperature,
                max_output_tokens: self.max_output_tokens,
                top_p: self.top_p,
                on: self.on.unwrap_or_default(),
                ..Choice::default()
            },
            outages: self.outages,
            seed,
            replay: self.replay,
            record,
        }
    }
}
