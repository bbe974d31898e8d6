//! Streamable HTTP over the protocol core: sessions for clients that begin with `initialize`, a connection for each
//! request of the others.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use hornbook_mcp::{Connection, Server};
use serde_json::{Value, json};

use crate::http::{Event, Request, Response};

const MODERN: &str = "2026-07-28";
const LEGACY: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
const META: &str = "io.modelcontextprotocol/";

pub struct Bridge {
    server: Rc<Server>,
    sessions: BTreeMap<String, Rc<Session>>,
    next_session: u64,
    /// The connections to the core of modern requests that are open.
    requests: BTreeMap<u64, Connection>,
}

/// A client that has begun with `initialize`.
struct Session {
    connection: RefCell<Option<Connection>>,
    streams: RefCell<Streams>,
}

/// The open responses of a session.
#[derive(Default)]
struct Streams {
    /// With the number of the HTTP connection and the id of the request, the newest last.
    posts: Vec<(u64, Value, Response)>,
    get: Option<(u64, Response)>,
    /// What no stream was open for.
    held_back: Vec<String>,
}

impl Bridge {
    pub fn new(server: Rc<Server>) -> Bridge {
        Bridge {
            server,
            sessions: BTreeMap::new(),
            next_session: 1,
            requests: BTreeMap::new(),
        }
    }

    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Gone(number) => {
                // For a modern request this cancels it.
                self.requests.remove(&number);
                for session in self.sessions.values() {
                    session.streams.borrow_mut().gone(number);
                }
            }
            Event::Request(number, request, stream) => {
                let mut response = Response::new(stream);
                if let Some(refusal) = refuse(&request) {
                    response.whole(refusal, "", "");
                    return;
                }
                match request.method.as_str() {
                    "POST" => self.post(number, &request, response),
                    "GET" => match self.session(&request) {
                        Ok(session) => session.streams.borrow_mut().listen(number, response),
                        Err(status) => response.whole(status, "", ""),
                    },
                    "DELETE" => match self.session(&request) {
                        Ok(_) => {
                            let id = request.header("mcp-session-id").unwrap_or_default();
                            self.sessions.remove(id);
                            response.whole("200 OK", "", "");
                        }
                        Err(status) => response.whole(status, "", ""),
                    },
                    _ => response.whole("405 Method Not Allowed", "", ""),
                }
            }
        }
    }

    fn post(&mut self, number: u64, request: &Request, mut response: Response) {
        let Ok(message) = serde_json::from_str::<Value>(&request.body) else {
            let error = json!({ "code": -32700, "message": "Parse error" });
            response.whole(
                "400 Bad Request",
                "",
                &json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string(),
            );
            return;
        };
        if is_modern(request, &message) {
            self.post_modern(number, request, &message, response);
        } else if message["method"] == "initialize" {
            let id = format!("session-{}-{}", std::process::id(), self.next_session);
            self.next_session += 1;
            let session = Session::new(&self.server);
            self.sessions.insert(id.clone(), session.clone());
            session.initialize(&request.body, &id, response);
        } else {
            match self.session(request) {
                Ok(session) => session.post(number, &request.body, &message, response),
                Err(status) => response.whole(status, "", ""),
            }
        }
    }

    fn post_modern(&mut self, number: u64, request: &Request, message: &Value, mut response: Response) {
        if let Err((code, problem)) = check_headers(request, message) {
            let error = json!({ "code": code, "message": problem });
            let body = json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }).to_string();
            response.whole("400 Bad Request", "", &body);
            return;
        }
        if message.get("id").is_none() {
            response.whole("202 Accepted", "", "");
            return;
        }
        let response = Rc::new(RefCell::new(response));
        let connection = self.server.connect(Rc::new(move |text| {
            let sent: Value = serde_json::from_str(&text).unwrap_or_default();
            let mut response = response.borrow_mut();
            if sent.get("method").is_some() {
                response.event(&text);
            } else if response.is_streaming() {
                response.event(&text);
                response.end();
            } else {
                response.whole(status(&sent), "", &text);
            }
            true
        }));
        connection.receive(&request.body);
        self.requests.insert(number, connection);
    }

    fn session(&self, request: &Request) -> Result<Rc<Session>, &'static str> {
        let id = request.header("mcp-session-id").ok_or("400 Bad Request")?;
        self.sessions.get(id).cloned().ok_or("404 Not Found")
    }
}

impl Session {
    fn new(server: &Rc<Server>) -> Rc<Session> {
        let session = Rc::new(Session {
            connection: RefCell::new(None),
            streams: RefCell::default(),
        });
        let weak = Rc::downgrade(&session);
        let connection = server.connect(Rc::new(move |text| {
            if let Some(session) = weak.upgrade() {
                session.streams.borrow_mut().send(text);
            }
            true
        }));
        *session.connection.borrow_mut() = Some(connection);
        session
    }

    /// The core answers `initialize` at once.
    fn initialize(&self, body: &str, id: &str, mut response: Response) {
        self.receive(body);
        let answer = self.streams.borrow_mut().held_back.pop().unwrap_or_default();
        response.whole("200 OK", &format!("Mcp-Session-Id: {id}\r\n"), &answer);
    }

    fn post(&self, number: u64, body: &str, message: &Value, mut response: Response) {
        if message.get("method").is_some() && message.get("id").is_some() {
            self.streams
                .borrow_mut()
                .posts
                .push((number, message["id"].clone(), response));
        } else {
            response.whole("202 Accepted", "", "");
        }
        self.receive(body);
    }

    fn receive(&self, body: &str) {
        if let Some(connection) = &*self.connection.borrow() {
            connection.receive(body);
        }
    }
}

impl Streams {
    /// An answer goes to its request; anything else to the request that came last, or to the stream of a GET.
    fn send(&mut self, text: String) {
        let message: Value = serde_json::from_str(&text).unwrap_or_default();
        if message.get("method").is_none() {
            let position = self.posts.iter().position(|(_, id, _)| *id == message["id"]);
            if let Some(position) = position {
                let (_, _, mut response) = self.posts.remove(position);
                if response.is_streaming() {
                    response.event(&text);
                    response.end();
                } else {
                    response.whole("200 OK", "", &text);
                }
                return;
            }
        }
        if let Some((_, _, response)) = self.posts.last_mut() {
            response.event(&text);
        } else if let Some((_, response)) = &mut self.get {
            response.event(&text);
        } else {
            self.held_back.push(text);
        }
    }

    fn listen(&mut self, number: u64, mut response: Response) {
        response.stream();
        for text in self.held_back.drain(..) {
            response.event(&text);
        }
        self.get = Some((number, response));
    }

    fn gone(&mut self, number: u64) {
        self.posts
            .retain(|(post, _, response)| *post != number && response.is_open());
        self.get.take_if(|(get, _)| *get == number);
    }
}

/// What is refused before it is looked at: other endpoints, and pages of other hosts (DNS rebinding).
fn refuse(request: &Request) -> Option<&'static str> {
    if request.path != "/mcp" {
        return Some("404 Not Found");
    }
    let is_local = |host: &str| {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        ["localhost", "127.0.0.1", "[::1]"].contains(&name)
    };
    let origin = request
        .header("origin")
        .map(|origin| origin.trim_start_matches("http://"));
    let host_is_wrong = !request.header("host").is_some_and(is_local);
    (host_is_wrong || origin.is_some_and(|origin| !is_local(origin))).then_some("403 Forbidden")
}

fn is_modern(request: &Request, message: &Value) -> bool {
    let version = request.header("mcp-protocol-version");
    let described = message["params"]["_meta"]
        .as_object()
        .is_some_and(|meta| meta.keys().any(|key| key.starts_with(META)));
    described || version.is_some_and(|version| !LEGACY.contains(&version))
}

/// The headers repeat parts of the body.
fn check_headers(request: &Request, message: &Value) -> Result<(), (i64, String)> {
    let params = &message["params"];
    let version = params["_meta"][format!("{META}protocolVersion")].as_str();
    // Without metadata the core cannot know that the request is a modern one.
    if params.get("_meta").is_none() {
        return Err((-32602, format!("_meta must have the fields of revision {MODERN}")));
    }
    let name = match message["method"].as_str() {
        Some("tools/call" | "prompts/get") => params["name"].as_str(),
        Some("resources/read") => params["uri"].as_str(),
        _ => None,
    };
    let mut expected = vec![("mcp-method", message["method"].as_str())];
    expected.extend(version.map(|version| ("mcp-protocol-version", Some(version))));
    expected.extend(name.map(|name| ("mcp-name", Some(name))));
    for (header, value) in expected {
        if request.header(header) != value {
            return Err((
                -32020,
                format!("Header mismatch: {header} must be {}", value.unwrap_or_default()),
            ));
        }
    }
    Ok(())
}

/// The HTTP status of a modern answer.
fn status(answer: &Value) -> &'static str {
    match answer["error"]["code"].as_i64() {
        Some(-32601) => "404 Not Found",
        Some(-32602 | -32600 | -32700 | -32022..=-32020) => "400 Bad Request",
        _ => "200 OK",
    }
}
