//! Models without tool support: the tools are described in the instructions, and a reply is one JSON object.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::model::{Call, Message, ModelRequest, ModelTool, Role, Turn};

/// The input of a model without tool support: the first message describes the tools, and the reply is one
/// JSON object.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlainRequest {
    /// The instructions first, then user and assistant in turn.
    pub messages: Vec<PlainMessage>,
    /// The JSON Schema of the reply.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub schema: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlainMessage {
    pub role: Role,
    pub content: String,
}

const REPLY: &str = "Reply with one JSON object and nothing else: {\"text\": what you say, \"calls\": [{\"tool\": its \
                     name, \"args\": its arguments}]}. The results of the calls come in the next message. The tools, \
                     each with the JSON Schema of its arguments:";

/// The most positions in a reply that are tried as the start of an object.
const BEGINNINGS: usize = 100;

impl PlainRequest {
    pub fn new(request: &ModelRequest) -> PlainRequest {
        let mut messages: Vec<PlainMessage> = Vec::new();
        for message in &request.messages {
            let (role, content) = plain(message);
            match messages.last_mut() {
                Some(last) if last.role == role => {
                    last.content.push_str("\n\n");
                    last.content.push_str(&content);
                }
                _ => messages.push(PlainMessage { role, content }),
            }
        }
        let tools = description_of(&request.tools);
        match messages.first_mut() {
            Some(first) if first.role == Role::System => {
                first.content.push_str("\n\n");
                first.content.push_str(&tools);
            }
            _ => messages.insert(
                0,
                PlainMessage {
                    role: Role::System,
                    content: tools,
                },
            ),
        }
        let names: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        let call = json!({
            "type": "object",
            "properties": { "tool": { "type": "string", "enum": names }, "args": { "type": "object" } },
            "required": ["tool", "args"],
        });
        let schema = json!({
            "type": "object",
            "properties": { "text": { "type": "string" }, "calls": { "type": "array", "items": call } },
            "required": ["text", "calls"],
        });
        PlainRequest { messages, schema }
    }
}

fn plain(message: &Message) -> (Role, String) {
    match message.role {
        Role::Assistant => {
            let calls: Vec<Value> = message
                .calls
                .iter()
                .map(|call| json!({ "tool": call.tool, "args": call.args }))
                .collect();
            let turn = json!({ "text": message.content, "calls": calls });
            (Role::Assistant, turn.to_string())
        }
        Role::Tool => {
            let tool = message.tool.as_deref().unwrap_or_default();
            (Role::User, format!("Result of {tool}: {}", message.content))
        }
        role => (role, message.content.clone()),
    }
}

fn description_of(tools: &[ModelTool]) -> String {
    let mut text = REPLY.to_owned();
    for tool in tools {
        let description = tool.description.replace('\n', "\n  ");
        text.push_str(&format!(
            "\n- {}: {description}\n  {}",
            tool.name, tool.parameters
        ));
    }
    text
}

/// The turn in a reply: the first object in it with a text or calls; if there is none, the whole reply is
/// text.
pub fn plain_turn(reply: &str) -> Turn {
    let beginnings = reply.match_indices('{').take(BEGINNINGS);
    let turn = beginnings.map(|(at, _)| &reply[at..]).find_map(|rest| {
        let mut objects = serde_json::Deserializer::from_str(rest).into_iter::<Map<String, Value>>();
        turn(&objects.next()?.ok()?)
    });
    turn.unwrap_or_else(|| Turn {
        text: reply.trim().into(),
        ..Turn::default()
    })
}

fn turn(object: &Map<String, Value>) -> Option<Turn> {
    let text = object.get("text").and_then(Value::as_str);
    let calls: Option<Vec<Call>> = match (object.get("calls"), object.get("tool")) {
        (Some(Value::Array(calls)), _) => Some(
            calls
                .iter()
                .filter_map(|call| one_call(call.as_object()?))
                .collect(),
        ),
        (_, Some(_)) => one_call(object).map(|call| vec![call]),
        _ => None,
    };
    if text.is_none() && calls.is_none() {
        return None;
    }
    Some(Turn {
        text: text.unwrap_or_default().into(),
        calls: calls.unwrap_or_default(),
        ..Turn::default()
    })
}

fn one_call(object: &Map<String, Value>) -> Option<Call> {
    Some(Call {
        id: String::new(),
        tool: object.get("tool")?.as_str()?.into(),
        args: object.get("args").cloned().unwrap_or_else(|| json!({})),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, args: Value) -> Call {
        Call {
            id: "c1".into(),
            tool: tool.into(),
            args,
        }
    }

    #[test]
    fn tools_calls_and_results_become_text() {
        let asked = call("add", json!({ "x": 1 }));
        let messages = vec![
            Message::new(Role::System, "Be kind."),
            Message::new(Role::User, "Go."),
            Message {
                calls: vec![asked.clone(), asked.clone()],
                ..Message::new(Role::Assistant, "I add.")
            },
            Message::result(&asked, "2".into()),
            Message::result(&asked, "3".into()),
        ];
        let tools = vec![ModelTool {
            name: "add".into(),
            description: "Adds.".into(),
            parameters: json!({ "type": "object" }),
        }];
        let plain = PlainRequest::new(&ModelRequest {
            model: None,
            temperature: None,
            max_output_tokens: None,
            top_p: None,
            messages,
            tools,
            streaming: false,
        });
        let roles: Vec<Role> = plain.messages.iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
        assert!(
            plain.messages[0]
                .content
                .starts_with("Be kind.\n\nReply with one JSON object")
        );
        assert!(
            plain.messages[0]
                .content
                .ends_with("- add: Adds.\n  {\"type\":\"object\"}")
        );
        assert_eq!(plain.messages[3].content, "Result of add: 2\n\nResult of add: 3");
        let again = plain_turn(&plain.messages[2].content);
        assert_eq!(again.calls.len(), 2, "its own messages show it what to write");
        let calls = &plain.schema["properties"]["calls"]["items"];
        assert_eq!(calls["properties"]["tool"]["enum"], json!(["add"]));
    }

    #[test]
    fn a_reply_is_found_in_what_is_around_it() {
        let turn =
            plain_turn("Sure {ok}:\n```json\n{\"calls\": [{\"tool\": \"finish\"}, 7, {\"args\": 1}]}\n```");
        assert_eq!(turn.calls.len(), 1);
        assert_eq!(
            (turn.calls[0].tool.as_str(), &turn.calls[0].args),
            ("finish", &json!({}))
        );
        let turn = plain_turn("{\"tool\": \"add\", \"args\": {\"x\": 1}}");
        assert_eq!(turn.calls[0].args, json!({ "x": 1 }));
        assert_eq!(plain_turn("{\"text\": \"a {b}\"}").text, "a {b}");
        assert_eq!(plain_turn(" no {json} at {all ").text, "no {json} at {all");
    }
}
