//! A turn of the client's model: `sampling/createMessage`, with tools if the client supports them.

use serde_json::{Value, json};

use hornbook_agent::{Call, Cut, Message, ModelRequest, PlainRequest, Role, Turn, plain_turn};

/// The parameters of the request, for a turn of at most `max_tokens` tokens. If the client takes no tools,
/// the text describes them to the model.
pub fn params(request: &ModelRequest, with_tools: bool, max_tokens: u64) -> Value {
    let mut params = if with_tools {
        native(request)
    } else {
        plain(&PlainRequest::new(request))
    };
    params["maxTokens"] = request
        .max_output_tokens
        .unwrap_or(max_tokens)
        .min(max_tokens)
        .into();
    if let Some(model) = &request.model {
        params["modelPreferences"] = json!({ "hints": [{ "name": model }] });
    }
    if let Some(temperature) = request.temperature {
        params["temperature"] = temperature.into();
    }
    params
}

fn native(request: &ModelRequest) -> Value {
    let system: Vec<&str> = request
        .messages
        .iter()
        .filter(|message| message.role == Role::System)
        .map(|message| message.content.as_str())
        .collect();
    let mut messages: Vec<Value> = Vec::new();
    for message in request
        .messages
        .iter()
        .filter(|message| message.role != Role::System)
    {
        let role = if message.role == Role::Assistant {
            "assistant"
        } else {
            "user"
        };
        let blocks = blocks(message);
        // The results of one turn's calls must form a single message with nothing else in it.
        match messages.last_mut() {
            Some(last) if message.role == Role::Tool && last["content"][0]["type"] == "tool_result" => {
                last["content"]
                    .as_array_mut()
                    .expect("it has content")
                    .extend(blocks);
            }
            _ => messages.push(json!({ "role": role, "content": blocks })),
        }
    }
    let tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.description, "inputSchema": tool.parameters }))
        .collect();
    json!({
        "messages": messages,
        "systemPrompt": system.join("\n\n"),
        "tools": tools,
        "toolChoice": { "mode": "auto" },
    })
}

fn blocks(message: &Message) -> Vec<Value> {
    if message.role == Role::Tool {
        let content = json!([{ "type": "text", "text": message.content }]);
        return vec![json!({ "type": "tool_result", "toolUseId": message.call_id, "content": content })];
    }
    let mut blocks = Vec::new();
    if !message.content.is_empty() || message.calls.is_empty() {
        blocks.push(json!({ "type": "text", "text": message.content }));
    }
    for call in &message.calls {
        blocks.push(json!({ "type": "tool_use", "id": call.id, "name": call.tool, "input": call.args }));
    }
    blocks
}

fn plain(request: &PlainRequest) -> Value {
    let mut system = "";
    let mut messages: Vec<Value> = Vec::new();
    for message in &request.messages {
        if message.role == Role::System {
            system = &message.content;
        } else {
            let content = json!({ "type": "text", "text": message.content });
            messages.push(json!({ "role": message.role, "content": content }));
        }
    }
    json!({ "messages": messages, "systemPrompt": system })
}

/// The turn in an answer, a `CreateMessageResult`.
pub fn turn(answer: &Value, with_tools: bool) -> Turn {
    let blocks = match &answer["content"] {
        Value::Array(blocks) => blocks.clone(),
        block => vec![block.clone()],
    };
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    let text = texts.join("\n");
    if !with_tools {
        return plain_turn(&text);
    }
    let used = blocks.iter().filter(|block| block["type"] == "tool_use");
    let calls = used.map(|block| Call {
        id: block["id"].as_str().unwrap_or_default().into(),
        tool: block["name"].as_str().unwrap_or_default().into(),
        args: block["input"].clone(),
    });
    let cut = (answer["stopReason"] == "maxTokens").then_some(Cut::Length);
    Turn {
        calls: calls.collect(),
        text,
        cut,
        ..Turn::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_agent::ModelTool;

    fn request() -> ModelRequest {
        let call = |id: &str| Call {
            id: id.into(),
            tool: "add".into(),
            args: json!({ "x": 1 }),
        };
        let result = |id: &str| Message {
            call_id: Some(id.into()),
            tool: Some("add".into()),
            ..Message::new(Role::Tool, id)
        };
        ModelRequest {
            model: Some("fast".into()),
            temperature: Some(0.5),
            max_output_tokens: Some(50),
            top_p: None,
            messages: vec![
                Message::new(Role::System, "Be kind."),
                Message::new(Role::User, "Go."),
                Message {
                    calls: vec![call("a"), call("b")],
                    ..Message::new(Role::Assistant, "")
                },
                result("a"),
                result("b"),
                Message::new(Role::User, "Go on."),
            ],
            tools: vec![ModelTool {
                name: "add".into(),
                description: "Adds.".into(),
                parameters: json!({ "type": "object" }),
            }],
            streaming: false,
        }
    }

    #[test]
    fn results_of_tools_are_messages_of_their_own() {
        let params = params(&request(), true, 100);
        let shape: Vec<Vec<&str>> = params["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| {
                let blocks = message["content"].as_array().unwrap().iter();
                blocks.map(|block| block["type"].as_str().unwrap()).collect()
            })
            .collect();
        assert_eq!(
            shape,
            [
                vec!["text"],
                vec!["tool_use", "tool_use"],
                vec!["tool_result", "tool_result"],
                vec!["text"]
            ]
        );
        assert_eq!(params["systemPrompt"], "Be kind.");
        assert_eq!(params["tools"][0]["inputSchema"], json!({ "type": "object" }));
    }

    #[test]
    fn a_client_without_tools_is_asked_in_text() {
        let params = params(&request(), false, 100);
        assert!(params.get("tools").is_none());
        assert!(params["systemPrompt"].as_str().unwrap().contains("- add: Adds."));
        let answer = json!({ "role": "assistant", "content": { "type": "text", "text": "{\"calls\":[{\"tool\":\"add\",\"args\":{}}]}" } });
        assert_eq!(turn(&answer, false).calls[0].tool, "add");
    }

    #[test]
    fn uses_of_tools_are_calls() {
        let content = json!([{ "type": "text", "text": "hm" }, { "type": "tool_use", "id": "1", "name": "add", "input": { "x": 2 } }]);
        let turn = turn(&json!({ "role": "assistant", "content": content }), true);
        assert_eq!(
            (turn.text.as_str(), &turn.calls[0].args),
            ("hm", &json!({ "x": 2 }))
        );
    }
}
