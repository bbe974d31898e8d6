//! TypeScript types of the tools' arguments, from the schemas that clients see, and of their results.

use std::fmt::Write;

use hornbook_service::declarations;
use hornbook_service::prolog::results::BoundValue;
use hornbook_service::results::{Failed, Notices, OperationResults, ToolResults};
use serde_json::Value;

use crate::shapes::Module;

/// `pkg-templates/src/generated/tools.ts`.
pub fn typescript(_: &str) -> String {
    let mut out = Module::new("import type { WorkflowFaultKind } from './workflow.js';\n")
        .with_all::<ToolResults>()
        .with_all::<OperationResults>()
        .with_all::<Notices>()
        .with_all::<Failed>()
        .with_all::<BoundValue>()
        .text;
    out.push_str("\n/** What the tools take, by their names. */\nexport interface ToolArguments {\n");
    for tool in declarations() {
        let _ = writeln!(
            out,
            "  {}: {};",
            text(&tool["name"]),
            object(&tool["inputSchema"])
        );
    }
    out.push_str("}\n");
    out
}

fn object(schema: &Value) -> String {
    let required = schema["required"].as_array();
    let mut out = String::from("{\n");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if property.get("description").is_some() {
            let _ = writeln!(out, "    /** {} */", text(&property["description"]));
        }
        let needed = required.is_some_and(|required| required.iter().any(|one| one == name));
        let mark = if needed { "" } else { "?" };
        let _ = writeln!(out, "    {name}{mark}: {};", type_of(property));
    }
    out.push_str("  }");
    out
}

fn type_of(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("'{}'", text(value))).collect();
        return values.join(" | ");
    }
    if let Some(several) = schema["anyOf"].as_array() {
        return several.iter().map(type_of).collect::<Vec<_>>().join(" | ");
    }
    match text(&schema["type"]) {
        "integer" | "number" => "number".to_owned(),
        "array" => format!("{}[]", type_of(&schema["items"])),
        "object" => "Record<string, unknown>".to_owned(),
        plain => plain.to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("schemas have texts there")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_on_files_and_the_workspace_has_a_result() {
        let types = typescript("");
        let tools = declarations();
        let several = tools
            .iter()
            .filter(|tool| ["files", "workspace"].contains(&text(&tool["name"])));
        let mut looked_at = 0;
        for tool in several {
            let operations = &tool["inputSchema"]["properties"]["operation"]["enum"];
            for operation in operations.as_array().into_iter().flatten() {
                let member = format!("\"{} {}\": ", text(&tool["name"]), text(operation));
                assert!(types.contains(&member), "{member}");
                looked_at += 1;
            }
        }
        assert!(looked_at > 10);
    }
}
