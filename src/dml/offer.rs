//! What a model gets for a task: the messages, and the tools it may call.

use serde_json::{Value, json};

use super::loaded::ProgramTool;
use super::output::Outputs;
use super::replies::{Scope, TaskRequest};
use super::session::Session;
use hornbook_agent::{ASK_USER, Message, ModelTool, Role, matches};

pub const FINISH: &str = "finish";
pub const SET_RESULT: &str = "set_result";

const TASK: &str = "You work on one subtask of a program. Use the tools you have. When the subtask is done, call \
                    finish with success true; when it cannot be done, call finish with success false.";
const RESULTS: &str = "Before you finish, store each of these variables with set_result: ";

/// What the model may call besides the loop's own tools.
pub struct Offered<'a> {
    session: &'a Session,
    pub program: Vec<&'a ProgramTool>,
    pub registered: Vec<&'a str>,
}

impl Session {
    /// `whole`: the task may use the program's tools.
    pub fn offered(&self, request: &TaskRequest, whole: bool) -> Offered<'_> {
        if !whole {
            return Offered {
                session: self,
                program: Vec::new(),
                registered: Vec::new(),
            };
        }
        let own = [FINISH, SET_RESULT, ASK_USER];
        let mut program: Vec<&ProgramTool> = Vec::new();
        for tool in &self.loaded.tools {
            let name = tool.name.as_str();
            let known = own.contains(&name) || program.iter().any(|tool| tool.name == name);
            if !known && !request.running.contains(&tool.name) && in_scope(name, &request.scope) {
                program.push(tool);
            }
        }
        let named = |name: &str| {
            request.scope.iter().any(
                |scope| matches!(scope, Scope::With(names) if names.iter().any(|pattern| matches(pattern, name))),
            )
        };
        let free =
            |name: &str| !own.contains(&name) && !self.loaded.tools.iter().any(|tool| tool.name == name);
        let names = self.effects.tools.tools.keys().map(String::as_str);
        let registered = names.filter(|name| {
            free(name)
                && named(name)
                && in_scope(name, &request.scope)
                && self.effects.tools.find(name).is_ok()
        });
        Offered {
            session: self,
            registered: registered.collect(),
            program,
        }
    }
}

fn in_scope(name: &str, scopes: &[Scope]) -> bool {
    let listed = |names: &[String]| names.iter().any(|pattern| matches(pattern, name));
    scopes.iter().all(|scope| match scope {
        Scope::With(names) => listed(names),
        Scope::Without(names) => !listed(names),
    })
}

/// What the program put into memory, and the task.
pub fn messages(request: &TaskRequest, outputs: &Outputs) -> Vec<Message> {
    let (system, history): (Vec<_>, Vec<_>) = request
        .memory
        .iter()
        .partition(|message| message.role == Role::System);
    let mut task = TASK.to_owned();
    if !outputs.0.is_empty() {
        task.push(' ');
        task += RESULTS;
        task += &outputs.missing().join(", ");
        task.push('.');
    }
    let mut parts: Vec<&str> = Vec::new();
    let instructions = system
        .iter()
        .map(|message| message.content.as_str())
        .collect::<Vec<_>>()
        .join("\n\n");
    if !instructions.is_empty() {
        parts.push(&instructions);
    }
    parts.push(&task);
    let mut messages = vec![Message::new(Role::System, parts.join("\n\n---\n\n"))];
    messages.extend(
        history
            .into_iter()
            .map(|message| Message::new(message.role, message.content.clone())),
    );
    messages.push(Message::new(Role::User, format!("Subtask: {}", request.text)));
    messages
}

impl Offered<'_> {
    pub fn model_tools(&self, outputs: &Outputs) -> Vec<ModelTool> {
        let tool = |name: &str, description: &str, parameters: Value| ModelTool {
            name: name.into(),
            description: description.into(),
            parameters,
        };
        let mut tools = vec![tool(
            FINISH,
            "End the subtask: success true when it is done, false when it cannot be done.",
            json!({
                "type": "object",
                "properties": { "success": { "type": "boolean" } },
                "required": ["success"],
            }),
        )];
        if !outputs.0.is_empty() {
            let description = "Store the value of one of the subtask's variables.";
            tools.push(tool(SET_RESULT, description, outputs.schema()));
        }
        if self.session.asks {
            tools.push(tool(
                ASK_USER,
                "Ask the user a question and get the answer.",
                json!({
                    "type": "object",
                    "properties": { "prompt": { "type": "string" } },
                    "required": ["prompt"],
                }),
            ));
        }
        for program_tool in &self.program {
            let description = format!("{}\n\n{}", program_tool.description, program_tool.source);
            tools.push(tool(
                &program_tool.name,
                description.trim(),
                inputs_schema(program_tool),
            ));
        }
        for name in &self.registered {
            let registered = &self.session.effects.tools.tools[*name];
            tools.push(tool(name, &registered.description, registered.parameters.clone()));
        }
        tools
    }
}

pub fn input_names(tool: &ProgramTool) -> impl Iterator<Item = String> + use<> {
    (1..tool.arity).map(|number| format!("arg{number}"))
}

fn inputs_schema(tool: &ProgramTool) -> Value {
    let names: Vec<String> = input_names(tool).collect();
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), json!({ "type": "string" })))
        .collect();
    json!({ "type": "object", "properties": properties, "required": names })
}
