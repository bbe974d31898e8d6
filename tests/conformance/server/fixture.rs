//! The tools, resources and prompts that the conformance suite expects, by the names that it gives them.

use std::cell::RefCell;
use std::rc::Rc;

use futures::FutureExt;
use hornbook::mcp::{
    About, Call, Change, ChangeListener, Features, LogLevel, Object, Question, Reply, RpcError, Service,
};
use hornbook::workspace::Progress;
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// One sample of silence.
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

pub struct Fixture {
    listener: RefCell<Option<ChangeListener>>,
}

impl Fixture {
    pub fn new() -> Rc<Fixture> {
        Rc::new(Fixture {
            listener: RefCell::new(None),
        })
    }

    fn tell(&self, change: Change) {
        let listener = self.listener.borrow().clone();
        if let Some(listener) = listener {
            listener(change);
        }
    }
}

impl Service for Fixture {
    fn about(&self) -> About {
        About {
            name: "hornbook-conformance".into(),
            title: "Hornbook conformance fixture".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            instructions: "Fixtures for the conformance suite.".into(),
            features: Features {
                logging: true,
                subscriptions: true,
                tools_change: true,
                resources_change: true,
                prompts_change: true,
            },
        }
    }

    fn tools(&self) -> Vec<Value> {
        let plain = TOOLS.iter().map(|(name, description)| {
            let schema = json!({ "type": "object", "properties": {} });
            json!({ "name": name, "description": description, "inputSchema": schema })
        });
        let with_text = |name: &str, argument: &str, description: &str| {
            let schema = json!({
                "type": "object",
                "properties": { argument: { "type": "string" } },
                "required": [argument],
            });
            json!({ "name": name, "description": description, "inputSchema": schema })
        };
        let mut tools: Vec<Value> = plain.collect();
        tools.push(with_text("test_sampling", "prompt", "Asks the client's model"));
        tools.push(with_text("test_elicitation", "message", "Asks the client's user"));
        tools.push(json!({
            "name": "json_schema_2020_12_tool",
            "description": "Has keywords of JSON Schema 2020-12 in its input schema",
            "inputSchema": json_schema_2020_12(),
        }));
        tools
    }

    fn call_tool(&self, name: String, arguments: Object, call: Call) -> Reply {
        match name.as_str() {
            "test_trigger_tool_change" => self.tell(Change::Tools),
            "test_trigger_prompt_change" => self.tell(Change::Prompts),
            _ => {}
        }
        async move { call_tool(&name, &arguments, &call).await }.boxed_local()
    }

    fn resources(&self) -> Vec<Value> {
        [
            ("test://static-text", "Static text", "text/plain"),
            ("test://static-binary", "Static binary", "image/png"),
            ("test://watched-resource", "Watched resource", "text/plain"),
        ]
        .map(|(uri, name, kind)| json!({ "uri": uri, "name": name, "mimeType": kind }))
        .to_vec()
    }

    fn resource_templates(&self) -> Vec<Value> {
        vec![
            json!({ "uriTemplate": "test://template/{id}/data", "name": "Template", "mimeType": "application/json" }),
        ]
    }

    fn read_resource(&self, uri: String, _: Call) -> Reply {
        let template = uri
            .strip_prefix("test://template/")
            .and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (uri.as_str(), template) {
            ("test://static-text", _) => json!({ "mimeType": "text/plain", "text": "The static text." }),
            ("test://static-binary", _) => json!({ "mimeType": "image/png", "blob": PNG }),
            ("test://watched-resource", _) => {
                json!({ "mimeType": "text/plain", "text": "The watched text." })
            }
            (_, Some(id)) => {
                let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                json!({ "mimeType": "application/json", "text": data.to_string() })
            }
            _ => Value::Null,
        };
        async move {
            let Value::Object(mut contents) = contents else {
                return Err(RpcError::resource_not_found(&uri));
            };
            contents.insert("uri".into(), json!(uri));
            Ok(object(json!({ "contents": [contents] })))
        }
        .boxed_local()
    }

    fn prompts(&self) -> Vec<Value> {
        let argument = |name: &str| json!({ "name": name, "description": "For the test", "required": true });
        let prompt = |name: &str, arguments: Vec<Value>| json!({ "name": name, "description": "For the test", "arguments": arguments });
        vec![
            prompt("test_simple_prompt", vec![]),
            prompt(
                "test_prompt_with_arguments",
                vec![argument("arg1"), argument("arg2")],
            ),
            prompt(
                "test_prompt_with_embedded_resource",
                vec![argument("resourceUri")],
            ),
            prompt("test_prompt_with_image", vec![]),
            prompt("test_input_required_result_prompt", vec![]),
        ]
    }

    fn get_prompt(&self, name: String, arguments: Object, call: Call) -> Reply {
        async move {
            let argument = |name: &str| {
                let value = arguments.get(name).and_then(Value::as_str);
                value.ok_or_else(|| RpcError::invalid_params(format!("Missing argument '{name}'")))
            };
            let text = |text: String| json!({ "type": "text", "text": text });
            let contents = match name.as_str() {
                "test_simple_prompt" => vec![text("A simple prompt.".into())],
                "test_prompt_with_arguments" => {
                    vec![text(format!("arg1='{}', arg2='{}'", argument("arg1")?, argument("arg2")?))]
                }
                "test_prompt_with_embedded_resource" => {
                    let embedded = json!({ "uri": argument("resourceUri")?, "mimeType": "text/plain", "text": "Embedded." });
                    vec![json!({ "type": "resource", "resource": embedded }), text("See above.".into())]
                }
                "test_prompt_with_image" => vec![image(), text("See above.".into())],
                "test_input_required_result_prompt" => {
                    let answers = call.ask(vec![form("user_context", "Which context?", "context")]).await?;
                    vec![text(format!("Context: {}", answers[0]["content"]["context"]))]
                }
                _ => return Err(RpcError::invalid_params(format!("Unknown prompt '{name}'"))),
            };
            let messages: Vec<Value> =
                contents.into_iter().map(|content| json!({ "role": "user", "content": content })).collect();
            Ok(object(json!({ "messages": messages })))
        }
        .boxed_local()
    }

    fn complete(&self, _: &Object, _: &str, value: &str) -> Result<Vec<String>, RpcError> {
        let words = ["paris", "park", "party"];
        Ok(words
            .into_iter()
            .filter(|word| word.starts_with(value))
            .map(String::from)
            .collect())
    }

    fn on_change(&self, listener: ChangeListener) {
        *self.listener.borrow_mut() = Some(listener);
    }
}

/// The tools without arguments.
const TOOLS: [(&str, &str); 23] = [
    ("test_simple_text", "Returns text"),
    ("test_image_content", "Returns an image"),
    ("test_audio_content", "Returns audio"),
    ("test_embedded_resource", "Returns an embedded resource"),
    (
        "test_multiple_content_types",
        "Returns text, an image and a resource",
    ),
    ("test_tool_with_logging", "Writes to the client's log"),
    ("test_logging_tool", "Writes to the client's log"),
    ("test_tool_with_progress", "Tells its progress"),
    ("test_error_handling", "Fails"),
    (
        "test_elicitation_sep1034_defaults",
        "Asks the user, with defaults",
    ),
    ("test_elicitation_sep1330_enums", "Asks the user, with choices"),
    ("test_streaming_elicitation", "Asks the user"),
    ("test_missing_capability", "Needs the client's model"),
    ("test_trigger_tool_change", "Says that the tools have changed"),
    ("test_trigger_prompt_change", "Says that the prompts have changed"),
    ("test_input_required_result_elicitation", "Asks for a name"),
    ("test_input_required_result_sampling", "Asks the client's model"),
    (
        "test_input_required_result_list_roots",
        "Asks for the client's roots",
    ),
    (
        "test_input_required_result_request_state",
        "Asks for a confirmation",
    ),
    (
        "test_input_required_result_tampered_state",
        "Asks for a confirmation",
    ),
    (
        "test_input_required_result_multiple_inputs",
        "Asks three things at once",
    ),
    ("test_input_required_result_multi_round", "Asks twice"),
    (
        "test_input_required_result_capabilities",
        "Asks what the client can answer",
    ),
];

async fn call_tool(name: &str, arguments: &Object, call: &Call) -> Result<Object, RpcError> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let contents = match name {
        "test_simple_text" => vec![text("This is a simple text.")],
        "test_image_content" => vec![image()],
        "test_audio_content" => vec![json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" })],
        "test_embedded_resource" => vec![resource("test://embedded-resource", "text/plain", "Embedded.")],
        "test_multiple_content_types" => {
            let data = json!({ "test": "data", "value": 123 }).to_string();
            vec![
                text("Several:"),
                image(),
                resource("test://mixed-content-resource", "application/json", &data),
            ]
        }
        "test_tool_with_logging" | "test_logging_tool" => {
            for step in ["started", "processing", "completed"] {
                call.log(LogLevel::Info, json!(format!("Tool {step}")));
            }
            vec![text("Logged.")]
        }
        "test_tool_with_progress" => {
            if let Some(tell) = call.control().progress {
                for done in [0, 50, 100] {
                    tell(Progress {
                        done,
                        total: Some(100),
                        message: format!("{done} of 100"),
                    });
                }
            }
            vec![text("Done.")]
        }
        "test_error_handling" => {
            let mut result = object(json!({ "content": [text("This tool intentionally returns an error")] }));
            result.insert("isError".into(), json!(true));
            return Ok(result);
        }
        "test_sampling" => {
            let answers = call.ask(vec![sampling("sample", argument("prompt"))]).await?;
            vec![text(&format!("LLM response: {}", answers[0]["content"]["text"]))]
        }
        "test_missing_capability" => {
            call.ask(vec![sampling("sample", "Say something")]).await?;
            vec![text("Sampled.")]
        }
        "test_elicitation" => {
            let answers = call
                .ask(vec![form("response", argument("message"), "response")])
                .await?;
            vec![text(&format!("User response: {}", answers[0]))]
        }
        "test_elicitation_sep1034_defaults" => {
            let question = Question::elicitation("form", "Please review the defaults", defaults());
            vec![text(&format!(
                "Elicitation completed: {}",
                call.ask(vec![question]).await?[0]
            ))]
        }
        "test_elicitation_sep1330_enums" => {
            let question = Question::elicitation("form", "Please choose", choices());
            vec![text(&format!(
                "Elicitation completed: {}",
                call.ask(vec![question]).await?[0]
            ))]
        }
        "test_streaming_elicitation" => {
            call.ask(vec![form("value", "Which value?", "value")]).await?;
            vec![text("Streamed.")]
        }
        "test_trigger_tool_change" | "test_trigger_prompt_change" => vec![text("Changed.")],
        "test_input_required_result_elicitation" => {
            let answers = call
                .ask(vec![form("user_name", "What is your name?", "name")])
                .await?;
            vec![text(&format!(
                "Hello, {}!",
                answers[0]["content"]["name"].as_str().unwrap_or("stranger")
            ))]
        }
        "test_input_required_result_sampling" => {
            let answers = call
                .ask(vec![sampling(
                    "capital_question",
                    "What is the capital of France?",
                )])
                .await?;
            vec![text(&format!("Sampled: {}", answers[0]["content"]["text"]))]
        }
        "test_input_required_result_list_roots" => {
            let answers = call.ask(vec![Question::roots("client_roots")]).await?;
            vec![text(&format!("Roots: {}", answers[0]["roots"]))]
        }
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            let schema = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } }, "required": ["ok"] });
            call.ask(vec![Question::elicitation("confirm", "Please confirm", schema)])
                .await?;
            vec![text("state-ok")]
        }
        "test_input_required_result_multiple_inputs" => {
            let answers = call
                .ask(vec![
                    form("user_name", "What is your name?", "name"),
                    sampling("greeting", "Generate a greeting"),
                    Question::roots("client_roots"),
                ])
                .await?;
            vec![text(&json!(answers).to_string())]
        }
        "test_input_required_result_multi_round" => {
            let name = call
                .ask(vec![form("step1", "Step 1: What is your name?", "name")])
                .await?;
            let color = call
                .ask(vec![form(
                    "step2",
                    "Step 2: What is your favorite color?",
                    "color",
                )])
                .await?;
            vec![text(&format!(
                "{} likes {}",
                name[0]["content"]["name"], color[0]["content"]["color"]
            ))]
        }
        "test_input_required_result_capabilities" => {
            let mut questions = Vec::new();
            if call.client_can("elicitation") {
                questions.push(form("elicit_input", "Which value?", "value"));
            }
            if call.client_can("sampling") {
                questions.push(sampling("sample_input", "Say something"));
            }
            vec![text(&json!(call.ask(questions).await?).to_string())]
        }
        "json_schema_2020_12_tool" => vec![text(&json!(arguments).to_string())],
        _ => return Err(RpcError::invalid_params(format!("Unknown tool '{name}'"))),
    };
    Ok(object(json!({ "content": contents })))
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn resource(uri: &str, kind: &str, text: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } })
}

/// A form with one text field.
fn form(key: &str, message: &str, field: &str) -> Question {
    let schema =
        json!({ "type": "object", "properties": { field: { "type": "string" } }, "required": [field] });
    Question::elicitation(key, message, schema)
}

fn sampling(key: &str, prompt: &str) -> Question {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    Question::sampling(key, json!({ "messages": [message], "maxTokens": 100 }))
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
        "required": [],
    })
}

fn choices() -> Value {
    let titled =
        |values: [(&str, &str); 3]| values.map(|(value, title)| json!({ "const": value, "title": title }));
    let options = ["option1", "option2", "option3"];
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": {
                "type": "string",
                "oneOf": titled([("value1", "First Option"), ("value2", "Second Option"), ("value3", "Third Option")]),
            },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array", "minItems": 1, "maxItems": 3, "items": { "type": "string", "enum": options },
            },
            "titledMulti": {
                "type": "array", "minItems": 1, "maxItems": 3,
                "items": {
                    "anyOf": titled([("value1", "First Choice"), ("value2", "Second Choice"), ("value3", "Third Choice")]),
                },
            },
        },
        "required": [],
    })
}

fn json_schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(fields) => fields,
        _ => Object::new(),
    }
}
