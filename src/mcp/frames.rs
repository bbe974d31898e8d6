//! MCP between windows with `window.postMessage`, which every window can hear.
//!
//! A window of an allowed origin may ask for a `MessagePort` of its own ([`CONNECT`]). Clients of
//! `@mcp-b/transports` are served too: a parent window on the channel `mcp-iframe`, the own window on
//! `mcp-default`. Their messages are wrapped and carry a direction. Other messages, and other origins, get no
//! answer.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::Connection;
use super::server::Server;

/// The request for a port. The answer has an empty result and carries the port.
pub const CONNECT: &str = "hornbook/connect";

/// Where a message comes from or goes to, as seen from this window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Window {
    Own,
    Parent,
    Other,
}

impl Window {
    /// The channel that a client of `@mcp-b/transports` in this window uses.
    fn channel(self) -> Option<&'static str> {
        match self {
            Window::Own => Some("mcp-default"),
            Window::Parent => Some("mcp-iframe"),
            Window::Other => None,
        }
    }
}

/// Posts a message, a JSON text, to a window if the window has this origin.
pub type Post = Rc<dyn Fn(Window, &str, String)>;

/// Serves windows of the allowed origins.
pub struct Frames {
    server: Rc<Server>,
    origins: Vec<String>,
    post: Post,
    /// Clients that wrap their messages, one per window: a new one replaces the old.
    wrapping: RefCell<BTreeMap<Window, Rc<Wrapping>>>,
}

struct Wrapping {
    origin: String,
    connection: Connection,
}

/// Announcements posted to a client's window, besides its messages.
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
    /// Serve windows of these origins (such as `https://example.org`), and announce the server to those of
    /// `near` that are among them: the own window, and the parent with the origins it may have. The error is
    /// a sentence.
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
                "\"{wrong}\" is not an origin; one is written as \"https://example.org\" or \"http://localhost:8080\"."
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

    /// Take a message, a JSON text. If it asks for a port, returns the answer to send back with the port.
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
            // There is no telling how much of it the window has read.
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

    /// Cancel everything that runs for clients that wrap their messages, and notify them.
    pub fn close(&self) {
        for (window, client) in self.wrapping.take() {
            client.connection.close();
            self.wrap(window, &client.origin, json!(STOPPED));
        }
    }
}

/// A payload, a JSON text, wrapped for the window.
fn wrapped(to: Window, payload: &str) -> Option<String> {
    let channel = to.channel()?;
    Some(format!(
        r#"{{"channel":"{channel}","type":"mcp","direction":"server-to-client","payload":{payload}}}"#
    ))
}

/// Whether `text` is an origin as browsers write it. `*` and the `null` of sandboxed frames are not.
fn is_origin(text: &str) -> bool {
    let plain = |part: &str, more: &str| {
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || more.contains(c);
        !part.is_empty() && part.chars().all(known)
    };
    text.split_once("://")
        .is_some_and(|(scheme, host)| plain(scheme, "+-.") && plain(host, "-._:[]"))
}
