//! Change notifications. Clients that used `initialize` get them by resource subscription and the
//! `listChanged` capabilities; the others by `subscriptions/listen`.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Value, json};

use super::about::Features;
use super::era::SUBSCRIPTION_KEY;
use super::jsonrpc::{self, Object, RpcError};

/// A change that clients may be notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Tools,
    Resources,
    Prompts,
    /// The resource with this URI.
    Resource(String),
}

/// Receives each change.
pub type ChangeListener = Rc<dyn Fn(Change)>;

/// The changes that one `subscriptions/listen` wants.
#[derive(Debug, Default, PartialEq)]
pub struct Filter {
    tools: bool,
    resources: bool,
    prompts: bool,
    uris: BTreeSet<String>,
}

impl Filter {
    /// The changes the request wants, limited to those the service reports.
    pub fn read(params: &Object, features: Features) -> Result<Filter, RpcError> {
        let Some(wanted) = params.get("notifications").and_then(Value::as_object) else {
            return Err(RpcError::invalid_params("\"notifications\" must be an object"));
        };
        let flag = |name: &str| match wanted.get(name) {
            None => Ok(false),
            Some(Value::Bool(on)) => Ok(*on),
            Some(_) => Err(RpcError::invalid_params(format!(
                "\"{name}\" must be true or false"
            ))),
        };
        let uris = match wanted.get("resourceSubscriptions") {
            None => Some(BTreeSet::new()),
            Some(Value::Array(uris)) => uris.iter().map(|uri| uri.as_str().map(str::to_string)).collect(),
            Some(_) => None,
        };
        let Some(uris) = uris else {
            return Err(RpcError::invalid_params(
                "\"resourceSubscriptions\" must be an array of strings",
            ));
        };
        Ok(Filter {
            tools: flag("toolsListChanged")? && features.tools_change,
            resources: flag("resourcesListChanged")? && features.resources_change,
            prompts: flag("promptsListChanged")? && features.prompts_change,
            uris: if features.subscriptions {
                uris
            } else {
                BTreeSet::new()
            },
        })
    }

    /// The first message of a subscription: the changes it will report.
    pub fn acknowledgement(&self, id: &Value) -> Value {
        let mut notifications = Object::new();
        for (name, on) in [
            ("toolsListChanged", self.tools),
            ("resourcesListChanged", self.resources),
            ("promptsListChanged", self.prompts),
        ] {
            if on {
                notifications.insert(name.into(), json!(true));
            }
        }
        if !self.uris.is_empty() {
            notifications.insert("resourceSubscriptions".into(), json!(self.uris));
        }
        let params = json!({ "_meta": { SUBSCRIPTION_KEY: id }, "notifications": notifications });
        jsonrpc::notification("notifications/subscriptions/acknowledged", params)
    }

    /// Keep only the resources that there are.
    pub fn retain_uris(&mut self, is_there: impl FnMut(&String) -> bool) {
        self.uris.retain(is_there);
    }

    pub fn uri_count(&self) -> usize {
        self.uris.len()
    }

    pub fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools,
            Change::Resources => self.resources,
            Change::Prompts => self.prompts,
            Change::Resource(uri) => self.uris.contains(uri),
        }
    }
}
