//! Which protocol a request speaks.
//!
//! Up to 2025-11-25 a connection begins with `initialize`, which fixes the revision. From 2026-07-28 each
//! request carries its version and the client's capabilities in `_meta`, and the server keeps nothing between
//! requests.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::jsonrpc::{INVALID_PARAMS, Object, RpcError, UNSUPPORTED_VERSION};
use super::jsonrpc::{INVALID_REQUEST, MISSING_CLIENT_CAPABILITY, RESOURCE_NOT_FOUND};

/// The revision with per-request metadata.
pub const MODERN: &str = "2026-07-28";

/// The revisions that begin with `initialize`, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The only revision with JSON-RPC batches.
pub const BATCHES: &str = "2025-03-26";

pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";
pub const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
pub const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";
/// The extension for calls that continue as tasks, in the modern era.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";
pub const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Modern,
}

impl Era {
    /// `error` with the code this era uses for it.
    pub fn error(self, mut error: RpcError) -> RpcError {
        error.code = match (self, error.code) {
            (Era::Modern, RESOURCE_NOT_FOUND) => INVALID_PARAMS,
            (Era::Legacy, MISSING_CLIENT_CAPABILITY) => INVALID_REQUEST,
            (_, code) => code,
        };
        error
    }
}

/// How severe a log message is, in the order of RFC 5424.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl LogLevel {
    pub fn read(value: &Value) -> Result<LogLevel, RpcError> {
        LogLevel::deserialize(value).map_err(|_| {
            RpcError::invalid_params(
                "The log level is one of debug, info, notice, warning, error, critical, alert, emergency",
            )
        })
    }
}

/// What a modern request says about itself.
pub struct Metadata {
    pub capabilities: Object,
    pub log_level: Option<LogLevel>,
}

/// The metadata of a modern request; `None` for a request of the legacy era.
pub fn metadata(method: &str, params: &Object) -> Result<Option<Metadata>, RpcError> {
    let meta = params.get("_meta").and_then(Value::as_object);
    let has = |key| meta.is_some_and(|meta| meta.contains_key(key));
    let only_modern = matches!(method, "server/discover" | "subscriptions/listen");
    if !only_modern && !has(VERSION_KEY) && !has(CAPABILITIES_KEY) && !has(CLIENT_KEY) {
        return Ok(None);
    }
    let field = |key: &str| meta.and_then(|meta| meta.get(key));
    let Some(version) = field(VERSION_KEY).and_then(Value::as_str) else {
        return Err(RpcError::invalid_params(format!(
            "_meta must have \"{VERSION_KEY}\", a string"
        )));
    };
    if version != MODERN {
        return Err(RpcError::new(
            UNSUPPORTED_VERSION,
            format!("Unsupported protocol version: {version}"),
        )
        .with_data(json!({ "supported": [MODERN], "requested": version })));
    }
    let Some(capabilities) = field(CAPABILITIES_KEY).and_then(Value::as_object) else {
        return Err(RpcError::invalid_params(format!(
            "_meta must have \"{CAPABILITIES_KEY}\", an object"
        )));
    };
    let log_level = field(LOG_LEVEL_KEY).map(LogLevel::read).transpose()?;
    Ok(Some(Metadata {
        capabilities: capabilities.clone(),
        log_level,
    }))
}
