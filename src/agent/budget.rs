//! What a run may use. Nothing in a program can catch or refund it.

use super::model::Usage;
use hornbook_base::Limits;

/// The bounds of one run; `None` is without bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Budgets {
    /// Milliseconds for the whole run, without the time in which the user is asked.
    pub time_ms: u64,
    /// Milliseconds that the program may compute between two requests.
    pub step_ms: u64,
    /// Inferences of the program and its tools together.
    pub inferences: Option<u64>,
    pub model_calls: Option<u64>,
    /// Tokens that go in and come out, together.
    pub tokens: Option<u64>,
    /// Calls of the host's tools.
    pub tool_calls: Option<u64>,
    /// Turns of a model in one task.
    pub turns: usize,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets::of(&Limits::DEFAULT)
    }
}

/// What was used so far.
#[derive(Debug, Default)]
pub struct Used {
    /// Of the engines that have ended.
    pub inferences: u64,
    pub model_calls: u64,
    pub tool_calls: u64,
    pub usage: Usage,
}

impl Budgets {
    /// Those of a run that asks for none.
    pub fn of(limits: &Limits) -> Budgets {
        Budgets {
            time_ms: limits.run_ms,
            step_ms: limits.run_step_ms,
            inferences: None,
            model_calls: None,
            tokens: None,
            tool_calls: None,
            turns: limits.task_turns,
        }
    }

    /// The inferences that are left, of which an engine may take all.
    pub fn gas(&self, used: &Used) -> Result<Option<u64>, String> {
        match self.inferences {
            None => Ok(None),
            Some(limit) if used.inferences < limit => Ok(Some(limit - used.inferences)),
            Some(limit) => Err(gas_exhausted(limit)),
        }
    }

    /// One more call of the model.
    pub fn model_call(&self, used: &mut Used) -> Result<(), String> {
        if let Some(limit) = self.tokens {
            let tokens = used.usage.input_tokens + used.usage.output_tokens;
            if tokens >= limit {
                return Err(format!("The run has used its {limit} tokens ({tokens} in all)."));
            }
        }
        spend(self.model_calls, &mut used.model_calls, "calls of the model")
    }

    /// One more call of a tool.
    pub fn tool_call(&self, used: &mut Used) -> Result<(), String> {
        spend(self.tool_calls, &mut used.tool_calls, "calls of tools")
    }
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
