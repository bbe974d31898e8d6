//! How a run is asked for in JSON.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::run::RunOptions;
use hornbook_agent::{Budgets, Choice, Entry, Prices, Sink};
use hornbook_base::Limits;

/// What the host of a run says of it; all of it may be left out.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RunSettings {
    /// By name: for the variables of `agent_main`, `param/2,3` and `{Name}`.
    pub params: Option<Map<String, Value>>,
    /// By position, for `agent_main`.
    pub args: Option<Vec<Value>>,
    /// What the history of the book calls the program, where it may use the book. Default: `program`.
    pub name: Option<String>,
    /// Have the text of models as `stream` events. Default: false.
    pub streaming: Option<bool>,
    /// Have what happens as a tree, too, in `trace` events. Default: false.
    pub trace: Option<bool>,
    /// Inferences of the program and its tools. Default: no limit.
    pub gas_limit: Option<u64>,
    /// Milliseconds for the run, without the time of the user. Default: the limit `run_ms`.
    pub timeout_ms: Option<u64>,
    /// Milliseconds that the program may compute between two requests. Default: the limit `run_step_ms`.
    pub step_timeout_ms: Option<u64>,
    /// Default: no limit.
    pub max_model_calls: Option<u64>,
    /// Tokens that go in and come out, together. Default: no limit.
    pub max_tokens: Option<u64>,
    /// Default: no limit.
    pub max_tool_calls: Option<u64>,
    /// Dollars that the models may take, by `prices`. The call that might pass it raises `cost_error(Message)` in the
    /// program, and the next such call ends the run. Default: no limit.
    pub max_cost: Option<f64>,
    /// By the names that the host has for its models; `*` is that of all others.
    pub prices: Option<Prices>,
    /// Turns of the model in one task. Default: the limit `task_turns`.
    pub max_turns: Option<usize>,
    /// By the names that the host has for its models: the first one that can be reached is asked, where the program names
    /// none. Default: the run's own model.
    pub models: Option<Vec<String>>,
    /// Of the models, where the program sets none. Default: theirs.
    pub temperature: Option<f64>,
    /// A recording. What it has is not asked of the model, the tools and the user again; where it was cut off, the run
    /// goes on with them. `params` and `args` are those of the recording, unless they are given.
    pub replay: Option<Vec<Entry>>,
}

impl RunSettings {
    /// The options that these are, within the limits.
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
            },
            choice: Choice {
                models: self.models.unwrap_or_default(),
                temperature: self.temperature,
            },
            seed,
            replay: self.replay,
            record,
        }
    }
}
