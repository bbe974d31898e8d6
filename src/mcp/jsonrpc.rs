//! JSON-RPC 2.0 as MCP uses it: named parameters, ids that are strings or numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use hornbook_base::cut;

/// A JSON object.
pub type Object = Map<String, Value>;

pub const PARSE_ERROR: i64 = -32700;
pub const INVALID_REQUEST: i64 = -32600;
pub const METHOD_NOT_FOUND: i64 = -32601;
pub const INVALID_PARAMS: i64 = -32602;
pub const INTERNAL_ERROR: i64 = -32603;
/// Resource not found, up to 2025-11-25; [`INVALID_PARAMS`] afterwards.
pub const RESOURCE_NOT_FOUND: i64 = -32002;
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// Error messages are cut to this many characters.
const MESSAGE_CHARS: usize = 2_000;

/// The `error` of a response.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RpcError {
    pub code: i64,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// `message` may repeat what the client sent, so it is cut to `MESSAGE_CHARS`, ending in `…`.
    pub fn new(code: i64, message: impl Into<String>) -> RpcError {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(MESSAGE_CHARS) {
            message.truncate(end);
            message.push('…');
        }
        RpcError {
            code,
            message,
            data: None,
        }
    }

    pub fn with_data(mut self, data: Value) -> RpcError {
        self.data = Some(data);
        self
    }

    pub fn invalid_params(message: impl Into<String>) -> RpcError {
        RpcError::new(INVALID_PARAMS, message)
    }

    pub fn method_not_found(method: &str) -> RpcError {
        RpcError::new(METHOD_NOT_FOUND, format!("Method not found: {method}"))
    }

    /// `RESOURCE_NOT_FOUND`; the era of the request may change the code.
    pub fn resource_not_found(uri: &str) -> RpcError {
        RpcError::new(RESOURCE_NOT_FOUND, format!("Resource not found: {uri}"))
            .with_data(json!({ "uri": cut(uri, MESSAGE_CHARS) }))
    }

    /// The client lacks a capability that the request needs (`elicitation`, `sampling`, `roots`).
    pub fn missing_capability(name: &str) -> RpcError {
        RpcError::new(
            MISSING_CLIENT_CAPABILITY,
            format!("This request needs the client capability '{name}', which the client has not declared"),
        )
        .with_data(json!({ "requiredCapabilities": { name: {} } }))
    }

    /// The client has not declared the protocol extension that the request belongs to.
    pub fn missing_extension(name: &str) -> RpcError {
        RpcError::new(
            MISSING_CLIENT_CAPABILITY,
            format!("This request is part of the extension '{name}', which the client has not declared"),
        )
        .with_data(json!({ "requiredCapabilities": { "extensions": { name: {} } } }))
    }

    /// For futures that end because nobody waits for them any more; never reaches a client.
    pub fn cancelled() -> RpcError {
        RpcError::new(INTERNAL_ERROR, "The request was cancelled")
    }
}

/// One message from the client.
pub enum Message {
    Request {
        id: Value,
        method: String,
        params: Object,
    },
    Notification {
        method: String,
        params: Object,
    },
    Response {
        id: Value,
        outcome: Result<Value, RpcError>,
    },
}

/// The id of a request that cannot be parsed as a whole, because it nests too deep or has half a surrogate
/// pair; `null` if no id can be read. The client is waiting for an answer to that id.
pub fn request_id(text: &str) -> Value {
    id_of(text, true)
}

/// The id of a response that cannot be parsed as a whole, as [`request_id`] of a request. The server is
/// waiting for it.
pub fn response_id(text: &str) -> Value {
    id_of(text, false)
}

fn id_of(text: &str, has_method: bool) -> Value {
    // Of a member that is there twice, the last one counts, as in any message.
    let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(text).unwrap_or_default();
    let id = members
        .get("id")
        .filter(|_| members.contains_key("method") == has_method);
    let id = id.and_then(|id| serde_json::from_str::<Value>(id.get()).ok());
    id.filter(|id| id.is_string() || id.is_number())
        .unwrap_or(Value::Null)
}

/// Whether a JSON text claims to be a JSON-RPC message or a batch of them; it need not be valid.
pub fn is_rpc(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow)]
        jsonrpc: Cow<'a, str>,
    }
    let is_head = |head: Head<'_>| head.jsonrpc == "2.0";
    match text.starts_with('[') {
        true => serde_json::from_str::<Vec<Head<'_>>>(text)
            .is_ok_and(|heads| !heads.is_empty() && heads.into_iter().all(is_head)),
        false => serde_json::from_str::<Head<'_>>(text).is_ok_and(is_head),
    }
}

/// Classify `value`. An error comes with the id to answer, `null` if no id can be read.
pub fn classify(value: Value) -> Result<Message, (Value, RpcError)> {
    let Value::Object(mut fields) = value else {
        return Err((
            Value::Null,
            RpcError::new(INVALID_REQUEST, "A message is a JSON object"),
        ));
    };
    let id = fields.remove("id");
    let known_id = id
        .clone()
        .filter(|id| id.is_string() || id.is_number())
        .unwrap_or(Value::Null);
    let invalid = |message: &str| Err((known_id.clone(), RpcError::new(INVALID_REQUEST, message)));
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("\"jsonrpc\" must be \"2.0\"");
    }
    let params = match fields.remove("params") {
        None | Some(Value::Null) => Some(Object::new()),
        Some(Value::Object(params)) => Some(params),
        Some(_) => None,
    };
    match (fields.remove("method"), id) {
        (Some(Value::String(method)), Some(_)) => {
            if known_id.is_null() {
                return invalid("\"id\" must be a string or a number");
            }
            match params {
                Some(params) => Ok(Message::Request {
                    id: known_id,
                    method,
                    params,
                }),
                None => Err((known_id, RpcError::invalid_params("\"params\" must be an object"))),
            }
        }
        (Some(Value::String(method)), None) => Ok(Message::Notification {
            method,
            params: params.unwrap_or_default(),
        }),
        (Some(_), _) => invalid("\"method\" must be a string"),
        (None, _) => match (fields.remove("result"), fields.remove("error")) {
            (Some(result), None) => Ok(Message::Response {
                id: known_id,
                outcome: Ok(result),
            }),
            (_, Some(error)) => {
                let code = error
                    .get("code")
                    .and_then(Value::as_i64)
                    .unwrap_or(INTERNAL_ERROR);
                let message = error
                    .get("message")
                    .and_then(Value::as_str)
                    .unwrap_or("unknown error");
                Ok(Message::Response {
                    id: known_id,
                    outcome: Err(RpcError::new(code, message)),
                })
            }
            (None, None) => invalid("A message has a \"method\", a \"result\" or an \"error\""),
        },
    }
}

pub fn response(id: &Value, outcome: Result<Object, RpcError>) -> Value {
    let (name, value) = match outcome {
        Ok(result) => ("result", Value::Object(result)),
        Err(error) => ("error", json!(error)),
    };
    let mut message = object(json!({ "jsonrpc": "2.0", "id": id }));
    message.insert(name.into(), value);
    Value::Object(message)
}

pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// Unwrap the object that `json!({…})` makes.
pub fn object(value: Value) -> Object {
    match value {
        Value::Object(fields) => fields,
        _ => Object::new(),
    }
}
