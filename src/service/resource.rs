//! Resources: what a client may read.

use hornbook_mcp::{Object, object};
use serde_json::{Value, json};

/// A resource on what a toolset works on.
pub struct Resource<C> {
    pub uri: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub mime_type: &'static str,
    pub text: fn(&C) -> String,
}

impl<C> Resource<C> {
    /// As `resources/list` has it.
    pub fn declaration(&self) -> Value {
        json!({
            "uri": self.uri,
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime_type,
        })
    }

    /// A `ReadResourceResult`.
    pub fn contents(&self, context: &C) -> Object {
        let text = (self.text)(context);
        object(json!({
            "contents": [{ "uri": self.uri, "mimeType": self.mime_type, "text": text }],
        }))
    }
}
