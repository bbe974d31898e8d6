//! Hornbook's own service, from JSON-RPC to the scripted engine and back.

mod history;
mod memory;
mod queries;
mod room;
mod texts;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde_json::{Value, json};

use crate::{Hornbook, Served, prolog};
use hornbook_base::Clock;
use hornbook_base::Limits;
use hornbook_mcp::testing::{connect, request, text};
use hornbook_mcp::{Connection, Server};
use hornbook_workspace::bench::Bench;
use hornbook_workspace::{Options, Workspace};

/// A client of a workspace.
struct Client {
    bench: Rc<RefCell<Bench>>,
    server: Rc<Server>,
    /// Futures the server has spawned.
    queue: Rc<RefCell<Vec<LocalBoxFuture<'static, ()>>>>,
    connection: Connection,
    sent: Rc<RefCell<Vec<Value>>>,
    next_id: Cell<i64>,
}

impl Client {
    fn new() -> Client {
        Client::with(|prolog| vec![prolog])
    }

    /// A client of these toolsets, made with the workspace's own.
    fn with(sets: impl FnOnce(Rc<dyn Served>) -> Vec<Rc<dyn Served>>) -> Client {
        Client::of(|workspace, _| sets(prolog::toolset(workspace)))
    }

    /// A client of these toolsets on a workspace.
    fn of(sets: impl FnOnce(Workspace, Rc<dyn Clock>) -> Vec<Rc<dyn Served>>) -> Client {
        let bench = Bench::new();
        bench
            .files
            .put("/data/family.pl", "parent(ann).\nbad clause.\nparent(bob).\n");
        let workspace = bench.open(Options {
            roots: vec!["/data".into()],
            ..Options::default()
        });
        let queue: Rc<RefCell<Vec<LocalBoxFuture<'static, ()>>>> = Rc::default();
        let to_run = queue.clone();
        let server = Server::new(
            Hornbook::new(
                sets(workspace.clone(), bench.clock.clone()),
                Some(workspace),
                Limits::default().reply_tokens,
            ),
            Rc::new(move |future| to_run.borrow_mut().push(future)),
            bench.clock.clone(),
            Limits::default(),
        );
        let (connection, sent) = connect(&server);
        Client {
            bench: Rc::new(RefCell::new(bench)),
            server,
            queue,
            connection,
            sent,
            next_id: Cell::new(1),
        }
    }

    /// Another client of the same server.
    fn another(&self) -> Client {
        let (connection, sent) = connect(&self.server);
        Client {
            bench: self.bench.clone(),
            server: self.server.clone(),
            queue: self.queue.clone(),
            connection,
            sent,
            next_id: Cell::new(1),
        }
    }

    /// Send a request and run it as far as it gets without time passing. Returns its id.
    fn begin(&self, method: &str, params: Value) -> i64 {
        let id = self.next_id.replace(self.next_id.get() + 1);
        self.connection.receive(&request(id, method, params).to_string());
        self.settle();
        id
    }

    fn settle(&self) {
        let mut bench = self.bench.borrow_mut();
        for future in self.queue.take() {
            bench.start(future);
        }
        bench.settle();
    }

    fn take_sent(&self) -> Vec<Value> {
        std::mem::take(&mut *self.sent.borrow_mut())
    }

    /// Send a request and let time pass until it is answered. Returns the answer.
    fn request(&self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        if self.sent.borrow().iter().all(|message| message["id"] != id) {
            self.bench.borrow_mut().wait();
        }
        let sent = self.take_sent();
        sent.into_iter()
            .find(|message| message["id"] == id)
            .expect("an answer")
    }

    fn call(&self, tool: &str, arguments: Value) -> Value {
        let reply = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(reply["result"].is_object(), "{reply}");
        reply
    }

    /// The text of a call that succeeds.
    fn say(&self, tool: &str, arguments: Value) -> String {
        let reply = self.call(tool, arguments);
        assert_eq!(reply["result"].get("isError"), None, "{reply}");
        text(&reply).to_string()
    }

    fn read(&self, uri: &str) -> String {
        let reply = self.request("resources/read", json!({ "uri": uri }));
        reply["result"]["contents"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{reply}"))
            .to_string()
    }

    fn assert_clauses(&self, clauses: Value) {
        self.say("clauses", json!({ "operation": "assert", "clauses": clauses }));
    }
}

fn structured(reply: &Value) -> &Value {
    &reply["result"]["structuredContent"]
}

/// The kind of error a tool reported.
fn kind(reply: &Value) -> &str {
    assert_eq!(reply["result"]["isError"], true, "{reply}");
    assert!(text(reply).starts_with("Error: "), "{reply}");
    structured(reply)["error"]["kind"]
        .as_str()
        .unwrap_or_else(|| panic!("{reply}"))
}

#[test]
fn the_seven_tools_the_five_resources_and_the_four_prompts_are_listed() {
    let client = Client::new();
    let names = |method: &str, list: &str, field: &str| {
        let reply = client.request(method, json!({}));
        let items = reply["result"][list].as_array().expect("a list").clone();
        items
            .iter()
            .map(|item| item[field].as_str().expect("a name").to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("tools/list", "tools", "name"),
        [
            "clauses",
            "files",
            "workspace",
            "query_start",
            "query_next",
            "query_close",
            "help"
        ]
    );
    assert_eq!(
        names("resources/list", "resources", "uri"),
        [
            "prolog://workspace/snapshot",
            "prolog://workspace/symbols",
            "reference://help",
            "reference://license",
            "reference://logo"
        ]
    );
    assert_eq!(
        names("prompts/list", "prompts", "name"),
        ["expert", "knowledge", "optimize", "puzzle"]
    );
}

#[test]
fn clauses_are_asserted_seen_and_retracted() {
    let client = Client::new();
    let reply = client.call(
        "clauses",
        json!({ "operation": "assert", "clauses": ["likes(ann)", "bad x.", "likes(bob)."] }),
    );
    assert!(
        text(&reply).starts_with("Error: assert: 2/3 successful."),
        "{reply}"
    );
    let counts = |name: &str| structured(&reply)[name].as_u64();
    assert_eq!((counts("succeeded"), counts("failed")), (Some(2), Some(1)));
    assert_eq!(
        client.say("workspace", json!({ "operation": "snapshot" })),
        client.read("prolog://workspace/snapshot")
    );
    assert_eq!(client.read("prolog://workspace/symbols"), "likes/1");
    let text = client.say(
        "clauses",
        json!({ "operation": "retract", "clauses": "likes(ann)" }),
    );
    assert!(text.starts_with("retract: 1/1 successful"), "{text}");
    let text = client.say("workspace", json!({ "operation": "list_symbols" }));
    assert_eq!(text, "Available predicates (1):\nlikes/1: 1 clause");
}

#[test]
fn an_empty_workspace_says_so() {
    let client = Client::new();
    assert_eq!(
        client.say("workspace", json!({ "operation": "snapshot" })),
        "(empty workspace)"
    );
    assert_eq!(client.read("prolog://workspace/snapshot"), "% Empty workspace");
    assert_eq!(
        client.read("prolog://workspace/symbols"),
        "% No predicates defined"
    );
    assert_eq!(
        client.say("files", json!({ "operation": "list" })),
        "(no imported files)"
    );
}

#[test]
fn no_clauses_are_an_error() {
    for clauses in [json!([]), json!(""), json!([" ", "\n"])] {
        let reply = Client::new().call("clauses", json!({ "operation": "assert", "clauses": clauses }));
        assert_eq!(kind(&reply), "invalid_argument");
        assert!(text(&reply).contains("At least one clause required"));
    }
}

#[test]
fn files_are_imported_once_listed_and_removed() {
    let client = Client::new();
    let reply = client.call(
        "files",
        json!({ "operation": "import", "filename": "/data/family.pl" }),
    );
    assert!(
        text(&reply).starts_with("Import partial: 2 succeeded, 1 failed."),
        "{reply}"
    );
    assert_eq!(structured(&reply)["clausesAdded"], 2);
    let reply = client.call(
        "files",
        json!({ "operation": "import", "filename": "/data/family.pl" }),
    );
    assert_eq!(
        (kind(&reply), &structured(&reply)["status"]),
        ("already_imported", &json!("failed"))
    );
    client.say(
        "files",
        json!({ "operation": "import", "filename": "notes", "text": "likes(cy)." }),
    );
    let reply = client.call("files", json!({ "operation": "list" }));
    let files = structured(&reply)["files"].as_array().expect("files").clone();
    let listed: Vec<_> = files
        .iter()
        .map(|file| {
            (
                file["filename"].as_str().unwrap(),
                file["clauseCount"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(listed, [("/data/family.pl", 2), ("notes", 1)]);
    let text = client.say(
        "files",
        json!({ "operation": "unimport", "filename": "/data/family.pl" }),
    );
    assert_eq!(text, "Successfully unimported 2 clauses from /data/family.pl");
    let reply = client.call(
        "files",
        json!({ "operation": "unimport", "filename": "/data/family.pl" }),
    );
    assert_eq!(
        (kind(&reply), &structured(&reply)["status"]),
        ("not_imported", &json!("not_found"))
    );
}

#[test]
fn files_outside_the_roots_and_calls_without_a_name_are_refused() {
    let client = Client::new();
    client.bench.borrow().files.put("/etc/secret.pl", "secret(1).");
    let reply = client.call(
        "files",
        json!({ "operation": "import", "filename": "/etc/secret.pl" }),
    );
    assert_eq!(kind(&reply), "file_path_violation");
    for operation in ["import", "unimport"] {
        let reply = client.call("files", json!({ "operation": operation }));
        assert_eq!(kind(&reply), "invalid_argument");
        assert!(text(&reply).contains("'filename' is required"), "{reply}");
    }
}

#[test]
fn subscribers_hear_of_what_changed() {
    let client = Client::new();
    for uri in ["prolog://workspace/snapshot", "prolog://workspace/symbols"] {
        client.request("resources/subscribe", json!({ "uri": uri }));
    }
    let told = |clauses: &str| {
        client.begin(
            "tools/call",
            json!({ "name": "clauses", "arguments": { "operation": "assert", "clauses": clauses } }),
        );
        let sent = client.take_sent();
        let updates = sent
            .iter()
            .filter(|message| message["method"] == "notifications/resources/updated");
        updates
            .map(|message| message["params"]["uri"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        told("likes(ann)."),
        ["prolog://workspace/snapshot", "prolog://workspace/symbols"]
    );
    assert_eq!(told("likes(bob)."), ["prolog://workspace/snapshot"]);
    assert_eq!(told("bad x."), [""; 0]);
}

#[test]
fn reset_leaves_nothing() {
    let client = Client::new();
    client.assert_clauses(json!("likes(ann). likes(bob)."));
    client.call("query_start", json!({ "query": "likes(X)" }));
    let text = client.say("workspace", json!({ "operation": "reset" }));
    assert_eq!(text, "Workspace reset: 2 clauses removed, 1 query closed");
    assert_eq!(client.read("prolog://workspace/snapshot"), "% Empty workspace");
    assert_eq!(kind(&client.call("query_next", json!({}))), "no_such_query");
}

#[test]
fn help_is_the_same_as_a_tool_and_as_a_resource() {
    let client = Client::new();
    assert_eq!(client.say("help", json!({})), client.read("reference://help"));
    assert!(
        client
            .say("help", json!({ "topic": "security" }))
            .starts_with("## Security")
    );
    assert!(client.read("reference://license").starts_with("MIT License"));
    assert!(client.read("reference://logo").starts_with("<svg "));
}

#[test]
fn what_is_not_there_is_a_protocol_error() {
    let client = Client::new();
    let code = |method: &str, params: Value| client.request(method, params)["error"]["code"].as_i64();
    assert_eq!(code("tools/call", json!({ "name": "query" })), Some(-32602));
    assert_eq!(
        code("resources/read", json!({ "uri": "prolog://workspace/nothing" })),
        Some(-32002)
    );
    assert_eq!(code("prompts/get", json!({ "name": "poet" })), Some(-32602));
    let resource =
        json!({ "ref": { "type": "ref/resource", "uri": "x" }, "argument": { "name": "a", "value": "" } });
    assert_eq!(code("completion/complete", resource), Some(-32602));
}

#[test]
fn a_predicate_of_the_workspace_completes_a_query() {
    let client = Client::new();
    client.assert_clauses(json!("likes(ann, bob)."));
    let params = json!({ "ref": { "type": "ref/prompt", "name": "optimize" }, "argument": { "name": "query", "value": "lik" } });
    let reply = client.request("completion/complete", params);
    assert_eq!(reply["result"]["completion"]["values"], json!(["likes(_, _)"]));
}
