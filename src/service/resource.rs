//! Resources: what a client may read.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_mcp::{Object, object};
use serde_json::{Value, json};

/// A resource on what a toolset works on.
pub struct Resource<C> {
    pub uri: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub mime_type: &'static str,
    pub text: fn(&C) -> LocalBoxFuture<'static, String>,
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
    pub fn contents(&self, context: &C) -> LocalBoxFuture<'static, Object> {
        let (uri, mime_type) = (self.uri, self.mime_type);
        let text = (self.text)(context);
        let contents = move |text: String| {
            object(json!({
                "contents": [{ "uri": uri, "mimeType": mime_type, "text": text }],
            }))
        };
        text.map(contents).boxed_local()
    }
}
