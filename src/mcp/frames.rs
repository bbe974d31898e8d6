//! MCP between windows: `window.postMessage`, where everybody hears everything.
//!
//! A window of an allowed origin may ask for a `MessagePort` of its own ([`CONNECT`]). Clients of `@mcp-b/transports`
//! are served as well, a parent window on the channel `mcp-iframe` and the own window on `mcp-default`: there each
//! message is wrapped and names its direction. What is neither, or of another origin, gets no answer.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::Connection;
use super::server::Server;

/// The request for a port. Its answer has the empty result, and the port.
pub const CONNECT: &str = "hornbook/connect";

/// Where a message comes from or goes to, as seen from this window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Window {
    Own,
    Parent,
    Other,
}

impl Window {
    /// The channel on which a client of `@mcp-b/transports` speaks from there.
    fn channel(self) -> Option<&'static str> {
        match self {
            Window::Own => Some("mcp-default"),
            Window::Parent => Some("mcp-iframe"),
            Window::Other => None,
        }
    }
}

/// Posts a message, a JSON text, to a window if it is of this origin.
pub type Post = Rc<dyn Fn(Window, &str, String)>;

/// Serves the windows of some origins.
pub struct Frames {
    server: Rc<Server>,
    origins: Vec<String>,
    post: Post,
    /// The clients that wrap their messages. There is one for each window: a new one takes the place of the old.
    wrapping: RefCell<BTreeMap<Window, Rc<Wrapping>>>,
}

struct Wrapping {
    origin: String,
    connection: Connection,
}

/// What the window of a client is sent beside its messages.
const READY: &str = "mcp-server-ready";
const STOPPED: &str = "mcp-server-stopped";

#[derive(Deserialize)]
#[serde(untagged)]
enum Heard {
    Wrapped {
        channel: String,
        r#type: String,
        direction: String,
        payload: Value,
    },
    Rpc {
        jsonrpc: String,
        id: Value,
        method: String,
    },
}

impl Frames {
    /// Serve windows of these origins, as `https://example.org`, and tell those of `near` that are among them that
    /// the server is there: the own window, and the parent with the origins that it may have. The error is a sentence.
    pub fn new(
        server: Rc<Server>,
        origins: Vec<String>,
        near: &[(Window, String)],
        post: Post,
    ) -> Result<Frames, String> {
        if origins.is_empty() {
            return Err("Name the origins of the windows that may connect.".to_owned());
        }
        if let Some(wrong) = origins.iter().find(|origin| !is_origin(origin)) {
            return Err(format!(
                "\"{wrong}\" is no origin; one is written as \"https://example.org\" or \"http://localhost:8080\"."
            ));
        }
        let frames = Frames {
            server,
            origins,
            post,
            wrapping: RefCell::default(),
        };
        for (window, origin) in near.iter().filter(|(_, origin)| frames.allows(origin)) {
            frames.wrap(*window, origin, json!(READY));
        }
        Ok(frames)
    }

    /// Whether windows of this origin are served.
    pub fn allows(&self, origin: &str) -> bool {
        self.origins.iter().any(|allowed| allowed == origin)
    }

    /// Take a message, a JSON text. When it asks for a port, what it gives is to be sent back with one.
    pub fn receive(&self, from: Window, origin: &str, text: &str) -> Option<String> {
        if !self.allows(origin) {
            return None;
        }
        match serde_json::from_str(text).ok()? {
            Heard::Rpc { jsonrpc, id, method } => {
                let asked = jsonrpc == "2.0" && method == CONNECT;
                asked.then(|| json!({ "jsonrpc": "2.0", "id": id, "result": {} }).to_string())
            }
            Heard::Wrapped {
                channel,
                r#type,
                direction,
                payload,
            } => {
                let ours = r#type == "mcp"
                    && direction == "client-to-server"
                    && from.channel() == Some(channel.as_str());
                if ours {
                    self.unwrap(from, origin, payload, text.len());
                }
                None
            }
        }
    }

    fn unwrap(&self, from: Window, origin: &str, payload: Value, bytes: usize) {
        if payload == "mcp-check-ready" {
            self.wrapping.borrow_mut().remove(&from);
            self.wrap(from, origin, json!(READY));
        } else if payload["jsonrpc"] == "2.0" {
            let client = self.wrapping(from, origin);
            client.connection.receive_value(payload, bytes);
        }
    }

    fn wrapping(&self, from: Window, origin: &str) -> Rc<Wrapping> {
        if let Some(client) = self.wrapping.borrow().get(&from)
            && client.origin == origin
        {
            return client.clone();
        }
        let (post, to) = (self.post.clone(), origin.to_owned());
        let send = move |message: String| {
            if let Some(message) = wrapped(from, &message) {
                post(from, &to, message);
            }
            // How much of it the window has read is not known.
            true
        };
        let client = Rc::new(Wrapping {
            origin: origin.to_owned(),
            connection: self.server.connect(Rc::new(send)),
        });
        self.wrapping.borrow_mut().insert(from, client.clone());
        client
    }

    fn wrap(&self, to: Window, origin: &str, payload: Value) {
        if let Some(message) = wrapped(to, &payload.to_string()) {
            (self.post)(to, origin, message);
        }
    }

    /// Stop what runs for the clients that wrap their messages, and tell them.
    pub fn close(&self) {
        for (window, client) in self.wrapping.take() {
            client.connection.close();
            self.wrap(window, &client.origin, json!(STOPPED));
        }
    }
}

/// A payload, a JSON text, as it is sent to a window.
fn wrapped(to: Window, payload: &str) -> Option<String> {
    let channel = to.channel()?;
    Some(format!(
        r#"{{"channel":"{channel}","type":"mcp","direction":"server-to-client","payload":{payload}}}"#
    ))
}

/// Whether it is written as browsers write origins. `*` and the `null` of sandboxed frames are none.
fn is_origin(text: &str) -> bool {
    let plain = |part: &str, more: &str| {
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(c);
        !part.is_empty() && part.chars().all(known)
    };
    text.split_once("://")
        .is_some_and(|(scheme, host)| plain(scheme, "+-.") && plain(host, "-._:[]"))
}
