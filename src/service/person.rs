//! The person at an MCP client, asked for a line of input by elicitation.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde_json::{Map, Value, json};

use hornbook_base::{Control, Person};
use hornbook_mcp::{Call, Question};

/// The control of a query whose goals may read from user input: that of the call, plus the person at its
/// client.
pub(crate) fn control(call: &Call) -> Control {
    let asks = call.client_can("elicitation");
    let person = asks.then(|| -> Rc<dyn Person> {
        Rc::new(AtClient {
            call: call.clone(),
            asked: Cell::new(0),
        })
    });
    Control {
        person,
        ..call.control()
    }
}

struct AtClient {
    call: Call,
    asked: Cell<u64>,
}

impl Person for AtClient {
    fn ask(&self, prompt: &str) -> LocalBoxFuture<'static, Option<String>> {
        self.asked.set(self.asked.get() + 1);
        let prompt = match prompt.trim() {
            "" => "The query reads from user input.",
            prompt => prompt,
        };
        let question = question(&format!("input_{}", self.asked.get()), prompt);
        let call = self.call.clone();
        async move {
            let answers = call.ask(vec![question]).await.ok()?;
            answer(&answers[0])
        }
        .boxed_local()
    }
}

/// A question for a line of input; `key` is unique within the request.
pub(crate) fn question(key: &str, prompt: &str) -> Question {
    let schema = json!({
        "type": "object",
        "properties": { "answer": { "type": "string", "title": "Answer" } },
        "required": ["answer"],
    });
    Question::elicitation(key, prompt, schema)
}

/// What the person wrote; `None` if they declined.
pub(crate) fn answer(result: &Value) -> Option<String> {
    if result["action"] != "accept" {
        return None;
    }
    let content: &Map<String, Value> = result["content"].as_object()?;
    match content.get("answer")? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
