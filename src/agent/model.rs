//! What a run needs of its host: a language model, tools, the user.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, ready};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A language model.
pub trait LanguageModel {
    /// Take one turn. If the request says `streaming`, `on_text` receives the text in pieces as it arrives.
    fn turn(
        &self,
        request: &ModelRequest,
        on_text: Rc<dyn Fn(String)>,
    ) -> LocalBoxFuture<'static, Result<Turn, ModelFailure>>;

    /// The earlier turn for the same request, if the host caches turns; the error is why it cannot be read.
    fn kept(&self, _: &ModelRequest) -> LocalBoxFuture<'static, Result<Option<Turn>, String>> {
        ready(Ok(None)).boxed_local()
    }

    /// Cache the turn for this request, if the host does that; the error is why it cannot be kept.
    fn keep(&self, _: &ModelRequest, _: &Turn) -> LocalBoxFuture<'static, Result<(), String>> {
        ready(Ok(())).boxed_local()
    }
}

/// The host's tools.
pub trait ToolHost {
    /// Returns the result as JSON; the error says in plain words what went wrong.
    fn call(&self, tool: &str, args: Value) -> LocalBoxFuture<'static, Result<Value, String>>;
}

/// The user.
pub trait User {
    /// Whether there is someone a model may ask.
    fn can_answer(&self) -> bool;
    /// The answer, or `None` if nobody gave one.
    fn ask(&self, prompt: &str) -> LocalBoxFuture<'static, Result<Option<String>, String>>;
}

/// A model's input for one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ModelRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<ModelTool>,
    pub streaming: bool,
    /// The host's name for the model; the run's own model if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub temperature: Option<f64>,
    /// The most tokens that the turn may have.
    #[serde(default, rename = "maxOutputTokens", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub max_output_tokens: Option<u64>,
    #[serde(default, rename = "topP", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub top_p: Option<f64>,
}

/// Why a model gave no whole turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// It failed otherwise than by being unreachable.
    Failed,
    /// It took longer than one call may.
    Late,
    /// The turn reached the limit of its output.
    Length,
    /// The provider's filter withheld the turn.
    ContentFilter,
}

/// What is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// The turn is tried again, as often as `retries` says; then it is an outage.
    Retry,
    /// The next model of the list is asked, after the retries of a failure; if there is none, it is an outage.
    Fallback,
    /// The task has no answer.
    Outage,
}

/// Which models to ask, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default, rename_all = "camelCase")]
pub struct Choice {
    /// The host's names for the models; the first that can be reached is asked. Empty: the run's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>"))]
    pub models: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The most tokens of one turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// How often a turn is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
    /// Milliseconds for one call of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_ms: Option<u64>,
    /// What is done about turns that failed or were cut.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<Trouble, Remedy>>"))]
    pub on: BTreeMap<Trouble, Remedy>,
}

impl Choice {
    /// This choice, completed from `usual`.
    pub fn or(&self, usual: &Choice) -> Choice {
        Choice {
            models: if self.models.is_empty() {
                &usual.models
            } else {
                &self.models
            }
            .clone(),
            temperature: self.temperature.or(usual.temperature),
            max_output_tokens: self.max_output_tokens.or(usual.max_output_tokens),
            top_p: self.top_p.or(usual.top_p),
            retries: self.retries.or(usual.retries),
            call_ms: self.call_ms.or(usual.call_ms),
            on: usual
                .on
                .iter()
                .chain(&self.on)
                .map(|(why, remedy)| (*why, *remedy))
                .collect(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
    Tool,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub role: Role,
    pub content: String,
    /// The calls made; for an assistant's message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(type = "Required<ToolCall>[]", optional))]
    pub calls: Vec<Call>,
    /// The id and the tool of the call whose result is `content`; for a tool's message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

impl Message {
    pub fn new(role: Role, content: impl Into<String>) -> Message {
        Message {
            role,
            content: content.into(),
            calls: Vec::new(),
            call_id: None,
            tool: None,
        }
    }

    /// A message with the result of a call.
    pub fn result(call: &Call, content: String) -> Message {
        Message {
            call_id: Some(call.id.clone()),
            tool: Some(call.tool.clone()),
            ..Message::new(Role::Tool, content)
        }
    }
}

/// A tool as a model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ModelTool {
    pub name: String,
    pub description: String,
    /// A JSON Schema of type `object`.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub parameters: Value,
}

/// What a model says in one turn. `null` counts as absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(expecting = "an object with text and calls")]
pub struct Turn {
    #[serde(default, deserialize_with = "or_default")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub text: String,
    #[serde(default, deserialize_with = "or_default")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<Call>>", optional))]
    pub calls: Vec<Call>,
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub usage: Option<Usage>,
    /// Why the model stopped, if not because its turn was complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub cut: Option<Cut>,
    /// Taken from the cache: it was the reply to an identical request, and costs nothing. Set by Hornbook.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub cached: bool,
}

/// Why a turn is not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// It reached the limit of its output.
    Length,
    /// The provider's filter withheld it.
    ContentFilter,
}

/// A model's call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ToolCall"))]
#[serde(expecting = "a call, an object with tool and args")]
pub struct Call {
    /// Empty if the model gives none.
    #[serde(default, deserialize_with = "or_default")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub id: String,
    pub tool: String,
    #[serde(default)]
    pub args: Value,
}

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(
    rename_all = "camelCase",
    default,
    expecting = "an object with inputTokens and outputTokens"
)]
pub struct Usage {
    #[serde(deserialize_with = "or_default")]
    pub input_tokens: u64,
    #[serde(deserialize_with = "or_default")]
    pub output_tokens: u64,
}

fn or_default<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<T, D::Error> {
    Option::deserialize(value).map(Option::unwrap_or_default)
}

/// Why there is no turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ModelFailure {
    pub message: String,
    /// A retry may succeed.
    #[serde(default)]
    pub transient: bool,
    /// There is no model, or it cannot be reached: any other request would fail too.
    #[serde(default)]
    pub unreachable: bool,
    /// The model was not asked, because that might have exceeded the run's cost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub too_dear: bool,
    /// There was no turn within the time for one call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub late: bool,
    /// Milliseconds to wait before the next try, if the provider says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub retry_after_ms: Option<u64>,
}
