//! A client for tests to drive.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use super::{Connection, Server};

/// A connection, and the messages sent to it.
pub fn connect(server: &Rc<Server>) -> (Connection, Rc<RefCell<Vec<Value>>>) {
    let sent: Rc<RefCell<Vec<Value>>> = Rc::default();
    let sink = sent.clone();
    let send = move |text: String| {
        sink.borrow_mut()
            .push(serde_json::from_str(&text).expect("JSON is sent"));
        true
    };
    (server.connect(Rc::new(send)), sent)
}

/// A request message.
pub fn request(id: i64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The text of a tool's result.
pub fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {reply}"))
}
