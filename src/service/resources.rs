//! The resources: the workspace as it is, and what there is to know about the server.

use serde_json::{Value, json};

use super::help::help;
use super::tools::indicator;
use hornbook_mcp::{Object, RpcError, object};
use hornbook_workspace::Workspace;

pub const SNAPSHOT: &str = "prolog://workspace/snapshot";
pub const SYMBOLS: &str = "prolog://workspace/symbols";

struct Resource {
    uri: &'static str,
    name: &'static str,
    description: &'static str,
    mime_type: &'static str,
    text: fn(&Workspace) -> String,
}

const RESOURCES: [Resource; 5] = [
    Resource {
        uri: SNAPSHOT,
        name: "Workspace snapshot",
        description: "The source text of all clauses, as they were written",
        mime_type: "text/x-prolog",
        text: |workspace| or(workspace.snapshot().text, "% Empty workspace"),
    },
    Resource {
        uri: SYMBOLS,
        name: "Workspace symbols",
        description: "The predicates of the workspace, name/arity, one a line",
        mime_type: "text/plain",
        text: |workspace| {
            let symbols = workspace.symbols();
            let predicates: Vec<String> = symbols
                .iter()
                .map(|symbol| indicator(&symbol.predicate))
                .collect();
            or(predicates.join("\n"), "% No predicates defined")
        },
    },
    Resource {
        uri: "reference://help",
        name: "Help",
        description: "How to use this server",
        mime_type: "text/markdown",
        text: |_| help(None),
    },
    Resource {
        uri: "reference://license",
        name: "License",
        description: "The license of Hornbook",
        mime_type: "text/plain",
        text: |_| include_str!("../../LICENSE").to_string(),
    },
    Resource {
        uri: "reference://logo",
        name: "Logo",
        description: "The logo of Hornbook",
        mime_type: "image/svg+xml",
        text: |_| include_str!("logo.svg").to_string(),
    },
];

/// The declarations, as `resources/list` returns them.
pub fn declarations() -> Vec<Value> {
    let declare = |resource: &Resource| {
        json!({
            "uri": resource.uri,
            "name": resource.name,
            "description": resource.description,
            "mimeType": resource.mime_type,
        })
    };
    RESOURCES.iter().map(declare).collect()
}

/// A `ReadResourceResult`.
pub fn read(workspace: &Workspace, uri: &str) -> Result<Object, RpcError> {
    let resource = RESOURCES.iter().find(|resource| resource.uri == uri);
    let resource = resource.ok_or_else(|| RpcError::resource_not_found(uri))?;
    let text = (resource.text)(workspace);
    Ok(object(json!({
        "contents": [{ "uri": uri, "mimeType": resource.mime_type, "text": text }],
    })))
}

fn or(text: String, empty: &str) -> String {
    if text.is_empty() { empty.to_string() } else { text }
}
